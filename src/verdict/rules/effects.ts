/** What the service made of repeated calls. */
import { isUnknown } from '../attempt.ts';
import type { History } from '../history.ts';
import { pairsIn } from '../operation.ts';
import type { Operation, Pair } from '../operation.ts';
import { isFoundDone, lookAfter } from '../settled.ts';
import { describeTwice, mayYetBeTwice } from '../twice.ts';
import { callOf, endOf, fail, inconclusive, remark } from './rule.ts';
import type { Found, RetryRule } from './rule.ts';

export const takesEffectOnce: RetryRule = {
  id: 'R10',
  title: 'nothing took effect twice',
  sentence: 'Retrying safely: what adds without a key is unsafe to repeat after a lost answer.',
  advice:
    'Give the call a key of its own and keep it over attempts, or look whether it took effect before repeating it.',
  check(operation, { tenant, isPending, history }) {
    const { attempts } = operation;
    const [first] = attempts;
    if (first && mayYetBeTwice(operation, isPending)) {
      const message = `work of ${callOf(first)} is still to be done: whether it takes effect twice can’t be told yet`;
      return [inconclusive(message, ...attempts)];
    }
    const twice = describeTwice(operation, tenant);
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
  attempts.some((next, i) => isFoundDone(attempts.slice(0, i), { history, endpoint, until: next.start }));

export const looksFirst: RetryRule = {
  id: 'R11',
  title: 'an adding call without a key is looked up before it is repeated',
  sentence: 'Retrying safely: for calls that add without a key, look first (GET), then repeat.',
  advice:
    'After a lost answer, ask by GET whether the call took effect; repeat it only if not. Or send an Idempotency-Key.',
  check({ endpoint, key, own }, { history }) {
    if (endpoint?.retry !== 'unkeyed' || key.by === 'own-key') return [];
    const blind = pairsIn(own)
      .filter(([before]) => isUnknown(before))
      .filter(([before, next]) => lookAfter(before, { history, endpoint, until: next.start }) === undefined);
    if (!endpoint.lookups) return blind.slice(0, 1).map(unknowable);
    return blind.map(([before, next]) =>
      fail(`${callOf(next)} ${endOf(before)} and was repeated without looking whether it took effect`, before, next),
    );
  },
};

/** Orders: the id by which their job is asked for stands in the answer that was lost, and no other call shows them. */
const unknowable = ([before, next]: Pair): Found =>
  remark(
    `${callOf(next)} ${endOf(before)} and was repeated; no call shows whether it had taken effect, ` +
      'so whether the live service does it twice can’t be known',
    before,
    next,
  );
