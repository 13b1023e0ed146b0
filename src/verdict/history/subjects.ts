/** Finds out whether two requests are about the same thing: the same contact, account, challenge or promotion. */
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { changesOf, outcomesOf } from '../../core/exchange/exchange.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { RowChange } from '../../core/state/state.ts';
import { IndexInSteps } from '../../core/time/index-in-steps.ts';
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { parseJsonBody } from '../../core/exchange/operation-key.ts';
import { pathParameters } from '../../core/exchange/path-template.ts';
import type { FieldSetting, SentContent, Subject } from '../../core/exchange/subject.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { contactName } from '../../service/contacts/contact-name.ts';
import { contactSubjectName } from '../../service/contacts/subjects.ts';
import type { RowKeys, RowNames } from '../../service/resource/subject-names.ts';
import { fromResources } from '../../service/resources.ts';
import type { DoneChanges } from '../state/done-work.ts';
import type { HistoryEntry } from './history-entry.ts';

type JudgedRequest = Pick<HistoryEntry, 'exchange' | 'endpoint'>;

type NamesOfId = (tenant: TenantContext, id: string) => readonly string[];

/** The links to other pages begin a page, and are not longer than this. */
const linksLength = 2000;

/** Finds the ids in a response. */
const shownIds = /"id":(?:"[^"]*"|\d+)/gu;

const kinds = new Map<string, NamesOfId>(fromResources(({ subjects }) => subjects && Object.entries(subjects.kinds)));

const rows: ReadonlyMap<string, RowNames> = new Map(
  fromResources(({ subjects }) => subjects?.rows?.map((one) => [one.table, one] as const)),
);

type KeyedRows = RowNames & { readonly keys: RowKeys<never> };

const hasKeys = (one: RowNames): one is KeyedRows => one.keys !== undefined;

/** Holds those to which keys lead. */
const keyedRows: ReadonlyMap<string, KeyedRows> = new Map(
  [...rows.values()].filter(hasKeys).map((one) => [one.table, one] as const),
);

/** Names the things that the exchanges of a journal are about, by the tenant's state and by what the journal shows of its past. */
export class Subjects {
  readonly #tenant: TenantContext;
  readonly #known = new Map<Exchange, ReadonlySet<string>>();
  readonly #written = new Map<Exchange, ReadonlyMap<string, number>>();
  readonly #pieces = new Map<Exchange, readonly (readonly string[])[]>();
  /** Holds what each subject means: many requests are about the same ones. */
  readonly #resolved = new Map<string, readonly string[]>();
  /** Holds what each key led to, now or once. */
  readonly #past: IndexInSteps<ReadonlyMap<string, ReadonlySet<string>>>;

  constructor(tenant: TenantContext, exchanges: readonly Exchange[]) {
    this.#tenant = tenant;
    this.#past = new IndexInSteps(() => pastKeys(exchanges));
  }

  /** Returns what a write asks for: for each piece a key for each name of its subject, none when nobody is named. */
  piecesOf(exchange: Exchange, endpoint: Endpoint): readonly (readonly string[])[] {
    if (!endpoint.work) return [];
    const known = this.#pieces.get(exchange);
    if (known) return known;
    const pieces = endpoint
      .work(sentContentOf(exchange, endpoint))
      .map(({ subject, effect }) => subject.flatMap((one) => this.resolve(one)).map((name) => `${effect} for ${name}`));
    this.#pieces.set(exchange, pieces);
    return pieces;
  }

  /** Returns the names of all that a request names. */
  sentNames(exchange: Exchange, endpoint: Endpoint): readonly string[] {
    return endpoint.subjects?.(sentContentOf(exchange, endpoint)).flatMap((subject) => this.resolve(subject)) ?? [];
  }

  /** Returns the fields that a write sets, each with the names of the thing whose field it is. */
  fieldsOf(
    exchange: Exchange,
    endpoint: Endpoint,
  ): { readonly setting: FieldSetting; readonly things: readonly string[] }[] {
    const sent = endpoint.sets?.(sentContentOf(exchange, endpoint)) ?? [];
    return sent.map((setting) => ({
      setting,
      things: [...new Set((setting.thing ?? setting.contact).flatMap((one) => this.resolve(one)))],
    }));
  }

  /** Returns the names of what a request has written, by its jobs too, each with the number of the state that it left. */
  writtenBy(exchange: Exchange): ReadonlyMap<string, number> {
    const known = this.#written.get(exchange);
    if (known) return known;
    const written = new Map<string, number>();
    for (const { changes, stateVersion } of outcomesOf(exchange))
      for (const { table, before, after } of changes)
        for (const name of rows.get(table)?.namesOf((after ?? before) as never) ?? []) written.set(name, stateVersion);
    this.#written.set(exchange, written);
    return written;
  }

