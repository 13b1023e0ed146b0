/** What is wrong with a value that a person wrote, by the schema that it should follow. */
import type * as z from 'zod';
import type { FieldError } from '../core/errors.ts';
import { pathText, unknownFields, within } from '../core/fields.ts';
import { didYouMean } from '../core/warning.ts';
import { shown } from '../storage/issue-problems.ts';
import { parsePath } from '../storage/json-places.ts';
import type { JsonPath } from '../storage/json-places.ts';
import { plainWords } from '../storage/plain-words.ts';

/** One thing wrong, and where. */
export interface Finding {
  readonly path: JsonPath;
  readonly message: string;
}

/** What a schema finds wrong, and fields that it has no place for. */
export const schemaFindings = (schema: z.ZodType, sent: unknown): Finding[] => [
  ...issueFindings(schema, sent),
  ...unknownFindings(schema, sent),
];

/** What is wrong with the values of fields that a schema knows. */
export function issueFindings(schema: z.ZodType, sent: unknown): Finding[] {
  const issues = schema.safeParse(sent, { error: plainWords, reportInput: true }).error?.issues ?? [];
  return (
    issues
      .flatMap(within)
      // Told with what was probably meant, below.
      .filter(({ code }) => code !== 'unrecognized_keys')
      .map((issue) => findingOf(issue, sent))
  );
}

/** Fields that a schema has no place for. */
export const unknownFindings = (schema: z.ZodType, sent: unknown): Finding[] =>
  unknownFields(schema, sent)
    .filter(({ isKept }) => !isKept)
    .map(({ path, name, known }) => ({
      path: [...parsePath(path.slice(0, -name.length)), name],
      message: strangerWords(name, known),
    }));

const strangerWords = (name: string, known: readonly string[]): string =>
  known.length === 0
    ? "can't be the name of a field"
    : `is not a field here${didYouMean(name, known) || `; there are ${known.join(', ')}`}`;

/** A finding in the service's terms. */
export const fieldErrorOf = ({ path, message }: Finding): FieldError => ({
  field: pathText(path),
  errorDescription: message,
});

function findingOf(issue: z.core.$ZodIssue, sent: unknown): Finding {
  // What is written as text, or sent as JSON, has no symbols for names.
  const path = issue.path as JsonPath;
  const words = wordsOf(issue);
  const value = issue.message.startsWith('must ') ? shown(sent, path) : '';
  return { path, message: `${words}${words.endsWith(value) ? '' : value}${meantInstead(issue)}` };
}

/** Of a name that can't be one: what its own schema says. Of a union without words of its own: those of its forms. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => message).join(', ');
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return issue.message;
  const forms = issue.errors.flat().map(({ message }) => message.replace(/^must be /, ''));
  return `must be ${[...new Set(forms)].join(', or ')}`;
}

function meantInstead(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_value' || typeof issue.input !== 'string') return '';
  return didYouMean(issue.input, issue.values.map(String));
}
