import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderedList } from '../../../src/core/state/ordered-list.ts';
import type { OrderedEntry } from '../../../src/core/state/ordered-tree.ts';

const entries = fc
  .array(fc.record({ order: fc.integer({ min: 0, max: 40 }), amount: fc.integer({ min: -9, max: 9 }) }), {
    maxLength: 400,
    // Without it, fast-check draws ten at most, which all stand in one leaf.
    size: 'max',
  })
  .map((drawn) =>
    drawn.map(({ order, amount }, tie): OrderedEntry => ({ key: `e${tie}`, order, tie, amounts: [amount, 1] })),
  );

const inOrder = (list: readonly OrderedEntry[]): OrderedEntry[] =>
  list.toSorted((a, b) => a.order - b.order || (a.tie ?? 0) - (b.tie ?? 0));

const numbered = (tie: number, amount: number): OrderedEntry => ({
  key: `e${tie}`,
  order: tie,
  tie,
  amounts: [amount],
});

const keys = (list: readonly OrderedEntry[]): string[] => list.map(({ key }) => key);

describe('OrderedList', () => {
  it('stands in order, however it was filled and whatever was taken out', () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 0, max: 3 }), (drawn, every) => {
        const gone = drawn.filter((_, i) => every > 0 && i % every === 0);
        const left = drawn.filter((entry) => !gone.includes(entry));
        const added = drawn.reduce((list, entry) => list.add(entry), OrderedList.empty);
        for (const list of [added, OrderedList.from(drawn)]) {
          const rest = gone.reduce((shorter, entry) => shorter.remove(entry), list);
          expect(keys([...rest])).toEqual(keys(inOrder(left)));
          expect(rest.size).toBe(left.length);
          expect([...list]).toHaveLength(drawn.length);
        }
      }),
    );
  });

  it('is added to in place by its owner, and stays what it was for whoever was shown it', () => {
    fc.assert(
      fc.property(entries, fc.array(fc.integer({ min: 0, max: 399 }), { maxLength: 5 }), (drawn, moments) => {
        const owner = {};
        let list = OrderedList.empty;
        const shown: (readonly [OrderedList, number])[] = [];
        for (const [i, entry] of drawn.entries()) {
          if (moments.includes(i)) shown.push([list.shown(), i]);
          const before = list;
          list = list.add(entry, owner);
          expect(list === before).toBe(i > 0 && !moments.includes(i));
        }
        for (const [then, count] of [...shown, [list, drawn.length] as const]) {
          const held = inOrder(drawn.slice(0, count));
          expect(keys([...then])).toEqual(keys(held));
          expect(then.sums()).toEqual(OrderedList.from(held).sums());
          expect([then.size, then.last()?.key]).toEqual([count, held.at(-1)?.key]);
        }
      }),
    );
  });

  it('is taken from in place by its owner, as somebody else would find it, and stays what it was for others', () => {
    const steps = fc.array(fc.record({ at: fc.nat(), isRemoval: fc.boolean(), isShown: fc.boolean() }), {
      maxLength: 300,
      size: 'max',
    });
    fc.assert(
      fc.property(entries, steps, (drawn, taken) => {
        const owner = {};
        let list = drawn.reduce((longer, entry) => longer.add(entry, owner), OrderedList.empty);
        let copied = drawn.reduce((longer, entry) => longer.add(entry), OrderedList.empty);
        let [held, gone] = [drawn, [] as OrderedEntry[]];
        const shown: (readonly [OrderedList, readonly OrderedEntry[]])[] = [];
        for (const { at, isRemoval, isShown } of taken) {
          const from = isRemoval ? held : gone;
          const entry = from[at % from.length];
          if (!entry) continue;
          if (isShown) shown.push([list.shown(), held]);
          const before = list;
          const without = (all: readonly OrderedEntry[]): OrderedEntry[] => all.filter((one) => one !== entry);
          list = isRemoval ? list.remove(entry, owner) : list.add(entry, owner);
          copied = isRemoval ? copied.remove(entry) : copied.add(entry);
          [held, gone] = isRemoval ? [without(held), [...gone, entry]] : [[...held, entry], without(gone)];
          expect(list === before).toBe(!isShown);
        }
        for (const [then, all] of [...shown, [list, held] as const]) {
          expect(keys([...then])).toEqual(keys(inOrder(all)));
          expect(then.sums()).toEqual(OrderedList.from(all).sums());
          expect([then.size, then.last()?.key]).toEqual([all.length, inOrder(all).at(-1)?.key]);
        }
        expect(list.sums(10, 30)).toEqual(copied.sums(10, 30));
      }),
    );
  });

  it('pages in both directions as a sorted array does', () => {
    const window = { offset: fc.integer({ min: 0, max: 450 }), count: fc.integer({ min: 1, max: 300 }) };
    fc.assert(
      fc.property(entries, fc.record(window), (drawn, { offset, count }) => {
        const list = OrderedList.from(drawn);
        const all = keys(inOrder(drawn));
        expect(list.page(offset, count)).toEqual(all.slice(offset, offset + count));
        expect(list.page(offset, count, 'descending')).toEqual(all.toReversed().slice(offset, offset + count));
      }),
    );
  });

  it('adds up and counts any range', () => {
    const bound = fc.integer({ min: -1, max: 42 });
    fc.assert(
      fc.property(entries, bound, bound, (drawn, from, to) => {
        const list = drawn.reduce((longer, entry) => longer.add(entry), OrderedList.empty);
        const inside = drawn.filter(({ order }) => order >= from && order < to);
        const sum = inside.reduce((total, { amounts }) => total + (amounts?.[0] ?? 0), 0);
        expect(list.sums(from, to)).toEqual(inside.length > 0 ? [sum, inside.length] : []);
        expect(list.sums(undefined, to)).toEqual(list.sums(-1, to));
        const below = inOrder(drawn.filter(({ order }) => order < to));
        expect(list.countBelow(to)).toBe(below.length);
        expect(list.lastBelow(to)?.key).toBe(below.at(-1)?.key);
        expect(list.firstFrom(to)?.key).toBe(inOrder(drawn)[below.length]?.key);
        expect(drawn.map((entry) => list.countBefore(entry))).toEqual(
          drawn.map((entry) => inOrder(drawn).indexOf(entry)),
        );
      }),
    );
  });

  it.each([
    ['in place', {}],
    ['as copies', undefined],
  ])('adds up fractions as if those that went had never been there, %s', (_, owner) => {
    const kept = Array.from({ length: 40 }, (__, tie) => numbered(tie, 0.1));
    let list = kept.reduce((longer, entry) => longer.add(entry, owner), OrderedList.empty);
    const before = OrderedList.from(kept).sums();
    for (let tie = 40; tie < 1000; tie++) {
      const passing = numbered(tie, 0.7 * tie);
      list = list.add(passing, owner).remove(passing, owner);
    }
    expect(list.sums()).toEqual(before);
  });

  it.each([
    ['in place', {}],
    ['as copies', undefined],
  ])('keeps a fraction that is too small to be seen in a sum, %s', (_, owner) => {
    for (const whole of [0, 1, 40]) {
      let list = OrderedList.empty;
      for (let tie = 0; tie < whole; tie++) list = list.add(numbered(tie, 1), owner);
      list = list.add(numbered(whole, 0.000_000_9), owner);
      const passing = Array.from({ length: 20 }, (__, n) => numbered(whole + 1 + n, 1e9));
      list = passing.reduce((longer, entry) => longer.add(entry, owner), list);
      list = passing.reduce((shorter, entry) => shorter.remove(entry, owner), list);
      expect(list.sums()[0]).toBeCloseTo(whole + 0.000_000_9, 9);
    }
  });

  it.each([
    ['in place', {}],
    ['as copies', undefined],
  ])('loses its last entry, however many came in order before, %s', (_, owner) => {
    let list = OrderedList.empty;
    for (let tie = 0; tie < 3100; tie++) {
      list = list.add(numbered(tie, 1), owner);
      const passing = numbered(tie + 1, 5);
      list = list.add(passing, owner).remove(passing, owner);
      expect([list.size, list.last()?.tie, list.sums()]).toEqual([tie + 1, tie, [tie + 1]]);
    }
  });

  it('stays right when it is several levels deep', () => {
    const drawn = Array.from({ length: 6000 }, (_, tie): OrderedEntry => ({
      key: `e${tie}`,
      order: (tie * 7919) % 1000,
      tie,
      amounts: [tie % 13, 1],
    }));
    const kept = drawn.filter(({ tie = 0 }) => tie % 3 !== 0);
    const grown = drawn.reduce((list, entry) => list.add(entry), OrderedList.empty);
    const gone = drawn.filter((entry) => !kept.includes(entry));
    const list = gone.reduce((shorter, entry) => shorter.remove(entry), grown);
    const all = inOrder(kept);
    expect([...list].map(({ key }) => key)).toEqual(keys(all));
    expect(list.page(3000, 50)).toEqual(keys(all).slice(3000, 3050));
    expect(list.sums(200, 700)[1]).toBe(kept.filter(({ order }) => order >= 200 && order < 700).length);
    expect(list.firstFrom(500)).toEqual(all.find(({ order }) => order >= 500));
    expect(list.lastBelow(500)).toEqual(all.findLast(({ order }) => order < 500));
    expect([...grown]).toHaveLength(6000);
  });
});
