import type { Begun } from './operation.ts';

/** Operations, each with the attempts of those that went on with it. */
export function chained(begun: readonly Begun[], next: ReadonlyMap<Begun, Begun>): Begun[] {
  const taken = new Set(next.values());
  return begun.filter((one) => !taken.has(one)).map((one) => chainFrom(one, next));
}

function chainFrom(one: Begun, next: ReadonlyMap<Begun, Begun>): Begun {
  const attempts = [...one.attempts];
  for (let follower = next.get(one); follower; follower = next.get(follower)) attempts.push(...follower.attempts);
  return { ...one, attempts };
}