  /** Names the contact that subjects mean, as a shop knows it. */
  contactNameOf(contact: readonly Subject[]): string {
    const prefix = contactSubjectName('');
    const name = contact.flatMap((one) => this.resolve(one)).find((one) => one.startsWith(prefix));
    return contactName(this.#tenant, name?.slice(prefix.length));
  }

  /** Returns the names of all that a request names or has changed; undefined if its endpoint does not say what it names. */
  namesOf(exchange: Exchange, endpoint: Endpoint): ReadonlySet<string> | undefined {
    const { subjects } = endpoint;
    if (!subjects) return undefined;
    const known = this.#known.get(exchange);
    if (known) return known;
    const names = new Set(this.sentNames(exchange, endpoint));
    for (const { table, before, after } of changesOf(exchange)) {
      const row = after ?? before;
      for (const name of rows.get(table)?.namesOf(row as never) ?? []) names.add(name);
    }
    this.#known.set(exchange, names);
    return names;
  }

  /** True when the response to a read shows the state that a write asks for, whatever brought it about. */
  isShownBy(read: JudgedRequest, { exchange, endpoint }: JudgedRequest): boolean {
    if (!endpoint?.isShownIn) return false;
    return endpoint.isShownIn(this.#tenant, sentContentOf(exchange, endpoint), shownBy(read));
  }

  /** True when a read cannot show any of these changes, or shows a part of a list without the rows that were changed. */
  isLeftOut(read: Exchange, done: DoneChanges, endpoint: Endpoint | undefined): boolean {
    if (!endpoint) return false;
    const { lists, canShow } = endpoint;
    // A read says there what it asks for.
    const target = `${endpoint.id} ${read.path}?${read.query}`;
    if (canShow) {
      const sent = sentContentOf(read, endpoint);
      if (!done.some(`shown by ${target}`, (change) => canShow(sent, change))) return true;
    }
    if (!lists) return false;
    const { table, idsOf, filters = [], isAskedFor } = lists;
    const query = queryOf(read);
    const body = read.response?.body ?? '';
    const isPage = 'offset' in query || 'count' in query || body.slice(0, linksLength).includes('"rel":"next"');
    if (!isPage && !filters.some((name) => name in query)) return false;
    const isListed = (change: RowChange): boolean => change.table === table;
    if (!done.some(`in ${table}`, isListed)) return false;
    // A table's functions read its own rows.
    const idsOfRow = ({ key, after }: RowChange): readonly unknown[] =>
      (after === undefined ? undefined : idsOf?.(this.#tenant, after as never)) ?? [key];
    const shownAs = (change: RowChange): readonly string[] =>
      isListed(change) ? idsOfRow(change).map((id) => `"id":${JSON.stringify(id)}`) : [];
    if (done.hasOneOf(`listed by ${endpoint.id}`, shownAs, body.match(shownIds) ?? [])) return false;
    const wasAskedFor = ({ before }: RowChange): boolean =>
      before !== undefined && isAskedFor?.(this.#tenant, query, before as never) === true;
    return isPage || !done.some(`asked for by ${target}`, (change) => isListed(change) && wasAskedFor(change));
  }

  /** Returns the names of the contacts that have the keys of a request now. */
  contactsNow(exchange: Exchange, endpoint: Endpoint | undefined): ReadonlySet<string> {
    const sent = endpoint?.subjects?.(sentContentOf(exchange, endpoint)) ?? [];
    const names = sent.flatMap(({ kind, id }) => kinds.get(kind)?.(this.#tenant, id) ?? []);
    return new Set(names.filter((name) => name.startsWith(contactSubjectName(''))));
  }

  /** Returns the names of what a subject means, now or once. */
  resolve(subject: Subject): readonly string[] {
    const key = `${subject.kind} ${subject.id}`;
    const known = this.#resolved.get(key);
    if (known) return known;
    const names = this.#resolve(subject);
    this.#resolved.set(key, names);
    return names;
  }

  #resolve({ kind, id }: Subject): readonly string[] {
    const names = kinds.get(kind)?.(this.#tenant, id) ?? [`${kind} ${id}`];
    // A contact that is named by its id is no other's, now or once; to collect all keys takes long.
    if (names.length === 1 && names[0]?.startsWith(contactSubjectName(''))) return names;
    const past = this.#past.value;
    return names.flatMap((name) => [name, ...(past.get(name) ?? [])]);
  }
}

const queryOf = ({ query }: Exchange): SentContent['query'] => Object.fromEntries(new URLSearchParams(query));
/** Returns what the response to a read shows. */
function shownBy({ exchange, endpoint }: JudgedRequest): unknown {
  const body = parseJsonBody(exchange.response?.body);
  return endpoint?.shows ? endpoint.shows(sentContentOf(exchange, endpoint), body) : body;
}

/** Returns what a request said, as far as it can be read; each part is read when somebody wants it. */
export const sentContentOf = (exchange: Exchange, { path, aliases = [] }: Endpoint): SentContent => ({
  get params() {
    return [path, ...aliases].map((template) => pathParameters(template, exchange.path)).find(Boolean) ?? {};
  },
  get query() {
    return queryOf(exchange);
  },
  get body() {
    return parseJsonBody(exchange.request.body);
  },
});

/** Collects the keys that rows had before and after each change. */
function* pastKeys(exchanges: readonly Exchange[]): Steps<Map<string, Set<string>>> {
  const past = new Map<string, Set<string>>();
  // What one change leaves, the next one mostly finds.
  const collected = new Set<unknown>();
  const collect = (named: KeyedRows, row: unknown): void => {
    if (row === undefined || collected.has(row)) return;
    collected.add(row);
    collectKeys(past, named, row);
  };
  yield* forEachInSteps(exchanges, (exchange) => {
    for (const { table, before, after } of changesOf(exchange)) {
      const named = keyedRows.get(table);
      if (!named) continue;
      collect(named, before);
      if (before !== undefined && after !== undefined && named.keys.areKept(before as never, after as never))
        collected.add(after);
      else collect(named, after);
    }
  });
  return past;
}

function collectKeys(past: Map<string, Set<string>>, { keys, namesOf }: KeyedRows, row: unknown): void {
  // A table's functions read its own rows.
  const own = row as never;
  for (const key of keys.namesOf(own)) {
    const names = past.get(key) ?? new Set();
    if (names.size === 0) past.set(key, names);
    for (const name of namesOf(own)) names.add(name);
  }
}
