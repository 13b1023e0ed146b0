/** What is wrong with a value that a person wrote, by the schema that it should follow. */
import type * as z from 'zod';
import type { FieldError } from '../exchange/api-error.ts';
import { formatPath, unknownFields, flattenUnionIssue } from './unknown-fields.ts';
import { didYouMean } from '../lib/suggest.ts';
import { formatReceivedValue } from '../../storage/files/zod-diagnostics.ts';
import { parseJsonPath } from '../../storage/files/json-locations.ts';
import type { JsonPath } from '../../storage/files/json-locations.ts';
import { zodMessage } from '../../storage/files/zod-messages.ts';

/** One thing wrong, and where. */
export interface Diagnostic {
  readonly path: JsonPath;
  readonly message: string;
}

/** What a schema finds wrong, and fields that it has no place for. */
export const validateAgainst = (schema: z.ZodType, sent: unknown): Diagnostic[] => [
  ...validateKnownFields(schema, sent),
  ...validateFieldNames(schema, sent),
];

/** What is wrong with the values of fields that a schema knows. */
export function validateKnownFields(schema: z.ZodType, sent: unknown): Diagnostic[] {
  const issues = schema.safeParse(sent, { error: zodMessage, reportInput: true }).error?.issues ?? [];
  return (
    issues
      .flatMap(flattenUnionIssue)
      // Told with what was probably meant, below.
      .filter(({ code }) => code !== 'unrecognized_keys')
      .map((issue) => findingOf(issue, sent))
  );
}

/** Fields that a schema has no place for. */
export const validateFieldNames = (schema: z.ZodType, sent: unknown): Diagnostic[] =>
  unknownFields(schema, sent)
    .filter(({ isKept }) => !isKept)
    .map(({ path, name, known }) => ({
      path: [...parseJsonPath(path.slice(0, -name.length)), name],
      message: strangerWords(name, known),
    }));

const strangerWords = (name: string, known: readonly string[]): string =>
  known.length === 0
    ? "can't be the name of a field"
    : `is not a field here${didYouMean(name, known) || `; there are ${known.join(', ')}`}`;

/** A finding in the service's terms. */
export const toFieldError = ({ path, message }: Diagnostic): FieldError => ({
  field: formatPath(path),
  errorDescription: message,
});

function findingOf(issue: z.core.$ZodIssue, sent: unknown): Diagnostic {
  // What is written as text, or sent as JSON, has no symbols for names.
  const path = issue.path as JsonPath;
  const words = wordsOf(issue);
  const value = issue.message.startsWith('must ') ? formatReceivedValue(sent, path) : '';
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
