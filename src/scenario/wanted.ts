/** What a rule wants a value to be, made ready to be asked about values. */
import { fieldOf, isObject } from './legible.ts';
import { longestFor, patternOf } from './safe-pattern.ts';
import { isValueTest } from './value-test.ts';
import type { ValueTest } from './value-test.ts';

export interface Wanted {
  /** Asked about every value that stands in the place; about `undefined` when there is none. */
  readonly isMet: (value: unknown) => boolean;
  /** Whether it may be met by there being no value. */
  readonly isMetByNothing: boolean;
  /** `"600"`, `a value that matches ^6` */
  readonly text: string;
  /** Where it can only be met by some texts, or numbers written so: these. */
  readonly values: readonly string[] | undefined;
}

/** A value as it is shown to a person: JSON, of bounded length. */
export function shownValue(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 60 ? `${json.slice(0, 57)}…` : json;
}

export function wantedOf(written: unknown): Wanted {
  if (isValueTest(written)) return tested(written);
  return { isMet: equalTo(written), isMetByNothing: false, text: shownValue(written), values: textsOf([written]) };
}

function tested(written: ValueTest): Wanted {
  const tests = testsOf(written);
  return {
    isMet: (value) => tests.every(({ isMet }) => isMet(value)),
    isMetByNothing: written.exists === false,
    text: `a value ${tests.map(({ text }) => text).join(' and ')}`,
    values: written.oneOf && textsOf(written.oneOf),
  };
}

/** Undefined where one of them is neither a text nor a number. */
function textsOf(values: readonly unknown[]): readonly string[] | undefined {
  const isEvery = values.every((value) => typeof value === 'string' || typeof value === 'number');
  return isEvery ? values.map(String) : undefined;
}

type IsMet = Wanted['isMet'];

/** Equal to a value: of an object all that it names, of a list each item. */
function equalTo(written: unknown): IsMet {
  if (typeof written !== 'object' || written === null) return (value) => isSame(written, value);
  if (Array.isArray(written)) {
    const items = written.map(wantedOf);
    return (value) =>
      Array.isArray(value) && value.length === items.length && items.every(({ isMet }, i) => isMet(value[i]));
  }
  const fields = Object.entries(written).map(([name, of]) => [name, wantedOf(of)] as const);
  return (value) => isObject(value) && fields.every(([name, { isMet }]) => isMet(fieldOf(value, name)));
}

/** A number and the text that it is written as are the same, since clients differ on them. */
function isSame(wanted: unknown, value: unknown): boolean {
  if (typeof wanted === 'number') return value === wanted || value === String(wanted);
  return wanted === value || (typeof value === 'number' && wanted === String(value));
}

interface Test {
  readonly isMet: IsMet;
  readonly text: string;
}

function testsOf({ matches, contains, oneOf, exists, atLeast, atMost }: ValueTest): Test[] {
  const tests: Test[] = [];
  if (exists !== undefined) {
    tests.push({
      isMet: (value) => (value !== undefined) === exists,
      text: exists ? 'of any kind' : 'that is not there',
    });
  }
  if (matches !== undefined) {
    const [pattern, longest] = [patternOf(matches), longestFor(matches)];
    const isMet = (text: string): boolean => text.length <= longest && pattern.test(text);
    const text = `that matches ${matches} and has at most ${longest} characters`;
    tests.push({ isMet: (value) => ofText(value, isMet), text });
  }
  if (contains !== undefined) {
    const isMet = (text: string): boolean => text.includes(contains);
    tests.push({ isMet: (value) => ofText(value, isMet), text: `that contains ${JSON.stringify(contains)}` });
  }
  if (oneOf !== undefined) {
    const wanted = oneOf.map(wantedOf);
    const isMet: IsMet = (value) => wanted.some((one) => one.isMet(value));
    tests.push({ isMet, text: `out of ${shownValue(oneOf)}` });
  }
  if (atLeast !== undefined)
    tests.push({ isMet: (value) => numberOf(value) >= atLeast, text: `of at least ${atLeast}` });
  if (atMost !== undefined) tests.push({ isMet: (value) => numberOf(value) <= atMost, text: `of at most ${atMost}` });
  return tests;
}

const ofText = (value: unknown, isMet: (text: string) => boolean): boolean =>
  (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') && isMet(String(value));

/** No number is neither more nor less than any. */
const numberOf = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN;
