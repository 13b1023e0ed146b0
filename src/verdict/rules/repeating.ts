/** Whether a client repeats what it should, and nothing else. */
import { canonical, parsed } from '../../core/operation-key.ts';
import { isBeside, isToRepeat, mustBeRepeated } from '../attempt.ts';
import type { Attempt } from '../attempt.ts';
import { differingFields } from '../content.ts';
import { isRead, ownAttempts, pairsOf } from '../operation.ts';
import type { Operation } from '../operation.ts';
import { callOf, endOf, fail, inconclusive, remark } from './rule.ts';
import type { Evidence, Found, RetryRule } from './rule.ts';
import { isFoundDone } from './effects.ts';
import { isGivenUp } from './fallback.ts';

const guidance = 'When there is no response, or status 500 or 504, the caller retries.';

export const retriesAfterFailure: RetryRule = {
  id: 'R1',
  title: 'retried after no answer, 500 and 504',
  sentence: `General rule 2: ${guidance}`,
  advice: 'Repeat the call, with the same key and content, after a pause; and keep it for later when that fails too.',
  check(operation, evidence) {
    const own = ownAttempts(operation);
    const last = own.at(-1);
    if (!last) return [];
    if (last.told === 'open') return [inconclusive(`${callOf(last)} is still under way`, last)];
    if (!isToRepeat(last) || isFoundDone(operation, last, evidence)) return [];
    if (own.length === 1) {
      const message = `${callOf(last)} ${endOf(last)} and was never repeated`;
      return [mustBeRepeated(last) ? fail(message, last) : remark(message, last)];
    }
    if (isRead(operation)) return [remark(`${callOf(last)} was given up after ${own.length} attempts`, last)];
    if (evidence.isBackAfter(last)) return [];
    return [
      inconclusive(
        `${callOf(last)} was given up after ${own.length} attempts, and the service did not come back before the end: ` +
          'whether it is delivered later can’t be told',
        last,
      ),
    ];
  },
};

export const leavesWellAlone: RetryRule = {
  id: 'R2',
  title: 'not retried after success, nor after another 4xx',
  sentence: `General rule 2: ${guidance} Nothing else is repeated.`,
  advice: 'Take a 2xx as done, and any 4xx but 429 as the final word: only no answer, 500 and 504 ask for a retry.',
  check: (operation, evidence) =>
    repeatsAfterTheEnd(operation).flatMap(([before, next]) => judgeRepeat(operation, { before, next, evidence })),
};

interface Repeat {
  readonly before: Attempt;
  readonly next: Attempt;
  readonly evidence: Evidence;
}

function judgeRepeat(operation: Operation, { before, next, evidence }: Repeat): Found[] {
  const said = `${callOf(next)} was sent again although it ${endOf(before)} before`;
  if (before.told === 'refused') return [fail(said, before, next)];
  // What was delivered late, and then again, is judged by R9.
  if (isGivenUp(operation, before, evidence.policy)) return [];
  if (operation.endpoint?.retry === 'idempotent') return [remark(`${said}; that changes nothing`, before, next)];
  return [fail(said, before, next)];
}

/** Attempts that were made although one before had ended it: with a success, or a refusal that stays. */
function repeatsAfterTheEnd(operation: Operation): (readonly [Attempt, Attempt])[] {
  const own = ownAttempts(operation);
  const end = own.findIndex(({ told }) => told === 'success' || told === 'refused');
  const before = own[end];
  if (!before || (isRead(operation) && before.told === 'success')) return [];
  return own
    .slice(end + 1)
    .filter((next) => !isBeside(before, next))
    .map((next) => [before, next] as const);
}

export const correctsFirst: RetryRule = {
  id: 'R3',
  title: 'not repeated unchanged after a validation error',
  sentence: 'Errors rule 3: A validation error means the sent data was wrong. Fix the data before retrying.',
  advice: 'Stop at a 400: show or log its validationErrors, correct the data, and only then send it again.',
  check: (operation) =>
    pairsOf(operation)
      .filter(([before, next]) => before.told === 'invalid' && isSameBody(before, next))
      .map(([before, next]) => fail(`${callOf(next)} ${endOf(before)} and was sent again unchanged`, before, next)),
};

const isSameBody = (a: Attempt, b: Attempt): boolean =>
  canonical(parsed(a.exchange.request.body)) === canonical(parsed(b.exchange.request.body));

export const keepsContent: RetryRule = {
  id: 'R4',
  title: 'every attempt carries the same content',
  sentence: 'Retrying safely: an idempotent or keyed call may be repeated freely if the body is the same.',
  advice: 'Build the body once, keep it with the operation, and send that same text again.',
  check: (operation, { policy }) =>
    pairsOf(operation)
      .filter(([before]) => isToRepeat(before))
      .flatMap(([before, next]) => {
        const ownField = operation.endpoint?.ownKey?.replace('body.', '') ?? '';
        const fields = differingFields(before.exchange, next.exchange, [...policy.volatile, ownField]);
        if (fields.length === 0) return [];
        return [fail(`${callOf(next)} was repeated with another ${shortList(fields)}`, before, next)];
      }),
};

const shortList = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;

export const keepsKey: RetryRule = {
  id: 'R5',
  title: 'every attempt carries the same key',
  sentence: 'A keyed call (transactionId, uniqueReceiptId) may be repeated freely with the same key.',
  advice: 'Draw the key once, when the operation begins, and store it with the operation; never inside the retry loop.',
  check(operation) {
    const { endpoint, keys, attempts } = operation;
    const field = endpoint?.ownKey?.split('.').at(-1);
    if (!endpoint?.ownKey || endpoint.ownKey === 'path' || new Set(keys).size < 2) return [];
    const [first] = attempts;
    return first
      ? [fail(`${callOf(first)} was repeated with another ${field} each time: ${shortList(keys)}`, ...attempts)]
      : [];
  },
};
