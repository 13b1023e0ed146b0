/** Reports how a value that a person wrote differs from the schema that it should follow. */
import type * as z from 'zod';
import { maxFieldErrors } from '../exchange/api-error.ts';
import type { FieldError } from '../exchange/api-error.ts';
import { finish } from '../time/steps.ts';
import type { Steps } from '../time/steps.ts';
import { formatPath, issueFieldError, unknownFieldsInTurns, flattenUnionIssue } from './unknown-fields.ts';
import { didYouMean, limitedHints } from '../lib/suggest.ts';
import { isSecretName } from '../exchange/redaction.ts';
import { errorAt, parseJsonPath } from './diagnostic.ts';
import type { Diagnostic, JsonPath } from './diagnostic.ts';
import { typeMismatch } from './type-mismatch.ts';
import { findTooLongLists, parseWithin } from './examined-items.ts';
import { zodMessage } from './zod-messages.ts';

/** Returns what a schema finds wrong, and the fields that it does not know. */
export const validateAgainst = (schema: z.ZodType, sent: unknown): Diagnostic[] => [
  ...validateKnownFields(schema, sent),
  ...validateFieldNames(schema, sent),
];

/** Returns what is wrong with the values of fields that a schema knows. */
export const validateKnownFields = (schema: z.ZodType, sent: unknown): Diagnostic[] =>
  finish(validateKnownFieldsInTurns(schema, sent));

/** Limits how much that is wrong is described before others have their turn. */
const describedAtOnce = 200;

/** Does the same for a value with which much may be wrong. */
export function* validateKnownFieldsInTurns(schema: z.ZodType, sent: unknown): Steps<Diagnostic[]> {
  const { parsed, isCut } = parseWithin(schema, sent, diagnosticMessages);
  if (parsed.success) return [];
  const found: Diagnostic[] = [];
  for (const issue of parsed.error.issues) {
    // One of a union may hold many.
    for (const known of ofKnownFields(flattenUnionIssue(issue))) {
      if (found.length % describedAtOnce === 0) yield;
      found.push(issueDiagnostic(known, sent));
    }
  }
  if (isCut) found.push(errorAt([], 'has more mistakes like these: they are listed once these are corrected'));
  return found;
}

/** Returns what is wrong with the length of lists that are longer than a schema allows, whatever they hold. */
export const validateListLengths = (schema: z.ZodType, sent: unknown): Diagnostic[] =>
  findTooLongLists(schema, sent, diagnosticMessages).map((issue) => issueDiagnostic(issue, sent));

/** Makes a schema report what {@link diagnosticsOf} reads. */
const diagnosticMessages = { error: zodMessage, reportInput: true } as const;

/** Holds errors that a response names, and counts those that it does not. */
interface DescribedErrors {
  readonly errors: readonly FieldError[];
  readonly omitted: number;
}

const describeFirst = (
  issues: readonly z.core.$ZodIssue[],
  describe: (issue: z.core.$ZodIssue) => FieldError,
): DescribedErrors => ({
  errors: issues.slice(0, maxFieldErrors).map(describe),
  omitted: Math.max(0, issues.length - maxFieldErrors),
});

/** Says how what is wrong with the input of a call is worded. */
export interface Wording {
  /** Is handed to the schema that parses the input. */
  readonly messages: { readonly error: typeof zodMessage; readonly reportInput?: true };
  readonly describe: (error: z.core.$ZodError, sent?: unknown) => DescribedErrors;
}

/** Words what is wrong as the service does. */
export const serviceWording: Wording = {
  messages: { error: zodMessage },
  describe: ({ issues }, sent) =>
    describeFirst(issues.flatMap(flattenUnionIssue), (issue) => issueFieldError(issue, sent)),
};

/** Words what is wrong as in a file, a flag or a variable: with the value, and what was perhaps meant. */
export const diagnosticWording: Wording = {
  messages: diagnosticMessages,
  describe: ({ issues }, sent) =>
    describeFirst(ofKnownFields(issues.flatMap(flattenUnionIssue)), (issue) =>
      toFieldError(issueDiagnostic(issue, sent)),
    ),
};

/** Leaves out unknown fields, which validateFieldNames reports with a suggestion. */
const ofKnownFields = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] =>
  issues.filter(({ code }) => code !== 'unrecognized_keys');

/** Limits the unknown fields that are named. */
const mostNamed = 1000;

const namedAtOnce = 10;

/** Returns the fields that a schema does not know; of very many the first thousand, and how many more there are. */
export const validateFieldNames = (schema: z.ZodType, sent: unknown): Diagnostic[] =>
  finish(validateFieldNamesInTurns(schema, sent));

/** Does the same for a value of which much may have to be looked at. */
export function* validateFieldNamesInTurns(schema: z.ZodType, sent: unknown): Steps<Diagnostic[]> {
  const unknown = (yield* unknownFieldsInTurns(schema, sent)).filter(({ isKept }) => !isKept);
  const message = limitedHints(unknownFieldMessage);
  const named: Diagnostic[] = [];
  for (const { path, name, known } of unknown.slice(0, mostNamed)) {
    const said = message(name, known) || 'is not a field here';
    named.push(errorAt([...parseJsonPath(path.slice(0, -name.length)), name], said));
    if (named.length % namedAtOnce === 0) yield;
  }
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
