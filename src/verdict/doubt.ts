/** What the simulator saw need not be what the client saw: such findings are no failures. */
import { attemptOf, isGivenUpByCaller, mustBeRepeated } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { isOfOneCaller, isSameCaller, turnsOf } from './callers.ts';
import { pairsIn } from './operation.ts';
import type { Operation, Pair } from './operation.ts';
import { inconclusive, remark, seconds } from './rules/rule.ts';
import type { Evidence, Found, RetryRule } from './rules/rule.ts';
import { isFoundDone } from './settled.ts';
import { callerAttempts } from './transport.ts';

/** An answer that took this long may have gone out just when its caller gave it up, in ms. */
const slow = 100;

/** No caller gives up sooner, in ms. */
const shortestTimeout = 50;

interface Judging {
  readonly rule: RetryRule;
  readonly evidence: Evidence;
}

/** A failure counts only when one client did it, and saw what the journal shows. */
export function doubted(found: Found, operation: Operation, { rule, evidence }: Judging): Found {
  if (found.weight !== 'fail') return found;
  const { attempts } = found;
  if (isPerhapsOfSeveral(operation, found, { rule, evidence })) return ofSeveral(found, operation);
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
function isPerhapsOfSeveral(operation: Operation, { attempts }: Found, judging: Judging): boolean {
  if (isOfOneCaller(operation.key) || attempts.length < 2) return false;
  return pairsIn(attempts).some((pair) => isOfTwo(operation, pair, judging)) || isRightByTurns(operation, judging);
}

/** Whether a pair may be two callers': unless the first of them would have done wrong, then as now. */
function isOfTwo({ key, endpoint }: Operation, [before, next]: Pair, { evidence: { history } }: Judging): boolean {
  if (isSameCaller(before, next, history)) return false;
  const isLeft = mustBeRepeated(before) && history.nextAlike(key, next) === undefined;
  return !isLeft || isFoundDone([before], { history, endpoint, until: Infinity });
}

/** Whether nothing is wrong when each connection is taken for a caller of its own. */
function isRightByTurns(operation: Operation, { rule, evidence }: Judging): boolean {
  const { key, attempts: tried } = operation;
  const last = tried.at(-1);
  const later = last && evidence.history.nextAlike(key, last, new Set(tried.map(connectionOf)));
  const turns = turnsOf(later ? [...tried, attemptOf(later)] : tried);
  const found = turns.flatMap((attempts) =>
    rule.check({ ...operation, attempts, own: callerAttempts(attempts) }, evidence),
  );
  return turns.length > 0 && found.every(({ weight }) => weight !== 'fail');
}

const connectionOf = ({ exchange }: Attempt): number | undefined => exchange.connection?.id;

const harmless: ReadonlySet<string | undefined> = new Set(['read', 'idempotent']);

function ofSeveral({ message, attempts }: Found, { endpoint }: Operation): Found {
  const found = harmless.has(endpoint?.retry) ? remark : inconclusive;
  return found(
    `${message}; unless several callers did so once each: to tell, give each a tenant, a User-Agent or an x-sim-test-id of its own`,
    ...attempts,
  );
}

function doubtOf(attempt: Attempt, evidence: Evidence): string | undefined {
  const { exchange, start, end = start, told } = attempt;
  const { policy, history, lateness } = evidence;
  const isGivenUp = isGivenUpByCaller(attempt);
  // Whether a failure was heard or not: it is to be repeated.
  if (!isGivenUp && (told === 'lost' || told === 'failed' || history.isHeard(exchange))) return undefined;
  const late = lateness(start - policy.tolerance, end);
  if (late > Math.max(policy.tolerance, shortestTimeout)) return `the simulator itself was ${seconds(late)} late then`;
  if (isGivenUp) return undefined;
  if (exchange.delivered?.end === 'rst') return `a reset may have taken the answer ${exchange.id} from the caller`;
  if (end - start < slow) return undefined;
  return `${exchange.id} was answered after ${seconds(end - start)}, when the caller may just have given it up`;
}
