/** Describes subjects, the business things that a request names, such as a contact by its e-mail address. */

/** Holds what a request said, as it was sent: nothing of it need be valid. */
export interface SentContent {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Names a thing by the kind of its id or key and by the value, both as the caller knows them. */
export interface Subject {
  readonly kind: string;
  readonly id: string;
}

/**
 * Describes a piece of work that a request asks for, without its key and its times: two requests that ask for equal pieces
 * for one subject may do the same twice.
 */
export interface WorkPiece {
  /** Is empty when nobody is named. */
  readonly subject: readonly Subject[];
  /** Names what is added: of equal kind and amount for endpoints with the same effect. */
  readonly effect: string;
}

/** Describes a value that a write gives to a field of a thing, in place of the one before. */
export interface FieldSetting {
  /** Names the contact that the field belongs to; none when nobody is named. */
  readonly contact: readonly Subject[];
  /** Names the thing whose field it is (default: the contact). */
  readonly thing?: readonly Subject[];
  /** Names the field as a person sees it: `street`. */
  readonly field: string;
  readonly value: unknown;
  /** Holds what comes with the value and replaces what came with the one before: source and comment of a consent. */
  readonly details?: SentFields;
  /** Holds the moment of which the value is, if the caller says so, as it was sent. */
  readonly timeStamp?: unknown;
}

export type SentFields = Readonly<Record<string, unknown>>;

/** Returns an object's fields; none for anything else. */
export const fieldsOfSent = (value: unknown): SentFields =>
  typeof value === 'object' && value !== null ? (value as SentFields) : {};

/** Returns the rows of a bulk; a single body is its only row. */
export const rowsOfSent = (body: unknown): SentFields[] => (Array.isArray(body) ? body : [body]).map(fieldsOfSent);

/** Matches words by which a client numbers its attempts in a text. */
const attemptMark =
  /[([]?\s*(?:attempt|try|retry|repeat|försök|yritys)[\s#.:-]*\d*\s*[)\]]?|\s*(?:[([]\s*\d{1,2}\s*[)\]]|#\s*\d{1,2})\s*$/giu;

/** Returns a text without the number of the attempt that it may tell. */
export const withoutAttemptMark = (text: unknown): string =>
  typeof text === 'string' ? text.replace(attemptMark, '').trim() : '';

/** Names a thing by a value that was sent; returns none for what is no id, such as null or an object. */
export function subjectOf(kind: string, ...parts: readonly unknown[]): Subject[] {
  const isNamed = parts.every((part) => (typeof part === 'string' && part !== '') || typeof part === 'number');
  return isNamed ? [{ kind, id: parts.join('/') }] : [];
}
