/** Finds writes that a client gave up and never delivered: what they were to do is lost for good. */
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { targetOf } from '../../core/exchange/request-target.ts';
import { isRetryable, endedInFailedJob, requiresRetry } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import type { Operation } from '../history/operation.ts';
import { isConfirmedByRead } from '../history/read-back.ts';
import { comparableContent } from '../history/request-content.ts';
import { unlessStillWaiting } from './bursts.ts';
import { doneElsewhere } from './done-otherwise.ts';
import { isDescribed } from './duplicate-effects.ts';
import { settledOtherwise } from './settled.ts';
import { describeOutcome, fail, inconclusive, indexPerJournal, note, requestLine } from '../rules/retry-rule.ts';
import type { RetryEvidence, RuleFinding } from '../rules/retry-rule.ts';

/**
 * Judges a write that was given up. After no response, 500 and 504, R1 judges one that was tried only once. After 429
 * and another 5xx the specification asks for no retry, but for a local fallback: the policy says whether a person does.
 */
export function neverDelivered(operation: Operation, evidence: RetryEvidence): RuleFinding[] {
  const { clientAttempts: own, attempts, endpoint } = operation;
  const { history } = evidence;
  const last = own.at(-1);
  if (!last || !isRetryable(last) || (own.length === 1 && requiresRetry(last))) return [];
  if (settledOtherwise(operation, last, evidence)) return [];
  if (isConfirmedByRead(attempts, { history, endpoint })) return [];
  const seen = doneElsewhere(operation, last, evidence);
  // R1 tells of it, unless it was tried once and need not be repeated.
  if (seen) return own.length > 1 ? [] : [seen];
  const tried = own.length > 1 ? `was given up after ${own.length} attempts` : describeOutcome(last);
  if (!requiresRetry(last) && evidence.policy.giveUp === 'note')
    return [note(`${requestLine(last)} ${tried} and was never delivered (policy giveUp: note)`, last)];
  if (!evidence.hasRecoveredAfter(last)) return own.length > 1 ? [] : [unknown(last)];
  if (requiresRetry(last)) {
    const message = `${requestLine(last)} ${tried} and never delivered, though the service recovered`;
    return [unlessStillWaiting(fail(message, last), operation, evidence)];
  }
  return [lostForGood(operation, { last, tried }, evidence)];
}

/**
 * Notes a write that was accepted, whose job failed, and that nobody sent again: the client may have notified a person.
 */
export function leftUndone(operation: Operation, evidence: RetryEvidence): RuleFinding[] {
  const last = operation.clientAttempts.at(-1);
  if (!last || last.outcome !== 'success' || !endedInFailedJob(last)) return [];
  // An earlier attempt, whose response was lost, may have done it.
  if (operation.attempts.some((attempt) => attempt !== last && !endedInFailedJob(attempt) && isDescribed(attempt)))
    return [];
  const settled = settledOtherwise(operation, last, evidence);
  if (settled) return settled.level === 'inconclusive' ? [settled] : [];
  if (deliveredInstead(operation, last, evidence)) return [];
  const message = `${requestLine(last)} got status ${last.exchange.status}, but its job failed, and it was never sent again: it is not done`;
  return [note(message, last)];
}

const unknown = (last: Attempt): RuleFinding =>
  inconclusive(
    `${requestLine(last)} ${describeOutcome(last)} and was never repeated, and the service did not recover before the end: ` +
      'it is unknown whether it is delivered later',
    last,
  );

function lostForGood(
  operation: Operation,
  { last, tried }: { readonly last: Attempt; readonly tried: string },
  evidence: RetryEvidence,
): RuleFinding {
  const message =
    `${requestLine(last)} ${tried} and was never delivered, though the service recovered: there is no local fallback, ` +
    'unless a person was notified (then declare giveUp: note)';
  if (evidence.evicted > 0) return inconclusive(`${message}; but the journal has dropped older requests`, last);
  const other = deliveredInstead(operation, last, evidence);
  if (other) return inconclusive(`${message}; unless ${other.exchange.id} was sent in its place`, last, other);
  return unlessStillWaiting(fail(message, last), operation, evidence);
}

/** Returns a later success with the same content under another key, or for an idempotent write to the same path. */
function deliveredInstead(operation: Operation, last: Attempt, evidence: RetryEvidence): Attempt | undefined {
  const { start } = last;
  const found = deliveries(evidence).get(placeOf(operation, evidence));
  return found && found.start > start ? found : undefined;
}

/** Names what a later write may replace: an idempotent one what is at its path, others what has the same content. */
function placeOf({ endpoint, attempts: [first] }: Operation, { policy }: RetryEvidence): string {
  if (!first) return '';
  if (endpoint?.retry === 'idempotent' && endpoint.path.includes('{'))
    return `${endpoint.id} ${targetOf({ ...first.exchange, query: '' }, endpoint)}`;
  return `${endpoint?.id} ${comparableContent(first.exchange, { endpoint, ignoreFields: policy.ignoreFields })}`;
}

/** Keeps the last success by what it may replace; contents are only read where something was given up. */
const deliveries = indexPerJournal(function* (evidence): Steps<ReadonlyMap<string, Attempt>> {
  const found = new Map<string, Attempt>();
  yield* forEachInSteps(evidence.operations, (operation) => {
    const delivered = operation.endpoint?.retry === 'safe' ? undefined : operation.clientAttempts.find(isSuccess);
    if (delivered) found.set(placeOf(operation, evidence), delivered);
  });
  return found;
});

const isSuccess = ({ outcome }: Attempt): boolean => outcome === 'success';
