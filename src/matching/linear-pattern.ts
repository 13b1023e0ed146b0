/** Compiles regular expressions in RE2 syntax: matching takes time in proportion to the text, whatever the pattern. */
import { createRequire as requireFrom } from 'node:module';
import type * as Library from 're2js';

/** Nobody writes more by hand, and a list of values is `oneOf`. */
const maxLength = 1000;

/** Holds the steps of a compiled pattern, `a{100}` written out: each character of a text costs up to as many. */
const maxSteps = 1000;

/** Limits the steps of a pattern times the characters of a text: matching takes up to 80 ms, and can't be left for a while. */
export const maxWork = 2_000_000;

/** Limits the same for an automaton: it is the fastest for most patterns, and at its worst far slower than taking the steps. */
const maxWorkOfAutomaton = 500_000;

/** Limits the characters in the ranges of a pattern that ignores case: each is looked up when the pattern is compiled. */
const maxFolded = 1_200_000;

const maxKept = 50;
const kept = new Map<string, Library.RE2JS>();

export interface LinearPattern {
  /** True for each text in which it is found, undefined for one that is too long to be searched. */
  readonly isIn: (text: string) => boolean | undefined;
  /** Counts the steps of the pattern, each of which a character of a text may take. */
  readonly steps: number;
  /** Holds the length of the longest text that is searched, in characters. */
  readonly longestText: number;
}

/** Compiles a pattern. Throws where `patternError` has words. */
export function linearPattern(source: string): LinearPattern {
  const pattern = compile(source);
  const steps = pattern.programSize();
  const longestText = Math.floor(maxWork / Math.max(1, steps));
  const isIn = (text: string): boolean | undefined => {
    if (text.length > longestText) return undefined;
    return text.length * steps <= maxWorkOfAutomaton ? pattern.test(text) : pattern.matcher(text).find();
  };
  return { isIn, steps, longestText };
}

/** Returns why a pattern can't be used, without its text, which may hold a key. */
export function patternError(source: string): string | undefined {
  if (source.length > maxLength) return `has ${source.length} characters, more than ${maxLength}`;
  // To compile what is refused then takes up to seconds.
  const counted = countRepetitions(source);
  if (counted > maxSteps) return tooManySteps(counted);
  const folded = countFolded(source);
  if (folded > maxFolded)
    return `ignores the case of ${folded} characters in its ranges, more than ${maxFolded}: leave out (?i), or name fewer`;
  try {
    const steps = compile(source).programSize();
    return steps <= maxSteps ? undefined : tooManySteps(steps);
  } catch (error) {
    if (!(error instanceof re2js().RE2JSSyntaxException)) throw error;
    const { error: description, input } = error;
    const what = unsupported.find(([start]) => start.test(input ?? ''))?.[1] ?? description;
    return `is not a regular expression in RE2 syntax: ${what}${placeIn(source, error)} (${syntaxPage})`;
  }
}

const tooManySteps = (steps: number): string =>
  `comes to ${steps} steps with its repetitions written out, more than ${maxSteps}`;

/** Adds up the counted repetitions of a pattern, each of which is at least one step: `a{3}b{2,5}` has eight. */
const countRepetitions = (source: string): number =>
  [...source.matchAll(/(?<!\\x?)\{(\d{1,4})(?:,(\d{0,4}))?\}/g)].reduce(
    (sum, [, least, most]) => sum + Number(most || least),
    0,
  );

/** Adds up the characters in the ranges of a pattern that ignores case anywhere: `(?i)[a-z]` has 26. */
function countFolded(source: string): number {
  if (!/\(\?[a-zA-Z]*i/.test(source)) return 0;
  const ranges = source.matchAll(/(\\x\{[\da-f]+\}|\\x[\da-f]{2}|\\?.)-(\\x\{[\da-f]+\}|\\x[\da-f]{2}|\\?.)/gisu);
  return [...ranges].reduce((sum, [, from = '', to = '']) => sum + Math.max(0, codeOf(to) - codeOf(from) + 1), 0);
}

/** Returns the code point of a character as a pattern writes it. */
function codeOf(written: string): number {
  const digits = /^\\x\{?([\da-f]+)/i.exec(written)?.[1];
  return digits === undefined ? (written.replace(/^\\/, '').codePointAt(0) ?? 0) : Number.parseInt(digits, 16);
}

const syntaxPage = 'https://github.com/google/re2/wiki/Syntax';

/** Lists JavaScript's own syntax that RE2 lacks, by how the part that it refuses begins. */
const unsupported: readonly (readonly [RegExp, string])[] = [
  [/^\(\?<?[=!]/, 'lookahead and lookbehind are not supported'],
  [/^\\[1-9k]/, 'references back to a group are not supported'],
  [/^\\u/, '\\u is not supported, write \\x{e4} for ä'],
  [/^\[\^?\]/, 'an empty class is not supported'],
];

/** Returns the place of the refused part, or an empty text where it is unknown, or stands in more than one place. */
function placeIn(source: string, { error: description, input }: { error: string; input: string | null }): string {
  const isOfWhole = description.endsWith(')');
  const at = source.indexOf(input ?? '');
  return isOfWhole || !input || at !== source.lastIndexOf(input) ? '' : `, at character ${at + 1}`;
}

function compile(source: string): Library.RE2JS {
  const known = kept.get(source);
  if (known) return known;
  const pattern = re2js().RE2JS.compile(source);
  if (kept.size === maxKept) kept.clear();
  kept.set(source, pattern);
  return pattern;
}

/** Loads the library with the first pattern: no start without one waits 20 ms for it. */
const re2js = (): typeof Library => requireFrom(import.meta.url)('re2js');
