/** Lists why a client may send a request again although it was done or refused. */
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { appendTo } from '../../core/lib/collections.ts';
import { isClosedForNext, isRetryable, pauseBetween } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { isSingleClientKey } from '../history/clients.ts';
import { Spans } from '../history/exchange-list.ts';
import type { Span } from '../history/exchange-list.ts';
import { consecutivePairs, hasOwnKey, isReadOperation } from '../history/operation.ts';
import type { AttemptPair, Operation } from '../history/operation.ts';
import { isQueued } from '../state/done-work.ts';
import { confirmingRead } from '../history/read-back.ts';
import { soon } from '../history/repeated-work.ts';
import { differingFields } from '../history/request-content.ts';
import { wasGivenUpBefore } from './bursts.ts';
import { isDescribed } from './duplicate-effects.ts';
import { describeOutcome, indexPerJournal, requestLine } from '../rules/retry-rule.ts';
import type { RetryEvidence } from '../rules/retry-rule.ts';

/** Describes a request that was done or refused, and the next one of its operation. */
export interface Repeat {
  readonly operation: Operation;
  readonly pair: AttemptPair;
}

/** Says that a request was sent again, after what. */
export const describeRepeat = ([before, next]: AttemptPair): string =>
  `${requestLine(next)} was sent again although it ${describeOutcome(before)} before`;

interface RepeatReason {
  /** Ends a sentence after "; ". */
  readonly text: string;
  readonly applies: (repeat: Repeat, evidence: RetryEvidence) => boolean;
}

/** Returns the text of the first reason that applies. */
const firstOf =
  (reasons: readonly RepeatReason[]) =>
  (repeat: Repeat, evidence: RetryEvidence): string | undefined =>
    reasons.find(({ applies }) => applies(repeat, evidence))?.text;

/** Lists the statuses that are about the client's API key. */
const keyStatuses: ReadonlySet<number | undefined> = new Set([401, 403]);

const reasonsAfterRejection: readonly RepeatReason[] = [
  {
    text: 'with another key',
    applies: ({ pair: [{ exchange: before }, { exchange: next }] }) =>
      before.keyDigest !== next.keyDigest && keyStatuses.has(before.status),
  },
  {
    // Nothing was done under its key, so the key is still that of this work.
    text: 'its content was corrected',
    applies: ({ pair: [{ exchange: before }, { exchange: next }] }, { history, policy }) => {
      const reading = { endpoint: history.endpointOf(next), ignoreFields: policy.ignoreFields };
      return differingFields(before, next, reading).length > 0;
    },
  },
  {
    text: 'other requests had changed something in between',
    applies: ({ pair: [before, next] }, { history }) => history.hasChangesBetween(before.start, next.start),
  },
  {
    text: 'something else had changed in between: by a job, the control API or a slow request',
    applies: ({ pair: [before, next] }, { history }) => history.hasOwnWorkBetween(before.exchange, next.exchange),
  },
  {
    // What is over, or not there yet, by the clock.
    text: 'time had passed in between, and it was accepted then',
    applies: ({ pair: [before, next] }) =>
      next.outcome === 'success' && !before.exchange.fault && pauseBetween(before, next) >= soon,
  },
];

/** Sets the pause after which a person may have asked for the same again, in ms, and how often one does. */
const personalPause = 2000;
const personalTries = 3;

