/** Defines the field types of the service, as schemas that say what they expected. */
import * as z from './deferred-zod.ts';
import { rememberExamined } from './examined-items.ts';
import { normalizeTimestamp, parseTimestamp } from '../time/clock.ts';

/** Returns the messages for a value that is missing or of another type. */
export const expectedType = (what: string) => ({
  error: ({ code, input }: { readonly code: string; readonly input?: unknown }) => {
    // Zod says which keys they are, and how long a list has to be.
    if (code === 'unrecognized_keys' || code === 'too_small' || code === 'too_big') return undefined;
    return input === undefined ? `is required: ${what}` : `must be ${what}`;
  },
});

export const text = z.string(expectedType('a text'));
export const requiredText = text.min(1, { error: 'must not be empty' });
export const flag = z.boolean(expectedType('true or false'));
export const number = z.number(expectedType('a finite number'));
export const integer = z.int(expectedType('a whole number'));

/** Parses a GUID to lower case: ids are compared without case. */
export const lowerCaseGuid = z.guid({ error: 'must be a GUID' }).toLowerCase();

/** Accepts a currency code, kept as it was sent. */
export const currencyCode = text.regex(/^[A-Za-z]{3}$/, {
  error: 'must be a currency code of three letters, as SEK',
});

/** Accepts a timestamp; one of an odd form is kept in the usual one. */
export const timestamp = text
  .refine((sent) => parseTimestamp(sent) !== undefined, {
    error:
      'must be an ISO 8601 timestamp with a UTC offset between the years 1900 and 2200, as 2026-03-01T10:00:00+01:00',
  })
  .overwrite(normalizeTimestamp)
  .meta({ format: 'date-time' });

/** Parses one of several words, compared without case, to the specification's spelling. */
export function caseInsensitiveEnum<const Words extends readonly [string, ...string[]]>(words: Words) {
  const byLower = new Map(words.map((known) => [known.toLowerCase(), known]));
  const spelled = (sent: unknown): unknown =>
    typeof sent === 'string' ? (byLower.get(sent.toLowerCase()) ?? sent) : sent;
  return z.preprocess(spelled, z.enum(words, expectedType(`one of ${words.join(', ')}`)));
}

/**
 * Returns the arguments of `.max()`, with a message that says the limit: `.max(...upTo(100))` of a number, and
 * `.max(...upTo(1000, 'rules'))` of what is counted.
 */
export const upTo = (limit: number, what?: string, verb: 'have' | 'hold' | 'name' = 'have') =>
  [
    limit,
    { error: what === undefined ? `must be at most ${limit}` : `must ${verb} at most ${limit} ${what}` },
  ] as const;

const itemOf = z.deferring(rememberExamined);

/** Accepts a list. */
export const arrayOf = <Item extends z.ZodType>(item: Item, what = 'a list') =>
  z.array(itemOf(item), expectedType(what));

/** Accepts an object with any names, each of which has such a value. */
export const recordOf = <Item extends z.ZodType>(item: Item) => z.record(z.string(), itemOf(item));

/** Accepts an object with the given fields. */
export const objectOf = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object(shape, expectedType('an object'));

/** Accepts an object that may have more fields than those given. */
export const looseObjectOf = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.looseObject(shape, expectedType('an object'));
