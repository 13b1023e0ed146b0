/** Holds values against what is wanted of them, and says in words where they differ. */
import { fieldPath } from '../scenario/field-path.ts';
import { isValueTest } from '../scenario/value-test.ts';
import { shownValue, wantedOf } from '../scenario/wanted.ts';

/** Whether a value is what is wanted: equal, all that an object names, or what a test asks for. */
export function isWanted(wanted: unknown, actual: unknown): boolean {
  const { isMet, isMetByNothing } = wantedOf(wanted);
  return actual === undefined ? isMetByNothing : isMet(actual);
}

/** Values told apart by names, and no test of one value. */
export const isNamedValues = (wanted: unknown): wanted is Readonly<Record<string, unknown>> =>
  typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted) && !isValueTest(wanted);

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
    const found = fieldPath(path)?.valuesIn(value) ?? [];
    const isMet = found.length === 0 ? isWanted(wanted, undefined) : found.some((actual) => isWanted(wanted, actual));
    const place = path.startsWith('[') || prefix === '' ? `${prefix}${path}` : `${prefix}.${path}`;
    return isMet ? [] : [{ place, actual: found.length > 1 ? found : found[0], wanted }];
  });
}

/** `balance is 240, expected 120`. */
export const differenceWords = ({ place, actual, wanted }: Difference): string =>
  `${place} is ${shownValue(actual)}, expected ${wantedOf(wanted).text}`;
