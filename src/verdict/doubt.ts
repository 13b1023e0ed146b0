/** What the simulator saw need not be what the client saw: such findings are no failures. */
import { isGivenUpByCaller } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { inconclusive, seconds } from './rules/rule.ts';
import type { Evidence, Found, RetryRule } from './rules/rule.ts';

/** An answer that took this long may have gone out just when its caller gave it up, in ms. */
const slow = 100;

/** No caller gives up sooner, in ms. */
const shortestTimeout = 50;

/** A failure counts only when the client saw what the journal shows. */
export function doubted(found: Found, { isTimed }: RetryRule, evidence: Evidence): Found {
  if (found.weight !== 'fail' || isTimed) return found;
  const { attempts } = found;
  const last = attempts.at(-1);
  // Nothing was done because of how the last one ended, nor of one that was still under way then.
  const grounds = attempts.filter(
    (attempt) => attempts.length === 1 || (attempt !== last && (attempt.end ?? Infinity) <= (last?.start ?? 0)),
  );
  const reason = grounds.map((attempt) => doubtOf(attempt, evidence)).find((doubt) => doubt !== undefined);
  return reason === undefined ? found : inconclusive(`${found.message}; but ${reason}`, ...attempts);
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
