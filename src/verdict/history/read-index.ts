/** Finds the reads by which a caller looked at what its write was about. */
import { appendTo } from '../../core/lib/collections.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { IndexInSteps } from '../../core/time/index-in-steps.ts';
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { knownEndOf, isIndeterminate, toAttempt } from './attempt.ts';
import type { Callers } from './callers.ts';
import { ExchangeList } from './exchange-list.ts';
import type { Span } from './exchange-list.ts';
import type { HistoryEntry } from './history-entry.ts';
import type { Subjects } from './subjects.ts';

/** Lists the statuses by which a lookup says that there is nothing, or several. */
const tellingStatuses: ReadonlySet<number | undefined> = new Set([404, 409]);

/** True when a read got a response: its caller has seen what is there, or that nothing is. */
function isServed({ exchange, attempt: { outcome } }: HistoryEntry): boolean {
  return outcome === 'success' || (outcome === 'rejected' && tellingStatuses.has(exchange.status));
}

/** Limits the looks after a write, of each thing that it names, in which its effect is searched. */
const maxLooks = 5;

/** Stands for everything, in an index by names. */
const everything = '*';

type ByName = ReadonlyMap<string, ExchangeList>;

/** Says when a look counts: it began after the first moment, and got its response by the second. */
export interface LookSpan extends Span {
  /** Is what was sent at its end, perhaps by another caller, which may have looked too. */
  readonly next?: Exchange | undefined;
  /** Says whose look counts, if not only that of the caller of the write or of what came next. */
  readonly by?: 'anybody' | undefined;
}

interface Whereabouts {
  readonly entries: readonly HistoryEntry[];
  readonly callers: Callers;
  readonly subjects: Subjects;
}

/** Indexes the exchanges of an endpoint by what they are about, as soon as somebody asks for it. */
export class ReadIndex {
  readonly #callers: Callers;
  readonly #subjects: Subjects;
  readonly #byEndpoint: IndexInSteps<ReadonlyMap<string, readonly HistoryEntry[]>>;
  readonly #reads = new Map<string, IndexInSteps<ByName>>();
  /** Finds them by the endpoint of the reads that show them. */
  readonly #writes = new Map<string, IndexInSteps<ByName>>();
  /** Holds the reads that show what a write was about. */
  readonly #showing = new Map<Exchange, readonly ExchangeList[]>();

  constructor({ entries, callers, subjects }: Whereabouts) {
    [this.#callers, this.#subjects] = [callers, subjects];
    this.#byEndpoint = new IndexInSteps(() => byEndpoint(entries));
  }

  /**
   * Returns the last read of what a write was about that began and got a response within a span, by a caller that may
   * be its own.
   */
  lastLook(write: Exchange, endpoint: Endpoint, span: LookSpan): Exchange | undefined {
    const { from, to } = span;
    const isLook = this.#isLookAt(write, span);
    const looks = this.#readsShowing(write, endpoint).flatMap((list) => list.lastBetween(from, to, isLook) ?? []);
    return looks.reduce<Exchange | undefined>(
      (last, look) => (last && last.number > look.number ? last : look),
      undefined,
    );
  }

  /** Returns the first of these reads, and the last one, in their order. */
  looks(write: Exchange, endpoint: Endpoint, span: LookSpan): readonly Exchange[] {
    const last = this.lastLook(write, endpoint, span);
    if (!last) return [];
    const first = this.#readsShowing(write, endpoint)
      .flatMap((list) => list.firstBetween(span.from, span.to, maxLooks))
      .filter(this.#isLookAt(write, span));
    return [...new Set([...first.toSorted((a, b) => a.number - b.number), last])];
  }

  /** True when work that may show in the response to a read was queued by a moment. */
  showsQueuedWork(read: Exchange, endpoint: Endpoint, by: number): boolean {
    const isQueueing = (write: Exchange): boolean => this.#isQueueing(write);
    return this.#writesShownBy(read, endpoint).some(
      (list) => list.lastBetween(-Infinity, by, isQueueing) !== undefined,
    );
  }

  /** True when a write between two moments may show in the response to a read. */
  isWrittenBetween(read: Exchange, endpoint: Endpoint, { from, to }: Span): boolean {
    const isOwn = (write: Exchange): boolean => this.#callers.compare(write, read) !== 'other';
    return this.#writesShownBy(read, endpoint).some((list) => list.lastBetween(from, to, isOwn) !== undefined);
  }

  /** Returns the first creation of what a read looked for, unless its caller has got a response before. */
  creationAfter(read: Exchange, endpoint: Endpoint, from: number): Exchange | undefined {
    const isCreation = (write: Exchange): boolean =>
      this.#endpointOf(write)?.refusesRepeat !== undefined && this.#callers.compare(write, read) !== 'other';
    const found = this.#writesShownBy(read, endpoint).flatMap((list) => list.firstAfter(from, isCreation) ?? []);
    const first = found.toSorted((a, b) => a.number - b.number)[0];
    const created = first && this.#endpointOf(first);
    if (!created) return undefined;
    return this.lastLook(first, created, { from, to: first.startedAt }) ? undefined : first;
  }

  #endpointOf({ endpoint }: Exchange): Endpoint | undefined {
    return this.#byEndpoint.value.get(endpoint ?? '')?.[0]?.endpoint;
  }

