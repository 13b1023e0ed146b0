import type { OperationDraft } from './operations.ts';

/** Operations, each with the attempts of those that went on with it. */
export function mergeChains(
  begun: readonly OperationDraft[],
  next: ReadonlyMap<OperationDraft, OperationDraft>,
): OperationDraft[] {
  const taken = new Set(next.values());
  return begun.filter((one) => !taken.has(one)).map((one) => chainFrom(one, next));
}

function chainFrom(one: OperationDraft, next: ReadonlyMap<OperationDraft, OperationDraft>): OperationDraft {
  const attempts = [...one.attempts];
  for (let follower = next.get(one); follower; follower = next.get(follower)) attempts.push(...follower.attempts);
  return { ...one, attempts };
}
