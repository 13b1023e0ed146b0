import { faultKindOf } from '../../faults/fault-kinds.ts';
import { changesOf, outcomesOf } from '../../core/exchange/exchange.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { RowChange } from '../../core/state/state.ts';
import { jobs } from '../../core/time/jobs.ts';
import type { Job } from '../../core/time/jobs.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import type { Instant } from '../../core/time/clock.ts';

/**
 * Lists how an attempt can end, as its client sees it. `invalid` is a validation error, `rejected` another 4xx,
 * `throttled` 429; `no-response` includes a response that cannot be read; `in-flight` is not over yet.
 */
export const attemptOutcomes = [
  'success',
  'invalid',
  'rejected',
  'throttled',
  'server-error',
  'no-response',
  'in-flight',
] as const;

export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** Describes one request, seen as one attempt of an operation. */
export interface Attempt {
  readonly exchange: Exchange;
  readonly outcome: AttemptOutcome;
  /** Holds the real time in ms since the program's start. */
  readonly start: number;
  /** Holds the same moment on the tenant's clock. */
  readonly at: Instant;
  /** Holds the way (ms) that the clock had been moved by then. */
  readonly clockMoved: number;
  /** Holds the moment from which the client could know how it ended. */
  readonly end: number | undefined;
  /** True when the client's HTTP library sent it on its own. */
  readonly isTransparentRetry: boolean;
  /** True when its library repeated it, and this is how the last repeat ended. */
  readonly hasRepeats?: true;
  /** True when the response came after the timeout that the client declares. */
  readonly hasTimedOut?: true;
  /** True when its job had failed by the next attempt of its operation: nothing of it was done. */
  readonly hasFailedJob?: true;
}

export const toAttempt = (exchange: Exchange): Attempt => ({
  exchange,
  outcome: classifyOutcome(exchange),
  start: exchange.startedAt,
  at: exchange.at,
  clockMoved: exchange.clockMoved,
  end: knownEndOf(exchange),
  isTransparentRetry: false,
});

/** Returns the moment from which the client could know how a request ended. */
export function knownEndOf({ delivered, finishedAt }: Exchange): number | undefined {
  if (!delivered) return finishedAt;
  const { heldUntil = Infinity, observableAt } = delivered;
  return heldUntil === Infinity ? observableAt : heldUntil;
}

/** True while the client still has the connection open on which it was left without a response. */
export const isHeldOpen = ({ exchange: { delivered } }: Attempt): boolean => delivered?.heldUntil === Infinity;

//
const invalidStatuses: ReadonlySet<number> = new Set([400, 422]);

function classifyOutcome({ finishedAt, status, delivered, fault }: Exchange): AttemptOutcome {
  // The work of a request whose client hung up may not be over yet.
  if (delivered?.end === 'client-aborted') return 'no-response';
  if (finishedAt === undefined) return 'in-flight';
  const isWhole = !fault || faultKindOf(fault.fault.respond).isComplete;
  if (status === undefined || !isWhole) return 'no-response';
  if (status < 400) return 'success';
  if (status >= 500) return 'server-error';
  if (status === 429) return 'throttled';
  return invalidStatuses.has(status) ? 'invalid' : 'rejected';
}

/** True when an attempt succeeded, and no job of it has failed since: there is nothing left to try. */
export const isDone = ({ outcome, hasFailedJob }: Attempt): boolean => outcome === 'success' && !hasFailedJob;

/** True when the job of an attempt failed before the next one came: its work was not done, and its key counts as new. */
export const hasFailedJobBefore = ({ exchange }: Attempt, next: Attempt): boolean =>
  outcomesOf(exchange).some(
    ({ changes, stateVersion }) => stateVersion <= next.exchange.sideEffects.stateVersion && changes.some(isFailedJob),
  );

/** True when the last job of an attempt has failed: what it accepted is not done. */
export const endedInFailedJob = ({ exchange: { sideEffects, deferredEffects } }: Attempt): boolean =>
  (deferredEffects.at(-1)?.sideEffects ?? sideEffects).changes.some(isFailedJob);

const isFailedJob = ({ table, after }: RowChange): boolean =>
  // The rows of a table are its own.
  table === jobs.name && (after as Job | undefined)?.status === 'failed';

/** True when the client may try again: without a response, or after one that may be temporary. */
export const isRetryable = ({ outcome }: Pick<Attempt, 'outcome'>): boolean =>
  outcome === 'no-response' || outcome === 'server-error' || outcome === 'throttled';

/** Lists the statuses after which the client retries (General rule 2). */
const retryStatuses: ReadonlySet<number | undefined> = new Set([500, 504]);

/** True when the service refused an attempt for good: nothing of it was done, and its client knows that. */
export const isRefused = ({ outcome }: Pick<Attempt, 'outcome'>): boolean =>
  outcome === 'rejected' || outcome === 'invalid';

/** True when the client has to retry; after a 429 or another 5xx it may, or may not. */
export const requiresRetry = ({ outcome, exchange }: Attempt): boolean =>
  outcome === 'no-response' || (outcome === 'server-error' && retryStatuses.has(exchange.status));

/** True when the client cannot know whether the service did its work. */
export const isIndeterminate = ({ outcome, exchange }: Attempt): boolean =>
  outcome === 'no-response' || (outcome === 'server-error' && exchange.status !== 503);

