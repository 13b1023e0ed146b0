/** Reports how a value that a person wrote differs from the schema that it should follow. */
import type * as z from 'zod';
import type { FieldError } from '../exchange/api-error.ts';
import { fieldErrors, formatPath, unknownFields, flattenUnionIssue } from './unknown-fields.ts';
import { didYouMean } from '../lib/suggest.ts';
import { isSecretName } from '../exchange/redaction.ts';
import { errorAt, parseJsonPath } from './diagnostic.ts';
import type { Diagnostic, JsonPath } from './diagnostic.ts';
import { typeMismatch } from './type-mismatch.ts';
import { findTooLongLists } from './examined-items.ts';
import { zodMessage } from './zod-messages.ts';

/** Returns what a schema finds wrong, and the fields that it does not know. */
export const validateAgainst = (schema: z.ZodType, sent: unknown): Diagnostic[] => [
  ...validateKnownFields(schema, sent),
  ...validateFieldNames(schema, sent),
];

/** Returns what is wrong with the values of fields that a schema knows. */
export function validateKnownFields(schema: z.ZodType, sent: unknown): Diagnostic[] {
  const { error } = schema.safeParse(sent, diagnosticMessages);
  return error ? diagnosticsOf(error, sent) : [];
}

/** Returns what is wrong with the length of lists that are longer than a schema allows, whatever they hold. */
export const validateListLengths = (schema: z.ZodType, sent: unknown): Diagnostic[] =>
  findTooLongLists(schema, sent, diagnosticMessages).map((issue) => issueDiagnostic(issue, sent));

/** Makes a schema report what {@link diagnosticsOf} reads. */
const diagnosticMessages = { error: zodMessage, reportInput: true } as const;

/** Says how what is wrong with the input of a call is worded. */
export interface Wording {
  /** Is handed to the schema that parses the input. */
  readonly messages: { readonly error: typeof zodMessage; readonly reportInput?: true };
  readonly describe: (error: z.core.$ZodError, sent?: unknown) => FieldError[];
}

/** Words what is wrong as the service does. */
export const serviceWording: Wording = { messages: { error: zodMessage }, describe: fieldErrors };

/** Words what is wrong as in a file, a flag or a variable: with the value, and what was perhaps meant. */
export const diagnosticWording: Wording = {
  messages: diagnosticMessages,
  describe: (error, sent) => diagnosticsOf(error, sent).map(toFieldError),
};

/** Returns what a schema found wrong with the values of fields that it knows. */
function diagnosticsOf({ issues }: z.core.$ZodError, sent: unknown): Diagnostic[] {
  return (
    issues
      .flatMap(flattenUnionIssue)
      // validateFieldNames reports these, with a suggestion.
      .filter(({ code }) => code !== 'unrecognized_keys')
      .map((issue) => issueDiagnostic(issue, sent))
  );
}

/** Limits the unknown fields that are named, and those of which it is said what was perhaps meant. */
const [mostNamed, mostHinted] = [1000, 100];

/** Returns the fields that a schema does not know; of very many the first thousand, and how many more there are. */
export function validateFieldNames(schema: z.ZodType, sent: unknown): Diagnostic[] {
  const unknown = unknownFields(schema, sent).filter(({ isKept }) => !isKept);
  const named = unknown
    .slice(0, mostNamed)
    .map(({ path, name, known }, i) =>
      errorAt(
        [...parseJsonPath(path.slice(0, -name.length)), name],
        i < mostHinted ? unknownFieldMessage(name, known) : 'is not a field here',
      ),
    );
  const more = unknown.length - named.length;
  return more > 0 ? [...named, errorAt([], `has ${more} more fields that are not fields here`)] : named;
}

const unknownFieldMessage = (name: string, known: readonly string[]): string =>
  known.length === 0
    ? "can't be the name of a field"
    : `is not a field here${didYouMean(name, known) || `; there are ${known.join(', ')}`}`;

/** Returns a diagnostic in the form of the service's validation errors. */
export const toFieldError = ({ path, message }: Diagnostic): FieldError => ({
  field: formatPath(path),
  errorDescription: message,
});

function issueDiagnostic(issue: z.core.$ZodIssue, sent: unknown): Diagnostic {
  // What is written as text, or sent as JSON, has no symbols for names.
  const path = issue.path as JsonPath;
  const words = issueMessage(issue);
  const received = formatReceivedValue(sent, path) || typeMismatch(issue, sent);
  const value = issue.message.startsWith('must ') ? received : '';
  const hint = valueSuggestion(issue);
  return errorAt(path, `${words}${words.includes(value) ? '' : value}${words.includes(hint) ? '' : hint}`);
}

/** Returns a name's own error for a key of a record, and the messages of all forms for a union that has none. */
function issueMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => message).join(', ');
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return issue.message;
  const forms = issue.errors.flat().map(({ message }) => message.replace(/^must be /, ''));
  return `must be ${[...new Set(forms)].join(', or ')}`;
}

function valueSuggestion(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_value' || typeof issue.input !== 'string') return '';
  return didYouMean(issue.input, issue.values.map(String));
}

const isPrivate = (name: string): boolean => name === 'socialSecurityNumber' || isSecretName(name);

/** Returns `, not "x"` with the value, shortened; nothing for a personal number or a key. */
export function formatReceivedValue(content: unknown, path: JsonPath): string {
  const value = path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, part)
        ? Object.getOwnPropertyDescriptor(inner, part)?.value
        : undefined,
    content,
  );
  if (value === undefined || typeof value === 'object' || isPrivate(String(path.at(-1)))) return '';
  const text = JSON.stringify(value);
  return `, not ${text.length > 60 ? `${text.slice(0, 57)}…"` : text}`;
}
