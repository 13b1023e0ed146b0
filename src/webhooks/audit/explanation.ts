/** Explains a balance by the adjustments that it contains. */
import { extendReach, isOutOfReach, smallestSubsetWithSum, toWholeUnits } from './subset-sum.ts';
import type { Reach, SearchBudget } from './subset-sum.ts';
import type { SentAdjustment } from './types.ts';

/** Describes what the master may have applied when a balance came. */
export interface Known {
  /** Lists what it has accepted, in that order. The list grows with later balances. */
  readonly accepted: readonly SentAdjustment[];
  /** Holds the sum of these. */
  readonly acceptedSum: number;
  /** Describes what a balance can lack of them. */
  readonly lacking: Reach;
  /** Lists what it may have without having said so, in the order of the first attempts. */
  readonly possible: readonly SentAdjustment[];
}

/** Describes the adjustments in a balance, by what sets them apart from those accepted until then. */
export interface Contents {
  /** Holds the number of adjustments that were accepted until then. */
  readonly accepted: number;
  /** Holds those of them that are not in the balance. */
  readonly lacks: readonly SentAdjustment[];
  /** Holds those that are in it though they were not accepted. */
  readonly extra: ReadonlySet<SentAdjustment>;
}

export const noContents: Contents = { accepted: 0, lacks: [], extra: new Set() };

interface Question {
  readonly known: Known;
  /** Holds what the balance before it contains. */
  readonly previous: Contents;
  /** Returns what an earlier balance with the same total contains. */
  readonly findEarlier: () => Contents | undefined;
  /** Holds how much the balance exceeds the start and all that was accepted. */
  readonly difference: number;
  readonly budget: SearchBudget;
}

/** Describes a question with what several explanations need. */
interface Situation extends Question {
  /** Lists the accepted adjustments that the balance before it does not show, in the order of acceptance. */
  readonly open: readonly SentAdjustment[];
  /** Lists what is not accepted, and was in the balance before it. */
  readonly kept: readonly SentAdjustment[];
}

/**
 * Returns what a balance contains: all that was accepted if that can be, else what the first adjustments in their order add
 * up to, else the most that can be. Returns undefined if nothing does, or `unclear` when too many adjustments may be in it.
 */
export function explainBalance(question: Question): Contents | 'unclear' | undefined {
  const { known, previous, difference, budget } = question;
  const reach = known.possible.reduce((all, { amount }) => extendReach(all, toWholeUnits(amount)), known.lacking);
  const isExact = reach.highest - reach.lowest <= Number.MAX_SAFE_INTEGER;
  if (isExact && isOutOfReach(reach, toWholeUnits(difference))) return undefined;
  const situation = { ...question, open: openOf(known, previous), kept: keptOf(known, previous) };
  const likely = firstExplanation(likelyExplanations, situation);
  if (likely) return likely;
  // These cost more than they are worth if nearly all balances need them.
  budget.steps -= stepsPerAdjustment * known.accepted.length;
  if (budget.steps < 0) return 'unclear';
  const rare = firstExplanation(rareExplanations, situation);
  if (rare) return rare;
  const { abandoned } = budget;
  const any = toggle(situation, { accepted: known.accepted, kept: [] });
  return any ?? (budget.abandoned > abandoned || !isExact ? 'unclear' : undefined);
}

const stepsPerAdjustment = 4;

type Explanation = (situation: Situation) => Contents | undefined;

function firstExplanation(explanations: readonly Explanation[], situation: Situation): Contents | undefined {
  for (const explain of explanations) {
    const contents = explain(situation);
    if (contents) return contents;
  }
  return undefined;
}

/** Returns the accepted adjustments that are not among the contents of an earlier balance. */
function openOf({ accepted }: Known, contents: Contents): SentAdjustment[] {
  const open = [...contents.lacks, ...accepted.slice(contents.accepted)];
  return contents.extra.size === 0 ? open : open.filter((adjustment) => !contents.extra.has(adjustment));
}

const keptOf = ({ possible }: Known, { extra }: Contents): SentAdjustment[] =>
  extra.size === 0 ? [] : possible.filter((adjustment) => extra.has(adjustment));

/** Lists explanations by their likelihood. */
const likelyExplanations: readonly Explanation[] = [
  (situation) => checked(situation, [], situation.kept),
  withSomePossible,
  // The master goes on without what it lacked.
  (situation) => checked(situation, situation.previous.lacks, situation.kept),
  (situation) => firstOf(situation, situation.open, situation.kept),
  withOneMore,
];

