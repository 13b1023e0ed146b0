/** One account's adjustments and balances, gone through in the order in which they were exchanged with the master. */
import { smallestSubsetWithSum, toWholeUnits } from './subset-sum.ts';

/** Describes an adjustment that was sent. */
export interface SentAdjustment {
  readonly id: string;
  readonly amount: number;
  /** Holds the turn in which the master said that it has it; absent when it never did. */
  readonly acceptedAt: number | undefined;
  /** The first turn in which it may have it: since an attempt was begun that it could read. */
  readonly possibleFrom: number | undefined;
}

/** Describes a balance that the master set. */
export interface ReceivedBalance {
  readonly turn: number;
  readonly syncId: string;
  readonly amount: number;
  /** Holds the balance that the service showed just before. */
  readonly before: number;
}

/** Describes the judgement on a balance, by the adjustments before it. */
export type JudgedBalance = ReceivedBalance & {
  readonly expected: number;
} & (
    | { readonly says: 'right' }
    /** An earlier balance over again, or one that lacks some: these are shown by none yet. */
    | { readonly says: 'stale'; readonly lacks: readonly string[] }
    | { readonly says: 'twice'; readonly twice: readonly string[] }
    /** Nothing explains it; of a first balance that may be so since nobody knows what the master began with. */
    | { readonly says: 'wrong' | 'unknown' }
  );

export interface JudgedAccount {
  readonly balances: readonly JudgedBalance[];
  /** Holds the number of adjustments that a balance has shown. */
  readonly shown: number;
  /** Holds the ids of accepted adjustments that the last balance does not show. */
  readonly lost: readonly string[];
  /** Holds the ids of accepted adjustments after which no balance has come. */
  readonly waiting: readonly string[];
}

/** Describes a balance, and the number of shown adjustments that it contains. */
interface Standing {
  readonly amount: number;
  readonly holds: number;
}

/** An account while it is gone through. */
interface Course {
  /** The adjustments that no balance has shown, by when the master may have had them. */
  unshown: SentAdjustment[];
  /** Keeps the order in which balances showed them. */
  shown: SentAdjustment[];
  /** Holds the balance before the first one, and each since. */
  standings: Standing[];
}

const startOf = ({ possibleFrom = Infinity }: SentAdjustment): number => possibleFrom;

/** Goes through an account. The master may have begun with what the service showed, or with nothing. */
export function judgeAccount(
  adjustments: readonly SentAdjustment[],
  balances: readonly ReceivedBalance[],
): JudgedAccount {
  const [first, ...others] = balances;
  const unshown = adjustments.toSorted((a, b) => startOf(a) - startOf(b));
  const course: Course = { unshown, shown: [], standings: [{ amount: first?.before ?? 0, holds: 0 }] };
  const judged = first ? [judgeFirst(course, first)] : [];
  for (const balance of others) judged.push(judge(course, balance));
  const missing = course.unshown.filter(({ acceptedAt: toldAt }) => toldAt !== undefined);
  const lastTurn = balances.at(-1)?.turn ?? 0;
  const isOver = ({ acceptedAt: toldAt = Infinity }: SentAdjustment): boolean => toldAt < lastTurn;
  return {
    balances: judged,
    shown: course.shown.length,
    lost: idsOf(missing.filter(isOver)),
    waiting: idsOf(missing.filter((adjustment) => !isOver(adjustment))),
  };
}

function judgeFirst(course: Course, balance: ReceivedBalance): JudgedBalance {
  const { certain, possible } = candidates(course, balance);
  // Whatever the master has before any adjustment is what it begins with.
  if (certain.length + possible.length === 0) {
    course.standings = [{ amount: balance.amount, holds: 0 }];
    return { ...balance, expected: balance.amount, says: 'right' };
  }
  const fromNothing: Course = { ...course, shown: [], standings: [{ amount: 0, holds: 0 }] };
  const asShown = judge({ ...course, shown: [], standings: [...course.standings] }, balance);
  const isOpening = asShown.says !== 'right' && judge(fromNothing, balance).says === 'right';
  if (isOpening) course.standings = [{ amount: 0, holds: 0 }];
  const judged = judge(course, balance);
  return judged.says === 'wrong' ? { ...judged, says: 'unknown' } : judged;
}