  /** Accepts reads by callers that may be those of a write, or of what came next, if they got a response in time. */
  #isLookAt(write: Exchange, { to, next = write, by }: LookSpan): (read: Exchange) => boolean {
    const isBy = (caller: Exchange, read: Exchange): boolean => this.#callers.compare(caller, read) !== 'other';
    return (read) =>
      (knownEndOf(read) ?? Infinity) <= to && (by === 'anybody' || isBy(write, read) || isBy(next, read));
  }

  #writesShownBy(read: Exchange, endpoint: Endpoint): ExchangeList[] {
    const known =
      this.#writes.get(endpoint.id) ?? new IndexInSteps(() => this.#indexed(this.#writesReadBackBy(endpoint.id)));
    this.#writes.set(endpoint.id, known);
    return listsOf(known.value, this.#subjects.namesOf(read, endpoint));
  }

  #readsShowing(write: Exchange, endpoint: Endpoint): readonly ExchangeList[] {
    const known = this.#showing.get(write);
    if (known) return known;
    // Many journals have no such reads: then it is the same what the write names.
    const indexes = endpoint.readBack?.map((id) => this.#servedReads(id)).filter(({ size }) => size > 0) ?? [];
    const names = indexes.length === 0 ? undefined : this.#subjects.namesOf(write, endpoint);
    const found = indexes.flatMap((index) => listsOf(index, names));
    this.#showing.set(write, found);
    return found;
  }

  #servedReads(id: string): ByName {
    const known =
      this.#reads.get(id) ??
      new IndexInSteps(() => this.#indexed((this.#byEndpoint.value.get(id) ?? []).filter(isServed)));
    this.#reads.set(id, known);
    return known.value;
  }

  /** True when a write queued work that is done later, as far as its client knows. */
  #isQueueing(write: Exchange): boolean {
    const endpoint = this.#endpointOf(write);
    const mayQueue = endpoint !== undefined && 202 in endpoint.responses;
    return mayQueue && (write.status === 202 || isIndeterminate(toAttempt(write)));
  }

  #writesReadBackBy(read: string): HistoryEntry[] {
    return [...this.#byEndpoint.value.values()]
      .flatMap((entries) => (entries[0]?.endpoint?.readBack?.includes(read) ? entries : []))
      .toSorted((a, b) => a.exchange.number - b.exchange.number);
  }

  *#indexed(entries: readonly HistoryEntry[]): Steps<ByName> {
    const index = new Map<string, ExchangeList>();
    yield* forEachInSteps(entries, ({ exchange, endpoint }) => {
      const names = (endpoint && this.#subjects.namesOf(exchange, endpoint)) ?? [everything];
      for (const name of names) {
        const list = index.get(name) ?? new ExchangeList();
        list.add(exchange);
        index.set(name, list);
      }
    });
    return index;
  }
}

function* byEndpoint(entries: readonly HistoryEntry[]): Steps<Map<string, HistoryEntry[]>> {
  const found = new Map<string, HistoryEntry[]>();
  yield* forEachInSteps(entries, (entry) => {
    if (entry.endpoint) appendTo(found, entry.endpoint.id, entry);
  });
  return found;
}

/** Returns the lists of these names; a request without names is about everything. */
function listsOf(index: ByName, names: ReadonlySet<string> | undefined): ExchangeList[] {
  if (!names) return [...index.values()];
  return [...names, everything].flatMap((name) => index.get(name) ?? []);
}
