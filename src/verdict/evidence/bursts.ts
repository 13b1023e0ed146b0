/** Finds bursts of attempts: what a client does before it gives up, and again when it delivers from its fallback. */
import { lowerBound } from '../../core/lib/collections.ts';
import { finish, forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { isHeldOpen, isRetryable, pauseBetween, requestedPause } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import type { Callers } from '../history/callers.ts';
import type { History } from '../history/history.ts';
import { consecutivePairs, isReadOperation } from '../history/operation.ts';
import type { AttemptPair, Operation } from '../history/operation.ts';
import { isConfirmedByRead, readAfter } from '../history/read-back.ts';
import type { ReadBackQuery } from '../history/read-back.ts';
import { declaredBackoff } from '../policy.ts';
import type { Policy } from '../policy.ts';
import { isSentUnchanged } from '../rules/r03-validation-errors.ts';
import { formatDuration, inconclusive, indexPerOperation } from '../rules/retry-rule.ts';
import type { RetryEvidence, RuleFinding } from '../rules/retry-rule.ts';

/** Without a declared fallback, a pause this long (ms), and this many times as long as any before it, ends a burst. */
const usualFallback = { atLeast: 1000, times: 5 } as const;

/** A pause this many times as long as the client declares, or a response requests, is another one. */
const farLonger = 2;

/** After a single attempt, a pause (ms) is compared with none before it: that of a fallback is at least this long. */
const firstFallback = 60_000;

/** Splits attempts at pauses so long that the client must have given up in between. */
function splitIntoBursts({ clientAttempts: own }: Operation, policy: Policy): (readonly Attempt[])[] {
  const bursts: Attempt[][] = [];
  let longest: number | undefined;
  for (const [i, attempt] of own.entries()) {
    const current = bursts.at(-1);
    const before = own[i - 1];
    const pause = before === undefined ? 0 : pauseBetween(before, attempt);
    if (current && before && pause < pauseOfFallback({ before, attempt, next: own[i + 1], longest }, policy)) {
      current.push(attempt);
      // A correction is no repeat, however soon it comes.
      if (before.outcome !== 'invalid') longest = Math.max(longest ?? 0, pause);
    } else {
      bursts.push([attempt]);
      longest = undefined;
    }
  }
  return bursts;
}

interface PlacedPause {
  readonly before: Attempt;
  readonly attempt: Attempt;
  readonly next: Attempt | undefined;
  /** Holds the longest pause of the burst before this one, in ms. */
  readonly longest: number | undefined;
}

/** Returns how long a pause must be to end a burst, in ms. */
function pauseOfFallback({ before, attempt, next, longest }: PlacedPause, policy: Policy): number {
  if (policy.storeAndForwardAfter !== undefined) return policy.storeAndForwardAfter - policy.tolerance;
  const { atLeast, times } = usualFallback;
  const requested = farLonger * requestedPause(before);
  if (longest !== undefined) return Math.max(atLeast, times * longest, requested);
  // A client that pauses as long again retries at that pace.
  const following = next === undefined ? 0 : pauseBetween(attempt, next);
  return Math.max(firstFallback, times * following, farLonger * declaredBackoff(policy, 1), requested);
}

/** Splits a burst at its long pauses: its client was started again in one, or delivered from its fallback after it. */
export function splitAtLongPauses(burst: readonly Attempt[], policy: Policy): (readonly Attempt[])[] {
  const pairs = consecutivePairs(burst);
  const pauses = pairs.map(([before, next]) => pauseBetween(before, next));
  if (pauses.every((pause) => pause < usualFallback.atLeast)) return [burst];
  const shortest = shortestLongPause(pauses);
  const parts: Attempt[][] = [burst.slice(0, 1)];
  for (const [i, [before, next]] of pairs.entries()) {
    const pause = pauseBetween(before, next);
    const dictated = Math.max(requestedPause(before), declaredBackoff(policy, i + 1));
    if (pause >= shortest && pause >= farLonger * dictated) parts.push([next]);
    else parts.at(-1)?.push(next);
  }
  return parts;
}

/** Pauses below this are alike, in ms. */
const shortestPause = 50;

/** Returns where pauses fall apart into short and long ones: at the largest gap between two, if it is that of a fallback. */
function shortestLongPause(pauses: readonly number[]): number {
  const sorted = pauses.map((pause) => Math.max(shortestPause, pause)).toSorted((a, b) => a - b);
  const { atLeast, times } = usualFallback;
  let found = { ratio: 0, pause: Infinity };
  for (const [i, pause] of sorted.entries()) {
    const ratio = pause / (sorted[i - 1] ?? pause);
    if (pause >= atLeast && ratio >= times && ratio > found.ratio) found = { ratio, pause };
  }
  return found.pause;
}

/** Splits attempts into series that one client made of one request: at long pauses, corrections, hand-overs and looks that found it done. */
export const splitIntoSeries = indexPerOperation(function* (
  operation,
  { policy, history },
): Steps<readonly (readonly Attempt[])[]> {
  const corrected = yield* splitWhere(splitIntoBursts(operation, policy), isCorrected);
  // Each client has limits and pauses of its own.
  const ofClients = yield* splitWhere(corrected, (pair) => isHandedOver(pair, history.callers));
  // R10 leaves open whether that is new work.
  return yield* splitWhere(ofClients, ([, next]) => wasSeenDone(operation, next, history));
});

/** True when a validation error was corrected: what is sent then is another request, and no repeat. */
const isCorrected = ([before, next]: AttemptPair): boolean =>
  before.outcome === 'invalid' && !isSentUnchanged(before, next);

/** Splits each list of attempts between those of which the second begins something else. */
function* splitWhere(
  bursts: readonly (readonly Attempt[])[],
  isOther: (pair: AttemptPair) => boolean,
): Steps<(readonly Attempt[])[]> {
  const parts: (readonly Attempt[])[] = [];
  for (const burst of bursts) {
    const cuts: number[] = [];
    yield* forEachInSteps(consecutivePairs(burst), (pair, i) => void (isOther(pair) && cuts.push(i + 1)));
    if (cuts.length === 0) parts.push(burst);
    else for (const [i, cut] of [0, ...cuts].entries()) parts.push(burst.slice(cut, cuts[i]));
  }
  return parts;
}

/** True when the client had read back that its work was done before it sent the same again. */
export function wasSeenDone(operation: Operation, next: Attempt, history: History): boolean {
  const { attempts, endpoint, key } = operation;
  if (key.by !== 'content' || isReadOperation(operation)) return false;
  const query = { history, endpoint, next };
  const before = attemptsBefore(attempts, next);
  const last = before.last();
  return last !== undefined && readAfter(last, query) !== undefined && before.isConfirmed(query);
}

/** Holds which lists of attempts are in the order in which they began: those that several callers made at once may not be. */
const areInOrder = new WeakMap<readonly Attempt[], boolean>();

interface AttemptsBefore {
  readonly last: () => Attempt | undefined;
  /** True when a read-back after them shows that nothing is left to do. */
  readonly isConfirmed: (query: ReadBackQuery) => boolean;
}

/** Finds the attempts that began before another one; lists them only where they are not the first ones, as there may be very many. */
function attemptsBefore(attempts: readonly Attempt[], next: Attempt): AttemptsBefore {
  const isInOrder =
    areInOrder.get(attempts) ?? consecutivePairs(attempts).every(([before, after]) => before.start <= after.start);
  areInOrder.set(attempts, isInOrder);
  if (isInOrder) {
    const count = lowerBound(attempts, ({ start }) => start >= next.start);
    return {
      last: () => attempts[count - 1],
      isConfirmed: (query) => isConfirmedByRead(attempts, { ...query, count }),
    };
  }
  const isBefore = ({ start }: Attempt): boolean => start < next.start;
  return {
    last: () => attempts.findLast(isBefore),
    isConfirmed: (query) => isConfirmedByRead(attempts.filter(isBefore), query),
  };
}

/** True when certainly another client sent the second of two attempts. */
export const isHandedOver = ([before, next]: AttemptPair, callers: Callers): boolean =>
  callers.compare(before.exchange, next.exchange) === 'other';

/** True when an operation had been given up once before this attempt. */
export function wasGivenUpBefore(operation: Operation, attempt: Attempt, policy: Policy): boolean {
  const [first = []] = splitIntoBursts(operation, policy);
  const sent = finish(splitWhere([first], isCorrected)).at(-1) ?? [];
  return sent.every(isRetryable) && !first.includes(attempt);
}

/**
 * Downgrades a finding while the client may still be waiting: in a pause between attempts, or until its declared
 * fallback is due. A client that has ended waits no longer, but its next run may empty a queue that it has declared.
 */
export function unlessStillWaiting(found: RuleFinding, operation: Operation, evidence: RetryEvidence): RuleFinding {
  const last = found.attempts.at(-1);
  if (!last) return found;
  const { policy, hasClientEnded, pauses } = evidence;
  const after = isReadOperation(operation) ? undefined : policy.storeAndForwardAfter;
  // A test may move the tenant's clock instead of waiting.
  const waited = Math.max(evidence.now - (last.end ?? last.start), evidence.tenant.clock.now() - last.exchange.at);
  if (after !== undefined && waited < after)
    return doubt(found, `its fallback is not due yet (declared: ${formatDuration(after)})`);
  const hasTime = policy.timeout === undefined || waited < policy.timeout;
  if (isHeldOpen(last) && !hasClientEnded && hasTime) return doubt(found, 'its client still waits for the response');
  const longest = hasClientEnded ? undefined : pauses.longestFor(operation);
  // Nobody judges while so short a pause lasts.
  if (!longest || longest.length <= policy.tolerance) return found;
  const { length, source } = longest;
  const isOver = waited >= length + policy.tolerance;
  // Where the simulator was late, so may be the client.
  const late = isOver ? evidence.lagBetween(last.end ?? last.start, evidence.now) : 0;
  if (isOver && waited >= length + policy.tolerance + late) return found;
  const lateness = isOver ? `, and the simulator itself was ${formatDuration(late)} late then` : '';
  return doubt(
    found,
    `that was ${formatDuration(waited)} ago, and the client may still be waiting: its longest pause is ${formatDuration(length)} ` +
      `(${source})${lateness}; judge again after that, or say that the client has ended`,
  );
}

const doubt = (found: RuleFinding, why: string): RuleFinding =>
  inconclusive(`${found.message}; but ${why}`, found.attempts);
