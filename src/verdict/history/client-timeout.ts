/** Applies the timeout that a client declares: it has not seen a response that came later. */
import type { Policy } from '../policy.ts';
import type { Attempt } from './attempt.ts';
import type { RetryEvidence } from '../rules/retry-rule.ts';
import type { History } from './history.ts';
import { endsConnection } from './restarts.ts';

/** A client's clock starts before the simulator's, and its timer may be this late (ms). */
const timerLag = 20;

/** No client gives up sooner, in ms. */
export const shortestTimeout = 50;

/** Returns an attempt as its client saw it: without a response that came after its declared timeout. */
export function withinTimeout(attempt: Attempt, { timeout }: Policy, history: History): Attempt {
  const { exchange, start, end, outcome } = attempt;
  if (timeout === undefined || end === undefined || outcome === 'no-response' || outcome === 'in-flight')
    return attempt;
  if (end - start <= timeout + timerLag || history.isEndObserved(exchange)) return attempt;
  return { ...attempt, outcome: 'no-response', end: start + timeout, hasTimedOut: true };
}

/**
 * Returns the earliest moment (ms) at which a client's clock for a request may have started: it may count from before it
 * connects. A connection that was opened longer before than the timeout was opened for something else.
 */
export function clockStart({ exchange: { connection }, start }: Attempt, { timeout = 0 }: Policy): number {
  const isFirst = connection?.request === 1 && start - connection.openedAt < timeout;
  return isFirst ? Math.min(start, connection.openedAt) : start;
}

/** A client that is held up closes a connection at most this long (ms) after its timeout. */
const longestDelay = 1000;

/**
 * Returns after how long (ms) the client closed the connection of a response, if its timeout may have ended then: held
 * up itself, it may not have read what had been there in time. It has not sent again sooner than that. Without a declared
 * timeout, only a reset says so.
 */
export function closedAtTimeout(
  attempt: Attempt,
  next: Attempt,
  { policy, history }: Pick<RetryEvidence, 'policy' | 'history'>,
): number | undefined {
  const { exchange, start } = attempt;
  const { timeout, tolerance } = policy;
  const { closedAt, isReset } = exchange.connection?.life ?? {};
  if (closedAt === undefined || history.isEndObserved(exchange)) return undefined;
  // The response itself may have ended it.
  if (endsConnection(exchange)) return undefined;
  const clock = clockStart(attempt, policy);
  const waited = closedAt - clock;
  const gaveUpAfter = Math.min(waited, next === attempt ? Infinity : next.start - clock);
  if (timeout === undefined) return isReset && gaveUpAfter >= shortestTimeout ? waited : undefined;
  // Its clock may have started even before that; but who keeps connections does not close one without a reason.
  const earliest = history.keepsConnections(exchange) ? timeout / 4 : timeout - tolerance;
  return gaveUpAfter >= earliest && closedAt - start <= timeout + longestDelay ? waited : undefined;
}
