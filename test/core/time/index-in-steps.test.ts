import { describe, expect, it } from 'vitest';
import { IndexInSteps, withIndexes } from '../../../src/core/time/index-in-steps.ts';
import { finish, forEachInSteps } from '../../../src/core/time/steps.ts';
import type { Steps } from '../../../src/core/time/steps.ts';

/** Returns an index of the squares of numbers, and how often it was begun. */
function squares(numbers: readonly number[], addend: () => number = () => 0) {
  let begun = 0;
  const index = new IndexInSteps(function* () {
    begun++;
    const found = new Map<number, number>();
    yield* forEachInSteps(numbers, (n) => found.set(n, n * n + addend()));
    return found;
  });
  return { index, begun: () => begun };
}

const numbers = Array.from({ length: 1000 }, (_, n) => n);

function countSteps<T>(steps: Steps<T>): { readonly result: T; readonly count: number } {
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count++;
  return { result: step.value, count };
}

describe('an index that is made in steps', () => {
  it('is made once, in steps, when work needs it that can begin again', () => {
    const { index, begun } = squares(numbers);
    let tried = 0;
    const { result, count } = countSteps(withIndexes(() => (tried++, index.value.get(7))));
    expect([result, tried, begun()]).toEqual([49, 2, 1]);
    expect(count).toBeGreaterThanOrEqual(3);
    expect(countSteps(withIndexes(() => index.value.get(8)))).toEqual({ result: 64, count: 0 });
  });

  it('is made at once for any other work', () => {
    const { index, begun } = squares(numbers);
    expect([index.value.get(7), index.value.get(8), begun()]).toEqual([49, 64, 1]);
  });

  it('has the indexes made first that it needs itself, and begins again after them', () => {
    const inner = squares(numbers);
    const outer = squares(numbers, () => inner.index.value.get(2) ?? NaN);
    expect(finish(withIndexes(() => outer.index.value.get(3)))).toBe(13);
    expect([inner.begun(), outer.begun()]).toEqual([1, 2]);
  });

  it('lets other work in between make an index at once', () => {
    const [one, other] = [squares(numbers), squares(numbers)];
    const steps = withIndexes(() => one.index.value.get(1));
    steps.next();
    expect(other.index.value.get(2)).toBe(4);
    expect(finish(steps)).toBe(1);
  });

  it('hands on what goes wrong', () => {
    const { index } = squares(numbers, () => {
      throw new Error('lost');
    });
    expect(() => finish(withIndexes(() => index.value))).toThrow('lost');
    expect(() => index.value).toThrow('lost');
  });
});
