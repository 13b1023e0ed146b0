/**
 * Finds unkeyed work that was sent again after it had succeeded: from a queue that kept what it had delivered, or in a
 * bulk that was corrected and sent whole.
 */
import { isDone, isRetryable, realPause } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { isSameTest } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import { parseJsonBody } from '../../core/exchange/operation-key.ts';
import { soon } from '../history/repeated-work.ts';
import { sharesDatedPart } from '../history/request-content.ts';
import { describeSharedEffects, isDescribed } from './duplicate-effects.ts';
import { inconclusive, memoizePerJournal, meantAsNew, requestLine } from './retry-rule.ts';
import type { RetryEvidence, RuleFinding } from './retry-rule.ts';

/** Work that succeeded in the end or in part, so that a client may believe that it has to be sent. */
interface Delivered {
  readonly operation: Operation;
  readonly done: Attempt;
}

/** Returns what is found of unkeyed work sent again, by the operation that did so. */
export const sentAgain = memoizePerJournal((evidence: RetryEvidence): ReadonlyMap<Operation, RuleFinding[]> => {
  const found = new Map<Operation, RuleFinding[]>();
  const byPiece = new Map<string, Delivered>();
  let latest = -Infinity;
  for (const operation of evidence.operations) {
    if (operation.endpoint?.retry !== 'unkeyed' || !operation.endpoint.work) continue;
    const after = operation.attempts.find(isDescribed);
    if (after && after.start - latest <= soon) {
      const findings = judge(operation, { after, byPiece }, evidence);
      if (findings.length > 0) found.set(operation, findings);
    }
    const done = operation.attempts.findLast((attempt) => isDone(attempt) && isDescribed(attempt));
    if (!done || !mayBeKept(operation, done)) continue;
    latest = Math.max(latest, done.end ?? done.start);
    for (const key of pieceKeys(operation, done, evidence)) byPiece.set(key, { operation, done });
  }
  return found;
});

/** True when a client may have kept what was done: it had failed before, or was done in part. */
const mayBeKept = ({ attempts, endpoint }: Operation, done: Attempt): boolean =>
  attempts.some((attempt) => isRetryable(attempt) || attempt.hasFailedJob) || isPartial({ endpoint }, done);

const isPartial = ({ endpoint }: Pick<Operation, 'endpoint'>, { exchange }: Attempt): boolean =>
  endpoint?.isPartial?.(parseJsonBody(exchange.response?.body)) ?? false;

const pieceKeys = ({ endpoint }: Operation, { exchange }: Attempt, { history }: RetryEvidence): readonly string[] =>
  endpoint ? history.subjects.piecesOf(exchange, endpoint).flat() : [];

function judge(
  operation: Operation,
  { after, byPiece }: { readonly after: Attempt; readonly byPiece: ReadonlyMap<string, Delivered> },
  evidence: RetryEvidence,
): RuleFinding[] {
  const { endpoint } = operation;
  const { ignoreFields } = evidence.policy;
  const known = new Set(pieceKeys(operation, after, evidence).flatMap((key) => byPiece.get(key) ?? []));
  const before = [...known].findLast(
    (one) =>
      one.operation.endpoint === endpoint &&
      isSameTest(one.operation, operation) &&
      isFollowedBy(one, after, evidence) &&
      sharesDatedPart(after.exchange, one.done.exchange, { endpoint, ignoreFields }),
  );
  if (!before) return [];
  const { done } = before;
  const failed = before.operation.attempts.find((attempt) => isRetryable(attempt) || attempt.hasFailedJob);
  const story = isPartial(operation, done)
    ? `${requestLine(done)} was done in part (${done.exchange.id}), and sent again with what was done (${after.exchange.id})`
    : `${requestLine(done)} had failed (${failed?.exchange.id}), took effect (${done.exchange.id}), and was sent again (${after.exchange.id})`;
  return describeSharedEffects([done, after], evidence.tenant).map((sentence) => ({
    ...inconclusive(`${sentence}: ${story}; ${meantAsNew}`, done, after),
    advice: isPartial(operation, done)
      ? 'Correct what the response has refused, and send that alone.'
      : 'Remove a request from the queue when its response has arrived, and let one program alone deliver it.',
  }));
}

/** True when a request came soon after what was done, perhaps by the same client, or by a third one after a hand-over. */
function isFollowedBy(
  { operation: { attempts }, done }: Delivered,
  after: Attempt,
  { history }: RetryEvidence,
): boolean {
  if (after.start < (done.end ?? Infinity) || realPause(done, after) > soon) return false;
  const { callers } = history;
  const isHandedOver = attempts.some(({ exchange }) => callers.compare(exchange, done.exchange) === 'other');
  return isHandedOver || callers.compare(done.exchange, after.exchange) !== 'other';
}
