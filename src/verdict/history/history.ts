/** Answers questions about a journal as a whole: what came before, between and after its exchanges. */
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { operationKey } from '../../core/exchange/operation-key.ts';
import type { OperationKey } from '../../core/exchange/operation-key.ts';
import { toAttempt, isIndeterminate } from './attempt.ts';
import type { Attempt, AttemptOutcome } from './attempt.ts';
import { isParallel, isSequential, connectionUsageOf } from './connection-usage.ts';
import type { ConnectionUsage } from './connection-usage.ts';
import { Callers } from './callers.ts';

/** Outcomes by which a read shows the client the state. */
const informativeOutcomes: ReadonlySet<AttemptOutcome> = new Set(['success', 'rejected']);

export interface HistoryEntry {
  readonly exchange: Exchange;
  readonly key: OperationKey;
  readonly endpoint: Endpoint | undefined;
}

/** Indexes a journal once, from its oldest exchange to the newest. */
export class History {
  readonly entries: readonly HistoryEntry[];
  readonly callers: Callers;
  readonly #reads = new Map<string, ExchangeList>();
  /** The last exchange without a fault, by endpoint. */
  readonly #served = new Map<string, Exchange>();
  readonly #queued = new Map<string, number>();
  readonly #all = new ExchangeList();
  readonly #changes = new ExchangeList();
  readonly #writes = new ExchangeList();
  readonly #lastRequests = new Map<number, number>();
  /** By content, in order of arrival. */
  readonly #sameContent = new Map<string, Exchange[]>();
  readonly #connectionUsage: ConnectionUsage;

  constructor(exchanges: readonly Exchange[], endpoints: readonly Endpoint[], clientHeader?: string) {
    const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint] as const));
    this.entries = exchanges.map((exchange) => {
      const endpoint = byId.get(exchange.endpoint ?? '');
      return { exchange, endpoint, key: operationKey(exchange, endpoint) };
    });
    for (const entry of this.entries) this.#add(entry);
    this.callers = new Callers(exchanges, clientHeader);
    this.#connectionUsage = connectionUsageOf(exchanges);
  }

  /** True when several requests were in flight at a time: a later one need not follow from an earlier one. */
  get isParallel(): boolean {
    return isParallel(this.#connectionUsage);
  }

  /** True when these were certainly sent by one client that sends one request at a time. */
  isSingleClient(exchanges: readonly Exchange[], others: readonly Exchange[]): boolean {
    const all = [...exchanges, ...others];
    const [declared] = all.map((exchange) => this.callers.declaredBy(exchange));
    if (declared !== undefined && this.callers.isOneDeclared(all)) return !this.callers.isParallel(declared);
    if (isSequential(this.#connectionUsage)) return true;
    const used = new Set(exchanges.flatMap(({ connection }) => connection?.id ?? []));
    return !this.isParallel && others.some(({ connection }) => connection !== undefined && used.has(connection.id));
  }

  /** Returns the last read of one of these endpoints, between two moments. */
  lastReadBack(endpoints: readonly string[], from: number, to: number): Exchange | undefined {
    const reads = endpoints.flatMap((id) => this.#reads.get(id)?.lastBetween(from, to) ?? []);
    return reads.toSorted((a, b) => b.number - a.number)[0];
  }

  /** True when a request changed something in the service between two moments. */
  hasChangesBetween(from: number, to: number): boolean {
    return this.#changes.lastBetween(from, to) !== undefined;
  }

  /** True when a request to another endpoint arrived between two moments. */
  hasOtherRequestsBetween(from: number, to: number, endpoints: readonly string[]): boolean {
    return this.#all.hasOtherBetween(from, to, endpoints);
  }

  /** True when a write arrived between two moments. */
  hasWritesBetween(from: number, to: number): boolean {
    return this.#writes.lastBetween(from, to) !== undefined;
  }

  /** True when the endpoint served a request after this moment that no fault hit. */
  isServedAfter(endpoint: string | undefined, moment: number): boolean {
    return (this.#served.get(endpoint ?? '')?.startedAt ?? -1) > moment;
  }

  /** True when the response of an endpoint may depend on work that was queued by then. */
  showsQueuedWork(endpoint: string | undefined, by: number): boolean {
    return (this.#queued.get(endpoint ?? '') ?? Infinity) < by;
  }

  /** Returns the first request with the same content after an attempt: by one of these connections, or by any. */
  nextWithSameContent(
    { text }: OperationKey,
    { exchange }: Attempt,
    connections?: ReadonlySet<unknown>,
  ): Exchange | undefined {
    return this.#sameContent
      .get(text)
      ?.find(({ connection, number }) => number > exchange.number && (connections?.has(connection?.id) ?? true));
  }

  /** True when the client certainly saw the end of an exchange: it used the same connection again. */
  isEndObserved({ connection }: Exchange): boolean {
    return connection === undefined || (this.#lastRequests.get(connection.id) ?? 0) > connection.request;
  }

  #add({ exchange, endpoint, key }: HistoryEntry): void {
    const { connection, startedAt, sideEffects, fault, finishedAt } = exchange;
    const attempt = toAttempt(exchange);
    const id = exchange.endpoint ?? '';
    this.#all.add(exchange);
    const known = this.#sameContent.get(key.text);
    if (known) known.push(exchange);
    else this.#sameContent.set(key.text, [exchange]);
    if (connection) this.#lastRequests.set(connection.id, connection.request);
    if (sideEffects.changes.length > 0) this.#changes.add(exchange);
    if (endpoint && endpoint.retry !== 'safe') this.#writes.add(exchange);
    if (informativeOutcomes.has(attempt.outcome)) add(this.#reads, id, exchange);
    if (fault === undefined && finishedAt !== undefined) this.#served.set(id, exchange);
    if (endpoint && isQueueing(endpoint, attempt)) this.#noteQueued(endpoint, startedAt);
  }

  #noteQueued({ readBack = [] }: Endpoint, moment: number): void {
    for (const id of readBack) if (!this.#queued.has(id)) this.#queued.set(id, moment);
  }
}

function add(lists: Map<string, ExchangeList>, name: string, exchange: Exchange): void {
  const list = lists.get(name) ?? new ExchangeList();
  list.add(exchange);
  lists.set(name, list);
}

/** True when a request queued work that is done later, as far as its client knows. */
const isQueueing = ({ responses }: Endpoint, attempt: Attempt): boolean =>
  202 in responses && (attempt.exchange.status === 202 || isIndeterminate(attempt));

/** Exchanges by their arrival; a binary search finds one by its moment. */
class ExchangeList {
  readonly #exchanges: Exchange[] = [];

  /** Adds an exchange that arrived after all others. */
  add(exchange: Exchange): void {
    this.#exchanges.push(exchange);
  }

  /** Returns the last exchange that arrived between two moments of real time. */
  lastBetween(from: number, to: number): Exchange | undefined {
    const found = this.#exchanges[this.#countBefore(to) - 1];
    return found && found.startedAt > from ? found : undefined;
  }

  /** True when an exchange of another endpoint arrived between two moments. */
  hasOtherBetween(from: number, to: number, endpoints: readonly string[]): boolean {
    for (let i = this.#countBefore(to) - 1; i >= 0; i--) {
      const exchange = this.#exchanges[i];
      if (!exchange || exchange.startedAt <= from) return false;
      if (!endpoints.includes(exchange.endpoint ?? '')) return true;
    }
    return false;
  }

  /** Counts the exchanges before a moment. */
  #countBefore(moment: number): number {
    let [low, high] = [0, this.#exchanges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#exchanges[middle]?.startedAt ?? Infinity) < moment) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
