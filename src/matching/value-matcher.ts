import { isLarge, jsonPieces, takePieces } from '../core/exchange/json-pieces.ts';
import type { Steps } from '../core/time/steps.ts';
import { getField, isObject } from '../core/validation/lenient-parse.ts';
import { linearPattern, maxWork } from './linear-pattern.ts';
import { isValueMatcherSpec } from './value-matcher-spec.ts';
import type { ValueMatcherSpec } from './value-matcher-spec.ts';

/** Tells whether something matches; undefined when it is not known, as a text is too long for its pattern. */
export type Match = boolean | undefined;

/** True when all match, false when one does not. */
function everyMatches<T>(items: readonly T[], matches: (item: T, i: number) => Match): Match {
  let known: Match = true;
  for (const [i, item] of items.entries()) {
    const match = matches(item, i);
    if (match === false) return false;
    if (match === undefined) known = undefined;
  }
  return known;
}

/** True when one matches, false when none does. */
function someMatches<T>(items: readonly T[], matches: (item: T) => Match): Match {
  let known: Match = false;
  for (const item of items) {
    const match = matches(item);
    if (match === true) return true;
    if (match === undefined) known = undefined;
  }
  return known;
}

export interface ValueMatcher {
  /** Tests a value that stands in the place. */
  readonly matches: (value: unknown) => Match;
  /** True when the absence of a value matches. */
  readonly matchesAbsent: boolean;
  /** Describes what is wanted: `"600"`, `a value that matches ^6`. */
  readonly description: string;
  /** Holds the length of the longest text that is searched, in characters. */
  readonly longestText: number;
  /** True when texts are searched, which may take long. */
  readonly isSearch: boolean;
  /** Returns about how many values and characters a test of a value looks at, at the most. */
  readonly workFor: (value: unknown) => number;
  /** Lists the texts, or numbers as texts, that alone can match; undefined where others can. */
  readonly literals: readonly string[] | undefined;
}

/** Tests what stands in a place of which there may be several. */
type PlaceMatcher = Pick<ValueMatcher, 'matches' | 'matchesAbsent' | 'workFor'>;

/** Tells whether one of the values in a place is what is wanted. */
export const matchesAny = ({ matches, matchesAbsent }: PlaceMatcher, values: readonly unknown[]): Match =>
  values.length === 0 ? matchesAbsent : someMatches(values, matches);

/** Limits the values and characters that are looked at before others may have their turn. */
const workAtOnce = 5000;

/** Does the same in steps. */
export function* matchesAnyInSteps(wanted: PlaceMatcher, values: readonly unknown[]): Steps<Match> {
  if (values.length === 0) return wanted.matchesAbsent;
  let known: Match = false;
  let work = 0;
  for (const value of values) {
    work += wanted.workFor(value);
    if (work > workAtOnce) {
      yield;
      work = 0;
    }
    const match = wanted.matches(value);
    if (match === true) return true;
    if (match === undefined) known = undefined;
  }
  return known;
}

/** Returns a value as people are shown it: JSON, of bounded length. */
export function formatValue(value: unknown): string {
  const json = (isLarge(value) ? takePieces(jsonPieces(value)) : JSON.stringify(value)) ?? 'nothing';
  return json.length > 60 ? `${json.slice(0, 57)}…` : json;
}

/** Counts the steps of all patterns that a value is tested with: together they must not take longer than one. */
interface Search {
  steps: number;
}

/** Counts for a text that is searched for, as a part of a pattern's step. */
const stepsOfContained = 0.05;

const longestTextOf = ({ steps }: Search): number => (steps === 0 ? Infinity : Math.floor(maxWork / steps));

export function compileValueMatcher(spec: unknown): ValueMatcher {
  const search: Search = { steps: 0 };
  if (isValueMatcherSpec(spec)) return compileTests(spec, search);
  const size = countValues(spec);
  return {
    matches: equalTo(spec, search),
    matchesAbsent: false,
    longestText: longestTextOf(search),
    isSearch: search.steps > 0,
    workFor: (value) => size + workOf(search, value),
    description: describeValueMatcher(spec),
    literals: literalsOf([spec]),
  };
}

/** Returns about how long a value is searched. */
const workOf = ({ steps }: Search, value: unknown): number =>
  steps * (typeof value === 'string' ? value.length : shortText);

function compileTests(spec: ValueMatcherSpec, search: Search): ValueMatcher {
  const tests = compilePredicates(spec, search);
  const size = countValues(spec);
  return {
    matches: (value) => everyMatches(tests, (matches) => matches(value)),
    matchesAbsent: spec.exists === false,
    longestText: longestTextOf(search),
    isSearch: search.steps > 0,
    workFor: (value) => size + workOf(search, value),
    description: describeValueMatcher(spec),
    literals: spec.oneOf && literalsOf(spec.oneOf),
  };
}

/** Stands for the length of a number as a text. */
const shortText = 20;

/** Counts the values that a value holds, itself included. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + countValues(inner), 1);
}

/** Returns undefined where one of them is neither a text nor a number. */
function literalsOf(values: readonly unknown[]): readonly string[] | undefined {
  const isEvery = values.every((value) => typeof value === 'string' || typeof value === 'number');
  return isEvery ? values.map(String) : undefined;
}

