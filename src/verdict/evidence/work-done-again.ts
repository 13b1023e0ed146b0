/** Finds work that a client did again although it had succeeded: a whole sale after a failed request, the next coupon after "already redeemed". */
import { forEachInSteps, sortInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { lowerBound } from '../../core/lib/collections.ts';
import { pathParameters } from '../../core/exchange/path-template.ts';
import { isIndeterminate, isRetryable } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { isReadOperation } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import { readAfter } from '../history/read-back.ts';
import { soon } from '../history/repeated-work.ts';
import { differingFields, isDated } from '../history/request-content.ts';
import { describeSecondEffect, isDescribed } from './duplicate-effects.ts';
import { describeOutcome, fail, inconclusive, meantAsNew, indexPerJournal, requestLine } from '../rules/retry-rule.ts';
import type { RetryEvidence, RuleFinding } from '../rules/retry-rule.ts';

/** Returns what is found of work done again, by the operation that did it again. */
export const workDoneAgain = indexPerJournal(function* (evidence): Steps<ReadonlyMap<Operation, RuleFinding[]>> {
  const found = new Map<Operation, RuleFinding[]>();
  if (failures(evidence).length === 0) return found;
  const done = new Map<string, Operation>();
  const wholes: DoneWholes = { byName: new Map(), unread: [] };
  yield* forEachInSteps(evidence.operations, (operation) => {
    const findings =
      operation.endpoint?.retry === 'once'
        ? judgeNextCoupon(operation, done, evidence)
        : judgeWholeAgain(operation, wholes, evidence);
    if (findings.length > 0) found.set(operation, findings);
  });
  return found;
});

/** Holds what was done, by the work that it asked for; contents are only read where a failure was left open. */
interface DoneWholes {
  readonly byName: Map<string, Operation>;
  /** Holds what was done since the contents were read, in its order. */
  unread: { readonly operation: Operation; readonly after: Attempt }[];
}

/** Returns the name of all the work that an attempt asked for; none when a piece of it names nobody. */
function nameOfWork({ exchange }: Attempt, { endpoint }: Operation, { history }: RetryEvidence): string {
  const pieces = endpoint ? history.subjects.piecesOf(exchange, endpoint) : [];
  return pieces.every((keys) => keys.length > 0) ? pieces.map(([key]) => key).join('\n') : '';
}

/** Returns what was done before, by the work that it asked for. */
function readDone(wholes: DoneWholes, evidence: RetryEvidence): ReadonlyMap<string, Operation> {
  for (const { operation, after } of wholes.unread) {
    const name = nameOfWork(after, operation, evidence);
    if (name !== '') wholes.byName.set(name, operation);
  }
  wholes.unread = [];
  return wholes.byName;
}

/** Finds what had been done, and was sent again under another key or without one after a request had failed. */
function judgeWholeAgain(operation: Operation, wholes: DoneWholes, evidence: RetryEvidence): RuleFinding[] {
  const { endpoint, attempts } = operation;
  const after = endpoint?.work && attempts.find(isDescribed);
  if (!after || !isNearFailure(after, evidence)) return [];
  const earlier = lastOpenFailure(after, evidence)
    ? readDone(wholes, evidence).get(nameOfWork(after, operation, evidence))
    : undefined;
  wholes.unread.push({ operation, after });
  const before = earlier?.attempts.findLast(isDescribed);
  const last = earlier?.attempts.at(-1);
  if (!before || !last || !isSoonAfter(last, after, evidence)) return [];
  if (last.outcome === 'success') return judgeAfterSuccess(operation, { before, last, after }, evidence);
  return isIndeterminate(last) ? judgeAfterLook(operation, { before, last, after }, evidence) : [];
}

/** Describes work that was done, and then done again. */
interface DoneTwice {
  /** Holds the attempt that took effect. */
  readonly before: Attempt;
  /** Holds the last attempt of the same operation. */
  readonly last: Attempt;
  readonly after: Attempt;
}

/** Judges what was done again because another request had failed since. */
function judgeAfterSuccess(
  operation: Operation,
  { before, last, after }: DoneTwice,
  evidence: RetryEvidence,
): RuleFinding[] {
  const { endpoint, attempts } = operation;
  const { history, tenant } = evidence;
  // Its own failures are a reason to repeat it, and none to begin it.
  const [first = after] = attempts;
  const inSeries = failedInSeries(last, first, evidence);
  const failed = inSeries ?? failedBetween(last, first, evidence);
  if (!failed || readAfter(last, { history, endpoint, next: after })) return [];
  const isSame = isSameMoment({ before, last, after }, operation, evidence);
  // Without a key and a time of its own, what was sent again may be meant again.
  if (!isSame && endpoint?.retry !== 'keyed' && !inSeries) return [];
  return describeSecondEffect(operation, [before, after], tenant).map((sentence) => {
    const message = `${sentence}: ${requestLine(before)} succeeded (${last.exchange.id}), and was sent again (${after.exchange.id}) after ${requestLine(failed)} ${describeOutcome(failed)}`;
    return isSame ? fail(message, before, after) : inconclusive(`${message}; ${meantAsNew}`, before, after);
  });
}

/**
 * Judges what was done again, under another key, after a lost attempt that had taken effect: a read shows that, which may
 * have been sent for the second only.
 */
function judgeAfterLook(operation: Operation, done: DoneTwice, evidence: RetryEvidence): RuleFinding[] {
  const { before, last, after } = done;
  const { endpoint } = operation;
  if (endpoint?.retry !== 'keyed' || !isSameMoment(done, operation, evidence)) return [];
  const { history } = evidence;
  if (!readAfter(last, { history, endpoint })) return [];
  const seen = readAfter(last, { history, endpoint, next: after }) ? ', and it was read back' : '';
  return describeSecondEffect(operation, [before, after], evidence.tenant).map((sentence) =>
    inconclusive(
      `${sentence}: ${requestLine(before)} took effect (${last.exchange.id} ${describeOutcome(last)}${seen}), and again under another key (${after.exchange.id}); ${meantAsNew}`,
      before,
      after,
    ),
  );
}

/** True when both attempts carry the same content but for its key, and the time of what it is about. */
const isSameMoment = (
  { before, after }: DoneTwice,
  { endpoint }: Operation,
  { policy: { ignoreFields } }: RetryEvidence,
): boolean =>
  isDated(after.exchange) && differingFields(before.exchange, after.exchange, { endpoint, ignoreFields }).length === 0;

/** True when an attempt followed another soon, perhaps by the same caller. */
const isSoonAfter = (before: Attempt, after: Attempt, { history }: RetryEvidence): boolean =>
  after.start > (before.end ?? Infinity) &&
  after.start - (before.end ?? Infinity) <= soon &&
  history.callers.compare(before.exchange, after.exchange) !== 'other';

/** Describes an attempt that failed, and when it was made good. */
interface Failure {
  readonly attempt: Attempt;
  readonly until: number;
  /** Holds the next attempt of the same operation, if that is a write. */
  readonly next: Attempt | undefined;
}

const failures = indexPerJournal(function* ({ operations }): Steps<readonly Failure[]> {
  const found: Failure[] = [];
  yield* forEachInSteps(operations, (operation) => {
    const { clientAttempts: own } = operation;
    const ends = startsOfLaterEnds(own);
    for (const [i, attempt] of own.entries()) {
      if (!isRetryable(attempt)) continue;
      found.push({
        attempt,
        until: ends[i] ?? Infinity,
        next: isReadOperation(operation) ? undefined : own[i + 1],
      });
    }
  });
  return yield* sortInSteps(found, (a, b) => a.attempt.start - b.attempt.start);
});

/** Returns for each attempt when the next one began that needed no other after it. */
function startsOfLaterEnds(attempts: readonly Attempt[]): readonly number[] {
  const ends: number[] = [];
  let start = Infinity;
  for (let i = attempts.length - 1; i >= 0; i--) {
    ends[i] = start;
    const attempt = attempts[i];
    if (attempt && !isRetryable(attempt)) start = attempt.start;
  }
  return ends;
}

/** Returns the place of the first failure that did not begin before a moment. */
const firstFrom = (moment: number, known: readonly Failure[]): number =>
  lowerBound(known, ({ attempt }) => attempt.start >= moment);

function isNearFailure({ start }: Attempt, evidence: RetryEvidence): boolean {
  const known = failures(evidence);
  const first = known[firstFrom(start - soon, known)];
  return first !== undefined && first.attempt.start < start + soon;
}

/** Limits the failed requests that are searched, from the last one before the repeat. */
const maxSearched = 50;

/** Returns the last failure before an attempt that was not made good by then, among those that are meant. */
function lastOpenFailure(
  { start }: Attempt,
  evidence: RetryEvidence,
  isMeant: (failure: Failure) => boolean = () => true,
): Failure | undefined {
  const known = failures(evidence);
  const end = firstFrom(start, known);
  for (let i = end - 1; i >= 0 && i >= end - maxSearched; i--) {
    const failure = known[i];
    if (failure && failure.until > start && isMeant(failure)) return failure;
  }
  return undefined;
}

/** True when a request is about something that has one of these names. */
function isAbout(attempt: Attempt, names: ReadonlySet<string>, evidence: RetryEvidence): boolean {
  for (const name of namesOf(attempt, evidence)) if (names.has(name)) return true;
  return false;
}

/** Returns a request about the same that failed in between and was not made good, perhaps by the same caller. */
function failedBetween(before: Attempt, after: Attempt, evidence: RetryEvidence): Attempt | undefined {
  const { callers } = evidence.history;
  const names = namesOf(before, evidence);
  const isMeant = ({ attempt }: Failure): boolean =>
    attempt.start > before.start &&
    callers.compare(attempt.exchange, after.exchange) !== 'other' &&
    isAbout(attempt, names, evidence);
  return lastOpenFailure(after, evidence, isMeant)?.attempt;
}

/**
 * Returns a write that failed directly before the first of a series was sent again, and was repeated after that: the
 * client goes through the whole series once more.
 */
function failedInSeries(before: Attempt, after: Attempt, evidence: RetryEvidence): Attempt | undefined {
  const { history } = evidence;
  if (history.isParallel) return undefined;
  const failure = lastOpenFailure(after, evidence);
  if (!failure?.next || failure.next.start < after.start || failure.attempt.start < before.start) return undefined;
  const { attempt } = failure;
  const isOfSeries = attempt.exchange.endpoint === after.exchange.endpoint;
  const isNext = !history.hasWritesBetween(attempt.start, after.start);
  return isOfSeries && isNext && history.callers.compare(attempt.exchange, after.exchange) !== 'other'
    ? attempt
    : undefined;
}

/** Returns the names of what a request is about. */
function namesOf({ exchange }: Attempt, { history }: RetryEvidence): ReadonlySet<string> {
  const endpoint = history.endpointOf(exchange);
  return (endpoint && history.subjects.namesOf(exchange, endpoint)) ?? new Set();
}

/** Finds a coupon that was redeemed in place of one whose response was lost, because that was "already redeemed". */
function judgeNextCoupon(operation: Operation, done: Map<string, Operation>, evidence: RetryEvidence): RuleFinding[] {
  const { endpoint, attempts } = operation;
  const [first] = attempts;
  if (!first || !endpoint) return [];
  const { history, tenant } = evidence;
  const owners = [...namesOf(first, evidence)]
    .filter((name) => name.startsWith('contact '))
    .map((name) => `once ${name}`);
  const earlier = owners.map((owner) => done.get(owner)).find((one) => one !== undefined && one !== operation);
  for (const owner of owners) done.set(owner, operation);
  const [before, refused, after] = [
    earlier?.attempts.find((attempt) => isIndeterminate(attempt) && isDescribed(attempt)),
    earlier?.attempts.at(-1),
    attempts.find(isDescribed),
  ];
  if (!earlier || !before || !after || refused?.outcome !== 'rejected') return [];
  const isNext = isSoonAfter(refused, first, evidence) && !history.hasWritesBetween(refused.start, first.start);
  if (!isNext || readAfter(refused, { history, endpoint, next: first })) return [];
  const [id = ''] = Object.values(pathParameters(endpoint.path, before.exchange.path) ?? {});
  // Both may have been meant: a receipt that names the first says so.
  const isUsed = history.entries.some(
    ({ exchange: { number, request } }) => number > refused.exchange.number && request.body?.includes(id),
  );
  if (isUsed) return [];
  // Who looks for coupons again serves the customer once more, and may take the next one for that.
  const [begun = before] = earlier.attempts;
  const look = readAfter(begun, { history, endpoint, next: refused });
  return describeSecondEffect(operation, [before, after], tenant).map((sentence) => {
    const message = `${sentence}: ${requestLine(before)} took effect (${before.exchange.id} ${describeOutcome(before)}), its repeat ${describeOutcome(refused)}, and then this one was redeemed (${after.exchange.id})`;
    return look
      ? inconclusive(
          `${message}; unless it was meant for another sale, as the coupons were listed again (${look.id}): a receipt that names the first would tell`,
          before,
          refused,
          after,
        )
      : fail(message, before, refused, after);
  });
}
