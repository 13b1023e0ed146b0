/** Holds a tenant against another, in which the same work was done without faults: ids and times aside. */
import { plural } from '../../core/lib/plural.ts';
import { jobs } from '../../core/time/jobs.ts';
import { outcomesOf } from '../../core/exchange/exchange.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { contactName } from '../../service/contacts/contact-name.ts';
import { contacts } from '../../service/contacts/schema.ts';
import { formatThing } from '../../service/resource/business-thing.ts';
import type { BusinessThing } from '../../service/resource/business-thing.ts';
import type { RowChange } from '../../core/state/state.ts';
import { stepHeader } from '../history/attempt.ts';
import type { Check } from '../verdict.ts';
import { thingsOf } from './things.ts';

/** Judges whether the requests of a tenant have brought what those of the reference have. */
export function checkReference(tenant: Tenant, reference: Tenant): Check {
  const description = `the state is as in the tenant "${reference.name}"`;
  const { doubts, found } = compareWithReference(tenant, new Reference(reference));
  if (doubts.length > 0) return { description, verdict: 'INCONCLUSIVE', reason: doubts.join('; '), requests: [] };
  if (found.length === 0) return { description, verdict: 'PASS', reason: 'as expected', requests: [] };
  return { description, verdict: 'FAIL', reason: found.map(({ text }) => text).join('; '), requests: [] };
}

/** Describes one way in which a state differs from what is expected, in business words. */
export interface StateDifference {
  /**
   * `misplaced`: it is there, on another contact that the reference has too. `extra`: it is there, or there more often,
   * and at no time should be.
   */
  readonly kind: 'misplaced' | 'extra' | 'other';
  readonly text: string;
}

interface StateComparison {
  /** Says why the two can't be compared; then nothing is found. */
  readonly doubts: readonly string[];
  readonly found: readonly StateDifference[];
}

