import type { Exchange } from '../../core/exchange/exchange.ts';
import type { RowChange } from '../../core/state/state.ts';

/**
 * How an attempt ended, as its client saw it. `invalid` is a validation error, `rejected` another 4xx, `throttled` 429;
 * `no-response` includes a response that cannot be read; `in-flight` is not over yet.
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

/** One request seen as one try of an operation. */
export interface Attempt {
  readonly exchange: Exchange;
  readonly outcome: AttemptOutcome;
  /** Real time in ms since the program's start. */
  readonly start: number;
  /** When the caller could know how it ended. */
  readonly end: number | undefined;
  /** Made by the caller's HTTP library on its own, and not by the caller. */
  readonly isTransparentRetry: boolean;
}

export const toAttempt = (exchange: Exchange, isTransparentRetry = false): Attempt => ({
  exchange,
  outcome: classifyOutcome(exchange),
  start: exchange.startedAt,
  end: exchange.delivered?.observableAt ?? exchange.finishedAt,
  isTransparentRetry,
});

//
const invalidStatuses: ReadonlySet<number> = new Set([400, 422]);

function classifyOutcome({ finishedAt, status, delivered, fault }: Exchange): AttemptOutcome {
  // What a caller that hung up has set going may not be over yet.
  if (delivered?.end === 'client-aborted') return 'no-response';
  if (finishedAt === undefined) return 'in-flight';
  const isWhole = !fault || fault.fault.respond === 'full' || fault.fault.respond === 'status';
  if (status === undefined || !isWhole) return 'no-response';
  if (status < 400) return 'success';
  if (status >= 500) return 'server-error';
  if (status === 429) return 'throttled';
  return invalidStatuses.has(status) ? 'invalid' : 'rejected';
}

/** Whether the caller may try again, as it has no answer, or one that asks for patience. */
export const isRetryable = ({ outcome }: Attempt): boolean =>
  outcome === 'no-response' || outcome === 'server-error' || outcome === 'throttled';

/** The answers after which the specification has the caller try again (General rule 2). */
const retryStatuses: ReadonlySet<number | undefined> = new Set([500, 504]);

/** Whether the specification has the caller try again; after a 429 or another 5xx it may, or may not. */
export const requiresRetry = ({ outcome, exchange }: Attempt): boolean =>
  outcome === 'no-response' || (outcome === 'server-error' && retryStatuses.has(exchange.status));

/** Whether the caller can't know if the service did its work. */
export const isIndeterminate = ({ outcome, exchange }: Attempt): boolean =>
  outcome === 'no-response' || (outcome === 'server-error' && exchange.status !== 503);

/** Whether the caller has hung up before the end. */
export const isAbortedByClient = ({ exchange }: Attempt): boolean => exchange.delivered?.end === 'client-aborted';

/** How long the caller waited before the next attempt, in ms of real time. */
export const realPause = (before: Attempt, next: Attempt): number => next.start - (before.end ?? before.start);

/** How far a tenant's clock that just runs may seem to be off real time, in ms. */
const jitter = 20;

/**
 * How long the caller waited before the next attempt, in ms: of real time, or of the tenant's clock where that was
 * moved, as by a test that moves it instead of waiting.
 */
export function pauseBetween(before: Attempt, next: Attempt): number {
  const [real, passed] = [realPause(before, next), next.exchange.at - before.exchange.at];
  const isMoved = Math.abs(passed - (next.start - before.start)) > jitter;
  // It may have stood still while the call before was answered.
  return isMoved ? Math.max(real, passed) : real;
}

/** What the service changed for it, later jobs included. */
export const changesBy = ({
  exchange: { sideEffects: outcome, deferredEffects: later },
}: Attempt): readonly RowChange[] =>
  later.length === 0
    ? outcome.changes
    : [outcome, ...later.map((late) => late.sideEffects)].flatMap(({ changes }) => changes);

/** Connections opened within this time were opened for calls that were sent at once, in ms. */
const together = 50;

/**
 * Whether an attempt was certainly sent without waiting for the answer to one before it: while that was under way,
 * taken in together with it, or on a connection that was opened for it before that was answered.
 */
export function overlaps(before: Attempt, next: Attempt): boolean {
  if (before.end === undefined || next.start < before.end) return true;
  const [left, right] = [before.exchange.connection, next.exchange.connection];
  if (!left || !right) return false;
  if (left.eventLoopTurn === right.eventLoopTurn) return true;
  if (right.request > 1 || right.openedAt > before.end) return false;
  // One that was opened earlier may have been opened to be there when it is needed.
  return right.openedAt > before.start || (left.request === 1 && Math.abs(right.openedAt - left.openedAt) < together);
}
