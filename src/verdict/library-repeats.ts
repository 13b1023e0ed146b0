/** Finds each way to read the attempts of a client whose HTTP library may have repeated some of them by itself. */
import { forEachInSteps, mapInSteps } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import { isPerhapsShared } from './certainty.ts';
import { isRetryable, pauseBetween } from './history/attempt.ts';
import type { Attempt } from './history/attempt.ts';
import { consecutivePairs, isReadOperation } from './history/operation.ts';
import type { AttemptPair, Operation } from './history/operation.ts';
import {
  foldTransparentRetries,
  isPerhapsNext,
  isWithinReach,
  repeaters,
  repeatersWithinReach,
} from './history/transparent-retry.ts';
import type { Repeater } from './history/transparent-retry.ts';
import { declaredBackoff } from './policy.ts';
import type { Policy } from './policy.ts';
import { indexPerOperation } from './rules/retry-rule.ts';
import type { RetryEvidence } from './rules/retry-rule.ts';

/** Describes an attempt after the first. */
export interface AttemptStep {
  readonly before: Attempt;
  readonly attempt: Attempt;
  /** Is given in ms, as long as the client's own pause would be. */
  readonly pause: number;
  /** Lists the kinds of libraries that may have made it. */
  readonly by: readonly Repeater[];
  /** True when it is in doubt only if the simulator held it up. */
  readonly isByLateness: boolean;
  /** True when its pause is to be as long as declared, if the client itself made it. */
  readonly isPaced: boolean;
  /** True when its pause is shorter than any that is declared, and one client made all attempts. */
  readonly isTooSoon: boolean;
  /** Says how late (ms) the simulator itself was then. */
  readonly late: number;
}

/** Returns the steps of an operation; undefined when its library has certainly repeated nothing but what is marked. */
export const stepsOf = indexPerOperation(function* (operation, evidence): Steps<readonly AttemptStep[] | undefined> {
  const pairs = consecutivePairs(operation.attempts);
  let isInDoubt = false;
  yield* forEachInSteps(pairs, (pair) => {
    isInDoubt ||= repeatersOf(pair, latenessBetween(pair, evidence), evidence).length > 0;
  });
  if (!isInDoubt) return undefined;
  const steps = yield* mapInSteps(pairs, (pair) => stepOf(pair, operation, evidence));
  yield;
  return isPerhapsShared(operation, evidence) ? steps.map((step) => ({ ...step, isTooSoon: false })) : steps;
});

/** Returns how late (ms) the simulator was where only that leaves a repeat in doubt. */
export const latenessOf = (steps: readonly AttemptStep[]): number =>
  steps.reduce((most, { late, isByLateness }) => (isByLateness ? Math.max(most, late) : most), 0);

/** Holds the ways to read an operation. */
export interface Readings {
  /** Lists those in which no attempt of the client's own comes too soon for any; undefined when they are too many. */
  readonly operations: readonly Operation[] | undefined;
  /** True when other readings are left out, each of which breaks R6. */
  readonly hasTooSoon: boolean;
}

/** Returns the readings of an operation. */
export function readingsOf(operation: Operation, steps: readonly AttemptStep[]): Readings {
  const hasTooSoon = steps.some((step) => isOwn(step) && step.isTooSoon);
  const found = new Map<string, readonly number[]>();
  const budget = { visits: maxVisits };
  for (const repeater of repeaters)
    for (const repeats of setsOfRepeats(steps, repeater, budget)) found.set(repeats.join(), repeats);
  if (budget.visits <= 0 || found.size > maxReadings) return { operations: undefined, hasTooSoon };
  return { operations: [...found.values()].map((repeats) => readAs(operation, repeats)), hasTooSoon };
}

/** More readings are not judged one by one. */
const maxReadings = 64;

/** Limits the steps that are tried to find them. */
const maxVisits = 2000;

/** Returns how late (ms) the simulator was between two attempts. */
const latenessBetween = ([before, next]: AttemptPair, { lagBetween }: RetryEvidence): number =>
  lagBetween(before.end ?? before.start, next.start);

/** Returns the kinds of libraries that may have made the second of two attempts, if the simulator was so late (ms). */
function repeatersOf(pair: AttemptPair, late: number, { history }: RetryEvidence): readonly Repeater[] {
  const within = repeatersWithinReach(pair, late);
  return within.length > 0 && isPerhapsNext(pair, late, history) ? within : [];
}

function stepOf(pair: AttemptPair, operation: Operation, evidence: RetryEvidence): AttemptStep {
  const { policy, history } = evidence;
  const [before, attempt] = pair;
  const late = latenessBetween(pair, evidence);
  const by = repeatersOf(pair, late, evidence);
  const pause = pauseBetween(...pair);
  // Another client may have read the same.
  const isPaced = isRetryable(before) && !(isReadOperation(operation) && history.isParallel);
  const isLong = pause >= shortestPause(policy) - policy.tolerance || pause >= shortestFallback(policy);
  const isExcused = isPaced && !isLong && late > policy.tolerance;
  const isInTime = by.every((one) => isWithinReach(one, pair, 0)) && isPerhapsNext(pair, 0, history);
  return {
    before,
    attempt,
    pause,
    by,
    isByLateness: isExcused || (late > 0 && by.length > 0 && !isInTime),
    isPaced,
    isTooSoon: isPaced && !isLong && !isExcused,
    late,
  };
}

