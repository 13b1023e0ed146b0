/** Downgrades failures that are not certain: the client may have seen something else than the simulator. */
import { toAttempt, isAbortedByClient, requestedPause, requiresRetry } from './history/attempt.ts';
import type { Attempt } from './history/attempt.ts';
import { clockStart, closedAtTimeout, shortestTimeout } from './history/client-timeout.ts';
import { isSingleClientKey, isSameClient, splitByConnection } from './history/clients.ts';
import { consecutivePairs } from './history/operation.ts';
import type { Operation, AttemptPair } from './history/operation.ts';
import { inconclusive, note, formatDuration, memoizePerOperation } from './rules/retry-rule.ts';
import type { Policy } from './policy.ts';
import type { RetryEvidence, RuleFinding, RetryRule } from './rules/retry-rule.ts';
import { isConfirmedByRead } from './history/read-back.ts';
import {
  foldTransparentRetries,
  isPerhapsNext,
  isTransparentBut,
  mayBeTransparent,
  namesLibrary,
} from './history/transparent-retry.ts';

/** A response that took this long (ms) may have gone out just when its client gave up. */
const slow = 100;

/** Returns how much longer (ms) a client would certainly have waited, had the simulator taken that much longer. */
const patienceLeft = (attempt: Attempt, policy: Policy): number => {
  const { timeout, tolerance } = policy;
  return timeout === undefined ? shortestTimeout : timeout - tolerance - waitedFor(attempt, policy);
};

/** Returns how long (ms) a client has waited for the end of an attempt, if its clock started as early as it may. */
const waitedFor = (attempt: Attempt, policy: Policy): number =>
  (attempt.end ?? attempt.start) - clockStart(attempt, policy);

interface RuleContext {
  readonly rule: RetryRule;
  readonly evidence: RetryEvidence;
  /** True when the operation is judged as if it were known what its library repeated. */
  readonly isReading?: boolean;
}

/** Keeps a failure only when one client did it, and saw what the journal shows. */
export function downgradeIfUncertain(
  found: RuleFinding,
  operation: Operation,
  { rule, evidence, isReading = false }: RuleContext,
): RuleFinding {
  if (found.level !== 'fail') return found;
  const { attempts } = found;
  if (mayBeSeveralClients(operation, found, { rule, evidence })) return downgradeForSeveralClients(found, operation);
  // What took effect twice did so whoever repeated it.
  const library = isReading || rule.id === 'R10' ? undefined : libraryDoubt(found, evidence);
  if (library !== undefined) return inconclusive(`${found.message}; but ${library}`, attempts);
  if (found.isUnconditional) return found;
  const last = attempts.at(-1);
  // The client did not react to the end of the last attempt, nor of one that was still in flight then.
  const grounds = attempts.filter(
    (attempt) => attempts.length === 1 || (attempt !== last && (attempt.end ?? Infinity) <= (last?.start ?? 0)),
  );
  const doubt = rule.certainty === 'timing' ? unreadPause : doubtOf;
  const [reason] = grounds.flatMap((attempt) => doubt(attempt, evidence, last) ?? []);
  return reason === undefined ? found : inconclusive(`${found.message}; but ${reason}`, attempts);
}

const libraryMayRepeat = (attempts: readonly Attempt[]): string =>
  `the HTTP library or a proxy may have repeated it by itself${libraryAdvice(attempts)}`;

/** Says how to tell which library a client uses, if its requests do not. */
export const libraryAdvice = (attempts: readonly Attempt[]): string =>
  attempts.every(({ exchange }) => namesLibrary(exchange)) ? '' : ': a User-Agent tells which library it is';

/** Leaves a failure open which is none if a library made some of the repeats, perhaps because the simulator was so late (ms). */
export function unlessLibraryRepeated(found: RuleFinding, evidence: RetryEvidence, late: number): RuleFinding {
  const { message, attempts } = found;
  const doubt = late > 0 ? afterLateness(late, attempts) : libraryDoubt(found, evidence);
  return inconclusive(`${message}; but ${doubt ?? libraryMayRepeat(attempts)}`, attempts);
}

const afterLateness = (late: number, attempts: readonly Attempt[]): string =>
  `the simulator itself was ${formatDuration(late)} late then, and ${libraryMayRepeat(attempts)}`;

/** Says so when a library may have made one of the repeats, and was held up, as the simulator itself was perhaps. */
function libraryDoubt({ attempts }: RuleFinding, { history, lagBetween }: RetryEvidence): string | undefined {
  for (const [before, next] of consecutivePairs(attempts)) {
    const late = lagBetween(before.end ?? before.start, next.start);
    if (!mayBeTransparent([before, next], late) || !isPerhapsNext([before, next], late, history)) continue;
    const isInTime = mayBeTransparent([before, next], 0) && isPerhapsNext([before, next], 0, history);
    const isHeldUp = !isInTime || isTransparentBut(before, next, late);
    return isHeldUp ? afterLateness(late, [before, next]) : libraryMayRepeat([before, next]);
  }
  return undefined;
}

/** True when several clients may have done the same, each of them correctly. */
function mayBeSeveralClients(operation: Operation, { attempts }: RuleFinding, judging: RuleContext): boolean {
  if (isSingleClientKey(operation.key) || attempts.length < 2) return false;
  if (isOfOneDeclared(operation, judging.evidence)) return false;
  return (
    consecutivePairs(attempts).some((pair) => mayBeTwoClients(operation, pair, judging.evidence)) ||
    passesPerConnection(operation, judging)
  );
}

