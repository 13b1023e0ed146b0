/**
 * Finds unkeyed work that was sent again after it had succeeded: from a queue that kept what it had delivered, or in a
 * bulk that was corrected and sent whole.
 */
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { appendTo, lowerBound } from '../../core/lib/collections.ts';
import { isDone, isRetryable, realPause } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { Spans } from '../history/exchange-list.ts';
import { beginOf, isSameTest } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import { parseJsonBody } from '../../core/exchange/operation-key.ts';
import { confirmingRead, isSeenDone, readAfter } from '../history/read-back.ts';
import { soon } from '../history/repeated-work.ts';
import { datedRows } from '../history/request-content.ts';
import { describeSharedEffects, isDescribed } from './duplicate-effects.ts';
import { describeOutcome, inconclusive, indexPerJournal, meantAsNew, note, requestLine } from '../rules/retry-rule.ts';
import type { RetryEvidence, RuleFinding } from '../rules/retry-rule.ts';

/** Holds work that was done after a failure, or in part: its client may believe that it is still to be sent. */
interface Delivered {
  readonly operation: Operation;
  readonly done: Attempt;
}

/** Limits the deliveries of equal rows that are compared. */
const maxCompared = 5;

/** Returns what is found of unkeyed work sent again, by the operation that did so. */
export const sentAgain = indexPerJournal(function* (evidence): Steps<ReadonlyMap<Operation, RuleFinding[]>> {
  const found = new Map<Operation, RuleFinding[]>();
  const unkeyed = evidence.operations.filter(({ endpoint }) => endpoint?.retry === 'unkeyed' && endpoint.work);
  const delivered = yield* deliveriesIn(unkeyed, evidence);
  if (delivered.length === 0) return found;
  const byRow = new Map<string, Delivered[]>();
  yield* forEachInSteps(delivered, (one) => {
    for (const row of new Set(rowsOf(one.operation, one.done, evidence))) appendTo(byRow, row, one);
  });
  const spans = new Spans(
    delivered.map(({ operation, done }) => ({
      from: (failureOf(operation) ?? done).start,
      to: (done.end ?? done.start) + soon,
    })),
  );
  yield* forEachInSteps(unkeyed, (operation) => {
    const sent = operation.attempts.find(isDescribed);
    if (!sent || spans.reachAt(sent.start) < sent.start) return;
    const known = new Set(rowsOf(operation, sent, evidence).flatMap((row) => begunNextTo(operation, byRow.get(row))));
    const others = [...known].filter((one) => one.operation !== operation && isSameTest(one.operation, operation));
    const findings = judgeAfter(operation, { sent, others }, evidence);
    if (findings.length > 0) found.set(operation, findings);
    else for (const [late, again] of judgeBetween({ sent, others }, evidence)) found.set(late, again);
  });
  return found;
});

function* deliveriesIn(operations: readonly Operation[], evidence: RetryEvidence): Steps<Delivered[]> {
  const repeats = new Set(operations.flatMap(({ repeatedAs = [] }) => repeatedAs));
  const found: Delivered[] = [];
  yield* forEachInSteps(operations, (operation) => {
    const { attempts } = operation;
    const done =
      attempts.findLast((attempt) => isDone(attempt) && isDescribed(attempt)) ?? seenDone(operation, evidence);
    if (done && mayBeKept(operation, done, repeats)) found.push({ operation, done });
  });
  return found;
}

/** Returns the attempt whose response was lost, and of which the client saw that it took effect. */
function seenDone({ attempts, endpoint }: Operation, { history }: RetryEvidence): Attempt | undefined {
  const done = attempts.findLast(isDescribed);
  const read = done && confirmingRead(attempts, { history, endpoint });
  return read && isSeenDone(attempts, read, { history }) ? done : undefined;
}

/** Returns the deliveries that began next to an operation. */
function begunNextTo(operation: Operation, delivered: readonly Delivered[] = []): readonly Delivered[] {
  const at = lowerBound(delivered, (one) => beginOf(one.operation) > beginOf(operation));
  return delivered.slice(Math.max(0, at - maxCompared), at + 1);
}

const failureOf = ({ attempts }: Operation): Attempt | undefined =>
  attempts.find((attempt) => isRetryable(attempt) || attempt.hasFailedJob);

/** True when a client may have kept what was done: it, or what it was a part of, had failed before, or was done in part. */
const mayBeKept = (operation: Operation, done: Attempt, repeats: ReadonlySet<Attempt>): boolean =>
  failureOf(operation) !== undefined ||
  operation.attempts.some((one) => repeats.has(one)) ||
  isPartial(operation, done);

