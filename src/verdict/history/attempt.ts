import type { Exchange } from '../../core/exchange/exchange.ts';
import type { RowChange } from '../../core/state/state.ts';

/**
 * What an attempt ended with, as its caller saw it: `lost` is no answer, or none that can be read; `open` is not
 * over yet.
 */
export type AttemptOutcome = 'success' | 'invalid' | 'refused' | 'busy' | 'failed' | 'lost' | 'open';

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

export const toAttempt = (exchange: Exchange, isTransport = false): Attempt => ({
  exchange,
  outcome: classifyOutcome(exchange),
  start: exchange.startedAt,
  end: exchange.delivered?.observableAt ?? exchange.finishedAt,
  isTransparentRetry: isTransport,
});

//
const invalidStatuses: ReadonlySet<number> = new Set([400, 422]);

function classifyOutcome({ finishedAt, status, delivered, fault }: Exchange): AttemptOutcome {
  // What a caller that hung up has set going may not be over yet.
  if (delivered?.end === 'client-aborted') return 'lost';
  if (finishedAt === undefined) return 'open';
  const isWhole = !fault || fault.fault.respond === 'full' || fault.fault.respond === 'status';
  if (status === undefined || !isWhole) return 'lost';
  if (status < 400) return 'success';
  if (status >= 500) return 'failed';
  if (status === 429) return 'busy';
  return invalidStatuses.has(status) ? 'invalid' : 'refused';
}

/** Whether the caller may try again, as it has no answer, or one that asks for patience. */
export const isRetryable = ({ outcome: told }: Attempt): boolean =>
  told === 'lost' || told === 'failed' || told === 'busy';

/** The answers after which the specification has the caller try again (General rule 2). */
const retryStatuses: ReadonlySet<number | undefined> = new Set([500, 504]);

/** Whether the specification has the caller try again; after a 429 or another 5xx it may, or may not. */
export const requiresRetry = ({ outcome: told, exchange }: Attempt): boolean =>
  told === 'lost' || (told === 'failed' && retryStatuses.has(exchange.status));

/** Whether the caller can't know if the service did its work. */
export const isIndeterminate = ({ outcome: told, exchange }: Attempt): boolean =>
  told === 'lost' || (told === 'failed' && exchange.status !== 503);

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
