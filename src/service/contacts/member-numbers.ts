/** Returns the member number that a sequence's count stands for; counts start from 1. */
export const memberNumberAt = (count: number): string => String(100_000 + count);

/** Hands out member numbers in order, passing over those that are taken. */
export function memberNumbers(taken: ReadonlySet<string>): { next: () => string; used: () => number } {
  let count = 0;
  const passTaken = (): void => {
    while (taken.has(memberNumberAt(count + 1))) count++;
  };
  return {
    next: () => {
      passTaken();
      return memberNumberAt(++count);
    },
    /** Returns the number that the sequence goes on from. */
    used: () => {
      passTaken();
      return count;
    },
  };
}
