/** What the simulator saw need not be what the client saw: such findings are no failures. */
import { toAttempt, isAbortedByClient, requiresRetry } from './history/attempt.ts';
import type { Attempt } from './history/attempt.ts';
import { isSingleClientKey, isSameClient, splitByConnection } from './history/clients.ts';
import { consecutivePairs } from './history/operations.ts';
import type { Operation, AttemptPair } from './history/operations.ts';
import { inconclusive, note, formatDuration } from './rules/retry-rule.ts';
import type { RetryEvidence, RuleFinding, RetryRule } from './rules/retry-rule.ts';
import { isConfirmedByRead } from './history/read-back.ts';
import { foldTransparentRetries } from './history/transparent-retry.ts';

/** An answer that took this long may have gone out just when its caller gave it up, in ms. */
const slow = 100;

/** No caller gives up sooner, in ms. */
const shortestTimeout = 50;

interface RuleContext {
  readonly rule: RetryRule;
  readonly evidence: RetryEvidence;
}

/** A failure counts only when one client did it, and saw what the journal shows. */
export function downgradeIfUncertain(
  found: RuleFinding,
  operation: Operation,
  { rule, evidence }: RuleContext,
): RuleFinding {
  if (found.level !== 'fail') return found;
  const { attempts } = found;
  if (mayBeSeveralClients(operation, found, { rule, evidence })) return ofSeveral(found, operation);
  if (rule.isTimed) return found;
  const last = attempts.at(-1);
  // Nothing was done because of how the last one ended, nor of one that was still under way then.
  const grounds = attempts.filter(
    (attempt) => attempts.length === 1 || (attempt !== last && (attempt.end ?? Infinity) <= (last?.start ?? 0)),
  );
  const reason = grounds.map((attempt) => doubtOf(attempt, evidence)).find((doubt) => doubt !== undefined);
  return reason === undefined ? found : inconclusive(`${found.message}; but ${reason}`, ...attempts);
}

/** Whether several callers may have done the same, each rightly. */
function mayBeSeveralClients(operation: Operation, { attempts }: RuleFinding, judging: RuleContext): boolean {
  if (isSingleClientKey(operation.key) || attempts.length < 2) return false;
  return (
    consecutivePairs(attempts).some((pair) => mayBeTwoClients(operation, pair, judging)) ||
    passesPerConnection(operation, judging)
  );
}

/** Whether a pair may be two callers': unless the first of them would have done wrong, then as now. */
function mayBeTwoClients(
  { key, endpoint }: Operation,
  [before, next]: AttemptPair,
  { evidence: { history } }: RuleContext,
): boolean {
  if (isSameClient(before, next, history)) return false;
  const isLeft = requiresRetry(before) && history.nextWithSameContent(key, next) === undefined;
  return !isLeft || isConfirmedByRead([before], { history, endpoint, until: Infinity });
}

/** Whether nothing is wrong when each connection is taken for a caller of its own. */
function passesPerConnection(operation: Operation, { rule, evidence }: RuleContext): boolean {
  const { key, attempts: tried } = operation;
  const last = tried.at(-1);
  const later = last && evidence.history.nextWithSameContent(key, last, new Set(tried.map(connectionOf)));
  const turns = splitByConnection(later ? [...tried, toAttempt(later)] : tried);
  const found = turns.flatMap((attempts) =>
    rule.check({ ...operation, attempts, clientAttempts: foldTransparentRetries(attempts) }, evidence),
  );
  return turns.length > 0 && found.every(({ level }) => level !== 'fail');
}

const connectionOf = ({ exchange }: Attempt): number | undefined => exchange.connection?.id;

const harmless: ReadonlySet<string | undefined> = new Set(['safe', 'idempotent']);

function ofSeveral({ message, attempts }: RuleFinding, { endpoint }: Operation): RuleFinding {
  const found = harmless.has(endpoint?.retry) ? note : inconclusive;
  return found(
    `${message}; unless several clients did so once each: to distinguish them, give each a tenant, a User-Agent or an x-sim-test-id of its own`,
    ...attempts,
  );
}

function doubtOf(attempt: Attempt, evidence: RetryEvidence): string | undefined {
  const { exchange, start, end = start, outcome } = attempt;
  const { policy, history, lagBetween: lateness } = evidence;
  const isGivenUp = isAbortedByClient(attempt);
  // Whether a failure was heard or not: it is to be repeated.
  if (!isGivenUp && (outcome === 'no-response' || outcome === 'server-error' || history.isEndObserved(exchange)))
    return undefined;
  const late = lateness(start - policy.tolerance, end);
  if (late > Math.max(policy.tolerance, shortestTimeout))
    return `the simulator itself was ${formatDuration(late)} late then`;
  if (isGivenUp) return undefined;
  if (exchange.delivered?.end === 'reset')
    return `a reset may have discarded the response ${exchange.id} before the client read it`;
  if (end - start < slow) return undefined;
  return `the response ${exchange.id} took ${formatDuration(end - start)}, and the client may just have given up`;
}
