import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PersistentMap } from '../../../src/core/state/persistent-map.ts';

/** Few keys, so that they meet each other; some share their whole hash (see the collision test). */
const key = fc.integer({ min: 0, max: 60 }).map((n) => `k${n}`);
const steps = fc.array(fc.record({ key, value: fc.option(fc.integer(), { nil: undefined }) }), {
  maxLength: 120,
  size: 'max',
});

const apply = (map: PersistentMap<number>, step: { key: string; value: number | undefined }): PersistentMap<number> =>
  step.value === undefined ? map.delete(step.key) : map.set(step.key, step.value);

const sorted = (entries: Iterable<readonly [string, number]>): (readonly [string, number])[] =>
  [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));

describe('PersistentMap', () => {
  it('does what a Map does, and leaves every earlier map as it was', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const model = new Map<string, number>();
        let map = PersistentMap.empty<number>();
        const kept: { map: PersistentMap<number>; entries: (readonly [string, number])[] }[] = [];
        for (const step of taken) {
          map = apply(map, step);
          if (step.value === undefined) model.delete(step.key);
          else model.set(step.key, step.value);
          kept.push({ map, entries: sorted(model) });
        }
        for (const then of kept) expect(sorted(then.map.entries())).toEqual(then.entries);
        expect(map.size).toBe(model.size);
      }),
    );
  });

  it('is changed in place by its builder alone, and never once another has taken over', () => {
    const turns = fc.array(fc.tuple(steps, fc.boolean()), { maxLength: 8 });
    fc.assert(
      fc.property(turns, (taken) => {
        const model = new Map<string, number>();
        let map = PersistentMap.empty<number>();
        const kept: { map: PersistentMap<number>; entries: (readonly [string, number])[] }[] = [];
        for (const [turn, isInPlace] of taken) {
          const builder = isInPlace ? {} : undefined;
          for (const { key: name, value } of turn) {
            map = value === undefined ? map.delete(name) : map.set(name, value, builder);
            if (value === undefined) model.delete(name);
            else model.set(name, value);
          }
          kept.push({ map, entries: sorted(model) });
        }
        for (const then of kept)
          expect([sorted(then.map.entries()), then.map.size]).toEqual([then.entries, then.entries.length]);
      }),
    );
  });

  it('finds exactly what differs between two maps', () => {
    fc.assert(
      fc.property(steps, steps, (first, later) => {
        const before = first.reduce(apply, PersistentMap.empty<number>());
        const after = later.reduce(apply, before);
        const keys = new Set([...before.entries(), ...after.entries()].map(([name]) => name));
        const expected = [...keys].filter((name) => before.get(name) !== after.get(name)).toSorted();
        expect([...before.diff(after)].map((difference) => difference.key).toSorted()).toEqual(expected);
      }),
    );
  });

  it('is built at one go as it is built step by step', () => {
    const entries = Array.from({ length: 5000 }, (_, n) => [`key ${n % 4000}`, n] as const);
    const built = PersistentMap.from(entries);
    expect(built.size).toBe(4000);
    expect(sorted(built.entries())).toEqual(sorted(new Map(entries)));
    built.set('key 1', -1);
    expect(built.get('key 1')).toBe(4001);
  });

  it('keeps apart keys whose whole hash is the same', async () => {
    const { hash32: digest } = await import('../../../src/core/lib/random.ts');
    const seen = new Map<number, string>();
    let pair: [string, string] | undefined;
    for (let n = 0; pair === undefined; n++) {
      const other = seen.get(digest(`c${n}`));
      if (other !== undefined) pair = [other, `c${n}`];
      seen.set(digest(`c${n}`), `c${n}`);
    }
    const both = PersistentMap.from<number>([[pair[0], 1]]).set(pair[1], 2);
    expect([both.get(pair[0]), both.get(pair[1]), both.size]).toEqual([1, 2, 2]);
    expect(both.delete(pair[0]).get(pair[1])).toBe(2);
    expect(both.delete(pair[0]).get(pair[0])).toBeUndefined();
  });
});
