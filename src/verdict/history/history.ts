/** What a journal's exchanges tell beyond each of them: what came before, between and after. */
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { operationKey } from '../../core/exchange/operation-key.ts';
import type { OperationKey } from '../../core/exchange/operation-key.ts';
import { toAttempt, isIndeterminate } from './attempt.ts';
import type { Attempt, AttemptOutcome } from './attempt.ts';
import { ExchangeList } from './exchange-list.ts';
import { isParallel, isSequential, connectionUsageOf } from './connection-usage.ts';
import type { ConnectionUsage } from './connection-usage.ts';

/** Answers by which the caller of a read learns how things stand. */
const informativeOutcomes: ReadonlySet<AttemptOutcome> = new Set(['success', 'rejected']);

export interface HistoryEntry {
  readonly exchange: Exchange;
  readonly key: OperationKey;
  readonly endpoint: Endpoint | undefined;
}

/** Read once, from the oldest exchange to the newest; asked often. */
export class History {
  readonly entries: readonly HistoryEntry[];
  readonly #answered = new Map<string, ExchangeList>();
  /** The last one. */
  readonly #served = new Map<string, Exchange>();
  readonly #queued = new Map<string, number>();
  readonly #all = new ExchangeList();
  readonly #changes = new ExchangeList();
  readonly #writes = new ExchangeList();
  readonly #lastRequests = new Map<number, number>();
  /** By what they say, in order. */
  readonly #alike = new Map<string, Exchange[]>();
  readonly #connectionUsage: ConnectionUsage;

  constructor(exchanges: readonly Exchange[], endpoints: readonly Endpoint[]) {
    const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint] as const));
    this.entries = exchanges.map((exchange) => {
      const endpoint = byId.get(exchange.endpoint ?? '');
      return { exchange, endpoint, key: operationKey(exchange, endpoint) };
    });
    for (const asked of this.entries) this.#add(asked);
    this.#connectionUsage = connectionUsageOf(exchanges);
  }

  /** Whether several calls were made at a time, so that what comes after another need not follow from it. */
  get isParallel(): boolean {
    return isParallel(this.#connectionUsage);
  }

  /** Whether these were certainly sent by one caller, that makes one call at a time. */
  isSingleClient(exchanges: readonly Exchange[], others: readonly Exchange[]): boolean {
    if (isSequential(this.#connectionUsage)) return true;
    const used = new Set(exchanges.flatMap(({ connection }) => connection?.id ?? []));
    return !this.isParallel && others.some(({ connection }) => connection !== undefined && used.has(connection.id));
  }

  /** The call by which one of these endpoints last told its caller how things stand, between two moments. */
  lastReadBack(endpoints: readonly string[], from: number, to: number): Exchange | undefined {
    const looks = endpoints.flatMap((id) => this.#answered.get(id)?.lastBetween(from, to) ?? []);
    return looks.toSorted((a, b) => b.number - a.number)[0];
  }

  /** Whether anything in the service was changed by a call between two moments. */
  hasChangesBetween(from: number, to: number): boolean {
    return this.#changes.lastBetween(from, to) !== undefined;
  }

  /** Whether anything but these endpoints was called between two moments. */
  hasOtherRequestsBetween(from: number, to: number, endpoints: readonly string[]): boolean {
    return this.#all.hasOtherBetween(from, to, endpoints);
  }

  /** Whether a change was asked for between two moments. */
  hasWritesBetween(from: number, to: number): boolean {
    return this.#writes.lastBetween(from, to) !== undefined;
  }

  /** Whether the endpoint served a call after this moment, and no fault befell it. */
  isServedAfter(endpoint: string | undefined, moment: number): boolean {
    return (this.#served.get(endpoint ?? '')?.startedAt ?? -1) > moment;
  }

  /** Whether what the endpoint shows may be due to work that was queued by then. */
  showsQueuedWork(endpoint: string | undefined, by: number): boolean {
    return (this.#queued.get(endpoint ?? '') ?? Infinity) < by;
  }

  /** The first request of the same content after an attempt: by one of these connections, or by any. */
  nextWithSameContent(
    { text }: OperationKey,
    { exchange }: Attempt,
    connections?: ReadonlySet<unknown>,
  ): Exchange | undefined {
    return this.#alike
      .get(text)
      ?.find(({ connection, number }) => number > exchange.number && (connections?.has(connection?.id) ?? true));
  }

  /** Whether the caller has certainly heard the end of an exchange: it went on to use the same connection. */
  isEndObserved({ connection }: Exchange): boolean {
    return connection === undefined || (this.#lastRequests.get(connection.id) ?? 0) > connection.request;
  }

  #add({ exchange, endpoint, key }: HistoryEntry): void {
    const { connection, startedAt, sideEffects: outcome, fault, finishedAt } = exchange;
    const attempt = toAttempt(exchange);
    const id = exchange.endpoint ?? '';
    this.#all.add(exchange);
    const alike = this.#alike.get(key.text);
    if (alike) alike.push(exchange);
    else this.#alike.set(key.text, [exchange]);
    if (connection) this.#lastRequests.set(connection.id, connection.request);
    if (outcome.changes.length > 0) this.#changes.add(exchange);
    if (endpoint && endpoint.retry !== 'safe') this.#writes.add(exchange);
    if (informativeOutcomes.has(attempt.outcome)) add(this.#answered, id, exchange);
    if (fault === undefined && finishedAt !== undefined) this.#served.set(id, exchange);
    if (endpoint && isQueueing(endpoint, attempt)) this.#noteQueued(endpoint, startedAt);
  }

  #noteQueued({ readBack: lookups = [] }: Endpoint, moment: number): void {
    for (const id of lookups) if (!this.#queued.has(id)) this.#queued.set(id, moment);
  }
}

function add(lists: Map<string, ExchangeList>, name: string, exchange: Exchange): void {
  const calls = lists.get(name) ?? new ExchangeList();
  calls.add(exchange);
  lists.set(name, calls);
}

/** Whether a call left work behind that is done later, as far as its caller knows. */
const isQueueing = ({ responses: answers }: Endpoint, attempt: Attempt): boolean =>
  202 in answers && (attempt.exchange.status === 202 || isIndeterminate(attempt));
