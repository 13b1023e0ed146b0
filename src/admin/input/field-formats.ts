/** Defines the field types of the control API, in addition to those of the service. */
import * as z from '../../core/validation/deferred-zod.ts';
import { durationForms, parseDuration } from '../../core/lib/duration.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { text } from '../../core/validation/field-types.ts';

export const durationField = text.transform((sent, context) => {
  const parsed = parseDuration(sent);
  if (parsed) return parsed;
  context.issues.push({ code: 'custom', message: `must be ${durationForms}`, input: sent });
  return z.NEVER;
});

const maxWait = 60_000;

/** Reads how long a call may wait in real time; returns ms. */
export const waitField = durationField
  .refine(({ months, milliseconds }) => months === 0 && milliseconds >= 0 && milliseconds <= maxWait, {
    error: 'must be between 0s and 60s',
  })
  .transform(({ milliseconds }) => milliseconds);

/** Returns an enum whose error suggests the name that was probably meant. */
export const enumWithSuggestion = <const Names extends readonly [string, ...string[]]>(what: string, names: Names) =>
  z.enum(names, {
    error: ({ input }) => {
      const listed = names.join(', ');
      if (typeof input !== 'string') return `must be one of ${listed}`;
      return `there is no ${what} "${input}"${didYouMean(input, names)} (${listed})`;
    },
  });

export const literalTrue = z.literal(true, { error: 'must be true' });