type ValuePredicate = ValueMatcher['matches'];

/** Tests a value that another one holds, of which nobody asks more than that. */
const compilePredicate = (spec: unknown, search: Search): ValuePredicate =>
  isValueMatcherSpec(spec) ? compileTests(spec, search).matches : equalTo(spec, search);

/** Tests for equality: of an object all that it names, of a list each item. */
function equalTo(spec: unknown, search: Search): ValuePredicate {
  if (typeof spec !== 'object' || spec === null || !holdsTests(spec)) return (value) => isEqual(spec, value);
  if (Array.isArray(spec)) {
    const items = spec.map((item) => compilePredicate(item, search));
    return (value) =>
      Array.isArray(value) && value.length === items.length && everyMatches(items, (matches, i) => matches(value[i]));
  }
  const fields = Object.entries(spec).map(([name, of]) => [name, compilePredicate(of, search)] as const);
  return (value) => isObject(value) && everyMatches(fields, ([name, matches]) => matches(getField(value, name)));
}

const holdsTests = (spec: unknown): boolean =>
  typeof spec === 'object' && spec !== null && (isValueMatcherSpec(spec) || Object.values(spec).some(holdsTests));

/** Does as `equalTo`, for what holds no tests. */
function isEqual(spec: unknown, value: unknown): boolean {
  if (typeof spec !== 'object' || spec === null) return isSame(spec, value);
  if (Array.isArray(spec))
    return Array.isArray(value) && value.length === spec.length && spec.every((item, i) => isEqual(item, value[i]));
  return isObject(value) && Object.entries(spec).every(([name, of]) => isEqual(of, getField(value, name)));
}

/** Takes a number and the text that it is written as for the same, since clients differ on them. */
function isSame(wanted: unknown, value: unknown): boolean {
  if (typeof wanted === 'number') return value === wanted || value === String(wanted);
  return wanted === value || (typeof value === 'number' && wanted === String(value));
}

/** Tests for equality with one of some values: a long list costs no more than a short one where it has no lists or objects. */
function equalToAny(specs: readonly unknown[], search: Search): ValuePredicate {
  const literals = literalsOf(specs);
  if (!literals) {
    const wanted = specs.map((one) => compilePredicate(one, search));
    return (value) => someMatches(wanted, (matches) => matches(value));
  }
  const texts = new Set(literals);
  return (value) => (typeof value === 'string' || typeof value === 'number') && texts.has(String(value));
}

/** Describes what is wanted, without compiling any pattern. */
export const describeValueMatcher = (spec: unknown): string =>
  isValueMatcherSpec(spec) ? `a value ${describeTests(spec).join(' and ')}` : formatValue(spec);

const describeTests = ({ matches, contains, oneOf, exists, atLeast, atMost }: ValueMatcherSpec): string[] => [
  ...(exists === undefined ? [] : [exists ? 'of any kind' : 'that is not there']),
  ...(matches === undefined ? [] : [`that matches ${matches}`]),
  ...(contains === undefined ? [] : [`that contains ${JSON.stringify(contains)}`]),
  ...(oneOf === undefined ? [] : [`out of ${formatValue(oneOf)}`]),
  ...(atLeast === undefined ? [] : [`of at least ${atLeast}`]),
  ...(atMost === undefined ? [] : [`of at most ${atMost}`]),
];

function compilePredicates(
  { matches, contains, oneOf, exists, atLeast, atMost }: ValueMatcherSpec,
  search: Search,
): ValuePredicate[] {
  const ofSearched = (value: unknown, isIn: (text: string) => Match): Match =>
    ofText(value, (text) => (text.length > longestTextOf(search) ? undefined : isIn(text)));
  const tests: ValuePredicate[] = [];
  if (exists !== undefined) tests.push((value) => (value !== undefined) === exists);
  if (matches !== undefined) {
    const { isIn, steps } = linearPattern(matches);
    search.steps += steps;
    tests.push((value) => ofSearched(value, isIn));
  }
  if (contains !== undefined) {
    const isMet = (text: string): boolean => text.includes(contains);
    search.steps += stepsOfContained;
    tests.push((value) => ofSearched(value, isMet));
  }
  if (oneOf !== undefined) tests.push(equalToAny(oneOf, search));
  if (atLeast !== undefined) tests.push((value) => numberOf(value) >= atLeast);
  if (atMost !== undefined) tests.push((value) => numberOf(value) <= atMost);
  return tests;
}

const ofText = (value: unknown, matches: (text: string) => Match): Match =>
  (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') && matches(String(value));

/** Says of a text that is too long for a pattern that it is; an empty text otherwise. */
export function limitWords({ longestText }: Pick<ValueMatcher, 'longestText'>, values: readonly unknown[]): string {
  const isTooLong = values.some((value) => typeof value === 'string' && value.length > longestText);
  return isTooLong ? `; this pattern searches texts of up to ${longestText} characters` : '';
}

/** Returns NaN for what is no number, which is neither more nor less than any. */
function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  const isNumber = typeof value === 'string' && value.length <= longestNumber && value.trim() !== '';
  return isNumber ? Number(value) : Number.NaN;
}

/** Limits the characters of a number: to read a text of a million digits takes a while. */
const longestNumber = 1000;
