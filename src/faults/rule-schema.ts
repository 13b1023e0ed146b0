import * as z from '../core/validation/deferred-zod.ts';
import {
  arrayOf,
  flag,
  integer,
  number,
  objectOf,
  recordOf,
  requiredText,
  text,
  timestamp,
  upTo,
} from '../core/validation/field-types.ts';
import { durationSchema, realDurationSchema } from '../core/validation/duration-schema.ts';
import { matchFields } from '../matching/match-schema.ts';
import { faultAliasNames, faultKindNames, kindFields } from './fault-kinds.ts';

export const expectedForms =
  (forms: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    `${input === undefined ? 'is required:' : 'must be'} ${forms}`;

const count = integer.min(1, { error: 'must be at least 1' });
const countFrom0 = integer.min(0, { error: 'must be at least 0' });

const nth = z.union(
  [
    count,
    arrayOf(count)
      .min(1, { error: 'must have at least one number' })
      .max(...upTo(1000, 'numbers')),
  ],
  {
    error: 'must be a number from 1, or a list of them',
  },
);

const matchSchema = objectOf({
  ...matchFields,
  nth: nth.optional().describe('Selects matching requests by their number, counted from 1'),
});

const distributionFieldsFor = (length: typeof durationSchema) => ({
  fixed: length.optional().describe('Always so long'),
  uniform: z
    .tuple([length, length], { error: 'must be a list of two: the least and the most' })
    .optional()
    .describe('Between the two'),
  lognormal: objectOf({
    median: length.describe('Half of them take no longer'),
    p99: length.describe('99 of 100 take no longer'),
  })
    .optional()
    .describe('Half of them up to the median, 99 of 100 up to p99'),
});

export const distributionFields = distributionFieldsFor(durationSchema);

const delaySchema = z
  .union(
    [
      realDurationSchema,
      objectOf({
        ...distributionFields,
        time: z
          .enum(['real', 'virtual'], { error: 'must be real or virtual' })
          .optional()
          .describe('Passes in real time, at most 24h, or on the tenant’s clock (default: real)'),
      }),
    ],
    { error: 'must be a number of milliseconds, a duration, or one of fixed, uniform, lognormal' },
  )
  .describe('Delays the work in phase before, the response in phase after; a bare number is in milliseconds');

const statusRange = { error: 'must be a status from 200 to 599' };
const status = integer.min(200, statusRange).max(599, statusRange);

/** Accepts the packets' own names, which are shown as what they do. */
const endAliases = { fin: 'close', rst: 'reset' } as const;

const endSchema = z
  .enum(['normal', 'close', 'reset', 'hang', 'fin', 'rst'], { error: 'must be one of normal, close, reset, hang' })
  .transform((end) => (end === 'fin' || end === 'rst' ? endAliases[end] : end));

export const faultFields = {
  phase: z
    .enum(['before', 'after'], { error: 'must be before or after' })
    .optional()
    .describe(
      'before: the service does nothing; after: it does its work, and the client does not learn of it (default: before)',
    ),
  respond: z
    .enum(faultKindNames, { error: `must be one of ${faultKindNames.join(', ')}` })
    .optional()
    .describe('Says how much of a response goes out'),
  status: status.optional().describe('Status of the response (default: the service’s own)'),
  body: z
    .unknown()
    .optional()
    .describe('Body of that response: a text as it is, anything else as JSON (default: the service’s error body)'),
  headers: recordOf(text).optional().describe('Headers of that response: {"Retry-After": "1"}'),
  ...kindFields,
  end: endSchema
    .optional()
    .describe(
      'Ends the connection: normal (as usual), close (a clean FIN), reset (a TCP RST), hang (left open and silent). fin and rst are read as close and reset',
    ),
  delay: delaySchema.optional(),
  dribble: objectOf({
    chunks: count.max(...upTo(10_000)).describe('Splits the body into this many chunks, as equal as can be'),
    interval: z
      .union([realDurationSchema, objectOf(distributionFieldsFor(realDurationSchema))], {
        error: expectedForms('a number of milliseconds, a duration, or one of fixed, uniform, lognormal'),
      })
      .describe('Interval before each chunk but the first'),
  })
    .optional()
    .describe('Sends the body in so many chunks, with an interval before each but the first'),
  job: z
    .union(
      [
        z.literal('fail'),
        objectOf({ delay: durationSchema.describe('Delays it on the tenant’s clock, in place of the usual delay') }),
      ],
      { error: 'must be fail, or {"delay": "15m"}' },
    )
    .optional()
    .describe('Fails or delays the job that the request queues'),
};

const faultObject = objectOf(faultFields);

const faultForms =
  'a status such as 504, a name such as CONNECTION_RESET_BY_PEER, or an object such as {"status": 504}';

const faultName = z.enum(faultAliasNames, { error: `${statusRange.error}, or one of ${faultAliasNames.join(', ')}` });
const digit = z.enum(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
const statusText = z.templateLiteral([z.enum(['2', '3', '4', '5']), digit, digit]);

export const faultSchema = z.union([status, faultName, statusText, faultObject], { error: expectedForms(faultForms) });

export type FaultSpec = z.output<typeof faultSchema>;

/** Keeps control characters out, since ids stand in lines of logs and reports. */
const ruleId = requiredText
  .max(...upTo(200, 'characters'))
  .regex(/^\P{Cc}*$/u, { error: 'must have no line breaks or other control characters' });

/** Accepts a fault, or a sequence of them. */
export const oneOrMore = <Fault extends z.ZodType>(fault: Fault, forms: string) =>
  z.union(
    [
      fault,
      z
        .array(fault)
        .min(1, { error: 'must have at least one fault' })
        .max(...upTo(1000, 'faults')),
    ],
    {
      error: expectedForms(`${forms}, or a list of these`),
    },
  );

/** Holds the fields of rules of every kind. */
export const commonRuleFields = {
  id: ruleId.optional().describe('Names it in responses and reports (default: numbered)'),
  description: text.optional().describe('For whoever reads the file'),
  match: matchSchema.optional().describe('Says which requests are meant (default: all)'),
  fault: oneOrMore(faultSchema, faultForms).describe(
    'A status such as 504, a name such as CONNECTION_RESET_BY_PEER, an object, or a list of these',
  ),
  times: count.optional().describe('Fires this many times (default: once for a sequence, otherwise unlimited)'),
  skip: countFrom0.optional().describe('Lets this many matching requests pass first (default: 0)'),
  nth: nth.optional().describe('Selects matching requests by their number, counted from 1'),
  probability: number
    .min(0, { error: 'must be from 0 to 1' })
    .max(1, { error: 'must be from 0 to 1' })
    .optional()
    .describe('Probability that it fires, sampled from seed, tenant, operation and attempt (default: 1)'),
  from: timestamp.optional().describe('Begins its window on the tenant’s clock (default: always)'),
  until: timestamp
    .optional()
    .describe('Ends its window on the tenant’s clock; the first moment after it (default: never)'),
  optional: flag
    .optional()
    .describe('true: the verdict does not become INCONCLUSIVE if it never fires (default: false)'),
};

export const ruleFields = {
  ...commonRuleFields,
  operation: nth
    .optional()
    .describe(
      'Selects operations by their number among those that match, counted from 1: repeats of a request count once',
    ),
  attempt: nth.optional().describe('Selects attempts of an operation by their number, counted from 1'),
};

export const ruleSchema = objectOf(ruleFields).meta({ id: 'Rule' });

export type RuleSpec = z.output<typeof ruleSchema>;

/** Describes a rule as test code writes it. */
export type RuleInput = z.input<typeof ruleSchema>;