/** True when the fault of an attempt has kept the service from doing any work, now and later. */
export const isWithoutWork = ({ exchange: { fault } }: Attempt): boolean =>
  fault !== undefined && fault.fault.phase === 'before' && faultKindOf(fault.fault.respond).source !== 'service';

/** True for a request that ended before all of its body had arrived, and so before the service did anything. */
export function isCutOff(attempt: Attempt): boolean {
  const { headers, body = '' } = attempt.exchange.request;
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers;
  return isAbortedByClient(attempt) && !attempt.exchange.fault && hasBody && body === '';
}

/** True when the client hung up before the end. */
export const isAbortedByClient = ({ exchange }: Attempt): boolean => exchange.delivered?.end === 'client-aborted';

/** True when the client got a 2xx status before its response was cut: the request is done, whatever the body said. */
export const hasSuccessStatus = ({ outcome, exchange: { delivered } }: Attempt): boolean =>
  outcome === 'no-response' && delivered?.status !== undefined && delivered.status >= 200 && delivered.status < 300;

/** Returns how long the client waited before the next attempt, in ms of real time. */
export const realPause = (before: Attempt, next: Attempt): number => next.start - (before.end ?? before.start);

/** Limits the delay after which the simulator may notice that a client gave up, in ms. */
export const detectionLag = 50;

/**
 * Returns how long the client waited before the next attempt, in ms of real time; or of the tenant's clock, where a
 * test moved that instead of waiting.
 */
export function pauseBetween(before: Attempt, next: Attempt): number {
  const real = realPause(before, next);
  const move = clockMove(before, next);
  // The clock may have stood still during the request before. If it was set back, that passes for a pause as well.
  return move === 0 ? real : Math.max(real, Math.abs(next.at - before.exchange.at), move);
}

/** Returns how far somebody moved the tenant's clock between an attempt and a later one, on and back, in ms. */
export const clockMove = ({ exchange: before }: Attempt, next: Pick<Attempt, 'clockMoved'>): number =>
  next.clockMoved - before.clockMoved;

/** Returns the pause that a response requested, in ms. A date says nothing: clients' clocks differ. */
export function requestedPause({ outcome, exchange: { fault } }: Attempt): number {
  if (outcome === 'no-response' || !fault?.fault.headers) return 0;
  const [, value] = Object.entries(fault.fault.headers).find(([name]) => /^retry-after$/iu.test(name)) ?? [];
  return value !== undefined && /^\d{1,6}$/u.test(value) ? Number(value) * 1000 : 0;
}

/** Returns the changes that an attempt caused, by later jobs too. */
export const changesBy = ({ exchange }: Attempt): readonly RowChange[] => changesOf(exchange);

/** True when the state was set back between two requests: what the earlier one had done was not there for the later one. */
export function isSetBackBetween(before: Exchange, next: Exchange, { lineage }: Pick<Tenant, 'lineage'>): boolean {
  const [one, other] = [lastVersionOf(before), lastVersionOf(next)];
  // A slow request may be done after the next one.
  return !lineage.holds(Math.min(one, other), Math.max(one, other));
}

/** True when the state was set back between two requests, to whichever state: what was asked of the first is over. */
export const isRestoredBetween = (before: Exchange, next: Exchange, { lineage }: Pick<Tenant, 'lineage'>): boolean =>
  lineage.isSetBackBetween(before.sideEffects.stateVersion, next.sideEffects.stateVersion);

/** Numbers the state that a request left, or the last of its jobs. */
export const lastVersionOf = ({ sideEffects, deferredEffects }: Exchange): number =>
  (deferredEffects.at(-1)?.sideEffects ?? sideEffects).stateVersion;

/** Connections opened within this time (ms) were opened for requests that were sent at once. */
const together = 50;

/** A request that comes so long (ms) after the response was not sent with the opening of its connection: that was kept for it. */
const longestWay = 200;

/**
 * True when an attempt was certainly sent without waiting for the response to one before it: while that was in flight,
 * received together with it, or on a connection that was opened for it before that response.
 */
export function overlaps(before: Attempt, next: Attempt): boolean {
  if (before.end === undefined || next.start < before.end) return true;
  const [left, right] = [before.exchange.connection, next.exchange.connection];
  if (!left || !right) return false;
  if (left.eventLoopTurn === right.eventLoopTurn) return true;
  if (right.request > 1 || right.openedAt > before.end || next.start > before.end + longestWay) return false;
  // An earlier connection may have been opened in advance.
  return right.openedAt > before.start || (left.request === 1 && Math.abs(right.openedAt - left.openedAt) < together);
}

/**
 * True when the connection of an attempt was closed about when that of the next one was opened: which of the two the
 * simulator sees first is chance, the more so when it was late itself.
 */
export function isClosedForNext(
  before: Attempt,
  next: Attempt,
  lagBetween: (from: number, to: number) => number,
): boolean {
  const [former, later] = [before.exchange.connection, next.exchange.connection];
  const closedAt = former?.life.closedAt;
  if (!later || closedAt === undefined || former?.id === later.id || later.openedAt <= before.start) return false;
  const after = closedAt - later.openedAt;
  return after <= detectionLag || after <= detectionLag + lagBetween(later.openedAt, closedAt);
}

/** Names the header by which a script marks a request as a step of its own. */
export const stepHeader = 'x-sim-step';
