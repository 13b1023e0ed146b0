import { splitIntoBursts } from './bursts.ts';
import { fail, requestLine } from './retry-rule.ts';
import type { RetryRule } from './retry-rule.ts';

export const knowsWhenToStop: RetryRule = {
  id: 'R7',
  title: 'not more attempts than declared',
  basis: { source: 'policy', text: 'The client declares how many attempts it makes.' },
  advice: 'Count the attempts, give up after the last one, and leave the rest to the fallback.',
  certainty: 'response',
  judge(operation, { policy }) {
    const { maxAttempts = Infinity } = policy;
    return splitIntoBursts(operation, policy).flatMap((burst) => {
      const [first] = burst;
      if (!first || burst.length <= maxAttempts) return [];
      return [fail(`${requestLine(first)} was tried ${burst.length} times; declared: ${maxAttempts}`, ...burst)];
    });
  },
};
