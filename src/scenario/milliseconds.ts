import * as z from 'zod';
import { durationForms, parseDuration } from '../core/duration.ts';
import { number, text } from '../resources/formats.ts';

/** A length of time in ms: a bare number, or a text such as 250ms or 2s. */
export const milliseconds = z
  .union([number.min(0, { error: 'must be at least 0' }), text], {
    error: `must be a number of milliseconds, or ${durationForms}`,
  })
  .transform((sent, context) => {
    if (typeof sent === 'number') return sent;
    const parsed = parseDuration(sent);
    if (parsed && parsed.months === 0 && parsed.milliseconds >= 0) return parsed.milliseconds;
    context.issues.push({ code: 'custom', message: `must be ${durationForms}`, input: sent });
    return z.NEVER;
  });
