/** Judges one account's adjustments and balances in the order in which they were exchanged with the master. */
import type { Steps } from '../../core/time/steps.ts';
import { explainBalance, noContents, pick, possibleFromOf, sumAdjustments } from './explanation.ts';
import type { Contents, Known } from './explanation.ts';
import { extendReach, fromWholeUnits, noReach, smallestSubsetWithSum, toWholeUnits } from './subset-sum.ts';
import type { SearchBudget } from './subset-sum.ts';
import type { ReceivedBalance, SentAdjustment } from './types.ts';

/** Describes the judgement on a balance, by the adjustments before it. */
export type JudgedBalance = ReceivedBalance & {
  readonly expected: number;
} & (
    | { readonly says: 'right' }
    /** It lacks adjustments that the master has accepted, or that an earlier balance shows. */
    | { readonly says: 'stale'; readonly lacks: readonly string[] }
    | { readonly says: 'twice'; readonly twice: readonly string[] }
    /** It changed although no adjustment was sent for the account. */
    | { readonly says: 'changed' }
    /** Nothing explains it; of a first balance that may be so since nobody knows what the master began with. */
    | { readonly says: 'wrong' | 'unknown' }
    /** So many adjustments may be in it that nobody can tell; of a last balance, that it is wrong or lacks some of them. */
    | { readonly says: 'unclear' | 'incomplete' }
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

/** Describes a balance, and what the master may have applied then. */
interface Exchange {
  readonly balance: ReceivedBalance;
  readonly known: Known;
}

/** Describes one course that an account may have taken: what the master began with, and what each balance contains. */
interface Course {
  readonly start: number;
  /** Holds what the last balance contains. */
  readonly contents: Contents;
  readonly trail: Trail | undefined;
  /** Says how unlikely it is that a right master took this course. */
  readonly cost: number;
}

/** Holds a judged balance and those before it. Courses share what they have in common. */
interface Trail {
  readonly judged: JudgedBalance;
  readonly start: number;
  /** Is absent when nothing explains the balance. */
  readonly contents?: Contents;
  readonly before: Trail | undefined;
}

const failure = 1e12;
const costs: Readonly<Record<JudgedBalance['says'], number>> = {
  right: 0,
  stale: 1,
  unclear: 1e6,
  unknown: 1e6,
  changed: 1e6,
  twice: failure,
  wrong: failure,
  incomplete: failure,
};

/** Limits the work on one balance, so that nobody else waits long for it. */
const maxStepsPerBalance = 150_000;

/** Limits the courses that are followed. */
const maxCourses = 8;

export interface AccountRecords {
  readonly adjustments: readonly SentAdjustment[];
  readonly balances: readonly ReceivedBalance[];
  /** Holds the turn of the first attempt to send an adjustment, for whatever account. */
  readonly sentFrom: number;
  /** False if there was more before, which is not on record. */
  readonly isComplete: boolean;
}

/**
 * Judges an account by the course that is best for the master: it fails only if none explains all balances. The master may
 * have begun with what the service showed, or with nothing.
 */
export function* judgeAccount(records: AccountRecords, budget: SearchBudget): Steps<JudgedAccount> {
  let courses: readonly Course[] = [];
  let known: Known = { accepted: [], acceptedSum: 0, lacking: noReach, possible: [] };
  for (const exchange of exchangesOf(records)) {
    ({ known } = exchange);
    const most = Math.min(maxStepsPerBalance, budget.steps);
    const own: SearchBudget = { steps: most, abandoned: 0 };
    const next = isNothingSent(known)
      ? open(courses, exchange, records)
      : courses.length === 0
        ? begin(records, exchange, own)
        : courses.flatMap((course) => follow(course, exchange, own));
    courses = mostLikely(next);
    budget.steps -= most - own.steps;
    yield;
  }
  const isLosing = ({ contents }: Course): number => (contents.lacks.length > 0 ? failure : 0);
  const [best] = courses.toSorted((a, b) => a.cost + isLosing(a) - (b.cost + isLosing(b)));
  return resultOf(records, known, best);
}

function resultOf({ adjustments, balances }: AccountRecords, known: Known, course?: Course): JudgedAccount {
  const { contents = noContents, trail } = course ?? {};
  const lastTurn = balances.at(-1)?.turn ?? 0;
  const judged: JudgedBalance[] = [];
  for (let at = trail; at; at = at.before) judged.push(at.judged);
  const isWaiting = (adjustment: SentAdjustment): boolean =>
    adjustment.acceptedAt !== undefined && adjustment.acceptedAt >= lastTurn && !contents.extra.has(adjustment);
  return {
    balances: withLast(judged.toReversed(), known),
    shown: known.accepted.length - contents.lacks.length + contents.extra.size,
    lost: idsOf(contents.lacks),
    waiting: idsOf(adjustments.filter(isWaiting)),
  };
}

/** Judges the last balance: if it is not all that was accepted, it lacks some of that, or is wrong. */
function withLast(judged: readonly JudgedBalance[], { possible }: Known): readonly JudgedBalance[] {
  const last = judged.at(-1);
  const isSure = possible.length === 0 && judged[0]?.says !== 'unknown';
  return last?.says === 'unclear' && isSure ? [...judged.slice(0, -1), { ...last, says: 'incomplete' }] : judged;
}

const isNothingSent = ({ accepted, possible }: Known): boolean => accepted.length + possible.length === 0;

/** Goes through the balances with what the master may have applied by then. */
function* exchangesOf({ adjustments, balances }: AccountRecords): Generator<Exchange> {
  const started = adjustments.toSorted((a, b) => possibleFromOf(a) - possibleFromOf(b));
  const inOrder = adjustments
    .filter(({ acceptedAt }) => acceptedAt !== undefined)
    .toSorted((a, b) => acceptedAtOf(a) - acceptedAtOf(b));
  const accepted: SentAdjustment[] = [];
  let [acceptedSum, begun] = [0, 0];
  let lacking = noReach;
  let possible: SentAdjustment[] = [];
  for (const balance of balances) {
    for (
      let next = inOrder[accepted.length];
      next && acceptedAtOf(next) < balance.turn;
      next = inOrder[accepted.length]
    ) {
      accepted.push(next);
      acceptedSum += next.amount;
      lacking = extendReach(lacking, -toWholeUnits(next.amount));
    }
    const from = begun;
    while (started[begun] && possibleFromOf(started[begun] as SentAdjustment) < balance.turn) begun += 1;
    possible = [...possible, ...started.slice(from, begun)].filter((one) => acceptedAtOf(one) >= balance.turn);
    yield { balance, known: { accepted, acceptedSum, lacking, possible } };
  }
}

const acceptedAtOf = ({ acceptedAt = Infinity }: SentAdjustment): number => acceptedAt;

/** Takes a balance before any adjustment as what the master begins with. */
function open(courses: readonly Course[], { balance }: Exchange, { sentFrom }: AccountRecords): Course[] {
  const { amount, turn } = balance;
  const before = courses[0]?.trail;
  const expected = courses[0]?.start ?? amount;
  // Before anything was sent, no adjustment can have been mixed up.
  const isFirst = courses.length === 0;
  const isChanged =
    !isFirst && turn > sentFrom && courses.every(({ start }) => toWholeUnits(start) !== toWholeUnits(amount));
  const judged: JudgedBalance = { ...balance, expected, says: isChanged ? 'changed' : 'right' };
  const trail = { judged, start: amount, contents: noContents, before };
  // A list that was late may have brought an older one.
  const starts = [amount, ...courses.map(({ start }) => start)];
  return starts.map((start) => ({ start, contents: noContents, trail, cost: 0 }));
}

/** Begins with what the service showed, or with nothing; with anything if neither explains the balance. */
function begin(records: AccountRecords, exchange: Exchange, budget: SearchBudget): Course[] {
  const { balance } = exchange;
  const begun = [balance.before, 0].map((start): Course => ({
    start,
    contents: noContents,
    trail: undefined,
    cost: 0,
  }));
  const next = begun.flatMap((course) => follow(course, exchange, budget));
  const isLikely = ({ cost }: Course): boolean => cost < failure;
  if (next.some(isLikely)) return next.filter(isLikely);
  if (records.isComplete && next.some(({ trail }) => trail?.judged.says === 'twice')) return next;
  return beginAnywhere(records, exchange, budget);
}

function beginAnywhere(records: AccountRecords, exchange: Exchange, budget: SearchBudget): Course[] {
  const { balance, known } = exchange;
  const { amount, before } = balance;
  const judged: JudgedBalance = { ...balance, expected: before + known.acceptedSum, says: 'unknown' };
  return startsOf(records, exchange).map((start) => {
    const difference = amount - start - known.acceptedSum;
    const found = explainBalance({ known, previous: noContents, findEarlier: () => undefined, difference, budget });
    const contents = typeof found === 'object' ? found : allOf(known, noContents);
    return { start, contents, trail: { judged, start, before: undefined }, cost: costs.unknown };
  });
}

/** Limits the balances and the adjustments by which a start is sought. */
const maxStarts = 12;

/** Returns what the master can have begun with: without all that it has accepted by a balance, or the first of it. */
function startsOf({ adjustments, balances }: AccountRecords, { balance, known }: Exchange): number[] {
  const complete = [...balances.slice(0, maxStarts), ...balances.slice(-1)].map(
    ({ amount, turn }) => amount - sumAdjustments(adjustments.filter((adjustment) => acceptedAtOf(adjustment) < turn)),
  );
  let start = balance.amount;
  const partial = known.accepted.slice(0, maxStarts).map(({ amount }) => (start -= amount));
  return [...new Set([...complete, balance.amount, ...partial].map(toWholeUnits))].map(fromWholeUnits);
}

/** Follows a course to the next balance. What is wrong may have been so for once, or from now on. */
function follow(course: Course, { balance, known }: Exchange, budget: SearchBudget): Course[] {
  const { start, contents: previous, trail: before, cost } = course;
  const complete = start + known.acceptedSum;
  const difference = balance.amount - complete;
  const findEarlier = (): Contents | undefined => earlierContents(course, balance.amount);
  const found = explainBalance({ known, previous, findEarlier, difference, budget });
  if (typeof found === 'object') {
    const lacks = [...found.lacks, ...[...previous.extra].filter((one) => isGone(one, { known, contents: found }))];
    const expected = complete + sumAdjustments(lacks.length > 0 ? [] : found.extra);
    const judged: JudgedBalance =
      lacks.length > 0
        ? { ...balance, expected, says: 'stale', lacks: idsOf(lacks) }
        : { ...balance, expected, says: 'right' };
    return [
      { start, contents: found, trail: { judged, start, contents: found, before }, cost: cost + costs[judged.says] },
    ];
  }
  const contents = allOf(known, previous);
  const judged = judgeUnexplained(
    { balance, known, contents, expected: complete + sumAdjustments(contents.extra) },
    found,
    budget,
  );
  const next = { start, contents, trail: { judged, start, before }, cost: cost + costs[judged.says] };
  return judged.says === 'unclear' ? [next] : [next, { ...next, start: start + balance.amount - judged.expected }];
}

/** Returns what a balance contains that shows everything accepted, and what the balance before it showed. */
const allOf = ({ accepted, possible }: Known, { extra }: Contents): Contents => ({
  accepted: accepted.length,
  lacks: [],
  extra: new Set(possible.filter((adjustment) => extra.has(adjustment))),
});

/** True for an adjustment that was in the balance before, and is not in this one. */
const isGone = (adjustment: SentAdjustment, { known, contents }: { known: Known; contents: Contents }): boolean =>
  known.possible.includes(adjustment) && !contents.extra.has(adjustment);

interface Unexplained {
  readonly balance: ReceivedBalance;
  readonly known: Known;
  readonly contents: Contents;
  readonly expected: number;
}

function judgeUnexplained(
  { balance, known, contents, expected }: Unexplained,
  found: 'unclear' | undefined,
  budget: SearchBudget,
): JudgedBalance {
  if (found === 'unclear') return { ...balance, expected, says: 'unclear' };
  const shown = [...known.accepted, ...contents.extra];
  const twice = smallestSubsetWithSum(amountsOf(shown), balance.amount - expected, budget);
  return twice
    ? { ...balance, expected, says: 'twice', twice: idsOf(pick(shown, twice)) }
    : { ...balance, expected, says: 'wrong' };
}

/** Returns the contents of the last balance with this total, since the start was the same. */
function earlierContents({ start, trail }: Course, amount: number): Contents | undefined {
  for (let at = trail; at && at.start === start; at = at.before) {
    if (toWholeUnits(at.judged.amount) === toWholeUnits(amount)) return at.contents;
  }
  return toWholeUnits(start) === toWholeUnits(amount) ? noContents : undefined;
}

/** Keeps the likeliest course of each start, and none that fails more often than another. */
function mostLikely(courses: readonly Course[]): Course[] {
  const byStart = new Map<number, Course>();
  for (const course of courses.toSorted((a, b) => a.cost - b.cost)) {
    const start = toWholeUnits(course.start);
    if (!byStart.has(start)) byStart.set(start, course);
  }
  const [best, ...others] = byStart.values();
  if (!best) return [];
  return [best, ...others.filter(({ cost }) => cost < best.cost + failure)].slice(0, maxCourses);
}

const idsOf = (adjustments: readonly SentAdjustment[]): string[] => adjustments.map(({ id }) => id);

const amountsOf = (adjustments: readonly SentAdjustment[]): number[] => adjustments.map(({ amount }) => amount);