/** Reads the tenant without faults once, when the first of several is held against it. */
export class Reference {
  readonly #tenant: Tenant;
  #work: Work | undefined;

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
  }

  get doubts(): string[] {
    return doubtsOfReference(this.#tenant);
  }

  get work(): Work {
    return (this.#work ??= workIn(this.#tenant));
  }
}

/** Returns how the work of a tenant differs from that of the reference. */
export function compareWithReference(tenant: Tenant, reference: Reference): StateComparison {
  const doubts = [...doubtsOf(tenant), ...reference.doubts];
  return { doubts, found: doubts.length > 0 ? [] : differencesOf(workIn(tenant), reference.work) };
}

function doubtsOf(tenant: Tenant): string[] {
  const { name, journal } = tenant;
  const queued = tenant.listRows(jobs, 'byStatus', 'queued').length;
  const inFlight = [...journal.exchanges()].filter(({ finishedAt }) => finishedAt === undefined).length;
  return [
    ...(journal.evicted > 0 ? [`the journal of "${name}" has dropped ${plural(journal.evicted, 'request')}`] : []),
    ...(journal.deleted > 0
      ? [
          `${plural(journal.deleted, 'request')} of "${name}" ${journal.deleted === 1 ? 'was' : 'were'} deleted, and not what was done: reset the state with the journal`,
        ]
      : []),
    ...(queued > 0
      ? [
          `${plural(queued, 'job')} of "${name}" ${queued === 1 ? 'is' : 'are'} still queued: move the clock, or drain the queue`,
        ]
      : []),
    ...(inFlight > 0
      ? [`${plural(inFlight, 'request')} of "${name}" ${inFlight === 1 ? 'is' : 'are'} still in flight`]
      : []),
  ];
}

function doubtsOfReference(reference: Tenant): string[] {
  const faulted = [...reference.journal.exchanges()].filter(({ fault }) => fault !== undefined).length;
  const { name, journal } = reference;
  return [
    ...doubtsOf(reference),
    ...(journal.size === 0 ? [`no request arrived in "${name}"`] : []),
    ...(faulted > 0
      ? [`a fault hit ${plural(faulted, 'request')} of "${name}", which is to show the work without faults`]
      : []),
  ];
}

interface Work {
  readonly things: readonly BusinessThing[];
  /** Names the contacts that were created. */
  readonly created: ReadonlySet<string>;
  /** Lists what each request by itself has brought, also what a later one replaced. */
  readonly steps: () => readonly BusinessThing[];
}

/** Returns what the client's requests have brought, with names that depend on no order. */
function workIn(tenant: Tenant): Work {
  const own = [...tenant.journal.exchanges()].filter(({ request }) => request.headers[stepHeader] === undefined);
  const changes = own.flatMap((exchange) => changesLeft(exchange, tenant));
  const names = new Map<string | undefined, string>();
  const created = new Set<string>();
  for (const { table, key, before } of changes) {
    if (table !== contacts.name || before !== undefined) continue;
    const { email, mobilePhone } = tenant.get(contacts, key)?.attributes ?? {};
    // A member number is drawn, so that it depends on the order in which contacts were created.
    const name = contactName(tenant, key);
    const lasting = (email ?? mobilePhone) ? `contact ${String(email ?? mobilePhone)}` : undefined;
    if (lasting !== undefined) names.set(name, lasting);
    created.add(lasting ?? name);
  }
  const named = (some: Iterable<RowChange>): BusinessThing[] =>
    thingsOf(some, tenant).map((thing) => ({ ...thing, contact: names.get(thing.contact) ?? thing.contact }));
  return {
    things: named(changes),
    created,
    steps: () => own.flatMap((exchange) => named(changesLeft(exchange, tenant))),
  };
}

/** Returns the changes that a request caused, but for those that a reset or a restored snapshot has taken back. */
const changesLeft = (exchange: Exchange, { lineage, history }: Tenant): RowChange[] =>
  outcomesOf(exchange).flatMap(({ changes, stateVersion }) =>
    lineage.holds(stateVersion, history.version) ? changes : [],
  );

const nameOfThing = ({ contact, text }: BusinessThing): string => `${contact}\n${text}`;

/** Holds how often a thing is there on either side, or how much of it. */
interface Tally {
  readonly thing: BusinessThing;
  /** Is positive for what is too much. */
  balance: number;
}

function differencesOf(actual: Work, wanted: Work): StateDifference[] {
  const tallies = new Map<string, Tally>();
  for (const [{ things }, sign] of [[actual, 1] as const, [wanted, -1] as const]) {
    for (const thing of things) {
      const name = nameOfThing(thing);
      const tally = tallies.get(name) ?? { thing, balance: 0 };
      tallies.set(name, tally);
      tally.balance += sign * (thing.amount ?? 1);
    }
  }
  const open = [...tallies.values()]
    .filter(({ balance }) => balance !== 0)
    // Points follow from what comes first.
    .toSorted((a, b) => Number(a.thing.amount !== undefined) - Number(b.thing.amount !== undefined));
  const misplaced = moved(open).map(({ text, to }): StateDifference => ({
    kind: actual.created.has(to) && !wanted.created.has(to) ? 'extra' : 'misplaced',
    text,
  }));
  const others = replaced(open);
  const steps = new Set(others.length === 0 ? [] : wanted.steps().map(nameOfThing));
  const uneven = open.filter(({ balance }) => balance !== 0);
  return [
    ...misplaced,
    ...others.map(({ thing, text }): StateDifference => ({
      kind: steps.has(nameOfThing(thing)) ? 'other' : 'extra',
      text,
    })),
    ...uneven.map((tally): StateDifference => ({ kind: tally.balance > 0 ? 'extra' : 'other', text: describe(tally) })),
  ];
}

/** Finds what is on another contact, and takes it out of the balance. */
function moved(open: readonly Tally[]): { readonly text: string; readonly to: string }[] {
  const extra = new Map<string, Tally[]>();
  for (const tally of open) {
    if (tally.balance <= 0 || tally.thing.field !== undefined || tally.thing.contact === undefined) continue;
    const name = placeless(tally, 1);
    extra.set(name, [...(extra.get(name) ?? []), tally]);
  }
  const found: { readonly text: string; readonly to: string }[] = [];
  for (const missing of open) {
    const other = missing.balance < 0 ? extra.get(placeless(missing, -1))?.pop() : undefined;
    const to = other?.thing.contact;
    if (!other || to === undefined) continue;
    const { contact, ...what } = missing.thing;
    const amount = what.amount === undefined ? {} : { amount: -missing.balance };
    const isPlural = amount.amount !== undefined && amount.amount !== 1;
    const name = formatThing({ ...what, ...amount, contact: undefined });
    found.push({ text: `${name} ${isPlural ? 'are' : 'is'} on ${to}, not on ${contact}`, to });
    missing.balance = 0;
    other.balance = 0;
  }
  return found;
}

const placeless = ({ thing: { text }, balance }: Tally, sign: number): string => `${text} ${balance * sign}`;

/** Finds fields with another value, and takes them out of the balance. */
function replaced(open: readonly Tally[]): { readonly thing: BusinessThing; readonly text: string }[] {
  const wanted = new Map<string, Tally>();
  for (const tally of open) {
    const { contact, field } = tally.thing;
    if (tally.balance < 0 && field !== undefined) wanted.set(`${contact}\n${field}`, tally);
  }
  return open.flatMap((tally) => {
    const { contact, field } = tally.thing;
    const meant = tally.balance > 0 ? wanted.get(`${contact}\n${field}`) : undefined;
    if (!meant || field === undefined) return [];
    meant.balance = 0;
    tally.balance = 0;
    return [{ thing: tally.thing, text: `${contact} has ${tally.thing.text}, not ${meant.thing.text}` }];
  });
}

function describe({ thing, balance }: Tally): string {
  const count = Math.abs(balance);
  if (thing.amount !== undefined) {
    const missing = `${formatThing({ ...thing, amount: count })} ${count === 1 ? 'is' : 'are'} missing`;
    return balance > 0 ? `${thing.contact} has ${plural(count, thing.text)} too many` : missing;
  }
  const what = formatThing(thing);
  if (balance < 0) return count === 1 ? `${what} is missing` : `${what} is missing ${count} times`;
  return `${what} is there ${count === 1 ? 'once' : `${count} times`} too often`;
}
