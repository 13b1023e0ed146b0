/** Answers questions about a journal as a whole: what came before, between and after its exchanges. */
import { appendTo, lowerBound } from '../../core/lib/collections.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { RowChange } from '../../core/state/state.ts';
import { IndexInSteps } from '../../core/time/index-in-steps.ts';
import { forEachInSteps, Portion } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { namedKey, operationKey, operationKeyInSteps, parseJsonBody } from '../../core/exchange/operation-key.ts';
import type { OperationKey } from '../../core/exchange/operation-key.ts';
import { isRestoredBetween, isSetBackBetween, toAttempt } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { isParallel, isSequential, connectionUsageOf } from './connection-usage.ts';
import type { ConnectionUsage } from './connection-usage.ts';
import { Callers, isProxied } from './callers.ts';
import type { HistoryEntry } from './history-entry.ts';
import { ReadIndex } from './read-index.ts';
import type { LookSpan } from './read-index.ts';
import { ExchangeList } from './exchange-list.ts';
import type { Span } from './exchange-list.ts';
import { sentContentOf, Subjects } from './subjects.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { Restarts } from './restarts.ts';

interface HistoryContext {
  readonly endpoints: readonly Endpoint[];
  readonly tenant: Tenant;
  readonly clientHeader?: string;
  readonly onlyClient?: OnlyClient | undefined;
}

/** Says that one client sent everything, and where it was started again: whoever started it knows. */
export interface OnlyClient {
  /** Names it in findings. */
  readonly name: string;
  /** Holds the number of the last request before it was started again. */
  readonly restartedAfter?: number | undefined;
}

interface Service {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** Holds the endpoints of requests whose content says by which they are judged: it is parsed once. */
  readonly byContent: Map<Exchange, Endpoint>;
  readonly tenant: Tenant;
}

interface HistoryParts extends Pick<History, 'entries' | 'callers' | 'restarts' | 'subjects'> {
  readonly connectionUsage: ConnectionUsage;
  readonly service: Service;
  readonly exchanges: readonly Exchange[];
}

/** Indexes a journal step by step. */
export function* indexJournal(
  exchanges: readonly Exchange[],
  { endpoints, tenant, clientHeader, onlyClient }: HistoryContext,
): Steps<History> {
  const service: Service = {
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.id, endpoint] as const)),
    byContent: new Map(),
    tenant,
  };
  const entries: HistoryEntry[] = [];
  const portion = new Portion();
  for (const exchange of exchanges) {
    const endpoint = judgingEndpoint(exchange, service);
    const { length = 0 } = exchange.request.body ?? '';
    const key = length > shortLength ? yield* longKeyOf(exchange, endpoint) : operationKey(exchange, endpoint);
    entries.push({ exchange, endpoint, key, attempt: toAttempt(exchange) });
    if (portion.isFullWith(length)) yield;
  }
  const callers = yield* Callers.of(exchanges, { clientHeader, only: onlyClient?.name });
  const restarts = yield* Restarts.of(exchanges, callers, onlyClient?.restartedAfter);
  const subjects = new Subjects(tenant, exchanges);
  const connectionUsage = yield* connectionUsageOf(entries.map(({ attempt }) => attempt));
  return yield* History.of({ service, exchanges, entries, callers, restarts, subjects, connectionUsage });
}

/** Limits the characters of a body whose content is made into a key at once. */
const shortLength = 64 * 1024;

function* longKeyOf(exchange: Exchange, endpoint: Endpoint | undefined): Steps<OperationKey> {
  // The body may have been parsed just now, to find the endpoint.
  yield;
  const named = namedKey(exchange, endpoint);
  return named ?? (yield* operationKeyInSteps(exchange, endpoint, parseJsonBody(exchange.request.body)));
}

/** Returns the endpoint by which a request is judged: the one that served it, as the tenant's assumptions have it. */
function judgingEndpoint(exchange: Exchange, { endpoints, byContent, tenant }: Service): Endpoint | undefined {
  const served = endpoints.get(exchange.endpoint ?? '');
  if (!served?.judgedBy) return served;
  const judging = byContent.get(exchange) ?? served.judgedBy(tenant, sentContentOf(exchange, served));
  byContent.set(exchange, judging);
  return judging;
}

/** Answers from a journal that was indexed once, from its oldest exchange to the newest. */
export class History {
  readonly entries: readonly HistoryEntry[];
  readonly callers: Callers;
  readonly restarts: Restarts;
  readonly subjects: Subjects;
  readonly #reads: ReadIndex;
  /** Holds the last exchange without a fault or with success, by endpoint. */
  readonly #served = new Map<string, Exchange>();
  readonly #sequences: IndexInSteps<Sequences>;
  readonly #all = new ExchangeList();
  readonly #changes = new ExchangeList();
  readonly #writes = new ExchangeList();
  readonly #lastByConnection = new Map<number, Exchange>();
  /** Lists requests by content, in order of arrival. */
  readonly #sameContent: IndexInSteps<ReadonlyMap<string, readonly Exchange[]>>;
  readonly #service: Service;
  readonly #connectionUsage: ConnectionUsage;
  /** Holds the callers whose connections served several requests. */
  readonly #keepers = new Set<string>();

