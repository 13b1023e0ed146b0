import { idempotencyKeyOf } from '../../core/exchange/operation-key.ts';
import { isRetryable } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { consecutivePairs } from '../history/operation.ts';
import { readAfter } from '../history/read-back.ts';
import { fail, requestLine, shortList } from './retry-rule.ts';
import type { RetryRule } from './retry-rule.ts';

export const keepsKey: RetryRule = {
  id: 'R5',
  title: 'every attempt carries the same key',
  basis: {
    source: 'assumption',
    text: 'A-24 and A-42: a receipt counts once per uniqueReceiptId, and a transaction once per transactionId. Under a new key it counts again.',
  },
  advice:
    'Create the key once, when the operation begins, and store it with the operation; never inside the retry loop. If these are different operations with equal content, the earlier ones failed and were not repeated.',
  certainty: 'response',
  judge({ endpoint, clientAttempts: own }, { history }) {
    const { idempotencyKey } = endpoint ?? {};
    if (!idempotencyKey || idempotencyKey === 'path') return [];
    const keyOf = ({ exchange }: Attempt) => idempotencyKeyOf(exchange, idempotencyKey);
    const isInBody = idempotencyKey.startsWith('body.');
    const rekeyed = consecutivePairs(own).filter(
      ([before, next]) =>
        isRetryable(before) &&
        !(isInBody && hasSameBody(before, next)) &&
        keyOf(before) !== keyOf(next) &&
        // A client that has looked may add the key that it lacked.
        !(keyOf(before) === undefined && readAfter(before, { history, endpoint, next })),
    );
    const [first] = rekeyed;
    if (!first) return [];
    const keys = [...new Set(own.map((attempt) => keyOf(attempt) ?? 'none'))];
    const field = idempotencyKey.slice(idempotencyKey.indexOf('.') + 1);
    const message = `${requestLine(first[0])} was repeated with another ${field} each time: ${shortList(keys)}`;
    return [fail(message, [...new Set(rekeyed.flat())])];
  },
};

const hasSameBody = ({ exchange: a }: Attempt, { exchange: b }: Attempt): boolean => a.request.body === b.request.body;