const shortestPause = ({ minBackoff }: Policy): number => (minBackoff.length === 0 ? 0 : Math.min(...minBackoff));

/** Sets the shortest pause (ms) that may end a series of attempts, if no fallback is declared. */
const usualFallback = 1000;

const shortestFallback = ({ storeAndForwardAfter }: Policy): number => storeAndForwardAfter ?? usualFallback;

/** Describes the first attempts of a reading. */
interface Prefix {
  /** Holds the place of the attempt that comes next. */
  readonly place: number;
  /** Lists the places of the attempts that a library made. */
  readonly repeats: readonly number[];
  /** Counts the repeats in a row at its end. */
  readonly row: number;
}

/** Yields the sets of attempts, by their places, that a library may have made, the largest first. */
function* setsOfRepeats(
  steps: readonly AttemptStep[],
  repeater: Repeater,
  budget: { visits: number },
): Generator<readonly number[]> {
  const open: Prefix[] = [{ place: 1, repeats: [], row: 0 }];
  for (let prefix = open.pop(); prefix && budget.visits > 0; prefix = open.pop()) {
    budget.visits--;
    const { place, repeats, row } = prefix;
    const step = steps[place - 1];
    if (!step) yield repeats;
    else {
      if (isOwn(step) && !step.isTooSoon) open.push({ place: place + 1, repeats, row: 0 });
      if (isRepeat(step, repeater, row)) open.push({ place: place + 1, repeats: [...repeats, place], row: row + 1 });
    }
  }
}

/** True for an attempt that the client itself may have made. */
const isOwn = ({ attempt }: AttemptStep): boolean => !attempt.isTransparentRetry;

/** True for an attempt that a library may have made after so many repeats. */
const isRepeat = ({ attempt, by }: AttemptStep, repeater: Repeater, row: number): boolean =>
  attempt.isTransparentRetry || (by.includes(repeater) && row < repeater.most);

const readAs = (operation: Operation, repeats: readonly number[]): Operation => {
  const places = new Set(repeats);
  const attempts = operation.attempts.map((one, i) => (places.has(i) ? { ...one, isTransparentRetry: true } : one));
  return { ...operation, attempts, clientAttempts: foldTransparentRetries(attempts) };
};

/** Says which policies a reading has to keep. */
interface Limits {
  readonly minBackoff: readonly number[];
  readonly maxAttempts: number | undefined;
}

/**
 * True when no reading keeps these limits. Only attempts without a pause between them that may end a series are counted
 * together, so that some that keep none are not found.
 */
export function breaksInEachReading(steps: readonly AttemptStep[], limits: Limits, evidence: RetryEvidence): boolean {
  const series = splitAtFallbacks(steps, evidence);
  return repeaters.every((repeater) => series.some((one) => !mayKeep(one, repeater, { limits, evidence })));
}

function splitAtFallbacks(steps: readonly AttemptStep[], { policy }: RetryEvidence): (readonly AttemptStep[])[] {
  const series: AttemptStep[][] = [[]];
  for (const step of steps) {
    if (step.pause >= shortestFallback(policy) && isOwn(step)) series.push([]);
    else series.at(-1)?.push(step);
  }
  return series;
}

/** Rows of repeats longer than this count alike: only a library without a limit makes them. */
const longestRow = Math.max(...repeaters.map(({ most }) => most).filter(Number.isFinite)) + 1;

/** True when the client seems to have been started again between these attempts. */
function isRestarted(steps: readonly AttemptStep[], { history }: RetryEvidence): boolean {
  const [first, last] = [steps[0]?.before, steps.at(-1)?.attempt];
  return (
    first !== undefined &&
    last !== undefined &&
    history.restarts.between(first.exchange, last.exchange)?.isPlain === true
  );
}

/** True when the client's own attempts may be as few, and its pauses as long, as these limits say. */
function mayKeep(
  steps: readonly AttemptStep[],
  repeater: Repeater,
  { limits, evidence }: { readonly limits: Limits; readonly evidence: RetryEvidence },
): boolean {
  const { tolerance } = evidence.policy;
  const most = limits.maxAttempts === undefined || isRestarted(steps, evidence) ? Infinity : limits.maxAttempts;
  const pauses = limits.minBackoff.every((one, i) => one >= (limits.minBackoff[i - 1] ?? 0))
    ? limits.minBackoff
    : [Math.min(...limits.minBackoff)];
  // By the repeats in a row at the end: how many attempts are the client's own at least.
  let fewest = new Map([[0, 1]]);
  for (const step of steps) {
    const next = new Map<number, number>();
    for (const [row, own] of fewest) {
      const longer = Math.min(row + 1, longestRow);
      if (isRepeat(step, repeater, row)) next.set(longer, Math.min(own, next.get(longer) ?? Infinity));
    }
    const own = Math.min(...fewest.values());
    const due = declaredBackoff({ minBackoff: pauses }, own) - tolerance - step.late;
    if (isOwn(step) && own < most && (step.pause >= due || !step.isPaced)) next.set(0, own + 1);
    if (next.size === 0) return false;
    fewest = next;
  }
  return true;
}
