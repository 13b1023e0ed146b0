import { flatMapInSteps, forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { isAbortedByClient, isRetryable, pauseBetween, requestedPause } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { consecutivePairs, isReadOperation } from '../history/operation.ts';
import type { AttemptPair, Operation } from '../history/operation.ts';
import { declaredBackoff } from '../policy.ts';
import { isHandedOver, splitAtLongPauses, splitIntoSeries } from '../evidence/bursts.ts';
import { fail, formatDuration, indexPerOperation, note, requestLine } from './retry-rule.ts';
import type { RetryEvidence, RetryRule, RuleFinding } from './retry-rule.ts';
import { unlessSimulatorWasLate } from '../evidence/timing.ts';

export const pausesLongEnough: RetryRule = {
  id: 'R6',
  title: 'pauses are as long as declared or requested, and do not shrink',
  basis: {
    source: 'policy',
    text: 'The client declares its shortest pauses, and a response may request one by Retry-After. Pauses that shrink are no backoff.',
  },
  advice:
    'Wait before each attempt, longer each time: 1 s, 2 s, 4 s …, plus a little jitter; and at least as long as Retry-After says.',
  certainty: 'timing',
  judge: indexPerOperation(function* (operation, evidence): Steps<readonly RuleFinding[]> {
    const { policy, history } = evidence;
    if (operation.clientAttempts.length < 2) return [];
    const parts = splitIntoSeries(operation, evidence).flatMap((burst) => splitAtLongPauses(burst, policy));
    yield;
    const bursts = parts.map(consecutivePairs);
    const found: RuleFinding[][] = [];
    for (const pairs of bursts) found.push(yield* tooEarly(pairs, operation, evidence));
    // What is delivered from a queue has no pause that was declared; one that the response asked for holds all the same.
    const requested = seams(parts).filter(
      (pair) =>
        pauseBetween(...pair) < requestedPause(pair[0]) - policy.tolerance && !isHandedOver(pair, history.callers),
    );
    found.push(yield* tooEarly(requested, operation, evidence));
    for (const pairs of bursts) {
      const runs = yield* comparableRuns(pairs);
      found.push(yield* flatMapInSteps(runs, (run) => shrinking(run, evidence)));
    }
    return found.flat();
  }),
};

/** Returns the last attempt of each part with the first one of the next. */
const seams = (parts: readonly (readonly Attempt[])[]): AttemptPair[] =>
  parts.flatMap((part, i): AttemptPair[] => {
    const [before, next] = [part.at(-1), parts[i + 1]?.[0]];
    return before && next ? [[before, next]] : [];
  });

function tooEarly(pairs: readonly AttemptPair[], operation: Operation, evidence: RetryEvidence): Steps<RuleFinding[]> {
  const { policy, history } = evidence;
  return flatMapInSteps(pairs, (pair, i) => {
    const [before, next] = pair;
    if (!isRetryable(before)) return [];
    const [declared, requested] = [declaredBackoff(policy, i + 1), requestedPause(before)];
    const due = Math.max(declared, requested);
    const pause = pauseBetween(before, next);
    if (due === 0 || pause >= due - policy.tolerance) return [];
    const why =
      requested > declared
        ? `the response said Retry-After: ${requested / 1000}`
        : `declared: ${formatDuration(declared)}`;
    const message = `${requestLine(next)} was repeated after ${formatDuration(Math.max(0, pause))}; ${why}`;
    // Another client may have read the same.
    if (isReadOperation(operation) && history.isParallel) return [note(message, ...pair)];
    return [unlessSimulatorWasLate(fail(message, ...pair), { evidence, early: due - pause })];
  });
}

/** Splits pairs into runs whose pauses the client chose itself, after attempts that ended alike. */
function* comparableRuns(pairs: readonly AttemptPair[]): Steps<(readonly AttemptPair[])[]> {
  const runs: AttemptPair[][] = [[]];
  yield* forEachInSteps(pairs, (pair) => {
    const [before] = pair;
    const isChosen = isRetryable(before) && requestedPause(before) === 0 && !isLeftWaiting(before);
    const current = runs.at(-1);
    const kind = current?.[0]?.[0].outcome ?? before.outcome;
    if (isChosen && current && kind === before.outcome) current.push(pair);
    else runs.push(isChosen ? [pair] : []);
  });
  return runs;
}

/** True when the client's own timeout ended an attempt: the pause after it may contain the time that it waited. */
const isLeftWaiting = (attempt: Attempt): boolean => {
  const { delivered, fault } = attempt.exchange;
  const isHung = delivered?.heldUntil !== undefined || fault?.fault.end === 'hang';
  return isHung || isAbortedByClient(attempt) || attempt.hasTimedOut === true;
};

/** A shorter pause (ms) is nobody's choice: the machine makes it. */
const negligible = 250;

/** A pause below this part of the one before it was not meant to be as long. */
const shrunk = 0.7;

function shrinking(pairs: readonly AttemptPair[], evidence: RetryEvidence): RuleFinding[] {
  const { minBackoff, tolerance } = evidence.policy;
  if (pairs.length < 2) return [];
  const pauses = pairs.map((pair) => pauseBetween(...pair));
  const isShorter = (i: number): boolean => {
    const [before = 0, pause = 0] = [pauses[i - 1], pauses[i]];
    return before >= negligible && pause < Math.min(before * shrunk, before - tolerance);
  };
  const shorter = pauses.flatMap((_, i) => (i > 0 && isShorter(i) ? [i] : []));
  // Without declared pauses no growth is required, and a single short pause may follow one that was late.
  const twice = minBackoff.length === 0 ? undefined : shorter.find((i, at) => shorter[at + 1] === i + 1);
  const at = twice ?? shorter[0];
  if (at === undefined) return [];
  const concerned = pairs.slice(at - 1, at + (twice === undefined ? 1 : 2));
  const attempts = [...new Set(concerned.flat())];
  const list = concerned.map((pair) => formatDuration(pauseBetween(...pair))).join(', ');
  const message = `${concerned.slice(0, 1).map(([before]) => requestLine(before))}: its pauses shrank: ${list}`;
  if (twice === undefined) return [note(message, attempts)];
  return [unlessSimulatorWasLate(fail(message, attempts), { evidence, early: pauses[at - 1] ?? 0 })];
}