/** True when one client says of all attempts that they are its own. */
const isOfOneDeclared = memoizePerOperation(({ attempts }, { history: { callers } }) =>
  callers.isOneDeclared(attempts.map(({ exchange }) => exchange)),
);

/** True when what any rule finds in an operation, however its attempts are read, may be of several clients. */
export function isPerhapsShared(operation: Operation, evidence: RetryEvidence): boolean {
  const { key, attempts } = operation;
  if (isSingleClientKey(key) || isOfOneDeclared(operation, evidence)) return false;
  return (
    consecutivePairs(attempts).some((pair) => mayBeTwoClients(operation, pair, evidence)) ||
    attemptsByConnection(operation, evidence).length > 0
  );
}

/** True when a pair may be of two clients; false if the first of them would have been wrong even then. */
function mayBeTwoClients(
  { key, endpoint }: Operation,
  [before, next]: AttemptPair,
  { history }: RetryEvidence,
): boolean {
  if (isSameClient(before, next, history)) return false;
  const isGivenUp = requiresRetry(before) && history.nextWithSameContent(key, next) === undefined;
  return !isGivenUp || isConfirmedByRead([before], { history, endpoint });
}

/** Holds which rules pass if each connection is taken for a client of its own. */
const passingPerConnection = memoizePerOperation(() => new Map<RetryRule, boolean>());

/** True when the rule passes if each connection is taken for a client of its own. */
function passesPerConnection(operation: Operation, { rule, evidence }: RuleContext): boolean {
  const passing = passingPerConnection(operation, evidence);
  const known = passing.get(rule);
  if (known !== undefined) return known;
  const groups = attemptsByConnection(operation, evidence);
  const found = groups.flatMap((attempts) =>
    rule.judge({ ...operation, attempts, clientAttempts: foldTransparentRetries(attempts) }, evidence),
  );
  const passes = groups.length > 0 && found.every(({ level }) => level !== 'fail');
  passing.set(rule, passes);
  return passes;
}

/** Returns the attempts by connection, if those alternate: with the next request of one of them, which may be of later work. */
const attemptsByConnection = memoizePerOperation(
  ({ key, attempts: all }, { history }): readonly (readonly Attempt[])[] => {
    const last = all.at(-1);
    if (!last || all.every((attempt) => connectionOf(attempt) === connectionOf(last))) return [];
    const later = history.nextWithSameContent(key, last, new Set(all.map(connectionOf)));
    return splitByConnection(later ? [...all, toAttempt(later)] : all);
  },
);

const connectionOf = ({ exchange }: Attempt): number | undefined => exchange.connection?.id;

const harmless: ReadonlySet<string | undefined> = new Set(['safe', 'idempotent']);

function downgradeForSeveralClients({ message, attempts }: RuleFinding, { endpoint }: Operation): RuleFinding {
  const found = harmless.has(endpoint?.retry) ? note : inconclusive;
  return found(
    `${message}; unless several clients did so once each: to distinguish them, give each a tenant, an x-sim-client, a User-Agent or an x-sim-test-id of its own`,
    attempts,
  );
}

function doubtOf(attempt: Attempt, evidence: RetryEvidence, next: Attempt = attempt): string | undefined {
  const { exchange, start, end = start, outcome } = attempt;
  const { policy, history, lagBetween } = evidence;
  const isAborted = isAbortedByClient(attempt);
  // A failure is to be retried, whether the client saw it or not.
  if (!isAborted && (outcome === 'no-response' || outcome === 'server-error' || history.isEndObserved(exchange)))
    return undefined;
  const late = lagBetween(start - policy.tolerance, end);
  if (late > Math.max(policy.tolerance, patienceLeft(attempt, policy)))
    return `the simulator itself was ${formatDuration(late)} late then`;
  if (isAborted) return undefined;
  if (exchange.delivered?.end === 'reset')
    return `a reset may have discarded the response ${exchange.id} before the client read it`;
  const unread = unreadResponse(attempt, evidence, next);
  if (unread !== undefined) return unread;
  const waited = waitedFor(attempt, policy);
  if (waited < Math.max(slow, (policy.timeout ?? 0) - policy.tolerance)) return undefined;
  return `the response ${exchange.id} took ${formatDuration(waited)}, and the client may just have given up (a policy timeout tells)`;
}

/** Says so when a client may not have read the response that asked for a pause. */
const unreadPause = (attempt: Attempt, evidence: RetryEvidence, next?: Attempt): string | undefined =>
  requestedPause(attempt) === 0 ? undefined : unreadResponse(attempt, evidence, next);

function unreadResponse(attempt: Attempt, evidence: RetryEvidence, next: Attempt = attempt): string | undefined {
  const { exchange } = attempt;
  // Its end has closed the connection of a client that was killed.
  if (evidence.history.restarts.between(exchange, next.exchange)?.isKnown) return undefined;
  const waited = closedAtTimeout(attempt, next, evidence);
  if (waited === undefined) return undefined;
  return `the client closed the connection of ${exchange.id} after ${formatDuration(waited)}, perhaps as its timeout ended, and may not have read the response`;
}
