/**
 * Finds unkeyed work that was sent again after it had succeeded: from a queue that kept what it had delivered, or in a
 * bulk that was corrected and sent whole.
 */
import { appendTo } from '../../core/lib/collections.ts';
import { isDone, isRetryable, realPause } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { isSameTest } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import { parseJsonBody } from '../../core/exchange/operation-key.ts';
import { soon } from '../history/repeated-work.ts';
import { datedParts } from '../history/request-content.ts';
import { describeSharedEffects, isDescribed } from './duplicate-effects.ts';
import { inconclusive, memoizePerJournal, meantAsNew, requestLine } from './retry-rule.ts';
import type { RetryEvidence, RuleFinding } from './retry-rule.ts';

/** Holds work that was done after a failure, or in part: its client may believe that it is still to be sent. */
interface Delivered {
  readonly operation: Operation;
  readonly done: Attempt;
}

/** The number of deliveries of equal rows that are compared. */
const maxCompared = 5;

/** Returns what is found of unkeyed work sent again, by the operation that did so. */
export const sentAgain = memoizePerJournal((evidence: RetryEvidence): ReadonlyMap<Operation, RuleFinding[]> => {
  const found = new Map<Operation, RuleFinding[]>();
  const byRow = new Map<string, Delivered[]>();
  let latest = -Infinity;
  for (const operation of evidence.operations) {
    if (operation.endpoint?.retry !== 'unkeyed' || !operation.endpoint.work) continue;
    const after = operation.attempts.find(isDescribed);
    if (after && after.start - latest <= soon) {
      const findings = judge(operation, { after, byRow }, evidence);
      if (findings.length > 0) found.set(operation, findings);
    }
    const done = operation.attempts.findLast((attempt) => isDone(attempt) && isDescribed(attempt));
    if (!done || !mayBeKept(operation, done)) continue;
    latest = Math.max(latest, done.end ?? done.start);
    const delivered = { operation, done };
    for (const row of rowsOf(operation, done, evidence)) appendTo(byRow, row, delivered);
  }
  return found;
});

const failureOf = ({ attempts }: Operation): Attempt | undefined =>
  attempts.find((attempt) => isRetryable(attempt) || attempt.hasFailedJob);

/** True when a client may have kept what was done: it had failed before, or was done in part. */
const mayBeKept = (operation: Operation, done: Attempt): boolean =>
  failureOf(operation) !== undefined || isPartial(operation, done);

const isPartial = ({ endpoint }: Operation, { exchange }: Attempt): boolean =>
  endpoint?.isPartial?.(parseJsonBody(exchange.response?.body)) ?? false;

/** Names the dated rows of a request, each once. */
const rowsOf = (
  { endpoint }: Operation,
  { exchange }: Attempt,
  { policy: { ignoreFields } }: RetryEvidence,
): string[] => [...new Set(datedParts(exchange, { endpoint, ignoreFields }).map((row) => `${endpoint?.id} ${row}`))];

function judge(
  operation: Operation,
  { after, byRow }: { readonly after: Attempt; readonly byRow: ReadonlyMap<string, readonly Delivered[]> },
  evidence: RetryEvidence,
): RuleFinding[] {
  const known = new Set(rowsOf(operation, after, evidence).flatMap((row) => byRow.get(row)?.slice(-maxCompared) ?? []));
  const before = [...known].findLast(
    (one) => isSameTest(one.operation, operation) && isFollowedBy(one, after, evidence),
  );
  if (!before) return [];
  const { done } = before;
  const isInPart = isPartial(operation, done);
  const story = isInPart
    ? `${requestLine(done)} was refused in part (${done.exchange.id}), and what it had done was sent again (${after.exchange.id})`
    : `${requestLine(done)} had failed (${failureOf(before.operation)?.exchange.id}), took effect (${done.exchange.id}), and was sent again (${after.exchange.id})`;
  const advice = isInPart
    ? 'Correct what the response has refused, and send that alone.'
    : 'Remove a request from the queue when its response has arrived, and let one program alone deliver it.';
  return describeSharedEffects([done, after], evidence.tenant).map((sentence) => ({
    ...inconclusive(`${sentence}: ${story}; ${meantAsNew}`, done, after),
    advice,
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
