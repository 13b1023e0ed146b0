/** How fast, how often, and how many at once. */
import { isBeside, isToRepeat } from '../attempt.ts';
import type { Attempt } from '../attempt.ts';
import { isRead, ownAttempts } from '../operation.ts';
import type { Operation, Pair } from '../operation.ts';
import { burstsOf, pairsByBurst } from './fallback.ts';
import { callOf, fail, inconclusive, remark, seconds } from './rule.ts';
import type { Evidence, Found, RetryRule } from './rule.ts';

interface Timing {
  readonly evidence: Evidence;
  /** By how much it was too early, in ms. */
  readonly early: number;
}

/** A failure that rests on moments counts only when the simulator itself can't have made them. */
function timed(found: Found, { evidence: { stalls, policy }, early }: Timing): Found {
  const [first, last] = [found.attempts[0], found.attempts.at(-1)];
  if (!first || !last) return found;
  const late = stalls.between(first.start - policy.tolerance, last.start + policy.tolerance);
  if (late + policy.tolerance < early || late <= policy.tolerance) return found;
  return inconclusive(`${found.message}; but the simulator itself was ${seconds(late)} late then`, ...found.attempts);
}

const pauseOf = ([before, next]: Pair): number => next.start - (before.end ?? before.start);

export const pausesLongEnough: RetryRule = {
  id: 'R6',
  title: 'pauses are never shorter than declared, and do not shrink',
  sentence: 'Policy: the shortest pause that the client declares; pauses that shrink are none.',
  advice: 'Wait before each attempt, longer each time: 1 s, 2 s, 4 s …, with a little chance added on top.',
  check: (operation, evidence) =>
    pairsByBurst(operation, evidence.policy).flatMap((pairs) => [
      ...tooEarly(pairs, evidence),
      ...shrinking(pairs, evidence),
    ]),
};

function tooEarly(pairs: readonly Pair[], evidence: Evidence): Found[] {
  const { minPause, tolerance } = evidence.policy;
  return pairs.flatMap((pair, i) => {
    const [before, next] = pair;
    const declared = minPause[Math.min(i, minPause.length - 1)] ?? 0;
    if (!isToRepeat(before) || pauseOf(pair) >= declared - tolerance) return [];
    const message = `${callOf(next)} was repeated after ${seconds(pauseOf(pair))}; declared is ${seconds(declared)}`;
    return [timed(fail(message, ...pair), { evidence, early: declared - pauseOf(pair) })];
  });
}

function shrinking(pairs: readonly Pair[], evidence: Evidence): Found[] {
  const { minPause, tolerance } = evidence.policy;
  return pairs.slice(1).flatMap((pair, i) => {
    const before = pairs[i];
    if (!before || pauseOf(pair) >= pauseOf(before) - Math.max(tolerance, pauseOf(before) / 2)) return [];
    const message = `${callOf(pair[1])}: the pause shrank from ${seconds(pauseOf(before))} to ${seconds(pauseOf(pair))}`;
    // Nobody who declares no pauses is held to how they grow, nor who keeps to those declared.
    const declared = minPause[Math.min(i + 1, minPause.length - 1)] ?? 0;
    if (pauseOf(pair) >= declared) return [remark(message, ...before, ...pair)];
    return [timed(fail(message, ...before, ...pair), { evidence, early: pauseOf(before) - pauseOf(pair) })];
  });
}

export const knowsWhenToStop: RetryRule = {
  id: 'R7',
  title: 'not more attempts than declared',
  sentence: 'Policy: the number of attempts that the client declares.',
  advice: 'Count attempts, give up after the last one, and leave the rest to the fallback.',
  check(operation, { policy }) {
    const { attempts: declared } = policy;
    if (declared === undefined) return [];
    return burstsOf(operation, policy)
      .filter(({ length }) => length > declared)
      .flatMap((burst) => {
        const [first] = burst;
        return first
          ? [fail(`${callOf(first)} was tried ${burst.length} times; declared are ${declared}`, ...burst)]
          : [];
      });
  },
};

export const oneAtATime: RetryRule = {
  id: 'R8',
  title: 'attempts of one operation do not overlap',
  sentence: 'General rule 1: Calls are synchronous: the caller waits for the response.',
  advice: 'Wait for the answer, or end the call by closing it, before the next attempt; lock each operation.',
  check(operation, evidence) {
    if (isRead(operation)) return [];
    const own = ownAttempts(operation);
    return own.slice(1).flatMap((next, i) => {
      const before = own[i];
      if (!before || !isOverlapping(before, next, evidence.policy.tolerance)) return [];
      return [
        timed(fail(`${callOf(next)} was sent again before the attempt before it had ended`, before, next), {
          evidence,
          early: (before.end ?? Number.POSITIVE_INFINITY) - next.start,
        }),
      ];
    });
  },
};

/** An answer is taken for read as soon as it went out; only a call well before that is too early. */
function isOverlapping(before: Attempt, next: Attempt, tolerance: number): boolean {
  if (before.told === 'success' || before.end === undefined) return isBeside(before, next);
  return next.start < before.end - tolerance;
}

export const noStorm: RetryRule = {
  id: 'R12',
  title: 'no storm after recovery',
  sentence: 'A-05: callers stay under 50 calls a second; the live service stops them at 200.',
  advice:
    'Deliver what has piled up one by one, or a few at once with a pause; not all as soon as the service is back.',
  check(operation, evidence) {
    const { policy, operations } = evidence;
    const recovery = recoveryOf(operation);
    if (!recovery || operations.some((other) => isBefore(recoveryOf(other), recovery))) return [];
    const until = recovery.start + 1000;
    const retried = operations.flatMap((other) =>
      ownAttempts(other)
        .slice(1)
        .filter(({ start }) => start >= recovery.start && start < until),
    );
    if (retried.length <= policy.storm.perSecond && mostAtOnce(retried) <= policy.storm.atOnce) return [];
    const message = `${retried.length} calls were repeated within a second of the recovery, ${mostAtOnce(retried)} of them at once`;
    return [fail(message, recovery)];
  },
};

/** Whether a recovery belongs to the same second as one before it. */
const isBefore = (earlier: Attempt | undefined, recovery: Attempt): boolean =>
  earlier !== undefined && earlier.start < recovery.start && recovery.start - earlier.start < 1000;

/** The attempt by which an operation came through after it had failed. */
const recoveryOf = (operation: Operation): Attempt | undefined => {
  const own = ownAttempts(operation);
  const at = own.findIndex(({ told }) => told === 'success');
  return at > 0 && own.slice(0, at).every(isToRepeat) ? own[at] : undefined;
};

/** A call counts from when its connection was opened for it: it may have waited for us, and not for its caller. */
function mostAtOnce(attempts: readonly Attempt[]): number {
  const edges = attempts
    .flatMap(({ exchange: { connection }, start, end = start }) => [
      { at: connection?.request === 1 ? connection.openedAt : start, step: 1 },
      { at: end, step: -1 },
    ])
    .toSorted((a, b) => a.at - b.at || a.step - b.step);
  let [now, most] = [0, 0];
  for (const { step } of edges) {
    now += step;
    most = Math.max(most, now);
  }
  return most;
}
