/** Holds values against what is wanted of them, and says in words where they differ. */
import { isValueTest } from '../scenario/value-test.ts';
import type { ValueTest } from '../scenario/value-test.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const maxShown = 80;

/** A value for a person to read. */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text;
}

/** Whether a value is what is wanted: equal, all that an object names, or what a test asks for. */
export function isWanted(wanted: unknown, actual: unknown): boolean {
  if (isValueTest(wanted)) return passesTest(wanted, actual);
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(actual) && actual.length === wanted.length && wanted.every((item, i) => isWanted(item, actual[i]))
    );
  }
  if (isObject(wanted)) {
    return isObject(actual) && Object.entries(wanted).every(([name, inner]) => isWanted(inner, actual[name]));
  }
  return Object.is(wanted, actual);
}

function passesTest({ matches, contains, oneOf, exists, atLeast, atMost }: ValueTest, actual: unknown): boolean {
  const text = typeof actual === 'object' ? JSON.stringify(actual) : String(actual);
  const isThere = actual !== undefined && actual !== null;
  return (
    (exists === undefined || exists === isThere) &&
    (matches === undefined || (isThere && new RegExp(matches).test(text))) &&
    (contains === undefined || (isThere && text.includes(contains))) &&
    (oneOf === undefined || oneOf.some((one) => isWanted(one, actual))) &&
    (atLeast === undefined || Number(actual) >= atLeast) &&
    (atMost === undefined || Number(actual) <= atMost)
  );
}

/** What is wanted, for a person to read. */
export function wantedWords(wanted: unknown): string {
  if (!isValueTest(wanted)) return shown(wanted);
  const { matches, contains, oneOf, exists, atLeast, atMost } = wanted;
  const words = [
    matches !== undefined && `matching /${matches}/`,
    contains !== undefined && `containing ${shown(contains)}`,
    oneOf !== undefined && `one of ${oneOf.map(shown).join(', ')}`,
    exists !== undefined && (exists ? 'anything' : 'nothing'),
    atLeast !== undefined && `at least ${atLeast}`,
    atMost !== undefined && `at most ${atMost}`,
  ];
  return words.filter((word) => word !== false).join(' and ');
}

/** Values told apart by names, and no test of one value. */
export const isNamedValues = (wanted: unknown): wanted is Readonly<Record<string, unknown>> =>
  isObject(wanted) && !isValueTest(wanted);

/** The values that a JSON path leads to: `items[0].sku`, `items[*].sku`; of none, there is none. */
export function valuesAt(value: unknown, path: string): unknown[] {
  const parts = path.replace(/^\$\.?/, '').match(/[^.[\]]+/g) ?? [];
  return parts.reduce<unknown[]>((found, part) => found.flatMap((inner) => step(inner, part)), [value]);
}

function step(value: unknown, part: string): unknown[] {
  if (part === '*') return Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  if (part === 'length' && Array.isArray(value)) return [value.length];
  const inner =
    typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === part) : undefined;
  return inner ? [inner[1]] : [];
}

/** A place where a value isn't what is wanted of it. */
export interface Difference {
  readonly place: string;
  readonly actual: unknown;
  readonly wanted: unknown;
}

/** Where the fields of a value, named by JSON path, aren't what is wanted. */
export function differences(
  fields: Readonly<Record<string, unknown>>,
  value: unknown,
  prefix = '',
): readonly Difference[] {
  return Object.entries(fields).flatMap(([path, wanted]) => {
    const found = valuesAt(value, path);
    const isMet = found.length === 0 ? isWanted(wanted, undefined) : found.some((actual) => isWanted(wanted, actual));
    const place = path.startsWith('[') || prefix === '' ? `${prefix}${path}` : `${prefix}.${path}`;
    return isMet ? [] : [{ place, actual: found.length > 1 ? found : found[0], wanted }];
  });
}

/** `balance is 240, expected 120`. */
export const differenceWords = ({ place, actual, wanted }: Difference): string =>
  `${place} is ${shown(actual)}, expected ${wantedWords(wanted)}`;
