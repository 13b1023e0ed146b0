import * as z from './deferred-zod.ts';
import { durationForms, longestDelay, longestRealDelay, parseDuration } from '../lib/duration.ts';
import { number, text } from './field-types.ts';

const durationUpTo = (longest: number, named: string) =>
  z
    .union([number.min(0, { error: 'must be at least 0' }), text], {
      error: `must be a number of milliseconds, or ${durationForms}`,
    })
    .transform((sent, context) => {
      if (typeof sent === 'number') return sent;
      const parsed = parseDuration(sent);
      if (parsed && parsed.months === 0 && parsed.milliseconds >= 0) return parsed.milliseconds;
      const message = parsed ? 'must be a fixed length of time, as 30d' : `must be ${durationForms}`;
      context.issues.push({ code: 'custom', message, input: sent });
      return z.NEVER;
    })
    .refine((length) => length <= longest, { error: `must be at most ${named}` })
    .pipe(number);

/** Parses a length of time to ms: a number, or a text such as 250ms or 2s. */
export const durationSchema = durationUpTo(longestDelay, '36525d');

/** Parses a length of time that passes in real time. */
export const realDurationSchema = durationUpTo(longestRealDelay, '24h');
