/**
 * A caller that makes a new key or a new time stamp for each attempt begins what looks like another operation. What
 * was left undelivered, and soon followed by the like of it, is taken for the same.
 */
import { isToRepeat, mustBeRepeated, realPause } from './attempt.ts';
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

export function joinRenamed(begun: readonly Begun[], seen: Seen): Begun[] {
  const next = new Map<Begun, Begun>();
  for (const alike of alikeIn(begun, seen)) {
    for (const [i, one] of alike.entries()) {
      const follower = alike[i + 1];
      if (follower && isLeft(one, seen) && isFollowed(one, follower, seen)) next.set(one, follower);
    }
  }
  if (next.size === 0) return [...begun];
  const followers = new Set(next.values());
  return begun.filter((one) => !followers.has(one)).map((one) => chainFrom(one, next));
}

/** Writes with the same content but for their keys and time stamps. */
function alikeIn(begun: readonly Begun[], { policy }: Seen): Iterable<Begun[]> {
  const named = begun.filter((one) => one.endpoint !== undefined && !isRead(one) && one.key.by !== 'test-id');
  // Only where something was left, contents have to be compared.
  const concerned = new Set(named.filter(isUndelivered).map(({ endpoint }) => endpoint));
  const alike = new Map<string, Begun[]>();
  for (const one of named.filter(({ endpoint }) => concerned.has(endpoint))) {
    const { endpoint, attempts } = one;
    const content = `${endpoint?.id} ${looseContent(attempts[0]?.exchange, { endpoint, volatile: policy.volatile })}`;
    const known = alike.get(content);
    if (known) known.push(one);
    else alike.set(content, [one]);
  }
  return alike.values();
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
  const isGoingOn = history.isOtherCalledBetween(last.start, first.start, endpoint?.lookups ?? []);
  // After 429 and 503, a caller may let it be, and mean the next anew.
  return mustBeRepeated(last) ? !isGoingOn || history.isParallel : !isGoingOn;
}

function chainFrom(one: Begun, next: ReadonlyMap<Begun, Begun>): Begun {
  const attempts = [...one.attempts];
  for (let follower = next.get(one); follower; follower = next.get(follower)) attempts.push(...follower.attempts);
  return { ...one, attempts };
}
