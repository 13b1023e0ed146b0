/** Defines the policy that a client declares in addition to the specification, in a scenario or in the config. */
import * as z from '../core/validation/deferred-zod.ts';
import { isSecretName } from '../core/exchange/redaction.ts';
import { arrayOf, integer, number, objectOf, requiredText, upTo } from '../core/validation/field-types.ts';
import { durationSchema } from '../core/validation/duration-schema.ts';

const backoff = z.union(
  [
    durationSchema,
    arrayOf(durationSchema)
      .min(1, { error: 'must not be empty' })
      .max(...upTo(1000, 'durations')),
  ],
  {
    error: 'must be a duration, or a list of them: before the second attempt, the third, …',
  },
);
const headerName = requiredText
  .regex(/^[!#$%&'*+.^_`|~\w-]+$/, { error: 'must be the name of a header' })
  .refine((name) => !isSecretName(name), {
    error: 'must name a header that holds no key: the journal does not keep keys',
  });
const count = integer.min(1, { error: 'must be at least 1' });

/** Matches `items[*].scannedAt` and `[0].timeStamp`. */
const fieldPath = requiredText.regex(/^(?:\$\.?)?(?:[^.[\]$]+|\[(?:\d+|\*)\])(?:\.[^.[\]]+|\[(?:\d+|\*)\])*$/, {
  error: 'must be the path of a field, such as sentAt or items[*].scannedAt',
});

export const policySchema = objectOf({
  maxAttempts: count.optional().describe('Limits the attempts that the client makes before it gives up'),
  minBackoff: backoff
    .optional()
    .describe('Shortest pause before the next attempt, or a list: before the second attempt, the third, …'),
  tolerance: durationSchema
    .optional()
    .describe('Accepts an attempt as on time that comes this much earlier than declared (default: 50ms)'),
  timeout: durationSchema
    .refine((length) => length > 0, { error: 'must be longer than 0' })
    .optional()
    .describe('Limits the wait for a response, after which the client gives up the attempt'),
  ignoreFields: arrayOf(fieldPath)
    .max(...upTo(1000, 'fields'))
    .optional()
    .describe(
      'Body fields that may differ between attempts, each with all that it holds, by JSON path: sentAt, items[*].scannedAt; of a bulk, fields of its rows',
    ),
  clientHeader: headerName
    .optional()
    .describe(
      'Header by which each client says who it is, over all its connections and restarts (default: x-sim-client)',
    ),
  deduplicationWindow: durationSchema
    .optional()
    .describe(
      'After a response, the same content without a key counts as the same operation for this long (default: 0)',
    ),
  storeAndForward: objectOf({ after: durationSchema.describe('Shortest pause before a stored request is forwarded') })
    .optional()
    .describe('The client stores what it could not deliver, and forwards it after a pause of at least this length'),
  giveUp: z
    .enum(['fail', 'note'], { error: 'must be "fail" or "note"' })
    .optional()
    .describe(
      'Judges a write that got 429, 502 or 503 and is never delivered: fail, since it is lost, or note, when a person is notified (default: fail)',
    ),
  retryStorm: objectOf({
    maxPerSecond: number.min(1).optional().describe('Repeated requests in one second (default: 50)'),
    maxConcurrent: count.optional().describe('Repeated requests in flight at once (default: 10)'),
  })
    .optional()
    .describe('Limits above which repeated requests after a recovery count as a retry storm'),
}).meta({ id: 'Policy' });

/** Holds a policy as a person writes it. */
export type PolicyInput = z.input<typeof policySchema>;

/** Holds a parsed policy, its durations in ms. */
export type PolicySpec = z.output<typeof policySchema>;