const isPartial = ({ endpoint }: Operation, { exchange }: Attempt): boolean =>
  endpoint?.isPartial?.(parseJsonBody(exchange.response?.body)) ?? false;

/** Names the dated rows of a request. */
const rowsOf = (
  { endpoint }: Operation,
  { exchange }: Attempt,
  { policy: { ignoreFields } }: RetryEvidence,
): readonly string[] => datedRows(exchange, { endpoint, ignoreFields });

/** Describes work that was sent, and the deliveries of equal rows. */
interface Sent {
  readonly sent: Attempt;
  readonly others: readonly Delivered[];
}

/** Judges work that was sent after it had been delivered. */
function judgeAfter(operation: Operation, { sent, others }: Sent, evidence: RetryEvidence): RuleFinding[] {
  const followed = others.findLast((one) => isFollowedBy(one, sent, evidence));
  // Another client may do equal work of its own.
  const before = followed ?? others.findLast(({ done }) => isSoonAfter(done, sent));
  if (!before) return [];
  const isInPart = isPartial(operation, before.done);
  const level = followed ? inconclusive : note;
  const story = `${describeDelivery(before)} was sent again${followed ? '' : ' by another client'} (${sent.exchange.id})`;
  const advice = isInPart ? 'Correct what the response has refused, and send that alone.' : adviceForQueues;
  return describeSharedEffects([before.done, sent], evidence.tenant).map((sentence) => ({
    ...level(`${sentence}: ${story}; ${meantAsNew}`, before.done, sent),
    advice,
  }));
}

/** Tells how work was delivered, as the begin of a sentence. */
function describeDelivery({ operation, done }: Delivered): string {
  const { id } = done.exchange;
  const failed = failureOf(operation);
  if (isPartial(operation, done)) return `${requestLine(done)} was refused in part (${id}), and what it had done`;
  if (!isDone(done))
    return `${requestLine(done)} ${describeOutcome(done)}, but took effect (${id}), as its client saw, and`;
  const began = failed ? `had failed (${failed.exchange.id}), took effect` : 'took effect';
  return `${requestLine(done)} ${began} (${id}), and`;
}

const adviceForQueues =
  'Remove a request from the queue when its response has arrived, and let one program alone deliver it.';

/** Judges work that was done by other requests between two attempts of it, by the operation that did it again. */
function judgeBetween({ sent, others }: Sent, evidence: RetryEvidence): [Operation, RuleFinding[]][] {
  const { history, tenant } = evidence;
  return others.flatMap(({ operation, done }): [Operation, RuleFinding[]][] => {
    const failed = failureOf(operation);
    if (!failed || sent.start < (failed.end ?? Infinity) || done.start < (sent.end ?? Infinity)) return [];
    const isByAnother = history.callers.compare(done.exchange, sent.exchange) === 'other';
    // Another client may do equal work of its own, if it has not even looked.
    const isTakenOver = readAfter(failed, { history, endpoint: operation.endpoint, next: sent }) !== undefined;
    const level = isByAnother && !isTakenOver ? note : inconclusive;
    const story = `${requestLine(done)} had failed (${failed.exchange.id}), was done by ${sent.exchange.id}, and was sent again (${done.exchange.id})`;
    const findings = describeSharedEffects([sent, done], tenant).map((sentence) => ({
      ...level(`${sentence}: ${story}; ${meantAsNew}`, sent, done),
      advice: adviceForQueues,
    }));
    return findings.length > 0 ? [[operation, findings]] : [];
  });
}

/**
 * True when a request came soon after what was done: perhaps by the same client, by a third one after a hand-over, or as
 * the correction of all of a bulk.
 */
function isFollowedBy(before: Delivered, after: Attempt, evidence: RetryEvidence): boolean {
  const { done, operation } = before;
  const { attempts } = operation;
  if (!isSoonAfter(done, after)) return false;
  const [delivered, sent] = [done, after].map((attempt) => rowsOf(operation, attempt, evidence).length);
  if (delivered === sent && isPartial(operation, done)) return true;
  const { callers } = evidence.history;
  const isHandedOver = attempts.some(({ exchange }) => callers.compare(exchange, done.exchange) === 'other');
  return isHandedOver || callers.compare(done.exchange, after.exchange) !== 'other';
}

const isSoonAfter = (done: Attempt, after: Attempt): boolean =>
  after.start >= (done.end ?? Infinity) && realPause(done, after) <= soon;
