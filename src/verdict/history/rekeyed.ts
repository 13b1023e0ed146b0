/**
 * Merges retries under a new key or a new time stamp, which look like another operation: an undelivered request that is
 * soon followed by a similar one.
 */
import { isRetryable, requiresRetry, realPause } from './attempt.ts';
import { comparableContent } from './request-content.ts';
import { isReadOperation, mergeChains } from './operation.ts';
import type { GroupingContext, OperationDraft } from './operation.ts';
import type { Policy } from '../policy.ts';
import { isConfirmedByRead } from './read-back.ts';
import { foldTransparentRetries } from './transparent-retry.ts';

/** The longest time after which a similar request counts as the retry, in ms. */
const soon = 60_000;

/** The number of operations of other clients that are searched for it. */
const maxBetween = 50;

export function mergeRekeyedRetries(begun: readonly OperationDraft[], seen: GroupingContext): OperationDraft[] {
  const next = new Map<OperationDraft, OperationDraft>();
  const followers = new Set<OperationDraft>();
  const contents = contentsOf(seen.policy);
  for (const [i, one] of begun.entries()) {
    if (!isNameable(one) || !isLeft(one, seen)) continue;
    const alike = begun
      .slice(i + 1, i + 1 + maxBetween)
      .filter((other) => other.endpoint === one.endpoint && isNameable(other) && isSameTest(one, other))
      .filter((other) => !followers.has(other))
      .find((other) => contents(other) === contents(one));
    if (!alike || !isFollowed(one, alike, seen)) continue;
    next.set(one, alike);
    followers.add(alike);
  }
  return mergeChains(begun, next);
}

const isNameable = (one: OperationDraft): boolean => one.endpoint !== undefined && !isReadOperation(one);

/** A test id that the client chose cannot change between attempts. */
const isSameTest = ({ key: a }: OperationDraft, { key: b }: OperationDraft): boolean =>
  a.by === b.by && (a.by !== 'test-id' || a.value === b.value);

/** Returns a function for contents without keys and time stamps; it computes each once. */
function contentsOf({ ignoreFields }: Policy): (one: OperationDraft) => string {
  const known = new Map<OperationDraft, string>();
  return (one) => {
    const content =
      known.get(one) ?? comparableContent(one.attempts[0]?.exchange, { endpoint: one.endpoint, ignoreFields });
    known.set(one, content);
    return content;
  };
}

/** True for a single failed attempt without another under its key. */
const isUndelivered = ({ attempts }: OperationDraft): boolean => {
  const own = foldTransparentRetries(attempts);
  return own.length === 1 && own.every(isRetryable);
};

const isLeft = (one: OperationDraft, { history }: GroupingContext): boolean =>
  isUndelivered(one) && !isConfirmedByRead(one.attempts, { history, endpoint: one.endpoint, until: Infinity });

/** True when the next operation replaces the one before it, and is not other work of the client. */
function isFollowed(
  { endpoint, attempts }: OperationDraft,
  follower: OperationDraft,
  { history }: GroupingContext,
): boolean {
  const [last, first] = [foldTransparentRetries(attempts).at(-1), follower.attempts[0]];
  if (!last || !first || first.start < (last.end ?? Infinity) || realPause(last, first) > soon) return false;
  // After 429 and 503 nothing was done: a client may keep it for later, and the next may be new work.
  if (!requiresRetry(last)) return false;
  return history.isParallel || !history.hasOtherRequestsBetween(last.start, first.start, endpoint?.readBack ?? []);
}
