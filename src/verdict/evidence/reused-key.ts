/** Finds a key of work that was done under other work: the service ignores that, and its client takes it for done. */
import { idempotencyKeyOf } from '../../core/exchange/operation-key.ts';
import { changesBy, isDone, isRefused } from '../history/attempt.ts';
import type { AttemptPair, Operation } from '../history/operation.ts';
import { comparableContent, differingFields } from '../history/request-content.ts';
import type { Policy } from '../policy.ts';
import { describeOutcome, fail, note, requestLine, shortList } from '../rules/retry-rule.ts';
import type { RetryEvidence, RuleFinding } from '../rules/retry-rule.ts';

/** The tests of a suite may send the same keys, each as if it were the only one. */
export const suiteHint = 'If several tests sent it, give each an x-sim-test-id or a tenant of its own.';

const advice = 'Make a new key for each sale, or other piece of work, and send that key with nothing else.';

/** Returns the key that an attempt has in common with one before it that succeeded, though it carries other content than that. */
export function reusedKey(
  { endpoint }: Operation,
  [{ exchange: before, outcome }, { exchange: next }]: AttemptPair,
  { ignoreFields }: Policy,
): string | undefined {
  const { idempotencyKey = 'path' } = endpoint ?? {};
  // The work that a path names is always the same.
  if (outcome !== 'success' || idempotencyKey === 'path' || before.request.body === next.request.body) return undefined;
  const key = idempotencyKeyOf(before, idempotencyKey);
  if (key === undefined || key !== idempotencyKeyOf(next, idempotencyKey)) return undefined;
  const [first, second] = [before, next].map((one) => comparableContent(one, { endpoint, ignoreFields }));
  return first === second ? undefined : key;
}

/** Judges other content that was sent under the key of a success: once, however often that came. */
export function judgeReusedKey(operation: Operation, { policy }: RetryEvidence): RuleFinding[] {
  const { endpoint, key, clientAttempts: own } = operation;
  const place = own.findIndex(isDone);
  const before = own[place];
  if (!before) return [];
  const [next, ...more] = own
    .slice(place + 1)
    .filter((one) => reusedKey(operation, [before, one], policy) !== undefined);
  if (!next) return [];
  const fields = differingFields(before.exchange, next.exchange, { endpoint, ignoreFields: policy.ignoreFields });
  const fate = changesBy(next).length === 0 ? ': the service has kept the first, and not this' : '';
  const often = more.length === 0 ? '' : `; so were ${more.length} more`;
  const name = reusedKey(operation, [before, next], policy);
  const message = `${requestLine(next)} was sent with another ${shortList(fields)} under the key ${name}, which ${describeOutcome(before)} before`;
  // Whoever is refused knows that it was not done.
  if ([next, ...more].every(isRefused)) return [note(`${message}; it ${describeOutcome(next)}${often}`, before, next)];
  const found = fail(`${message}${fate}${often}`, before, next);
  // Without the response, it would be a repeat with other content.
  return [{ ...found, isUnconditional: true, advice: key.by === 'test-id' ? advice : `${advice} ${suiteHint}` }];
}
