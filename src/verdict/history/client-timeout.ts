/** Applies the timeout that a client declares: it has not seen a response that came later. */
import type { Exchange } from '../../core/exchange/exchange.ts';
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

/** A client that is held up sends a request, or closes a connection, at most this much (ms) later than it meant to. */
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
  const { timeout } = policy;
  const { closedAt, isReset } = exchange.connection?.life ?? {};
  if (closedAt === undefined || history.isEndObserved(exchange)) return undefined;
  // The response itself may have ended it.
  if (endsConnection(exchange)) return undefined;
  const clock = clockStart(attempt, policy);
  const waited = closedAt - clock;
  const gaveUpAfter = Math.min(waited, next === attempt ? Infinity : next.start - clock);
  if (timeout === undefined) return isReset && gaveUpAfter >= shortestTimeout ? waited : undefined;
  return gaveUpAfter >= earliestEnd(exchange, timeout, history) && closedAt - start <= timeout + longestDelay
    ? waited
    : undefined;
}

/**
 * Returns the least time (ms) from a request to the end of its client's timeout. The client's clock may have started long
 * before: it was held up, or waited for a connection. Who keeps connections does not close one without a reason.
 */
function earliestEnd(exchange: Exchange, timeout: number, history: History): number {
  return history.keepsConnections(exchange) ? timeout / 4 : Math.max(timeout / 4, timeout - longestDelay);
}
