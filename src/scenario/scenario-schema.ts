/** Defines scenario files: how a tenant is set up, which faults hit it, and what is expected. */
import * as z from 'zod';
import { variantError } from '../service/assumptions/variants.ts';
import { integer, arrayOf, objectOf, requiredText, text, timestamp } from '../core/validation/field-types.ts';
import { expectationListSchema } from './expectations/expectation-schema.ts';
import { pointMasterRuleSchema } from '../faults/point-master-rule-schema.ts';
import { durationSchema } from '../core/validation/duration-schema.ts';
import { policySchema } from './policy-schema.ts';
import { ruleSchema } from '../faults/rule-schema.ts';
import { stepListSchema } from './steps/step-schema.ts';
import { webhookRuleSchema } from './webhook-rule-schema.ts';

const seedRange = { error: 'must be from 0 to 2147483647' };

const assumptions = z.record(z.string(), text).superRefine((sent, context) => {
  for (const [id, variant] of Object.entries(sent)) {
    const message = variantError(id, variant);
    if (message !== undefined) context.addIssue({ code: 'custom', path: [id], message });
  }
});

export const scenarioFields = {
  $schema: text.optional().describe('Path or URL of this schema, for editors'),
  name: requiredText.optional().describe('Name in banners and reports'),
  description: text.optional().describe('What goes wrong, and what a client should do about it'),
  fixtures: requiredText
    .optional()
    .describe('Fixture file or folder, relative to this file, or a built-in fixture: default, empty'),
  mode: z
    .enum(['standard', 'point-follower'])
    .optional()
    .describe('The service keeps points itself (standard), or follows an external point master (point-follower)'),
  now: timestamp.optional().describe('Freezes the clock at this timestamp'),
  seed: integer
    .min(0, seedRange)
    .max(2_147_483_647, seedRange)
    .optional()
    .describe('Seed of ids and random numbers (default: 1)'),
  queueDelay: durationSchema.optional().describe('Delay of queued jobs: 15m; a number is in milliseconds (default: 0)'),
  fieldValidation: z
    .enum(['ignore', 'warn', 'strict'])
    .optional()
    .describe('How unknown fields are treated (default: warn)'),
  assumptions: assumptions.optional().describe('Variants of assumptions: {"A-24": "twice"}'),
  rules: arrayOf(ruleSchema).optional().describe('Fault rules; the first matching rule that is still active wins'),
  webhooks: arrayOf(webhookRuleSchema)
    .optional()
    .describe('Faults of webhook deliveries; the first matching rule that is still active wins'),
  pointMaster: arrayOf(pointMasterRuleSchema)
    .optional()
    .describe(
      'Faults of the point master that runs with the simulator; the first matching rule that is still active wins',
    ),
  policy: policySchema.optional().describe('What the client declares in addition to the specification'),
  expectations: expectationListSchema.optional().describe('Requests and state that are expected at the end'),
  steps: stepListSchema.optional().describe('Steps that loyalty-sim run plays one after another'),
};

export const scenarioSchema = objectOf(scenarioFields).meta({ id: 'Scenario' });

/** Holds a scenario as a person writes it. */
export type ScenarioInput = z.input<typeof scenarioSchema>;

/** Holds a parsed scenario, its durations in ms. */
export type ScenarioSpec = z.output<typeof scenarioSchema>;
