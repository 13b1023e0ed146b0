import { appendTo } from '../../core/lib/collections.ts';
import { isClosedForNext, isDone, isIndeterminate, isRetryable, overlaps, pauseBetween } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { mayBeProxied } from '../history/callers.ts';
import type { Callers } from '../history/callers.ts';
import { shortestTimeout } from '../history/client-timeout.ts';
import { isSingleClientKey } from '../history/clients.ts';
import { Spans } from '../history/exchange-list.ts';
import type { Span } from '../history/exchange-list.ts';
import { consecutivePairs, isReadOperation } from '../history/operation.ts';
import type { AttemptPair, Operation } from '../history/operation.ts';
import { confirmingRead, isQueued } from '../history/read-back.ts';
import { soon } from '../history/repeated-work.ts';
import { differingFields } from '../history/request-content.ts';
import { wasGivenUpBefore } from './bursts.ts';
import { isDescribed } from './duplicate-effects.ts';
import { reusedKey, suiteHint } from './reused-key.ts';
import {
  describeOutcome,
  fail,
  formatDuration,
  inconclusive,
  memoizePerJournal,
  note,
  requestLine,
} from './retry-rule.ts';
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

const describeRepeat = ([before, next]: AttemptPair): string =>
  `${requestLine(next)} was sent again although it ${describeOutcome(before)} before`;

