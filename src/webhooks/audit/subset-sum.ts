/** Finds which of some amounts add up to a difference. */

/** Points have at most six decimals; as whole numbers they can be compared. */
const scale = 1e6;
export const toWholeUnits = (points: number): number => Math.round(points * scale);
export const fromWholeUnits = (units: number): number => units / scale;

/** Limits the sums that one search remembers. */
const maxSums = 20_000;
/** Limits the steps of one search. */
const maxSteps = 400_000;
/** After so many steps any subset will do, however large. */
const maxStepsForSmallest = 50_000;

/** Limits the work of all searches of a report; a search that needs more is abandoned. */
export interface SearchBudget {
  /** Counts the steps that are left. */
  steps: number;
  /** Counts the searches that ended without a result: there may be a subset, or none. */
  abandoned: number;
}

export const createSearchBudget = (): SearchBudget => ({ steps: 4_000_000, abandoned: 0 });

interface Choice {
  readonly index: number;
  readonly rest: Choice | undefined;
  readonly size: number;
}

/**
 * Returns the fewest of the amounts that add up to the target, by their indexes; undefined when none do. It is undefined
 * too when the search was abandoned, which the budget counts.
 */
export function smallestSubsetWithSum(
  amounts: readonly number[],
  target: number,
  budget: SearchBudget = createSearchBudget(),
): number[] | undefined {
  const wanted = toWholeUnits(target);
  if (wanted === 0) return [];
  const units = amounts.map(toWholeUnits);
  const alone = units.indexOf(wanted);
  if (alone >= 0) return [alone];
  const reach = units.reduce(extendReach, noReach);
  return isOutOfReach(reach, wanted) ? undefined : search(units, { wanted, reach }, budget);
}

/** Describes what some whole amounts can add up to. */
export interface Reach {
  readonly lowest: number;
  readonly highest: number;
  /** Divides all of them. */
  readonly divisor: number;
}

export const noReach: Reach = { lowest: 0, highest: 0, divisor: 0 };

export const extendReach = ({ lowest, highest, divisor }: Reach, amount: number): Reach => ({
  lowest: lowest + Math.min(amount, 0),
  highest: highest + Math.max(amount, 0),
  divisor: greatestCommonDivisor(divisor, amount),
});

/** True when no subset can have this sum: it is too high, too low, or no multiple of what divides all amounts. */
export const isOutOfReach = ({ lowest, highest, divisor }: Reach, wanted: number): boolean =>
  wanted < lowest || wanted > highest || (divisor === 0 ? wanted !== 0 : wanted % divisor !== 0);

function greatestCommonDivisor(a: number, b: number): number {
  let [larger, smaller] = [Math.abs(a), Math.abs(b)];
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

function search(
  units: readonly number[],
  { wanted, reach }: { readonly wanted: number; readonly reach: Reach },
  budget: SearchBudget,
): number[] | undefined {
  const known = new Map<number, Choice | undefined>([[0, undefined]]);
  let { lowest, highest } = reach;
  let steps = 0;
  for (const [index, amount] of units.entries()) {
    if (amount < 0) lowest -= amount;
    else highest -= amount;
    // Sums with this amount are not to be added to once more.
    const before = [...known];
    for (const [sum, rest] of before) {
      const next = sum + amount;
      const size = (rest?.size ?? 0) + 1;
      if (isWithin(wanted - next, lowest, highest) && next !== 0 && size < (known.get(next)?.size ?? Infinity))
        known.set(next, { index, rest, size });
      if (!isWithin(wanted - sum, lowest, highest)) known.delete(sum);
      steps += 1;
    }
    if (known.has(wanted) && steps > maxStepsForSmallest) break;
    if (known.size > maxSums || steps > Math.min(maxSteps, budget.steps)) {
      if (!known.has(wanted)) budget.abandoned += 1;
      break;
    }
  }
  budget.steps -= steps;
  return known.has(wanted) ? indexesOf(known.get(wanted)) : undefined;
}

const isWithin = (value: number, lowest: number, highest: number): boolean => value >= lowest && value <= highest;

function indexesOf(choice: Choice | undefined): number[] {
  const indexes: number[] = [];
  for (let at = choice; at; at = at.rest) indexes.push(at.index);
  return indexes.toReversed();
}
