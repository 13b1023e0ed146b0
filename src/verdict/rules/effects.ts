/** Judges what repeated requests did in the service. */
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
  basis: {
    source: 'guidance',
    text: 'What a client does once may take effect once. A non-idempotent write without a key takes effect again with each repeat.',
  },
  advice:
    'Give the request a key of its own and keep it over all attempts, or read back whether it took effect before you repeat it.',
  check(operation, { tenant, isPending, history }) {
    const { attempts } = operation;
    const [first] = attempts;
    if (first && mayBecomeDuplicate(operation, isPending)) {
      const message = `work of ${requestLine(first)} is still queued: it is not known yet whether it takes effect twice`;
      return [inconclusive(message, ...attempts)];
    }
    const twice = describeDuplicateEffects(operation, tenant);
    const isMeantAgain = twice.length > 0 && wasSeenDone(operation, history);
    return twice.map(({ message, attempts: concerned }) =>
      isMeantAgain
        ? inconclusive(
            `${message}; unless it was meant as a new operation: the client had read back that it was done`,
            ...concerned,
          )
        : fail(message, ...concerned),
    );
  },
};

/** True when the client had read back that its work was done before it sent the same again. */
const wasSeenDone = ({ attempts, endpoint, key }: Operation, history: History): boolean =>
  key.by === 'content' &&
  attempts.some((next, i) => isConfirmedByRead(attempts.slice(0, i), { history, endpoint, until: next.start }));

export const looksFirst: RetryRule = {
  id: 'R11',
  title: 'a non-idempotent write without a key is read back before it is repeated',
  basis: {
    source: 'guidance',
    text: 'Without a response the client cannot know whether the write took effect. Without a key only a read-back shows it.',
  },
  advice:
    'If a response is lost, send a GET to see whether the write took effect; repeat it only if it did not. Or send an Idempotency-Key.',
  check({ endpoint, key, clientAttempts: own }, { history }) {
    if (endpoint?.retry !== 'unkeyed' || key.by === 'own-key') return [];
    const blind = consecutivePairs(own)
      .filter(([before]) => isIndeterminate(before))
      .filter(([before, next]) => readAfter(before, { history, endpoint, until: next.start }) === undefined);
    if (!endpoint.readBack) return blind.slice(0, 1).map(unknowable);
    return blind.map(([before, next]) =>
      fail(`${requestLine(next)} ${describeOutcome(before)} and was repeated without a read-back`, before, next),
    );
  },
};

/** Orders: only the lost response had the id of the job, and no other endpoint shows orders. */
const unknowable = ([before, next]: AttemptPair): RuleFinding =>
  note(
    `${requestLine(next)} ${describeOutcome(before)} and was repeated; no endpoint shows whether it had taken effect, ` +
      'so it is unknown whether the live service would do it twice',
    before,
    next,
  );
