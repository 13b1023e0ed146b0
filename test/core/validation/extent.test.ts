import { describe, expect, it } from 'vitest';
import { finish } from '../../../src/core/time/steps.ts';
import { findExcess, measureText, serviceExtent } from '../../../src/core/validation/extent.ts';

const named = (length: number): string => JSON.stringify({ ['n'.repeat(length)]: ['x'.repeat(2000), { a: 1 }] });
const excessOf = (text: string): string | undefined => finish(measureText(text)).excess;
const repeat = (item: string, count: number): string => `[${`${item},`.repeat(count - 1)}${item}]`;
const object = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"f${n}":${n}`).join(',')}}`;

const tooMany = 'holds more than 400000 values';
const tooWide = 'has an object with more than 10000 fields';
const nameTooLong = 'has a field whose name has more than 1000 characters';
const textTooLong = 'holds a text of more than 20 characters';
const tooDeep = 'is nested deeper than 100 levels';

describe("the limit of a body's extent", () => {
  it.each([
    ['numbers', '1', 399_999],
    ['empty lists, each as two', '[]', 199_999],
    ['empty objects, each as two', ' { } ', 199_999],
    ['objects', '{"a": [true]}', 133_333],
    ['texts full of what would count outside', '"[{,:\\",:]"', 399_999],
  ])('takes 400,000 values and no more: %s', (_, item, count) => {
    expect([excessOf(repeat(item, count)), excessOf(repeat(item, count + 1))]).toEqual([undefined, tooMany]);
  });

  it('takes objects of 10,000 fields, each with its own count', () => {
    expect(excessOf(repeat(object(10_000), 3))).toBeUndefined();
    expect(excessOf(`[{"a":${object(10_000)},"b":${object(10_001)}}]`)).toBe(tooWide);
  });

  it.each(['[', '{"a":'])('says of a text as of its value whether it is too deep: %s', (opening) => {
    const nested = (levels: number): string =>
      `${opening.repeat(levels - 1)}[]${(opening === '[' ? ']' : '}').repeat(levels - 1)}`;
    for (const text of [nested(100), nested(101)]) expect(excessOf(text)).toBe(findExcess(JSON.parse(text)));
    expect([excessOf(nested(100)), excessOf(nested(101))]).toEqual([undefined, tooDeep]);
  });

  it('takes names of 1,000 characters, and texts as long as whoever asks allows', () => {
    expect([excessOf(named(1000)), excessOf(named(1001))]).toEqual([undefined, nameTooLong]);
    expect(findExcess(JSON.parse(named(1001)))).toBe(nameTooLong);
    const limits = { ...serviceExtent, maxTextLength: 20 };
    const withText = (text: string): string | undefined =>
      finish(measureText(JSON.stringify([{ text }]), limits)).excess;
    expect([withText('x'.repeat(20)), withText('"'.repeat(10))]).toEqual([undefined, undefined]);
    expect([withText('x'.repeat(21)), withText('"'.repeat(11))]).toEqual([textTooLong, textTooLong]);
  });

  it.each(['', '"', '"\\', ']]]', '}:,', 'a:b', '[1,2', '{"a"'])('goes through a text that is not JSON: %s', (text) => {
    expect(excessOf(text)).toBeUndefined();
  });

  it.each([
    ['a number', '1'.repeat(512 * 1024)],
    ['a text of quotes', `"${'\\"'.repeat(256 * 1024)}"`],
    ['short texts', `[${'"å",'.repeat(128 * 1024)}1]`],
  ])('leaves others their turn every 256 KB: %s', (_name, text) => {
    expect([...measureText(text)]).toHaveLength(text.length > 512 * 1024 ? 3 : 2);
  });
});
