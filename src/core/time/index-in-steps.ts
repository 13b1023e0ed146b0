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
  #state: { readonly make: () => Steps<T> } | { readonly value: T };

  constructor(make: () => Steps<T>) {
    this.#state = { make };
  }

  get value(): T {
    if ('value' in this.#state) return this.#state.value;
    if (canBeginAgain) throw new Missing(this);
    const value = finish(this.#state.make());
    this.#state = { value };
    return value;
  }

  /** Makes it, and before that the indexes that it needs itself. */
  *prepare(): Steps {
    while ('make' in this.#state) {
      const made = yield* makeOnce(this.#state.make);
      if (made instanceof Missing) yield* made.index.prepare();
      else this.#state = { value: made };
    }
  }
}

function* makeOnce<T>(make: () => Steps<T>): Steps<T | Missing> {
  // What is read before the first step may be an index as well.
  const steps = tryOnce(make);
  if (steps instanceof Missing) return steps;
  for (;;) {
    const step = tryOnce(() => steps.next());
    if (step instanceof Missing) return step;
    if (step.done) return step.value;
    yield;
  }
}

/** Does work that changes nothing but what it returns, if all indexes that it needs are made; undefined otherwise. */
export function withMadeIndexes<T extends object>(work: () => T): T | undefined {
  const result = tryOnce(work);
  return result instanceof Missing ? undefined : result;
}

/** Ends work that makes another index each time that it begins: no other needs as many. */
const mostBeginnings = 1_000_000;

/** Does work that changes nothing but what it returns: it may be done more than once, while indexes that it needs are made. */
export function* withIndexes<T>(work: () => T): Steps<T> {
  for (let beginning = 0; beginning < mostBeginnings; beginning++) {
    const result = tryOnce(work);
    if (!(result instanceof Missing)) return result;
    yield* result.index.prepare();
  }
  throw new Error('The work begins again and again.');
}
