import { pushAll } from '../../core/lib/collections.ts';
import { forEachInSteps, sortInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { isRetryable } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import type { Operation } from '../history/operation.ts';
import { connectionsWaiting, peakOf } from '../history/concurrency.ts';
import { fail, inconclusive, indexPerJournal, note, formatDuration } from './retry-rule.ts';
import type { RetryEvidence, RuleFinding, RetryRule } from './retry-rule.ts';

/** Holds the time in which requests are counted after a recovery, in ms. */
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
const storms = indexPerJournal(function* (evidence): Steps<ReadonlyMap<Operation, RuleFinding[]>> {
  const { operations } = evidence;
  const begun: Attempt[] = [];
  const recovered: Recovery[] = [];
  yield* forEachInSteps(operations, (operation) => {
    pushAll(begun, operation.clientAttempts.slice(1));
    recovered.push(...recoveryOf(operation));
  });
  const repeated = yield* sortInSteps(begun, byStart);
  const recoveries = yield* sortInSteps(recovered, (a, b) => byStart(a.attempt, b.attempt));
  const found = new Map<Operation, RuleFinding[]>();
  let [counted, from] = [-Infinity, 0];
  for (const { operation, attempt } of recoveries) {
    // A recovery within the same second has been counted.
    if (attempt.start < counted + second) continue;
    yield;
    counted = attempt.start;
    while ((repeated[from]?.start ?? Infinity) < counted) from++;
    const storm = attemptsWithin(repeated, from, counted + second);
    const findings = judgeStorm(attempt, storm, evidence);
    const late = findings.length > 0 ? 0 : evidence.lagBetween(counted, counted + second);
    const widened = late === 0 ? [] : attemptsWithin(repeated, from, counted + second + late);
    found.set(operation, [...findings, ...judgeStorm(attempt, widened, evidence, late).flatMap(doubtfully(late))]);
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

/** Takes what is found only because the simulator was late for what it may have been. */
const doubtfully =
  (late: number) =>
  ({ level, message, attempts }: RuleFinding): RuleFinding[] =>
    level === 'note' ? [] : [inconclusive(`${message}; but ${describeLateness(late)}`, attempts)];

const describeLateness = (late: number): string => `the simulator itself was ${formatDuration(late)} late then`;

/** Judges what was repeated after a recovery, when the simulator may have seen it later than it was sent. */
function judgeStorm(recovery: Attempt, storm: readonly Attempt[], evidence: RetryEvidence, late = 0): RuleFinding[] {
  const { history } = evidence;
  const { maxPerSecond, isDeclared, maxConcurrent: limit } = evidence.policy.retryStorm;
  const { most, at } = peakOf(storm, late);
  const waiting = connectionsWaiting(storm, late);
  const total = `${storm.length} requests were repeated within a second of the recovery`;
  if (storm.length > maxPerSecond || most > limit) {
    const message = `${total}, ${most} of them at once`;
    // The service itself sets the pace of a client that waits for each response.
    if (most <= 1 && !isDeclared)
      return [note(`${message}; the live service is slower, and so would be its client`, recovery)];
    if (most > limit && isOfFewClients(storm, evidence)) return [fail(message, recovery)];
    // The work on what arrived at once delays the simulator: only a delay before it may have piled it up.
    return [unlessLate(fail(message, recovery), most > limit ? at : recovery.start + second, evidence)];
  }
  // Each worker of a client may take turns between two connections.
  if (most < 2 || waiting.count <= 2 * limit) return [];
  const message = `${total}, ${waiting.count} of them on connections that were opened at once`;
  if (history.keepsConnections(recovery.exchange) && isOfFewClients(storm, evidence)) return [fail(message, recovery)];
  if (history.keepsConnections(recovery.exchange)) return [unlessLate(fail(message, recovery), waiting.from, evidence)];
  const why =
    'a client that opens a connection for each request may have sent them a few at a time: a delay on the endpoint shows it';
  return [inconclusive(`${message}; but ${why}`, recovery)];
}

/** Holds the connection of the first attempt before each repeat. */
const origins = indexPerJournal(function* ({ operations }): Steps<ReadonlyMap<Attempt, number | undefined>> {
  const found = new Map<Attempt, number | undefined>();
  yield* forEachInSteps(operations, ({ clientAttempts: [first, ...repeats] }) => {
    for (const repeat of repeats) found.set(repeat, first?.exchange.connection?.id);
  });
  return found;
});

/** True when what was repeated had first come by a few connections: so few clients, one by one, cannot pile it up. */
const isOfFewClients = (storm: readonly Attempt[], evidence: RetryEvidence): boolean =>
  new Set(storm.map((attempt) => origins(evidence).get(attempt))).size <= evidence.policy.retryStorm.maxConcurrent;

/** Downgrades a finding when the simulator itself was late between the recovery and a moment. */
function unlessLate(found: RuleFinding, until: number, { lagBetween, policy }: RetryEvidence): RuleFinding {
  const [recovery] = found.attempts;
  const late = recovery ? lagBetween(recovery.start - policy.tolerance, until) : 0;
  if (!recovery || late <= policy.tolerance) return found;
  return inconclusive(`${found.message}; but ${describeLateness(late)}`, recovery);
}
