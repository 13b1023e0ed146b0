/** Tells the retry of a read from a read of later work, which looks the same. */
import { isRetryable, pauseBetween, requestedPause } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { consecutivePairs } from './operation.ts';
import type { GroupingContext, OperationDraft } from './operation.ts';
import { foldPossibleRepeats } from './transparent-retry.ts';
import type { Policy } from '../policy.ts';

/** Limits the pause before a retry if its client has done nothing else in between, in ms. */
const longestPause = 60_000;

/** Limits the pause before a prompt retry, unless the policy declares longer ones, in ms. */
const longestPromptPause = 10_000;

/** A pause below this part of the one before it does not go on with the same retries. */
const shrunk = 0.7;

/** Pauses below this are alike, in ms: none was meant. */
const atOnce = 50;

/** Two equal pauses may seem to differ by this, in ms. */
const clockNoise = 5;

/** A client may add this much chance to its pauses (ms), or as much again as is declared. */
const jitter = 1000;

const longestDeclared = ({ minBackoff }: Policy): number => Math.max(0, ...minBackoff);

const shortestDeclared = ({ minBackoff: [first = 0, ...others] }: Policy): number => Math.min(first, ...others);

/** Returns how long a client with this policy may wait before a retry that is certainly one, in ms. */
export const promptPause = (policy: Policy): number =>
  policy.minBackoff.length === 0 ? longestPromptPause : 2 * longestDeclared(policy) + jitter;

/** Returns the same after an attempt whose response may have requested a pause. */
export function promptPauseAfter(last: Attempt, policy: Policy): number {
  const requested = requestedPause(last);
  return Math.max(promptPause(policy), requested === 0 ? 0 : requested * 1.5 + jitter);
}

/** True when a read goes on with those that failed before it: soon, and if other requests came in between, at the pace of retries. */
export function isReadRetry({ attempts, key }: OperationDraft, attempt: Attempt, seen: GroupingContext): boolean {
  const { policy } = seen;
  const last = attempts.at(-1);
  // What its library repeats comes at once, whatever other connections that died do.
  if (!last || attempt.isTransparentRetry) return true;
  const isLast = isAfterLast(attempts, attempt, policy);
  if (key.by === 'test-id') return !isLast;
  const isNext = isNextTo(seen, last, attempt);
  if (isLast) return isNext && continuesPattern(attempts, attempt);
  const pause = pauseBetween(last, attempt);
  if (isNext) return pause <= Math.max(longestPause, promptPause(policy));
  return pause <= promptPauseAfter(last, policy) && pause >= shortestDeclared(policy) - policy.tolerance;
}

/** True when the client has made all attempts that it declares, whatever its library may have repeated of them. */
function isAfterLast(attempts: readonly Attempt[], attempt: Attempt, { maxAttempts }: Policy): boolean {
  if (maxAttempts === undefined || attempts.length < maxAttempts) return false;
  // No library that is limited repeats more than three times.
  const recent = attempts.slice(-4 * (maxAttempts + 1));
  return foldPossibleRepeats([...recent, attempt]).length > maxAttempts;
}

/** Counts the last attempts that show how long a client pauses. */
const lastFew = 20;

/**
 * True when a pause is about as long as the last response requests, or else as the client's own pause before it, or
 * longer as retries are.
 */
function continuesPattern(attempts: readonly Attempt[], attempt: Attempt): boolean {
  const own = foldPossibleRepeats(attempts.slice(-lastFew));
  const last = own.at(-1);
  if (!last || !isRetryable(last)) return false;
  const pause = pauseBetween(last, attempt);
  const requested = requestedPause(last);
  if (requested > 0 && pause >= requested - clockNoise) return pause <= requested * maxStretch + jitter;
  const previous = consecutivePairs(own).findLast(([before]) => requestedPause(before) === 0);
  if (!previous) return false;
  const known = pauseBetween(...previous);
  return (known < atOnce || pause >= known * shrunk - clockNoise) && pause <= 3 * known + jitter;
}

/** A client may wait so many times as long as a response requests, or as it waited before. */
const maxStretch = 1.2;

/** True when a pause is about as long as the last response requests, or else as the client's own pause before it. */
export function continuesPace(own: readonly Attempt[], attempt: Attempt): boolean {
  const last = own.at(-1);
  if (!last || !isRetryable(last)) return false;
  const previous = consecutivePairs(own).findLast(([before]) => requestedPause(before) === 0);
  const known = requestedPause(last) || (previous ? pauseBetween(...previous) : 0);
  return known >= atOnce && isAbout(known, pauseBetween(last, attempt));
}

/** True when a pause is about as long as any that the client itself chose between its attempts. */
export function resemblesPause(own: readonly Attempt[], attempt: Attempt): boolean {
  const last = own.at(-1);
  if (!last || !isRetryable(last)) return false;
  const pause = pauseBetween(last, attempt);
  return consecutivePairs(own).some(([before, next]) => {
    const known = pauseBetween(before, next);
    return requestedPause(before) === 0 && (isAbout(known, pause) || Math.max(known, pause) < atOnce);
  });
}

const isAbout = (known: number, pause: number): boolean => pause >= known / maxStretch && pause <= known * maxStretch;

/** True when a read is asked again at once after it was refused. */
export const isPromptRepeat = (last: Attempt, attempt: Attempt, seen: GroupingContext): boolean =>
  isNextTo(seen, last, attempt) && pauseBetween(last, attempt) <= promptPause(seen.policy);

/** True when no other request came in between: at all, or by the same connection where several clients send at once. */
function isNextTo({ history }: GroupingContext, { exchange: last }: Attempt, { exchange }: Attempt): boolean {
  if (history.isNextTo(last, exchange)) return true;
  const [left, right] = [last.connection, exchange.connection];
  return history.isParallel && left !== undefined && left.id === right?.id && right.request === left.request + 1;
}
