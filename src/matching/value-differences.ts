import { compileJsonPath } from './json-path.ts';
import { isValueMatcherSpec } from './value-matcher-spec.ts';
import { formatValue, compileValueMatcher, limitWords } from './value-matcher.ts';

/** True when a value is what is wanted: equal, all that an object names, or what a test wants. */
export function matchesValue(wanted: unknown, actual: unknown): boolean {
  const { matches: isMet, matchesAbsent: isMetByNothing } = compileValueMatcher(wanted);
  return actual === undefined ? isMetByNothing : isMet(actual) === true;
}

/** True for values by name, which are no test of one value. */
export const isFieldMap = (wanted: unknown): wanted is Readonly<Record<string, unknown>> =>
  typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted) && !isValueMatcherSpec(wanted);

/** Holds a place where a value isn't what is wanted of it. */
export interface ValueDifference {
  readonly place: string;
  readonly actual: unknown;
  readonly wanted: unknown;
}

/** Returns where the fields of a value, named by JSON path, aren't what is wanted. */
export function fieldDifferences(
  fields: Readonly<Record<string, unknown>>,
  value: unknown,
  prefix = '',
): readonly ValueDifference[] {
  return Object.entries(fields).flatMap(([path, wanted]) => {
    const found = compileJsonPath(path)?.valuesIn(value) ?? [];
    const isMet =
      found.length === 0 ? matchesValue(wanted, undefined) : found.some((actual) => matchesValue(wanted, actual));
    const place = path.startsWith('[') || prefix === '' ? `${prefix}${path}` : `${prefix}.${path}`;
    return isMet ? [] : [{ place, actual: found.length > 1 ? found : found[0], wanted }];
  });
}

/** Returns `balance is 240, expected 120`. */
export const describeDifference = ({ place, actual, wanted }: ValueDifference): string =>
  `${place} is ${formatValue(actual)}, expected ${describeWanted(wanted, actual)}`;

/** Says what is wanted of a value that is something else. */
export function describeWanted(wanted: unknown, actual: unknown): string {
  const matcher = compileValueMatcher(wanted);
  return `${matcher.description}${limitWords(matcher, [actual].flat())}`;
}
