import { pushAll } from '../../core/lib/collections.ts';
import { splitAtLongPauses, splitIntoSeries } from '../evidence/bursts.ts';
import { pauseBetween, toAttempt } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import type { History } from '../history/history.ts';
import { isReadOperation } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import { continuesPace, resemblesPause } from '../history/read-retries.ts';
import { fail, formatDuration, inconclusive, requestLine } from './retry-rule.ts';
import type { RetryEvidence, RetryRule, RuleFinding } from './retry-rule.ts';

export const knowsWhenToStop: RetryRule = {
  id: 'R7',
  title: 'not more attempts than declared',
  basis: { source: 'policy', text: 'The client declares how many attempts it makes.' },
  advice: 'Count the attempts, give up after the last one, and leave the rest to the fallback.',
  certainty: 'response',
  judge(operation, evidence) {
    const { policy, history } = evidence;
    const { maxAttempts = Infinity } = policy;
    if (operation.clientAttempts.length <= maxAttempts) return perhapsOnceMore(operation, evidence);
    const found = splitIntoSeries(operation, evidence).flatMap((burst) => {
      const [first, last] = [burst[0], burst.at(-1)];
      if (!first || !last || burst.length <= maxAttempts) return [];
      const message = `${requestLine(first)} was tried ${burst.length} times; declared: ${maxAttempts}`;
      const isKept = ({ length }: readonly Attempt[]): boolean => length <= maxAttempts;
      const series = splitAtLongPauses(burst, policy);
      // Without a declared fallback, any pause far longer than the others ends a series of attempts.
      if (policy.storeAndForwardAfter === undefined && series.every(isKept)) return [];
      if (joinUnlessRestarted(series, history).every(isKept)) {
        const doubt = 'but in a pause far longer than the others its client may have been started again';
        return [inconclusive(`${message}; ${doubt}`, burst)];
      }
      if (history.restarts.between(first.exchange, last.exchange)?.isPlain)
        return [inconclusive(`${message}; but its client seems to have been started again in between`, burst)];
      return [fail(message, burst)];
    });
    return found.length > 0 ? found : perhapsOnceMore(operation, evidence);
  },
};

/** Joins series of attempts where their client was certainly not started again in the pause between them. */
function joinUnlessRestarted(series: readonly (readonly Attempt[])[], { restarts }: History): Attempt[][] {
  const joined: Attempt[][] = [];
  for (const one of series) {
    const current = joined.at(-1);
    const [before, next] = [current?.at(-1), one[0]];
    if (current && before && next && !restarts.isPossibleBetween(before.exchange, next.exchange)) pushAll(current, one);
    else joined.push([...one]);
  }
  return joined;
}

/**
 * Doubts a read that was given up after as many attempts as declared, and came again as soon as its client retries:
 * after its last pause if it did other work before, after any of its pauses if it did not.
 */
function perhapsOnceMore(operation: Operation, { policy, history }: RetryEvidence): RuleFinding[] {
  const { clientAttempts: own, key } = operation;
  const last = own.at(-1);
  if (!isReadOperation(operation) || key.by === 'test-id' || own.length !== policy.maxAttempts || !last) return [];
  const next = history.nextByPossiblySameCaller(key, last);
  if (next === undefined) return [];
  const attempt = toAttempt(next);
  const isSoon = history.isNextTo(last.exchange, next) && resemblesPause(own, attempt);
  if (!isSoon && !continuesPace(own, attempt)) return [];
  const pause = formatDuration(pauseBetween(last, attempt));
  const doubt = `it came again after ${pause}, as soon as its client retries: that may have been one attempt more, or later work`;
  return [inconclusive(`${requestLine(last)} was tried ${own.length} times, as declared, and ${doubt}`, own)];
}
