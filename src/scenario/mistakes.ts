/** What is wrong with a value that a person wrote, by the schema that it should follow. */
import type * as z from 'zod';
import { unknownFields } from '../core/fields.ts';
import { didYouMean } from '../core/warning.ts';
import { shown } from '../storage/issue-problems.ts';
import { parsePath } from '../storage/json-places.ts';
import type { JsonPath } from '../storage/json-places.ts';
import { plainWords } from '../storage/plain-words.ts';

/** One thing wrong, and where. */
export interface Mistake {
  readonly path: JsonPath;
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

/** Everything that a schema finds wrong, and every field that it has no place for. */
export function mistakesIn(schema: z.ZodType, data: unknown): Mistake[] {
  const found = schema.safeParse(data, { error: plainWords, reportInput: true }).error?.issues ?? [];
  const wrong = found
    .flatMap(within)
    // Told below, with what was probably meant.
    .filter(({ code }) => code !== 'unrecognized_keys')
    .map((issue) => mistakeOf(issue, data));
  const unknown = unknownFields(schema, data).map(({ path, name, known }) => ({
    path: [...parsePath(path.slice(0, -name.length)), name],
    message: `is not a field here${didYouMean(name, known) || `; there are ${known.join(', ')}`}`,
  }));
  return [...wrong, ...unknown];
}

function mistakeOf(issue: Issue, data: unknown): Mistake {
  // Data that was written as text has no symbols for names.
  const path = issue.path as JsonPath;
  const value = issue.message.startsWith('must ') ? shown(data, path) : '';
  return { path, message: `${issue.message}${value}${meantInstead(issue)}` };
}

function meantInstead(issue: Issue): string {
  if (issue.code !== 'invalid_value' || typeof issue.input !== 'string') return '';
  return didYouMean(issue.input, issue.values.map(String));
}

/** Of a union, what is wrong inside the form that was meant: one for the kind of value that was written. */
function within(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const [meant] = issue.errors
    .map((issues) => issues.flatMap(within))
    .filter((issues) => issues.length > 0 && !issues.some(isOfAnotherKind))
    .toSorted((one, other) => one.length - other.length);
  return meant?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}

function isOfAnotherKind(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_value') return issue.values.every((value) => typeof value !== typeof issue.input);
  return issue.code === 'invalid_type' || issue.code === 'invalid_union';
}
