/** Judges reads that were refused and asked for again: several programs may ask for the same. */
import { isClosedForNext } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { mayBeProxied } from '../history/callers.ts';
import type { Callers } from '../history/callers.ts';
import { shortestTimeout } from '../history/client-timeout.ts';
import type { AttemptPair, Operation } from '../history/operation.ts';
import { describeRepeat, reasonForRead } from './repeat-reasons.ts';
import { fail, formatDuration, inconclusive, note } from '../rules/retry-rule.ts';
import type { RetryEvidence, RuleFinding } from '../rules/retry-rule.ts';

/** Judges a read that was refused and asked again. */
export function judgeRefusedRead(
  operation: Operation,
  attempts: readonly Attempt[],
  evidence: RetryEvidence,
): RuleFinding {
  const certain = certainPairs(attempts, evidence);
  const reasonOf = (pair: AttemptPair): string | undefined => reasonForRead({ operation, pair }, evidence);
  // What excuses one repeat need not excuse the next.
  const bare = certain.find((pair) => reasonOf(pair) === undefined);
  if (bare) return unlessWriteWasMissed(fail(describeRepeat(bare), ...bare), evidence);
  const pair = certain[0] ?? ([attempts[0], attempts[1]] as AttemptPair);
  const message = describeRepeat(pair);
  const reason = reasonOf(pair);
  if (reason !== undefined) return note(`${message}; ${reason}`, ...pair);
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
  return inconclusive(`${found.message}; but ${doubt}`, found.attempts);
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
