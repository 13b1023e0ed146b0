import { atEndOfTurn, machineNow } from './clock.ts';

/** Stands for work that may be left for a while after each of its steps. */
export type Steps<Result = void> = Generator<void, Result>;

/** Limits how long such work goes on before others have their turn, in ms. */
const turnLength = 15;

/** Limits the work of a portion, in characters that are read: it takes a millisecond or two. */
const portionSize = 32 * 1024;

/** Counts for a piece of work besides what is read for it. */
const pieceSize = 2 * 1024;

/** Collects small pieces of work: to stop after each of them would take about as long as they do. */
export class Portion {
  #size = 0;

  /** Adds a piece for which so many characters were read; true when others may have their turn. */
  isFullWith(length: number): boolean {
    this.#size += pieceSize + length;
    if (this.#size < portionSize) return false;
    this.#size = 0;
    return true;
  }
}

const itemsAtOnce = 250;

/** Does small work for each item; others may have their turn after some hundreds. */
export function* forEachInSteps<T>(items: readonly T[], work: (item: T, i: number) => void): Steps {
  for (let i = 0; i < items.length; i++) {
    if (i % itemsAtOnce === itemsAtOnce - 1) yield;
    // It is there: the place was just compared with the length.
    work(items[i] as T, i);
  }
}

/** Makes something small of each item; others may have their turn after some hundreds. */
export function* mapInSteps<T, Made>(items: readonly T[], make: (item: T, i: number) => Made): Steps<Made[]> {
  if (items.length < itemsAtOnce) return items.map(make);
  const made: Made[] = [];
  yield* forEachInSteps(items, (item, i) => void made.push(make(item, i)));
  return made;
}

/** Makes small lists of each item, and joins them; others may have their turn after some hundreds. */
export function* flatMapInSteps<T, Made>(
  items: readonly T[],
  make: (item: T, i: number) => readonly Made[],
): Steps<Made[]> {
  const made: Made[] = [];
  yield* forEachInSteps(items, (item, i) => {
    for (const one of make(item, i)) made.push(one);
  });
  return made;
}

/** True when a small test is passed by one of the items; others may have their turn after some hundreds. */
export function* someInSteps<T>(items: readonly T[], test: (item: T) => boolean): Steps<boolean> {
  for (let i = 0; i < items.length; i++) {
    if (i % itemsAtOnce === itemsAtOnce - 1) yield;
    if (test(items[i] as T)) return true;
  }
  return false;
}

/** Takes all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Returns what is made of the result, before anybody else goes on. */
export function* mapResult<Result, Mapped>(steps: Steps<Result>, map: (result: Result) => Mapped): Steps<Mapped> {
  return map(yield* steps);
}

/** Says when the work of this turn of the event loop is to end, which all share; undefined before any has begun. */
let turnEnd: number | undefined;

const isTurnOver = (): boolean => turnEnd !== undefined && machineNow() >= turnEnd;

function beginTurn(): number {
  atEndOfTurn(() => (turnEnd = undefined));
  return machineNow() + turnLength;
}

/** True when the work of this turn has taken as long as it may; the first who asks begins to count. */
export function isTurnSpent(): boolean {
  turnEnd ??= beginTurn();
  return isTurnOver();
}

/** Takes one step, and more until they are done or the turn is over. */
function takeTurn<Result>(steps: Steps<Result>): IteratorResult<void, Result> {
  turnEnd ??= beginTurn();
  let step = steps.next();
  while (!step.done && !isTurnOver()) step = steps.next();
  return step;
}

const waiting: (() => void)[] = [];

/** Resolves in a later turn of the event loop, which no other work in turns goes on in. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) atEndOfTurn(giveTurn);
  });

function giveTurn(): void {
  turnEnd = undefined;
  waiting.shift()?.();
  if (waiting.length > 0) atEndOfTurn(giveTurn);
}

/**
 * Takes all steps, in as many turns of the event loop as they need: the first at once, where nothing else is under way, so
 * that they take hold of what is there now. What they read must stay as it is.
 */
export async function finishInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  if (waiting.length > 0) await nextTurn();
  let step = takeTurn(steps);
  while (!step.done) {
    await nextTurn();
    step = takeTurn(steps);
  }
  return step.value;
}

const sortedAtOnce = 5000;

/** Sorts a list as `toSorted` does. */
export function* sortInSteps<T>(list: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  if (list.length <= sortedAtOnce) {
    yield;
    return list.toSorted(compare);
  }
  const middle = list.length >>> 1;
  const left = yield* sortInSteps(list.slice(0, middle), compare);
  const right = yield* sortInSteps(list.slice(middle), compare);
  const sorted: T[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    // They are there: both places were just compared with the lengths.
    const [a, b] = [left[i] as T, right[j] as T];
    sorted.push(compare(a, b) <= 0 ? (i++, a) : (j++, b));
    if (sorted.length % sortedAtOnce === 0) yield;
  }
  for (const rest of [left.slice(i), right.slice(j)]) for (const item of rest) sorted.push(item);
  return sorted;
}