function judge(course: Course, balance: ReceivedBalance): JudgedBalance {
  const { amount = 0 } = course.standings.at(-1) ?? {};
  const { certain, possible } = candidates(course, balance);
  const expected = certain.reduce((sum, one) => sum + one.amount, amount);
  const difference = balance.amount - expected;
  const said = { ...balance, expected };
  const others = smallestSubsetWithSum(amountsOf(possible), difference);
  if (others) {
    show(course, balance, [...certain, ...pick(possible, others)]);
    return { ...said, says: 'right' };
  }
  const earlier = course.standings.findLastIndex(
    (standing) => toWholeUnits(standing.amount) === toWholeUnits(balance.amount),
  );
  if (earlier >= 0) return { ...said, says: 'stale', lacks: idsOf([...goBack(course, earlier), ...certain]) };
  const lacking = fewestLacking(certain, possible, difference);
  if (lacking) {
    show(course, balance, lacking.found);
    return { ...said, says: 'stale', lacks: idsOf(lacking.lacks) };
  }
  const known = [...certain, ...course.shown];
  const twice = smallestSubsetWithSum(amountsOf(known), difference);
  show(course, balance, certain);
  return twice ? { ...said, says: 'twice', twice: idsOf(pick(known, twice)) } : { ...said, says: 'wrong' };
}

/** Returns the adjustments that the master has accepted by then, and those that it may have without a response. */
function candidates({ unshown }: Course, { turn }: ReceivedBalance) {
  const certain: SentAdjustment[] = [];
  const possible: SentAdjustment[] = [];
  for (const adjustment of unshown) {
    if (startOf(adjustment) >= turn) break;
    const { acceptedAt: toldAt = Infinity } = adjustment;
    (toldAt < turn ? certain : possible).push(adjustment);
  }
  return { certain, possible };
}

/** Takes up a balance that shows some adjustments more. */
function show(course: Course, { amount }: ReceivedBalance, found: readonly SentAdjustment[]): void {
  const isFound = new Set(found);
  if (isFound.size > 0) course.unshown = course.unshown.filter((adjustment) => !isFound.has(adjustment));
  for (const adjustment of found) course.shown.push(adjustment);
  course.standings.push({ amount, holds: course.shown.length });
}

/** Takes up a balance that is an earlier one over again; answers the adjustments that it doesn't hold any more. */
function goBack(course: Course, earlier: number): SentAdjustment[] {
  course.standings = course.standings.slice(0, earlier + 1);
  const { holds = 0 } = course.standings.at(-1) ?? {};
  const gone = course.shown.slice(holds);
  course.shown = course.shown.slice(0, holds);
  if (gone.length > 0) course.unshown = [...gone, ...course.unshown].toSorted((a, b) => startOf(a) - startOf(b));
  return gone;
}

/** The fewest that a balance can lack, and what it shows then. */
function fewestLacking(
  certain: readonly SentAdjustment[],
  possible: readonly SentAdjustment[],
  difference: number,
): { readonly found: SentAdjustment[]; readonly lacks: SentAdjustment[] } | undefined {
  const changes = [...certain.map(({ amount }) => -amount), ...amountsOf(possible)];
  const picked = smallestSubsetWithSum(changes, difference);
  if (!picked) return undefined;
  const isPicked = new Set(picked);
  const lacks = certain.filter((_, i) => isPicked.has(i));
  const found = certain.filter((_, i) => !isPicked.has(i));
  return { lacks, found: [...found, ...possible.filter((_, i) => isPicked.has(certain.length + i))] };
}

const amountsOf = (adjustments: readonly SentAdjustment[]): number[] => adjustments.map(({ amount }) => amount);

const idsOf = (adjustments: readonly SentAdjustment[]): string[] => adjustments.map(({ id }) => id);

const pick = <T>(items: readonly T[], indexes: readonly number[]): T[] => indexes.flatMap((i) => items[i] ?? []);