const rareExplanations: readonly Explanation[] = [
  (situation) => firstOf(situation, inOrderOfAttempts(situation, situation.open, situation.kept), situation.kept),
  earlierOnceMore,
  (situation) => firstOf(situation, situation.known.accepted, []),
  (situation) => firstOf(situation, inOrderOfAttempts(situation, situation.known.accepted, []), []),
  (situation) => toggle(situation, { accepted: situation.open, kept: situation.kept }),
];

function checked(
  { known, difference }: Situation,
  lacks: readonly SentAdjustment[],
  extra: readonly SentAdjustment[],
): Contents | undefined {
  if (toWholeUnits(sumAdjustments(extra) - sumAdjustments(lacks) - difference) !== 0) return undefined;
  return { accepted: known.accepted.length, lacks, extra: new Set(extra) };
}

function withSomePossible(situation: Situation): Contents | undefined {
  const { known, difference, budget } = situation;
  const found = smallestSubsetWithSum(amountsOf(known.possible), difference, budget);
  return found && checked(situation, [], pick(known.possible, found));
}

/** Explains a balance by the one before it, and one adjustment more. */
function withOneMore(situation: Situation): Contents | undefined {
  const { open, kept, difference } = situation;
  const more = toWholeUnits(difference + sumAdjustments(open) - sumAdjustments(kept));
  const at = open.findIndex(({ amount }) => toWholeUnits(amount) === more);
  return at < 0 ? undefined : checked(situation, open.toSpliced(at, 1), kept);
}

/**
 * Returns those items and the possible adjustments in addition to the kept ones, in the order in which they were first
 * attempted.
 */
function inOrderOfAttempts(
  { known }: Situation,
  items: readonly SentAdjustment[],
  kept: readonly SentAdjustment[],
): SentAdjustment[] {
  const others = known.possible.filter((adjustment) => !kept.includes(adjustment));
  return [...items, ...others].toSorted((a, b) => possibleFromOf(a) - possibleFromOf(b));
}

/** Explains a balance by the first of some items: the others are not in it. */
function firstOf(
  situation: Situation,
  items: readonly SentAdjustment[],
  kept: readonly SentAdjustment[],
): Contents | undefined {
  const { known, difference } = situation;
  const isPossible = new Set(known.possible);
  const target = toWholeUnits(difference - sumAdjustments(kept));
  let sum = toWholeUnits(sumAdjustments(items.filter((item) => isPossible.has(item))));
  for (let count = items.length; count >= 0; count -= 1) {
    if (sum === target) {
      const lacks = items.slice(count).filter((item) => !isPossible.has(item));
      return checked(situation, lacks, [...kept, ...items.slice(0, count).filter((item) => isPossible.has(item))]);
    }
    sum -= toWholeUnits(items[count - 1]?.amount ?? 0);
  }
  return undefined;
}

function earlierOnceMore(situation: Situation): Contents | undefined {
  const earlier = situation.findEarlier();
  return earlier && checked(situation, openOf(situation.known, earlier), keptOf(situation.known, earlier));
}

/** Explains a balance by the fewest of the accepted adjustments that it lacks, and of the possible ones that it has. */
function toggle(
  situation: Situation,
  { accepted, kept }: { readonly accepted: readonly SentAdjustment[]; readonly kept: readonly SentAdjustment[] },
): Contents | undefined {
  const { known, difference, budget } = situation;
  const others = known.possible.filter((adjustment) => !kept.includes(adjustment));
  // The newest first: they are what a late balance lacks.
  const newest = accepted.toReversed();
  const changes = [...newest.map(({ amount }) => -amount), ...amountsOf(others)];
  const picked = smallestSubsetWithSum(changes, difference - sumAdjustments(kept), budget);
  if (!picked) return undefined;
  const isPicked = new Set(picked);
  const lacks = newest.filter((_, i) => isPicked.has(i)).toReversed();
  return checked(situation, lacks, [...kept, ...others.filter((_, i) => isPicked.has(newest.length + i))]);
}

export const possibleFromOf = ({ possibleFrom = Infinity }: SentAdjustment): number => possibleFrom;

const amountsOf = (adjustments: readonly SentAdjustment[]): number[] => adjustments.map(({ amount }) => amount);

export const sumAdjustments = (adjustments: Iterable<SentAdjustment>): number => {
  let sum = 0;
  for (const { amount } of adjustments) sum += amount;
  return sum;
};

export const pick = <T>(items: readonly T[], indexes: readonly number[]): T[] => indexes.flatMap((i) => items[i] ?? []);
