/** Bursts of attempts: what a client does before it gives up, and again when it delivers from its fallback. */
import { isRetryable, pauseBetween } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import type { Operation } from '../history/operation.ts';
import type { Policy } from '../policy.ts';
import { formatDuration, inconclusive } from './retry-rule.ts';
import type { RetryEvidence, RuleFinding } from './retry-rule.ts';

/** Without a declared fallback, a pause this long (ms), and this many times as long as any before it, ends a burst. */
const usualFallback = { atLeast: 1000, times: 5 } as const;

/** Splits attempts at pauses so long that the client must have given up in between. */
export function splitIntoBursts(
  { clientAttempts: own }: Operation,
  { storeAndForwardAfter }: Policy,
): (readonly Attempt[])[] {
  const bursts: Attempt[][] = [];
  let longest = Infinity;
  for (const attempt of own) {
    const current = bursts.at(-1);
    const before = current?.at(-1);
    const pause = before === undefined ? 0 : pauseBetween(before, attempt);
    const { atLeast, times } = usualFallback;
    if (current && pause < (storeAndForwardAfter ?? Math.max(atLeast, times * longest))) {
      current.push(attempt);
      longest = current.length === 2 ? pause : Math.max(longest, pause);
    } else {
      bursts.push([attempt]);
      longest = Infinity;
    }
  }
  return bursts;
}

/** True when an operation had been given up once before this attempt. */
export function wasGivenUpBefore(operation: Operation, attempt: Attempt, policy: Policy): boolean {
  const [first = []] = splitIntoBursts(operation, policy);
  return first.every(isRetryable) && !first.includes(attempt);
}

/** Downgrades a finding while the declared fallback is not due yet. */
export function unlessStillWaiting(
  found: RuleFinding,
  { policy: { storeAndForwardAfter }, now, tenant }: RetryEvidence,
): RuleFinding {
  const last = found.attempts.at(-1);
  if (storeAndForwardAfter === undefined || !last) return found;
  // A test may move the tenant's clock instead of waiting.
  const waited = Math.max(now - (last.end ?? last.start), tenant.clock.now() - last.exchange.at);
  if (waited >= storeAndForwardAfter) return found;
  const why = `its fallback is not due yet (declared: ${formatDuration(storeAndForwardAfter)})`;
  return inconclusive(`${found.message}; but ${why}`, ...found.attempts);
}
