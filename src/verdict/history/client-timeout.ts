/** Applies the timeout that a client declares: it has not seen a response that came later. */
import type { Policy } from '../policy.ts';
import type { Attempt } from './attempt.ts';
import type { History } from './history.ts';

/** A client's clock starts before the simulator's, and its timer may be this late (ms). */
const timerLag = 20;

/** Returns an attempt as its client saw it: without a response that came after its declared timeout. */
export function withinTimeout(attempt: Attempt, { timeout }: Policy, history: History): Attempt {
  const { exchange, start, end, outcome } = attempt;
  if (timeout === undefined || end === undefined || outcome === 'no-response' || outcome === 'in-flight')
    return attempt;
  if (end - start <= timeout + timerLag || history.isEndObserved(exchange)) return attempt;
  return { ...attempt, outcome: 'no-response', end: start + timeout, hasTimedOut: true };
}
