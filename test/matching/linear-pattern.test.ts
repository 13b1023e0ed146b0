import { array, assert, constantFrom, oneof, property, string, tuple } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { linearPattern, patternError } from '../../src/matching/linear-pattern.ts';
import { openEmptySim } from '../support/open-sim.ts';

const long = 100_000;

/** Backtracking takes longer than the universe lasts for some of these, and hours for the others. */
const hostile: readonly (readonly [pattern: string, text: string, isFound: boolean])[] = [
  ['(a+)+$', `${'a'.repeat(long)}b`, false],
  ['^(a+)+$', 'a'.repeat(long), true],
  ['(a*)*[bc]$', 'a'.repeat(long), false],
  ['(a|a)*[bc]', 'a'.repeat(long), false],
  ['^(a|aa)+$', `${'a'.repeat(long)}b`, false],
  ['.*.*.*[xy]', 'a'.repeat(long), false],
  ['.*a.*a.*a.*a[bc]$', 'a'.repeat(long), false],
  ['(x+x+)+[yz]', 'x'.repeat(long), false],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(long), false],
  [`^${'a?'.repeat(100)}${'a'.repeat(100)}$`, 'a'.repeat(long), false],
  [`${'(a|aa)'.repeat(12)}[bc]`, 'a'.repeat(long), false],
  ['[ab]*a[ab]{50}[cd]', 'abbab'.repeat(long / 5), false],
];

describe('a pattern that makes others backtrack', () => {
  it.each(hostile)('is tried on 100,000 characters, or as many as it searches: %s', (pattern, text, isFound) => {
    expect(patternError(pattern)).toBeUndefined();
    const { isIn, longestText } = linearPattern(pattern);
    expect(isIn(text.slice(-longestText))).toBe(isFound);
  });

  it('says nothing of a text that is too long', () => {
    const { isIn, steps, longestText } = linearPattern('x{400}y?');
    expect([isIn('x'.repeat(longestText)), isIn('x'.repeat(longestText + 1))]).toEqual([true, undefined]);
    expect(longestText).toBe(Math.floor(2_000_000 / steps));
  });

  it('hits a long value of a request', async () => {
    const { post, sim } = await openEmptySim();
    await sim.faults.add({ fault: 503, match: { body: { firstName: { matches: '^(a+)+b$' } } } });
    const statuses = ['', 'b'].map(async (end) => (await post('/api/v3/contacts', named(end))).status);
    expect(await Promise.all(statuses)).toEqual([400, 503]);
  });
});

const named = (end: string) => ({ contactType: 'CONTACT', firstName: `${'a'.repeat(long)}${end}` });

const atom = constantFrom(
  'a',
  'b',
  '1',
  'ä',
  '😀',
  ' ',
  '.',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\.',
  '[ab]',
  '[^a]',
  '[0-9ä]',
);
// Without \B, which V8 finds between the halves of 😀.
const anchor = constantFrom('^', '$', '\\b');
const quantifier = constantFrom('', '', '?', '*', '+', '{2}', '{0,2}', '{1,}', '*?', '+?');

const part = oneof(
  tuple(atom, quantifier).map(([inner, often]) => `${inner}${often}`),
  anchor,
);
const listOf = (parts: Arbitrary<string>): Arbitrary<string> =>
  array(array(parts, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 }).map((alternatives) =>
    alternatives.map((inner) => inner.join('')).join('|'),
  );
const group = tuple(constantFrom('(', '(?:'), listOf(part), quantifier);

/** No deeper, since JavaScript must come to an end as well. */
const patterns = listOf(
  oneof(
    part,
    group.map(([open, inner, often]) => `${open}${inner})${often}`),
  ),
);

const texts = string({ unit: constantFrom('a', 'b', '1', 'ä', '😀', ' ', '.', '\n'), maxLength: 8 });

describe('a linear pattern', () => {
  it('finds what JavaScript finds', () => {
    const found = property(patterns, texts, (pattern, text) => {
      expect(linearPattern(pattern).isIn(text)).toBe(new RegExp(pattern, 'u').test(text));
    });
    assert(found, { numRuns: 1000 });
  });

  it('finds in a long text, step by step, what an automaton finds', () => {
    const found = property(patterns, texts, (pattern, text) => {
      const { isIn, longestText } = linearPattern(pattern);
      const searched = text + 'z\n'.repeat((longestText - 64) / 2) + text;
      expect(isIn(searched)).toBe(RE2JS.compile(pattern).test(searched));
    });
    assert(found, { numRuns: 50 });
  });

  it.each([
    ['(?i)^ÅSA', 'åsa'],
    ['^\\p{Lu}', 'Åsa'],
    ['^.$', '😀'],
    ['(?s)^a.b$', 'a\nb'],
    ['(?<year>\\d{4})-', '2026-03'],
    ['^\\x{e4}$', 'ä'],
  ])('finds %s in %s', (pattern, text) => {
    expect(linearPattern(pattern).isIn(text)).toBe(true);
  });

  it.each([
    ['a(?=b)', 'lookahead and lookbehind are not supported, at character 2'],
    ['(?<!KEY)b', 'lookahead and lookbehind are not supported, at character 1'],
    ['(.)\\1', 'references back to a group are not supported, at character 4'],
    ['(?<x>.)\\k<x>', 'references back to a group are not supported, at character 8'],
    ['^\\u00e4', '\\u is not supported, write \\x{e4} for ä, at character 2'],
    ['(KEY', 'missing closing )'],
    ['KEY)', 'unexpected )'],
    ['a[KEY', 'missing closing ], at character 2'],
    ['a**b', 'invalid nested repetition operator, at character 2'],
    ['a*?*|b*?*', 'invalid nested repetition operator'],
    ['a\\', 'trailing backslash at end of expression'],
  ])('says what is wrong with %s', (pattern, what) => {
    const wrong = `is not a regular expression in RE2 syntax: ${what} (https://github.com/google/re2/wiki/Syntax)`;
    expect(patternError(pattern)).toBe(wrong);
  });

  it.each([
    '[\\x{2}-\\x{1e000}]'.repeat(40),
    '(?i)[a-zåäö]*[^x-y]',
    '(?i)x-\\pL+-[\\x41-\\x5a]',
    '(?i)[\\x{80}-\\x{10ffff}]+',
  ])('takes %s', (pattern) => {
    expect(patternError(pattern)).toBeUndefined();
  });

  it.each(['[\\x{1000}-\\x{9999}]{2}', '\\{9999}', 'a{500}b{,9999}'])('counts what is a repetition: %s', (pattern) => {
    expect(patternError(pattern)).toBeUndefined();
  });

  it.each([
    ['a'.repeat(1001), 'has 1001 characters, more than 1000'],
    ['((a{10}){10}){10}', 'comes to 1222 steps with its repetitions written out, more than 1000'],
    ['x{0,1000}'.repeat(100), 'comes to 100000 steps with its repetitions written out, more than 1000'],
    ['('.repeat(1000), 'is not a regular expression in RE2 syntax: '],
    [
      '(?i)[b-\\x{ffff}]'.repeat(20),
      'ignores the case of 1308760 characters in its ranges, more than 1200000: leave out (?i), or name fewer',
    ],
    ['(?s-U:(?mi:[\\x{2}-\\x{1e000}\\.-ö]))'.repeat(10), 'ignores the case of 1230800 characters in its ranges'],
  ])('refuses a pattern of no sane size: %#', (pattern, what) => {
    expect(patternError(pattern)).toContain(what);
  });
});
