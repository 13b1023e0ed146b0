/**
 * A caller that makes a new key or a new time stamp for each attempt begins what looks like another operation. What
 * was left undelivered, and soon followed by the like of it, is taken for the same.
 */
import { isToRepeat, mustBeRepeated, realPause } from './attempt.ts';
import { chained } from './chains.ts';
import { looseContent } from './content.ts';
import type { History } from './history.ts';
import { isRead } from './operation.ts';
import type { Begun } from './operation.ts';
import type { Policy } from './policy.ts';
import { isFoundDone } from './settled.ts';
import { callerAttempts } from './transport.ts';

interface Seen {
  readonly history: History;
  readonly policy: Policy;
}

/** How soon the like of it must follow, in ms. */
const soon = 60_000;

/** How many operations that others have begun meanwhile are looked through for it. */
const maxBetween = 50;

export function joinRenamed(begun: readonly Begun[], seen: Seen): Begun[] {
  const next = new Map<Begun, Begun>();
  const followers = new Set<Begun>();
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
  return chained(begun, next);
}

const isNameable = (one: Begun): boolean => one.endpoint !== undefined && !isRead(one);

/** What a caller names itself has no other name. */
const isSameTest = ({ key: a }: Begun, { key: b }: Begun): boolean =>
  a.by === b.by && (a.by !== 'test-id' || a.value === b.value);

/** Contents but for keys and time stamps, each worked out once. */
function contentsOf({ volatile }: Policy): (one: Begun) => string {
  const known = new Map<Begun, string>();
  return (one) => {
    const content = known.get(one) ?? looseContent(one.attempts[0]?.exchange, { endpoint: one.endpoint, volatile });
    known.set(one, content);
    return content;
  };
}

/** One attempt that came to nothing, and no other under its key. */
const isUndelivered = ({ attempts }: Begun): boolean => {
  const own = callerAttempts(attempts);
  return own.length === 1 && own.every(isToRepeat);
};

const isLeft = (one: Begun, { history }: Seen): boolean =>
  isUndelivered(one) && !isFoundDone(one.attempts, { history, endpoint: one.endpoint, until: Infinity });

/** Whether the next is sent in place of the one before it, and not by somebody who goes on with other work. */
function isFollowed({ endpoint, attempts }: Begun, follower: Begun, { history }: Seen): boolean {
  const [last, first] = [callerAttempts(attempts).at(-1), follower.attempts[0]];
  if (!last || !first || first.start < (last.end ?? Infinity) || realPause(last, first) > soon) return false;
  // After 429 and 503, when nothing was done, a caller may keep it for later, and mean the next anew.
  if (!mustBeRepeated(last)) return false;
  return history.isParallel || !history.isOtherCalledBetween(last.start, first.start, endpoint?.lookups ?? []);
}