  private constructor({ service, exchanges, entries, callers, restarts, subjects, connectionUsage }: HistoryParts) {
    this.#service = service;
    this.entries = entries;
    this.callers = callers;
    this.restarts = restarts;
    this.subjects = subjects;
    this.#connectionUsage = connectionUsage;
    this.#reads = new ReadIndex(this);
    this.#sequences = new IndexInSteps(() => sequencesOf(exchanges, callers));
    this.#sameContent = new IndexInSteps(() => bySameContent(entries));
  }

  static *of(parts: HistoryParts): Steps<History> {
    const history = new History(parts);
    yield* forEachInSteps(history.entries, (entry) => history.#add(entry));
    return history;
  }

  /** True when no request came between two by what may be their caller. */
  isNextTo(before: Exchange, next: Exchange): boolean {
    return this.neighboursOf(before)[1] === next;
  }

  /** Returns the requests right before and after one by what may be its caller. */
  neighboursOf(exchange: Exchange): readonly [before: Exchange | undefined, next: Exchange | undefined] {
    const { positions, byCaller } = this.#sequences.value;
    const own = byCaller.get(this.callers.keyOf(exchange)) ?? [];
    const at = positions.get(exchange) ?? NaN;
    return [own[at - 1], own[at + 1]];
  }

  /** Returns the endpoint by which a request is judged. */
  endpointOf(exchange: Exchange): Endpoint | undefined {
    return judgingEndpoint(exchange, this.#service);
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
    const [left, right] = [exchanges[0], others[0]];
    if (left && right && this.callers.compare(left, right) === 'other') return false;
    if (all.some(isProxied)) return false;
    if (isSequential(this.#connectionUsage)) return true;
    const used = new Set(exchanges.flatMap(({ connection }) => connection?.id ?? []));
    return !this.isParallel && others.some(({ connection }) => connection !== undefined && used.has(connection.id));
  }

  /** Returns the last request by which the caller of an exchange, or of what came next, looked at what that was about. */
  lastLook(exchange: Exchange, endpoint: Endpoint | undefined, span: LookSpan): Exchange | undefined {
    return endpoint && this.#reads.lastLook(exchange, endpoint, span);
  }

  /** Returns the first of such looks, and the last one. */
  looks(exchange: Exchange, endpoint: Endpoint | undefined, span: LookSpan): readonly Exchange[] {
    return endpoint ? this.#reads.looks(exchange, endpoint, span) : [];
  }

  /** True when a request changed something in the service between two moments. */
  hasChangesBetween(from: number, to: number): boolean {
    return this.#changes.lastBetween(from, to) !== undefined;
  }

  /** True when something else than a request, a job or a call of the control API, changed the service's rows between two requests. */
  hasOwnWorkBetween({ sideEffects: before }: Exchange, { sideEffects: next }: Exchange): boolean {
    const { history, state } = this.#service.tenant;
    const to = history.versionBefore(next.stateVersion, next);
    const isOfService = ({ table }: RowChange): boolean => state.tables[table]?.scope === 'state';
    for (const { changes } of history.workBetween(before.stateVersion, to)) if (changes.some(isOfService)) return true;
    return false;
  }

  /** True when the state was set back between two requests: the second found nothing of what the first had done. */
  isSetBackBetween(before: Exchange, next: Exchange): boolean {
    return isSetBackBetween(before, next, this.#service.tenant);
  }

  /** True when the state was set back between two requests, to whichever state. */
  isRestoredBetween(before: Exchange, next: Exchange): boolean {
    return isRestoredBetween(before, next, this.#service.tenant);
  }

  /** True when a request to another endpoint arrived between two moments. */
  hasOtherRequestsBetween(from: number, to: number, endpoints: readonly string[]): boolean {
    return this.#all.hasOtherBetween(from, to, endpoints);
  }

  /** True when a write arrived between two moments. */
  hasWritesBetween(from: number, to: number): boolean {
    return this.#writes.lastBetween(from, to) !== undefined;
  }

  /** True when the endpoint served a request after this moment: no fault hit it, or it succeeded all the same. */
  isServedAfter(endpoint: string | undefined, moment: number): boolean {
    return (this.#served.get(endpoint ?? '')?.startedAt ?? -1) > moment;
  }

  /**
   * Returns the creation of what a read looked for, if its caller sent one without another look that got a response.
   */
  creationAfter({ exchange, start }: Attempt, endpoint: Endpoint | undefined): Exchange | undefined {
    return endpoint && this.#reads.creationAfter(exchange, endpoint, start);
  }

  /** True when a request between two moments wrote what a read was about, or may have. */
  hasWritesOfSubjectBetween({ exchange }: Attempt, endpoint: Endpoint | undefined, span: Span): boolean {
    return endpoint !== undefined && this.#reads.isWrittenBetween(exchange, endpoint, span);
  }

  /** True when the response to a read may depend on work that was queued by then. */
  showsQueuedWork({ exchange, start }: Attempt, endpoint: Endpoint | undefined): boolean {
    return endpoint !== undefined && this.#reads.showsQueuedWork(exchange, endpoint, start);
  }

  /** Returns the first request with the same content after an attempt: by one of these connections, or by any. */
  nextWithSameContent(key: OperationKey, after: Attempt, connections?: ReadonlySet<unknown>): Exchange | undefined {
    return this.#firstWithSameContent(key, after, ({ connection }) => connections?.has(connection?.id) ?? true);
  }

  /** Returns the first request with the same content after an attempt whose caller may be the same. */
  nextByPossiblySameCaller(key: OperationKey, after: Attempt): Exchange | undefined {
    return this.#firstWithSameContent(key, after, (next) => this.callers.compare(after.exchange, next) !== 'other');
  }

  /** Returns the last request with the same content before an attempt whose caller may be the same. */
  previousByPossiblySameCaller({ text }: OperationKey, { exchange }: Attempt): Exchange | undefined {
    const same = this.#sameContent.value.get(text) ?? [];
    const before = same[lowerBound(same, ({ number }) => number >= exchange.number) - 1];
    return before && this.callers.compare(before, exchange) !== 'other' ? before : undefined;
  }

  #firstWithSameContent(
    { text }: OperationKey,
    { exchange: { number } }: Attempt,
    isMeant: (next: Exchange) => boolean,
  ): Exchange | undefined {
    const same = this.#sameContent.value.get(text) ?? [];
    for (let i = lowerBound(same, (one) => one.number > number); i < same.length; i++) {
      const next = same[i];
      if (next && isMeant(next)) return next;
    }
    return undefined;
  }

  /** True when the client certainly saw the end of an exchange: it used the same connection again. */
  isEndObserved({ connection }: Exchange): boolean {
    const last = connection && this.#lastByConnection.get(connection.id);
    return connection === undefined || (last?.connection?.request ?? 0) > connection.request;
  }

  /** True when the connection of an exchange carried another request after a moment. */
  isConnectionUsedAfter({ connection }: Exchange, moment: number): boolean {
    const last = connection && this.#lastByConnection.get(connection.id);
    return last !== undefined && last.startedAt > moment;
  }

  /** True when a client uses its connections again: it opens one only while all others are in use. */
  keepsConnections(exchange: Exchange): boolean {
    return this.#keepers.has(this.callers.keyOf(exchange));
  }

  #add({ exchange, endpoint, attempt }: HistoryEntry): void {
    const { connection, sideEffects, fault, finishedAt } = exchange;
    if ((connection?.request ?? 1) > 1) this.#keepers.add(this.callers.keyOf(exchange));
    const id = exchange.endpoint ?? '';
    this.#all.add(exchange);
    if (connection) this.#lastByConnection.set(connection.id, exchange);
    if (sideEffects.changes.length > 0) this.#changes.add(exchange);
    if (endpoint && endpoint.retry !== 'safe') this.#writes.add(exchange);
    if (finishedAt !== undefined && (fault === undefined || attempt.outcome === 'success'))
      this.#served.set(id, exchange);
  }
}

/** Lists the requests of each caller, without a script's own steps. */
interface Sequences {
  readonly byCaller: ReadonlyMap<string, readonly Exchange[]>;
  /** Holds the place of each among the requests of its caller. */
  readonly positions: ReadonlyMap<Exchange, number>;
}

function* sequencesOf(exchanges: readonly Exchange[], callers: Callers): Steps<Sequences> {
  const byCaller = new Map<string, Exchange[]>();
  const positions = new Map<Exchange, number>();
  yield* forEachInSteps(exchanges, (exchange) => {
    const key = callers.keyOf(exchange);
    positions.set(exchange, byCaller.get(key)?.length ?? 0);
    appendTo(byCaller, key, exchange);
  });
  return { byCaller, positions };
}

function* bySameContent(entries: readonly HistoryEntry[]): Steps<Map<string, Exchange[]>> {
  const found = new Map<string, Exchange[]>();
  yield* forEachInSteps(entries, ({ exchange, key }) => appendTo(found, key.text, exchange));
  return found;
}
