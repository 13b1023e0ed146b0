/** Finds writes that were given up after another client had seen that they are done: a worker, or a mere screen. */
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { isRetryable } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { consecutivePairs, isReadOperation } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import { confirmingRead, isSeenDone } from '../history/read-back.ts';
import { describeOutcome, inconclusive, indexPerJournal, note, requestLine } from '../rules/retry-rule.ts';
import type { RetryEvidence, RuleFinding } from '../rules/retry-rule.ts';

/** Judges a write that was given up by the look of another client: it may have been handed over to that one. */
export function seenByAnother(operation: Operation, last: Attempt, evidence: RetryEvidence): RuleFinding | undefined {
  const { endpoint, attempts } = operation;
  const { history } = evidence;
  const read = isReadOperation(operation) ? undefined : confirmingRead(attempts, { history, endpoint, by: 'anybody' });
  // Without an effect of its own, nothing says that anybody meant this write.
  if (!read || !isSeenDone(attempts, read, { history })) return undefined;
  const message = `${requestLine(last)} ${describeOutcome(last)} and was not repeated; ${read.id} of another client shows that what it asks for is there`;
  const { callers } = history;
  const reader = callers.keyOf(read);
  const isShared = attempts.some(
    ({ exchange }) =>
      callers.keyOf(exchange) === reader || handOvers(evidence).has(handOver(callers.keyOf(exchange), reader)),
  );
  if (isShared) return note(message, last);
  return inconclusive(`${message}, but nothing shows that this client took the write over`, last);
}

const handOver = (from: string, to: string): string => JSON.stringify([from, to]);

/** Collects which clients tried what others had given up. */
const handOvers = indexPerJournal(function* ({ operations, history: { callers } }): Steps<ReadonlySet<string>> {
  const found = new Set<string>();
  yield* forEachInSteps(operations, (operation) => {
    if (isReadOperation(operation)) return;
    for (const [before, next] of consecutivePairs(operation.attempts)) {
      const [from, to] = [callers.keyOf(before.exchange), callers.keyOf(next.exchange)];
      if (from !== to && isRetryable(before)) found.add(handOver(from, to));
    }
  });
  return found;
});
