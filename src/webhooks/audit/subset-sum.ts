/** Which of some amounts add up to a difference. */

/** Points have at most six decimals; as whole numbers they can be compared. */
const scale = 1e6;
export const toWholeUnits = (points: number): number => Math.round(points * scale);

/** More sums than these are not tried: the answer is then that nothing is known. */
const maxSums = 20_000;

interface Choice {
  readonly index: number;
  readonly rest: Choice | undefined;
  readonly size: number;
}

/** The fewest of the amounts that add up to the target, by their indexes; undefined when none do, or too many might. */
export function smallestSubsetWithSum(amounts: readonly number[], target: number): number[] | undefined {
  const wanted = toWholeUnits(target);
  if (wanted === 0) return [];
  const alone = amounts.findIndex((amount) => toWholeUnits(amount) === wanted);
  if (alone >= 0) return [alone];
  const known = new Map<number, Choice | undefined>([[0, undefined]]);
  for (const [index, amount] of amounts.entries()) {
    // Sums with this amount are not to be added to once more.
    const before = [...known];
    for (const [sum, rest] of before) {
      const next = sum + toWholeUnits(amount);
      const size = (rest?.size ?? 0) + 1;
      if (next !== 0 && size < (known.get(next)?.size ?? Infinity)) known.set(next, { index, rest, size });
    }
    if (known.size > maxSums) break;
  }
  return known.has(wanted) ? indexesOf(known.get(wanted)) : undefined;
}

function indexesOf(choice: Choice | undefined): number[] {
  const indexes: number[] = [];
  for (let at = choice; at; at = at.rest) indexes.push(at.index);
  return indexes.toReversed();
}
