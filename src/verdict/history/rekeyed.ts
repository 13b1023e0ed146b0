/**
 * A caller that makes a new key or a new time stamp for each attempt begins what looks like another operation. What
 * was left undelivered, and soon followed by the like of it, is taken for the same.
 */
import { isRetryable, requiresRetry, realPause } from './attempt.ts';
import { mergeChains } from './chains.ts';
import { comparableContent } from './request-content.ts';
import type { History } from './history.ts';
import { isReadOperation } from './operations.ts';
import type { OperationDraft } from './operations.ts';
import type { Policy } from '../policy.ts';
import { isConfirmedByRead } from './read-back.ts';
import { foldTransparentRetries } from './transparent-retry.ts';

interface GroupingContext {
  readonly history: History;
  readonly policy: Policy;
}

/** How soon the like of it must follow, in ms. */
const soon = 60_000;

/** How many operations that others have begun meanwhile are looked through for it. */
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

/** What a caller names itself has no other name. */
const isSameTest = ({ key: a }: OperationDraft, { key: b }: OperationDraft): boolean =>
  a.by === b.by && (a.by !== 'test-id' || a.value === b.value);

/** Contents but for keys and time stamps, each worked out once. */
function contentsOf({ ignoreFields: volatile }: Policy): (one: OperationDraft) => string {
  const known = new Map<OperationDraft, string>();
  return (one) => {
    const content =
      known.get(one) ??
      comparableContent(one.attempts[0]?.exchange, { endpoint: one.endpoint, ignoreFields: volatile });
    known.set(one, content);
    return content;
  };
}

/** One attempt that came to nothing, and no other under its key. */
const isUndelivered = ({ attempts }: OperationDraft): boolean => {
  const own = foldTransparentRetries(attempts);
  return own.length === 1 && own.every(isRetryable);
};

const isLeft = (one: OperationDraft, { history }: GroupingContext): boolean =>
  isUndelivered(one) && !isConfirmedByRead(one.attempts, { history, endpoint: one.endpoint, until: Infinity });

/** Whether the next is sent in place of the one before it, and not by somebody who goes on with other work. */
function isFollowed(
  { endpoint, attempts }: OperationDraft,
  follower: OperationDraft,
  { history }: GroupingContext,
): boolean {
  const [last, first] = [foldTransparentRetries(attempts).at(-1), follower.attempts[0]];
  if (!last || !first || first.start < (last.end ?? Infinity) || realPause(last, first) > soon) return false;
  // After 429 and 503, when nothing was done, a caller may keep it for later, and mean the next anew.
  if (!requiresRetry(last)) return false;
  return history.isParallel || !history.hasOtherRequestsBetween(last.start, first.start, endpoint?.readBack ?? []);
}
