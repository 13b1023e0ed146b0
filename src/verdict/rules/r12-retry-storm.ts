import { isRetryable } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import type { Operation } from '../history/operation.ts';
import { maxConcurrent } from '../history/connection-usage.ts';
import { fail, inconclusive, memoizePerJournal, note, formatDuration } from './retry-rule.ts';
import type { RetryEvidence, RuleFinding, RetryRule } from './retry-rule.ts';

/** Is the time in which requests are counted after a recovery, in ms. */
const second = 1000;

export const noStorm: RetryRule = {
  id: 'R12',
  title: 'no retry storm after recovery',
  basis: {
    source: 'assumption',
    text: 'A-05: clients stay under 50 requests a second; the live service stops them at 200.',
  },
  advice:
    'Deliver the backlog one by one, or a few at once with a pause; not everything as soon as the service is back.',
  certainty: 'timing',
  judge: (operation, evidence) => storms(evidence).get(operation) ?? [],
};

interface Recovery {
  readonly operation: Operation;
  readonly attempt: Attempt;
}

/** Reports each storm with the operation that succeeded first. */
const storms = memoizePerJournal((evidence: RetryEvidence): Map<Operation, RuleFinding[]> => {
  const { operations } = evidence;
  const repeated = operations.flatMap(({ clientAttempts: own }) => own.slice(1)).toSorted(byStart);
  const recoveries = operations.flatMap(recoveryOf).toSorted((a, b) => byStart(a.attempt, b.attempt));
  const found = new Map<Operation, RuleFinding[]>();
  let [counted, from] = [-Infinity, 0];
  for (const { operation, attempt } of recoveries) {
    // A recovery within the same second has been counted.
    if (attempt.start < counted + second) continue;
    counted = attempt.start;
    while ((repeated[from]?.start ?? Infinity) < counted) from++;
    const storm = attemptsWithin(repeated, from, counted + second);
    found.set(operation, judgeStorm(attempt, storm, evidence));
  }
  return found;
});

const byStart = (a: Attempt, b: Attempt): number => a.start - b.start;

/** Returns the attempt by which an operation succeeded after it had failed. */
function recoveryOf(operation: Operation): Recovery[] {
  const { clientAttempts: own } = operation;
  const at = own.findIndex(({ outcome }) => outcome === 'success');
  const attempt = own[at];
  return attempt && at > 0 && own.slice(0, at).every(isRetryable) ? [{ operation, attempt }] : [];
}

function attemptsWithin(repeated: readonly Attempt[], from: number, until: number): Attempt[] {
  const within: Attempt[] = [];
  for (let i = from; i < repeated.length; i++) {
    const attempt = repeated[i];
    if (!attempt || attempt.start >= until) break;
    within.push(attempt);
  }
  return within;
}

function judgeStorm(
  recovery: Attempt,
  storm: readonly Attempt[],
  { policy, lagBetween }: RetryEvidence,
): RuleFinding[] {
  const { maxPerSecond, isDeclared } = policy.retryStorm;
  const most = maxConcurrent(storm.map(spanOf));
  if (storm.length <= maxPerSecond && most <= policy.retryStorm.maxConcurrent) return [];
  const message = `${storm.length} requests were repeated within a second of the recovery, ${most} of them at once`;
  // The service itself sets the pace of a client that waits for each response.
  if (most <= 1 && !isDeclared)
    return [note(`${message}; the live service is slower, and so would be its client`, recovery)];
  const late = lagBetween(recovery.start - policy.tolerance, recovery.start + second);
  if (late <= policy.tolerance) return [fail(message, recovery)];
  return [inconclusive(`${message}; but the simulator itself was ${formatDuration(late)} late then`, recovery)];
}

/** Counts a request from when its connection was opened: it may have waited for the simulator, not for its client. */
const spanOf = ({ exchange: { connection }, start, end = Infinity }: Attempt) => ({
  from: connection?.request === 1 ? Math.max(connection.openedAt, start - longestWait) : start,
  to: end,
});

/** A connection opened earlier than this before its first request (ms) was opened in advance. */
const longestWait = 250;
