/** What the service made of repeated calls. */
import { effectsOfAttempt, isUnknown } from '../attempt.ts';
import type { Attempt } from '../attempt.ts';
import { describeTwice } from '../twice.ts';
import { pairsOf } from '../operation.ts';
import type { Operation } from '../operation.ts';
import { callOf, endOf, fail } from './rule.ts';
import type { Evidence, RetryRule } from './rule.ts';

export const takesEffectOnce: RetryRule = {
  id: 'R10',
  title: 'nothing took effect twice',
  sentence: 'Retrying safely: what adds without a key is unsafe to repeat after a lost answer.',
  advice:
    'Give the call a key of its own and keep it over attempts, or look whether it took effect before repeating it.',
  check: (operation, { tenant }) =>
    describeTwice(operation, tenant).map(({ message, attempts }) => fail(message, ...attempts)),
};

/** Whether a call whose answer is missing did take effect, and the caller has looked since. */
export function isFoundDone({ endpoint }: Operation, attempt: Attempt, { calledBetween }: Evidence): boolean {
  const { lookups = [] } = endpoint ?? {};
  const looked = calledBetween(attempt.start, Number.POSITIVE_INFINITY).some((id) => lookups.includes(id));
  return looked && effectsOfAttempt(attempt).length > 0;
}

export const looksFirst: RetryRule = {
  id: 'R11',
  title: 'an adding call without a key is looked up before it is repeated',
  sentence: 'Retrying safely: for calls that add without a key, look first (GET), then repeat.',
  advice:
    'After a lost answer, ask by GET whether the call took effect; repeat it only if not. Or send an Idempotency-Key.',
  check(operation, { calledBetween }) {
    const { endpoint, key } = operation;
    const { lookups } = endpoint ?? {};
    if (endpoint?.retry !== 'unkeyed' || !lookups || key.by === 'own-key') return [];
    return pairsOf(operation)
      .filter(([before]) => isUnknown(before))
      .filter(([before, next]) => !calledBetween(before.start, next.start).some((id) => lookups.includes(id)))
      .map(([before, next]) =>
        fail(`${callOf(next)} ${endOf(before)} and was repeated without looking whether it took effect`, before, next),
      );
  },
};
