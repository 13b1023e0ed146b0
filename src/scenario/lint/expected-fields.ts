/** Fields by JSON path, with what is wanted of each: what can't be meant by them. */
import { compileJsonPath } from '../../matching/json-path.ts';
import { isObject } from '../../core/validation/lenient-parse.ts';
import { lintValueMatcher } from './match-diagnostics.ts';

type Path = readonly (string | number)[];

/** Nothing when it is no object of fields, but a value. */
export function lintExpectedFields(place: Path, fields: unknown): readonly (readonly [path: Path, message: string])[] {
  const found = lintValueMatcher(fields, false).map(({ path, message }) => [[...place, ...path], message] as const);
  if (!isObject(fields) || found.length > 0) return found;
  return Object.keys(fields)
    .filter((text) => compileJsonPath(text) === undefined)
    .map((text) => [[...place, text], 'is not a path: write it as contact.email, items[0].sku or [*].id'] as const);
}
