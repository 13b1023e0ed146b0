/** What a client is held to beside the specification's own guidance to callers; declared in a scenario or the config. */
import * as z from 'zod';
import { integer, number, objectOf, requiredText } from '../core/validation/field-types.ts';
import { durationSchema } from '../core/validation/duration-schema.ts';

const pauses = z.union([durationSchema, z.array(durationSchema).min(1)], {
  error: 'must be a duration, or a list of them: before the second attempt, the third, …',
});
const count = integer.min(1, { error: 'must be at least 1' });

export const policySchema = objectOf({
  attempts: count.optional().describe('How many attempts the client makes before it gives up'),
  minPause: pauses
    .optional()
    .describe('The shortest pause before the next attempt, or a list: before the second attempt, the third, …'),
  tolerance: durationSchema.optional().describe('How much earlier than declared still counts as in time; 50 ms'),
  volatile: z
    .array(requiredText)
    .optional()
    .describe('Fields of bodies that may differ between attempts, by JSON path: sentAt, items[*].scannedAt'),
  window: durationSchema
    .optional()
    .describe(
      'How long after an answer the same content, sent without a key, counts as the same operation; not at all unless given',
    ),
  fallback: objectOf({ after: durationSchema.describe('How long it waits before it delivers') })
    .optional()
    .describe('The client keeps what it could not deliver: a pause of at least this length is such a delivery'),
  storm: objectOf({
    perSecond: number.min(1).optional().describe('Calls in one second; 50 unless given'),
    atOnce: count.optional().describe('Calls under way at once; 10 unless given'),
  })
    .optional()
    .describe('What counts as a storm after recovery: calls in one second (50), calls under way at once (10)'),
}).meta({ id: 'Policy' });

/** A policy as a person writes it. */
export type PolicyInput = z.input<typeof policySchema>;

/** A policy as it was written, its durations in ms. */
export type PolicySpec = z.output<typeof policySchema>;
