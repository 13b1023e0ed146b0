import * as z from '../core/validation/deferred-zod.ts';
import { integer, objectOf } from '../core/validation/field-types.ts';
import { durationSchema } from '../core/validation/duration-schema.ts';
import { expectedForms, oneOrMore, commonRuleFields } from './rule-schema.ts';

/** Names the requests between the service and the point master. */
export const pointMasterRequestKinds = ['webhook', 'history', 'sync'] as const;
export type PointMasterRequestKind = (typeof pointMasterRequestKinds)[number];

export const syncFaultNames = ['late-sync', 'repeated-sync', 'stale-sync', 'partial-sync'] as const;

const bareFaults = ['down', 'error', 'lost-response', 'repeated-sync', 'stale-sync', 'partial-sync'] as const;

const longestDelay = 3_600_000;
const delay = durationSchema.refine((sent) => sent <= longestDelay, { error: 'must be at most 1h' });
const statusRange = { error: 'must be from 400 to 599' };

const faultForms = `one of ${bareFaults.join(', ')}, or {"error": 503}, {"slow": "20s"} or {"late-sync": "30s"}`;

const withValue = objectOf({
  error: integer
    .min(400, statusRange)
    .max(599, statusRange)
    .optional()
    .describe('The point master responds with this status instead'),
  slow: delay.optional().describe('The work is done at once, and the response comes so much later in real time'),
  'late-sync': delay.optional().describe('Sent so much later in real time, with the totals of when it was due'),
}).refine((sent) => Object.keys(sent).length === 1, { error: `must be ${faultForms}` });

const fault = z.union([z.enum(bareFaults, { error: `must be ${faultForms}` }), withValue], {
  error: expectedForms(faultForms),
});

export const pointMasterRuleFields = {
  ...commonRuleFields,
  match: objectOf({
    request: z
      .enum(pointMasterRequestKinds, { error: `must be one of ${pointMasterRequestKinds.join(', ')}` })
      .optional()
      .describe('webhook or history, which the service calls; sync, in which the master sends balances'),
  })
    .optional()
    .describe('Names the requests that are meant (default: all that the fault can hit)'),
  fault: oneOrMore(fault, faultForms).describe(`Says what goes wrong: ${faultForms}, or a list of these`),
};

export const pointMasterRuleSchema = objectOf(pointMasterRuleFields).meta({ id: 'PointMasterRule' });

export type PointMasterRuleSpec = z.output<typeof pointMasterRuleSchema>;