function judgeRepeat(operation: Operation, [before, next]: AttemptPair, evidence: RetryEvidence): RuleFinding {
  const message = describeRepeat([before, next]);
  const excuse =
    before.outcome === 'rejected'
      ? excuseAfterRejection([before, next], evidence)
      : excuseAfterSuccess(operation, [before, next], evidence);
  if (excuse !== undefined) return note(`${message}; ${excuse}`, before, next);
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

/** Judges a read that was refused and asked again. */
function judgeRefusedRead(operation: Operation, attempts: readonly Attempt[], evidence: RetryEvidence): RuleFinding {
  const certain = certainPairs(attempts, evidence);
  const excuseOf = (pair: AttemptPair): string | undefined =>
    excuseAfterRejection(pair, evidence) ?? excuseForRead(operation, pair, evidence);
  // What excuses one repeat need not excuse the next.
  const bare = certain.find((pair) => excuseOf(pair) === undefined);
  if (bare) return unlessWriteWasMissed(fail(describeRepeat(bare), ...bare), evidence);
  const pair = certain[0] ?? ([attempts[0], attempts[1]] as AttemptPair);
  const message = describeRepeat(pair);
  const excuse = excuseOf(pair);
  if (excuse !== undefined) return note(`${message}; ${excuse}`, ...pair);
  const isOften = attempts.length >= manyTimes && !evidence.history.isParallel;
  const more = attempts.length === manyTimes ? 'once more' : `${attempts.length - 2} times more`;
  // The first response may have come late.
  if (isOften) return unlessWriteWasMissed(fail(`${message}, and ${more}`, ...attempts.slice(-manyTimes)), evidence);
  return note(`${message}; perhaps by another program, as it used another connection`, ...pair);
}

/** A client may have given up what it wrote in between before a simulator that was late took it. */
function unlessWriteWasMissed(
  found: RuleFinding,
  { lagBetween, policy: { timeout = shortestTimeout } }: RetryEvidence,
): RuleFinding {
  const [first, last] = [found.attempts[0], found.attempts.at(-1)];
  const late = first && last ? lagBetween(first.end ?? first.start, last.start, timeout) : 0;
  if (late === 0) return found;
  const doubt = `the simulator itself was ${formatDuration(late)} late then, and may have missed a write in between`;
  return inconclusive(`${found.message}; but ${doubt}`, ...found.attempts);
}

/** So many equal reads in a row are no coincidence of several programs. */
const manyTimes = 3;

/** Returns attempts that are certainly of one program, by pairs: one with the attempt before it, or else with the first. */
function certainPairs(attempts: readonly Attempt[], evidence: RetryEvidence): AttemptPair[] {
  const { callers } = evidence.history;
  return attempts.flatMap((next, i) => {
    const before = [attempts[i - 1], attempts[0]].find(
      (one) =>
        one &&
        one !== next &&
        one.outcome === 'rejected' &&
        (isByOneProgram(one, next, callers) || isInjectedAndRepeated(one, next, evidence)),
    );
    return before ? [[before, next] as const] : [];
  });
}

/**
 * True when a fault refused what is there, and it is asked for again by a new connection after the old one was closed:
 * no other program has a reason to ask just then.
 */
const isInjectedAndRepeated = (before: Attempt, next: Attempt, { history, lagBetween }: RetryEvidence): boolean =>
  before.exchange.fault !== undefined &&
  !history.isParallel &&
  !mayBeProxied(before.exchange) &&
  isClosedForNext(before, next, lagBetween);

/** Calls in process are taken for those of one program. */
const isByOneProgram = ({ exchange: a }: Attempt, { exchange: b }: Attempt, callers: Callers): boolean =>
  callers.compare(a, b) === 'same' || (!a.connection && !b.connection && callers.keyOf(a) === callers.keyOf(b));

/** Statuses that are about the client's API key. */
const keyStatuses: ReadonlySet<number | undefined> = new Set([401, 403]);

function excuseAfterRejection([before, next]: AttemptPair, evidence: RetryEvidence): string | undefined {
  const { history } = evidence;
  const isOtherKey = before.exchange.keyDigest !== next.exchange.keyDigest;
  if (isOtherKey && keyStatuses.has(before.exchange.status)) return 'with another key';
  // Nothing was done under its key, so the key is still that of this work.
  if (isCorrected([before, next], evidence)) return 'its content was corrected';
  if (history.hasChangesBetween(before.start, next.start)) return 'other requests had changed something in between';
  if (history.hasOwnWorkBetween(before.exchange, next.exchange))
    return 'something else had changed in between: by a job, the control API or a slow request';
  // What is over, or not there yet, by the clock.
  const isByTime = next.outcome === 'success' && !before.exchange.fault && pauseBetween(before, next) >= soon;
  return isByTime ? 'time had passed in between, and it was accepted then' : undefined;
}

/** True when a write was sent with other content than it was refused with. */
function isCorrected([{ exchange: before }, { exchange: next }]: AttemptPair, evidence: RetryEvidence): boolean {
  const { history, policy } = evidence;
  const reading = { endpoint: history.endpointOf(next), ignoreFields: policy.ignoreFields };
  return differingFields(before, next, reading).length > 0;
}

function excuseForRead(
  { endpoint, clientAttempts: own }: Operation,
  [before, next]: AttemptPair,
  evidence: RetryEvidence,
): string | undefined {
  const { history } = evidence;
  const span = { from: before.start, to: next.start };
  if (history.hasWritesOfSubjectBetween(before, endpoint, span)) return 'the client had written it in between';
  // A fault hid what was there.
  const wasThere = before.exchange.fault !== undefined;
  const isThere = own.at(-1)?.outcome === 'success' && !wasThere;
  if (isThere || history.showsQueuedWork(before, endpoint)) return 'the client was polling for it';
  const later = { from: next.start, to: Infinity };
  const isWaiting =
    isAnyWriteWaiting(before, span, evidence) && history.hasWritesOfSubjectBetween(before, endpoint, later);
  return isWaiting ? 'its creation was waiting behind other writes of the client' : undefined;
}

/** True when a write of the same caller that had failed before this time was tried again, or given up, only after it. */
function isAnyWriteWaiting({ exchange }: Attempt, { from, to }: Span, evidence: RetryEvidence): boolean {
  const waiting = waitingWrites(evidence).get(evidence.history.callers.keyOf(exchange));
  return waiting !== undefined && waiting.reachAt(from) >= to;
}

/** Returns by caller when a failed write waited. */
const waitingWrites = memoizePerJournal(({ operations, history }: RetryEvidence): ReadonlyMap<string, Spans> => {
  const found = new Map<string, Span[]>();
  for (const operation of operations) {
    const own = isReadOperation(operation) ? [] : operation.clientAttempts;
    for (const [i, attempt] of own.entries()) {
      if (!isRetryable(attempt)) continue;
      const to =
        own[i + 1]?.start ??
        confirmingRead(operation.attempts, { history, endpoint: operation.endpoint })?.startedAt ??
        Infinity;
      appendTo(found, history.callers.keyOf(attempt.exchange), { from: attempt.end ?? attempt.start, to });
    }
  }
  return new Map([...found].map(([caller, spans]) => [caller, new Spans(spans)]));
});

function excuseAfterSuccess(
  operation: Operation,
  [before, next]: AttemptPair,
  evidence: RetryEvidence,
): string | undefined {
  if (isKeyed(operation) && isRepeatedByRestart(operation, [before, next], evidence))
    return 'its connection had been closed in between, and the key kept it from taking effect twice';
  const { status = 0 } = before.exchange;
  if (status >= 300) return 'the response had redirected it';
  if (isDropped(before, evidence)) return 'its queued work had been dropped in between';
  // R9 judges a late delivery that is sent again.
  if (wasGivenUpBefore(operation, before, evidence.policy)) return 'it had been given up before';
  return operation.endpoint?.retry === 'idempotent' ? 'that changes nothing' : undefined;
}

/** True when the work that an attempt had queued will never be done: a reset has emptied the queue. */
const isDropped = (attempt: Attempt, { isPending }: RetryEvidence): boolean =>
  isQueued(attempt.exchange.sideEffects) && attempt.exchange.deferredEffects.length === 0 && !isPending(attempt);

/** True when the key of a call keeps a repeat from taking effect, or that of this very operation does, or the coupon. */
const isKeyed = ({ endpoint, key }: Operation): boolean =>
  endpoint?.retry === 'keyed' || endpoint?.retry === 'once' || (key.by === 'own-key' && isSingleClientKey(key));

/** True when each repeat came as when a program is started again, and changed nothing; several, when it certainly was. */
function isRepeatedByRestart(
  { endpoint, clientAttempts: own }: Operation,
  [before, next]: AttemptPair,
  { history, lagBetween }: RetryEvidence,
): boolean {
  if (before.exchange.fault !== undefined || !isClosedForNext(before, next, lagBetween)) return false;
  if (history.isConnectionUsedAfter(before.exchange, next.start)) return false;
  const repeats = consecutivePairs(own.slice(own.indexOf(before)));
  const isRestart = ([one, other]: AttemptPair): boolean =>
    history.restarts.between(one.exchange, other.exchange)?.isPlain === true;
  // A coupon has no key that the client drew: any till may scan it.
  const isSure = endpoint?.retry === 'once' || repeats.length > 1;
  return repeats.every((pair) => !isDescribed(pair[1]) && (!isSure || isRestart(pair)));
}
