import { splitAtCorrections, splitAtLongPauses, splitIntoBursts } from './bursts.ts';
import { fail, inconclusive, requestLine } from './retry-rule.ts';
import type { RetryRule } from './retry-rule.ts';

export const knowsWhenToStop: RetryRule = {
  id: 'R7',
  title: 'not more attempts than declared',
  basis: { source: 'policy', text: 'The client declares how many attempts it makes.' },
  advice: 'Count the attempts, give up after the last one, and leave the rest to the fallback.',
  certainty: 'response',
  judge(operation, { policy, history }) {
    const { maxAttempts = Infinity } = policy;
    return splitIntoBursts(operation, policy)
      .flatMap(splitAtCorrections)
      .flatMap((burst) => {
        const [first, last] = [burst[0], burst.at(-1)];
        if (!first || !last || burst.length <= maxAttempts) return [];
        const message = `${requestLine(first)} was tried ${burst.length} times; declared: ${maxAttempts}`;
        if (splitAtLongPauses(burst, policy).every(({ length }) => length <= maxAttempts)) {
          // Without a declared fallback, any pause far longer than the others ends a series of attempts.
          if (policy.storeAndForwardAfter === undefined) return [];
          const doubt = 'but one pause is far longer than those after it: its client may have been started again then';
          return [inconclusive(`${message}; ${doubt}`, ...burst)];
        }
        if (history.restarts.between(first.exchange, last.exchange)?.isPlain)
          return [inconclusive(`${message}; but its client seems to have been started again in between`, ...burst)];
        return [fail(message, ...burst)];
      });
  },
};