const reasonsForRead: readonly RepeatReason[] = [
  ...reasonsAfterRejection,
  {
    text: 'the client had written it in between',
    applies: ({ operation: { endpoint }, pair: [before, next] }, { history }) =>
      history.hasWritesOfSubjectBetween(before, endpoint, { from: before.start, to: next.start }),
  },
  {
    text: 'the client was polling for it',
    applies: ({ operation: { endpoint, clientAttempts: own }, pair: [before] }, { history }) => {
      // A fault hid what was there.
      const wasThere = before.exchange.fault !== undefined;
      const isThere = own.at(-1)?.outcome === 'success' && !wasThere;
      return isThere || history.showsQueuedWork(before, endpoint);
    },
  },
  {
    text: 'its creation was waiting behind other writes of the client',
    applies: ({ operation: { endpoint }, pair: [before, next] }, evidence) =>
      isAnyWriteWaiting(before, { from: before.start, to: next.start }, evidence) &&
      evidence.history.hasWritesOfSubjectBetween(before, endpoint, { from: next.start, to: Infinity }),
  },
  {
    text: 'perhaps a person asked again, as when a card is read once more',
    applies: ({ operation: { clientAttempts: own }, pair: [before, next] }) =>
      !before.exchange.fault && own.length <= personalTries && pauseBetween(before, next) >= personalPause,
  },
];

const reasonsAfterSuccess: readonly RepeatReason[] = [
  {
    text: 'its connection had been closed in between, and the key kept it from taking effect twice',
    applies: (repeat, evidence) => isKeyed(repeat.operation) && isRepeatedByRestart(repeat, evidence),
  },
  {
    text: 'the response had redirected it',
    applies: ({ pair: [{ exchange }] }) => (exchange.status ?? 0) >= 300,
  },
  {
    // A reset has emptied the queue.
    text: 'its queued work had been dropped in between',
    applies: ({ pair: [before] }, { isPending }) =>
      isQueued(before.exchange.sideEffects) && before.exchange.deferredEffects.length === 0 && !isPending(before),
  },
  {
    // R9 judges a late delivery that is sent again.
    text: 'it had been given up before',
    applies: ({ operation, pair: [before] }, { policy }) => wasGivenUpBefore(operation, before, policy),
  },
  {
    text: 'that changes nothing',
    applies: ({ operation: { endpoint } }) => endpoint?.retry === 'idempotent',
  },
];

/** Returns why a write that was refused may be sent again, if anything says so. */
export const reasonAfterRejection = firstOf(reasonsAfterRejection);

/** Returns why a read that was refused may be sent again, if anything says so. */
export const reasonForRead = firstOf(reasonsForRead);

/** Returns why a write that was done may be sent again, if anything says so. */
export const reasonAfterSuccess = firstOf(reasonsAfterSuccess);

/** True when a write of the same caller that had failed before this time was tried again, or given up, only after it. */
function isAnyWriteWaiting({ exchange }: Attempt, { from, to }: Span, evidence: RetryEvidence): boolean {
  const waiting = waitingWrites(evidence).get(evidence.history.callers.keyOf(exchange));
  return waiting !== undefined && waiting.reachAt(from) >= to;
}

/** Returns by caller when a failed write waited. */
const waitingWrites = indexPerJournal(function* ({ operations, history }): Steps<ReadonlyMap<string, Spans>> {
  const found = new Map<string, Span[]>();
  yield* forEachInSteps(operations, (operation) => {
    const own = isReadOperation(operation) ? [] : operation.clientAttempts;
    for (const [i, attempt] of own.entries()) {
      if (!isRetryable(attempt)) continue;
      const to =
        own[i + 1]?.start ??
        confirmingRead(operation.attempts, { history, endpoint: operation.endpoint })?.startedAt ??
        Infinity;
      appendTo(found, history.callers.keyOf(attempt.exchange), { from: attempt.end ?? attempt.start, to });
    }
  });
  return new Map([...found].map(([caller, spans]) => [caller, new Spans(spans)]));
});

/** True when the key of a request keeps a repeat from taking effect, or that of this very operation does, or the coupon. */
const isKeyed = (operation: Operation): boolean =>
  operation.endpoint?.retry === 'keyed' ||
  operation.endpoint?.retry === 'once' ||
  (hasOwnKey(operation) && isSingleClientKey(operation.key));

/** True when each repeat came as when a program is started again, and changed nothing; several, when it certainly was. */
function isRepeatedByRestart(
  { operation: { endpoint, clientAttempts: own }, pair: [before, next] }: Repeat,
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
