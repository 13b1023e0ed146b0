import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { LazyList, isLarge, jsonInSteps, jsonPieces, takePieces } from '../../../src/core/exchange/json-pieces.ts';
import { finish } from '../../../src/core/time/steps.ts';

/** Makes a value large without a change to what it is made of. */
const padding = 'å"\\\n😀'.repeat(12_000);
/** Ends a piece of a text between the halves of a pair. */
const pairs = `${'x'.repeat(64 * 1024 - 1)}😀${'x'.repeat(100_000)}`;

const large = fc
  .jsonValue({ maxDepth: 4 })
  .chain((inner) =>
    fc.constantFrom<unknown>([inner, padding], { inner, padding }, [[inner, [padding]]], [pairs, inner]),
  );

describe('JSON that is written in pieces', () => {
  it('is what is written in one go', () => {
    fc.assert(
      fc.property(fc.oneof(large, fc.jsonValue()), (value) => {
        expect(finish(jsonInSteps(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('has items that are made when they are written, as if they had been there', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(large, fc.jsonValue())), (items) => {
        const lazy = { items: new LazyList(items, (item) => ({ item })) };
        const made = JSON.stringify({ items: items.map((item) => ({ item })) });
        expect(finish(jsonInSteps(lazy))).toBe(made);
        expect(JSON.stringify(lazy)).toBe(made);
      }),
    );
  });

  it('makes no more items than it needs for its next piece', () => {
    const made: number[] = [];
    const numbers = Array.from({ length: 10_000 }, (_, n) => n);
    const pieces = jsonPieces(new LazyList(numbers, (n) => (made.push(n), { n, text: 'x'.repeat(1000) })));
    takePieces(pieces);
    expect(Math.max(...made)).toBeLessThan(200);
  });

  it('leaves out what is undefined, and writes it as null in a list', () => {
    const value = { a: undefined, b: [undefined, padding], c: padding };
    expect(finish(jsonInSteps(value))).toBe(JSON.stringify(value));
  });

  it('keeps halves of surrogate pairs together, and apart from one that stands alone', () => {
    for (const before of [65_533, 65_534, 65_535, 65_536]) {
      const text = `${'x'.repeat(before)}\uD83D\u{1F455}${'y'.repeat(70_000)}`;
      expect(finish(jsonInSteps(text))).toBe(JSON.stringify(text));
    }
  });

  it('has texts that were rewritten, but not names', () => {
    const value = { padding, a: [`a${padding}a`, 'a', 1] };
    expect(finish(jsonInSteps(value, (text) => text.replaceAll('a', 'b')))).toBe(
      JSON.stringify({ padding, a: [`b${padding}b`, 'b', 1] }),
    );
  });

  it.each([
    ['a long text', 'x'.repeat(5_000_000)],
    ['a long list', Array.from({ length: 300_000 }, (_, n) => n)],
    ['long lists in a list', Array.from({ length: 100 }, () => Array.from({ length: 10_000 }, () => ({})))],
    ['an object of many fields', Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`f${n}`, n]))],
  ])('never has much more than 128 KB in one piece: %s', (_name, value) => {
    const pieces = jsonPieces(value);
    let [longest, count] = [0, 0];
    for (let text = takePieces(pieces); text !== undefined; text = takePieces(pieces)) {
      longest = Math.max(longest, text.length);
      count++;
    }
    expect(longest).toBeLessThan(200_000);
    expect(count).toBeGreaterThan(3);
  });

  it('is large from about 64 KB on', () => {
    expect(
      [['x'.repeat(60_000)], ['x'.repeat(70_000)], Array.from({ length: 20_000 })].map((value) => isLarge(value)),
    ).toEqual([false, true, true]);
  });
});
