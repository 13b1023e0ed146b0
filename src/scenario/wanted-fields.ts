/** Fields by JSON path, with what is wanted of each: what can't be meant by them. */
import { fieldPath } from './field-path.ts';
import { isObject } from './legible.ts';
import { valueFindings } from './match-contradictions.ts';

type Path = readonly (string | number)[];

/** Nothing when it is no object of fields, but a value. */
export function fieldProblems(place: Path, fields: unknown): readonly (readonly [path: Path, message: string])[] {
  const found = valueFindings(fields, false).map(({ path, message }) => [[...place, ...path], message] as const);
  if (!isObject(fields) || found.length > 0) return found;
  return Object.keys(fields)
    .filter((text) => fieldPath(text) === undefined)
    .map((text) => [[...place, text], 'is not a path: write it as contact.email, items[0].sku or [*].id'] as const);
}
