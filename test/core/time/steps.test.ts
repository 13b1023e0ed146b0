import { describe, expect, it } from 'vitest';
import { machineNow } from '../../../src/core/time/clock.ts';
import { finish, finishInTurns, Portion, sortInSteps } from '../../../src/core/time/steps.ts';
import type { Steps } from '../../../src/core/time/steps.ts';

/** Counts the turns of the event loop until it is told that all is over. */
function countTurns() {
  let [turn, isOver] = [0, false];
  const count = (): void => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return { turn: () => turn, end: () => void (isOver = true) };
}

/** Takes longer for each step than a turn may last, and notes in which turn it is. */
function* longSteps(count: number, note: () => void): Steps<number> {
  for (let i = 0; i < count; i++) {
    note();
    for (const end = machineNow() + 20; machineNow() < end;);
    yield;
  }
  return count;
}

/** Takes as long, and leaves nothing for a later turn. */
function* oneLongStep(note: () => void): Steps {
  yield;
  note();
  for (const end = machineNow() + 20; machineNow() < end;);
}

describe('work in steps', () => {
  it('goes on with long work in later turns, and with one such work in a turn', async () => {
    const { turn, end } = countTurns();
    const turns: number[] = [];
    const works = [4, 3, 2].map((count) => finishInTurns(longSteps(count, () => turns.push(turn()))));
    expect(await Promise.all(works)).toEqual([4, 3, 2]);
    end();
    expect(turns).toHaveLength(9);
    expect(new Set(turns).size).toBe(9);
  });

  it('begins no more in a turn than its length allows', async () => {
    const { turn, end } = countTurns();
    const turns: number[] = [];
    const works = Array.from({ length: 6 }, () => finishInTurns(oneLongStep(() => turns.push(turn()))));
    await Promise.all(works);
    end();
    expect(new Set(turns).size).toBe(6);
  });

  it('rejects with what the work throws, and lets the others go on', async () => {
    const failing = (function* (): Steps {
      yield* longSteps(1, () => {});
      throw new Error('broken');
    })();
    const [failed, other] = await Promise.allSettled([finishInTurns(failing), finishInTurns(longSteps(2, () => {}))]);
    expect(failed).toMatchObject({ status: 'rejected', reason: new Error('broken') });
    expect(other).toEqual({ status: 'fulfilled', value: 2 });
  });

  it.each([0, 1, 499, 500, 501, 4321])('sorts %i items as toSorted does, equal ones in their order', (length) => {
    const items = Array.from({ length }, (_, place) => ({ place, key: (place * 7919) % 101 }));
    const byKey = (a: (typeof items)[number], b: (typeof items)[number]): number => a.key - b.key;
    expect(finish(sortInSteps(items, byKey))).toEqual(items.toSorted(byKey));
  });
});

it('a portion of work is full after a few small pieces, or after a long one', () => {
  const portion = new Portion();
  const small = Array.from({ length: 32 }, () => portion.isFullWith(0));
  expect(small.flatMap((isFull, i) => (isFull ? [i] : []))).toEqual([15, 31]);
  expect([1_000_000, 0, 1_000_000].map((length) => portion.isFullWith(length))).toEqual([true, false, true]);
});
