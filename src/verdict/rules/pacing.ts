/** Judges how fast, how often and how many at once a client retries. */
import { overlaps, isRetryable, pauseBetween } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { isReadOperation, consecutivePairs } from '../history/operations.ts';
import type { Operation, AttemptPair } from '../history/operations.ts';
import { declaredBackoff } from '../policy.ts';
import { splitIntoBursts } from './store-and-forward.ts';
import { requestLine, fail, inconclusive, note, formatDuration } from './retry-rule.ts';
import type { RetryEvidence, RuleFinding, RetryRule } from './retry-rule.ts';

interface Timing {
  readonly evidence: RetryEvidence;
  /** By how much it was too early, in ms. */
  readonly early: number;
}

/** Downgrades a failure that depends on timing when the simulator itself may have caused it. */
function timed(found: RuleFinding, { evidence: { lagBetween: lateness, policy }, early }: Timing): RuleFinding {
  const [first, last] = [found.attempts[0], found.attempts.at(-1)];
  if (!first || !last) return found;
  const late = lateness(first.start - policy.tolerance, last.start + policy.tolerance);
  if (late + policy.tolerance < early || late <= policy.tolerance) return found;
  return inconclusive(
    `${found.message}; but the simulator itself was ${formatDuration(late)} late then`,
    ...found.attempts,
  );
}

export const pausesLongEnough: RetryRule = {
  id: 'R6',
  title: 'pauses are as long as declared or requested, and do not shrink',
  basis: {
    source: 'policy',
    text: 'The client declares its shortest pauses, and a response may request one by Retry-After. Pauses that shrink are no backoff.',
  },
  advice:
    'Wait before each attempt, longer each time: 1 s, 2 s, 4 s …, plus a little jitter; and at least as long as Retry-After says.',
  isTimed: true,
  check(operation, evidence) {
    const runs = splitIntoBursts(operation, evidence.policy).map(consecutivePairs);
    return [
      ...runs.flatMap((pairs) => tooEarly(pairs, operation, evidence)),
      ...runs.flatMap((pairs) => shrinking(pairs, evidence)),
    ];
  },
};

function tooEarly(pairs: readonly AttemptPair[], operation: Operation, evidence: RetryEvidence): RuleFinding[] {
  const { policy, history } = evidence;
  return pairs.flatMap((pair, i) => {
    const [before, next] = pair;
    const [pause, declared, asked] = [pauseBetween(...pair), declaredBackoff(policy, i + 1), askedPause(before)];
    const due = Math.max(declared, asked);
    if (!isRetryable(before) || pause >= due - policy.tolerance) return [];
    const why =
      asked > declared ? `the response said Retry-After: ${asked / 1000}` : `declared: ${formatDuration(declared)}`;
    const message = `${requestLine(next)} was repeated after ${formatDuration(Math.max(0, pause))}; ${why}`;
    // Another client may have read the same.
    if (isReadOperation(operation) && history.isParallel) return [note(message, ...pair)];
    return [timed(fail(message, ...pair), { evidence, early: due - pause })];
  });
}

/** Returns the pause that the response requested, in ms. A date says nothing: clients' clocks differ. */
function askedPause({ outcome, exchange: { fault } }: Attempt): number {
  if (outcome === 'no-response') return 0;
  const [, value] = Object.entries(fault?.fault.headers ?? {}).find(([name]) => /^retry-after$/iu.test(name)) ?? [];
  return value !== undefined && /^\d{1,6}$/u.test(value) ? Number(value) * 1000 : 0;
}

/** A pause that is less than this part of the one before it was not meant to be as long. */
const shrunk = 0.7;

function shrinking(pairs: readonly AttemptPair[], evidence: RetryEvidence): RuleFinding[] {
  const { minBackoff, tolerance } = evidence.policy;
  const pauses = pairs.map((pair) => pauseBetween(...pair));
  const isShorter = (i: number): boolean => {
    const [before = 0, pause = 0] = [pauses[i - 1], pauses[i]];
    return pause < Math.min(before * shrunk, before - tolerance);
  };
  const shorter = pauses.flatMap((_, i) => (i > 0 && isShorter(i) ? [i] : []));
  // Nobody who declares no pauses is held to how they grow, and one alone may follow upon a pause that was late.
  const twice = minBackoff.length === 0 ? undefined : shorter.find((i) => shorter.includes(i + 1));
  const at = twice ?? shorter[0];
  if (at === undefined) return [];
  const concerned = pairs.slice(at - 1, at + (twice === undefined ? 1 : 2));
  const attempts = [...new Set(concerned.flat())];
  const list = concerned.map((pair) => formatDuration(pauseBetween(...pair))).join(', ');
  const message = `${concerned.slice(0, 1).map(([before]) => requestLine(before))}: its pauses shrank: ${list}`;
  if (twice === undefined) return [note(message, ...attempts)];
  return [timed(fail(message, ...attempts), { evidence, early: pauses[at - 1] ?? 0 })];
}

export const knowsWhenToStop: RetryRule = {
  id: 'R7',
  title: 'not more attempts than declared',
  basis: { source: 'policy', text: 'The client declares how many attempts it makes.' },
  advice: 'Count the attempts, give up after the last one, and leave the rest to the fallback.',
  check(operation, { policy }) {
    const { maxAttempts: declared = Infinity } = policy;
    return splitIntoBursts(operation, policy)
      .filter(({ length }) => length > declared)
      .flatMap((burst) =>
        burst
          .slice(0, 1)
          .map((first) =>
            fail(`${requestLine(first)} was tried ${burst.length} times; declared: ${declared}`, ...burst),
          ),
      );
  },
};

export const oneAtATime: RetryRule = {
  id: 'R8',
  title: 'attempts of one operation do not overlap',
  basis: {
    source: 'specification',
    text: 'General rule 1: “Calls are synchronous: the caller waits for the response.”',
  },
  advice: 'Wait for the response, or close the connection, before the next attempt; lock each operation.',
  isTimed: true,
  check(operation, evidence) {
    if (isReadOperation(operation)) return [];
    return consecutivePairs(operation.clientAttempts)
      .filter(([before, next]) => isOverlapping(before, next, evidence.policy.tolerance))
      .map(([before, next]) => {
        const message = `${requestLine(next)} was sent again while the previous attempt was in flight`;
        return timed(fail(message, before, next), { evidence, early: (before.end ?? Infinity) - next.start });
      });
  },
};

/** A client without a response may know so a little before the simulator notices. */
function isOverlapping(before: Attempt, next: Attempt, tolerance: number): boolean {
  if (before.outcome === 'no-response') return next.start < (before.end ?? Infinity) - tolerance;
  return overlaps(before, next);
}
