/**
 * Makes indexes of long lists in steps, as soon as somebody needs one: the work that does is broken off, others have their
 * turn while the index is made, and the work begins again.
 */
import { finish } from './steps.ts';
import type { Steps } from './steps.ts';

/** Is thrown by an index that is not made yet. */
class Missing {
  readonly index: IndexInSteps<unknown>;

  constructor(index: IndexInSteps<unknown>) {
    this.index = index;
  }
}

/** True while work goes on that can begin again. */
let canBeginAgain = false;

function tryOnce<T>(work: () => T): T | Missing {
  const before = canBeginAgain;
  canBeginAgain = true;
  try {
    return work();
  } catch (error) {
    if (error instanceof Missing) return error;
    throw error;
  } finally {
    canBeginAgain = before;
  }
}

/** Holds an index that is made in steps when it is first read; by work that can't begin again, at once. */
export class IndexInSteps<T> {
  readonly #make: () => Steps<T>;
  #made: { readonly value: T } | undefined;

  constructor(make: () => Steps<T>) {
    this.#make = make;
  }

  get value(): T {
    if (this.#made) return this.#made.value;
    if (canBeginAgain) throw new Missing(this);
    this.#made = { value: finish(this.#make()) };
    return this.#made.value;
  }

  /** Makes it, and before that the indexes that it needs itself. */
  *prepare(): Steps {
    while (!this.#made) {
      const steps = this.#make();
      let step = tryOnce(() => steps.next());
      while (!(step instanceof Missing) && !step.done) {
        yield;
        step = tryOnce(() => steps.next());
      }
      if (step instanceof Missing) yield* step.index.prepare();
      else if (step.done) this.#made = { value: step.value };
    }
  }
}

/** Does work that changes nothing but what it returns: it may be done more than once, while indexes that it needs are made. */
export function* withIndexes<T>(work: () => T): Steps<T> {
  let result = tryOnce(work);
  while (result instanceof Missing) {
    yield* result.index.prepare();
    result = tryOnce(work);
  }
  return result;
}
