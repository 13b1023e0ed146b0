import { isClosedForNext, isDone, isIndeterminate, overlaps } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { isReadOperation } from '../history/operation.ts';
import type { AttemptPair, Operation } from '../history/operation.ts';
import { judgeRefusedRead } from '../evidence/refused-reads.ts';
import { describeRepeat, reasonAfterRejection, reasonAfterSuccess } from '../evidence/repeat-reasons.ts';
import { reusedKey, suiteHint } from '../evidence/reused-key.ts';
import { fail, inconclusive, note } from './retry-rule.ts';
import type { RetryEvidence, RetryRule, RuleFinding } from './retry-rule.ts';

export const leavesWellAlone: RetryRule = {
  id: 'R2',
  title: 'not retried after a success or another 4xx',
  basis: {
    source: 'guidance',
    text: 'A 2xx response means that the request is done, and a 4xx response other than 429 is final. The specification names no response, 500 and 504 as the cases for a retry.',
  },
  advice: 'Take a 2xx as done, and any 4xx but 429 as final: only no response, 500 and 504 call for a retry.',
  certainty: 'response',
  judge(operation, evidence) {
    const { clientAttempts: own } = operation;
    const at = own.findIndex((attempt) => isDone(attempt) || attempt.outcome === 'rejected');
    const before = own[at];
    if (!before || (isReadOperation(operation) && before.outcome === 'success')) return [];
    const repeats = own.slice(at + 1).filter((next) => !overlaps(before, next));
    const [next] = repeats;
    if (!next) return [];
    if (isReadOperation(operation)) return [judgeRefusedRead(operation, [before, ...repeats], evidence)];
    // R4 judges other content under its key.
    if (reusedKey(operation, [before, next], evidence.policy) !== undefined) return [];
    return [judgeRepeat(operation, [before, next], evidence)];
  },
};

function judgeRepeat(operation: Operation, [before, next]: AttemptPair, evidence: RetryEvidence): RuleFinding {
  const message = describeRepeat([before, next]);
  const reasonOf = before.outcome === 'rejected' ? reasonAfterRejection : reasonAfterSuccess;
  const reason = reasonOf({ operation, pair: [before, next] }, evidence);
  if (reason !== undefined) return note(`${message}; ${reason}`, before, next);
  const doubt = doubtAfterRedemption(operation, [before, next], evidence);
  if (doubt !== undefined) return inconclusive(`${message}; ${doubt}`, before, next);
  const found = fail(message, before, next);
  return operation.key.by === 'test-id' ? found : { ...found, advice: `${leavesWellAlone.advice} ${suiteHint}` };
}

/** Says who else may have redeemed the same once more. */
function doubtAfterRedemption(operation: Operation, pair: AttemptPair, evidence: RetryEvidence): string | undefined {
  if (operation.endpoint?.retry !== 'once') return undefined;
  if (mayBeOtherTill(operation, pair, evidence))
    return 'unless another till scanned the same: give each an x-sim-client, or a tenant';
  const isLast = operation.clientAttempts.at(-1) === pair[1];
  if (isLast && isAfterLoss(operation, pair[0]) && isClosedForNext(...pair, evidence.lagBetween))
    return 'unless its client was started again, and had not noted the first "already redeemed"';
  return undefined;
}

/** True when an attempt was rejected after another whose response was lost: "already redeemed". */
const isAfterLoss = ({ attempts }: Operation, { outcome, end = Infinity }: Attempt): boolean =>
  outcome === 'rejected' && attempts.some((one) => one.start < end && isIndeterminate(one));

/**
 * True when another till may have redeemed the same once: by another connection, or once more after the first till had
 * got "already redeemed" for its lost response.
 */
function mayBeOtherTill(
  operation: Operation,
  [before, next]: AttemptPair,
  { history: { callers } }: RetryEvidence,
): boolean {
  const { clientAttempts: own } = operation;
  if (callers.isOneDeclared([before.exchange, next.exchange])) return false;
  const isByAnother =
    before.exchange.connection !== undefined && callers.compare(before.exchange, next.exchange) !== 'same';
  const isLast = own.indexOf(before) + 2 === own.length;
  return isLast && next.outcome === 'rejected' && (isByAnother || isAfterLoss(operation, before));
}
