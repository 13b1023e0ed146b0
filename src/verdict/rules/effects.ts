/** What the service made of repeated calls. */
import { isIndeterminate } from '../history/attempt.ts';
import type { History } from '../history/history.ts';
import { consecutivePairs } from '../history/operations.ts';
import type { Operation, AttemptPair } from '../history/operations.ts';
import { isConfirmedByRead, readAfter } from '../history/read-back.ts';
import { describeDuplicateEffects, mayBecomeDuplicate } from './duplicate-effects.ts';
import { requestLine, describeOutcome, fail, inconclusive, note } from './retry-rule.ts';
import type { RuleFinding, RetryRule } from './retry-rule.ts';

export const takesEffectOnce: RetryRule = {
  id: 'R10',
  title: 'nothing took effect twice',
  sentence: 'Retrying safely: what adds without a key is unsafe to repeat after a lost answer.',
  advice:
    'Give the call a key of its own and keep it over attempts, or look whether it took effect before repeating it.',
  check(operation, { tenant, isPending, history }) {
    const { attempts } = operation;
    const [first] = attempts;
    if (first && mayBecomeDuplicate(operation, isPending)) {
      const message = `work of ${requestLine(first)} is still to be done: whether it takes effect twice can’t be told yet`;
      return [inconclusive(message, ...attempts)];
    }
    const twice = describeDuplicateEffects(operation, tenant);
    const isMeantAgain = twice.length > 0 && wasSeenDone(operation, history);
    return twice.map(({ message, attempts: concerned }) =>
      isMeantAgain
        ? inconclusive(`${message}; unless it was meant again: the caller had seen that it was done`, ...concerned)
        : fail(message, ...concerned),
    );
  },
};

/** Whether the caller had looked and could see its work done before it sent the same again. */
const wasSeenDone = ({ attempts, endpoint, key }: Operation, history: History): boolean =>
  key.by === 'content' &&
  attempts.some((next, i) => isConfirmedByRead(attempts.slice(0, i), { history, endpoint, until: next.start }));

export const looksFirst: RetryRule = {
  id: 'R11',
  title: 'an adding call without a key is looked up before it is repeated',
  sentence: 'Retrying safely: for calls that add without a key, look first (GET), then repeat.',
  advice:
    'After a lost answer, ask by GET whether the call took effect; repeat it only if not. Or send an Idempotency-Key.',
  check({ endpoint, key, clientAttempts: own }, { history }) {
    if (endpoint?.retry !== 'unkeyed' || key.by === 'own-key') return [];
    const blind = consecutivePairs(own)
      .filter(([before]) => isIndeterminate(before))
      .filter(([before, next]) => readAfter(before, { history, endpoint, until: next.start }) === undefined);
    if (!endpoint.readBack) return blind.slice(0, 1).map(unknowable);
    return blind.map(([before, next]) =>
      fail(
        `${requestLine(next)} ${describeOutcome(before)} and was repeated without looking whether it took effect`,
        before,
        next,
      ),
    );
  },
};

/** Orders: the id by which their job is asked for stands in the answer that was lost, and no other call shows them. */
const unknowable = ([before, next]: AttemptPair): RuleFinding =>
  note(
    `${requestLine(next)} ${describeOutcome(before)} and was repeated; no call shows whether it had taken effect, ` +
      'so whether the live service does it twice can’t be known',
    before,
    next,
  );
