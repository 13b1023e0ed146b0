/** Scenario files: how a tenant is set up, and what goes wrong. */
import * as z from 'zod';
import { variantError } from '../service/assumptions/variants.ts';
import { integer, arrayOf, objectOf, requiredText, text, timestamp } from '../core/validation/field-types.ts';
import { expectationListSchema } from './expectations/expectation-schema.ts';
import { pointMasterRuleSchema } from '../faults/point-master-rule-schema.ts';
import { durationSchema } from '../core/validation/duration-schema.ts';
import { policySchema } from './policy-schema.ts';
import { ruleSchema } from '../faults/rule-schema.ts';
import { stepListSchema } from './steps/step-schema.ts';
import { webhookRuleSchema } from '../faults/webhook-rule-schema.ts';

const seedRange = { error: 'must be from 0 to 2147483647' };

const assumptions = z.record(z.string(), text).superRefine((sent, context) => {
  for (const [id, variant] of Object.entries(sent)) {
    const message = variantError(id, variant);
    if (message !== undefined) context.addIssue({ code: 'custom', path: [id], message });
  }
});

export const scenarioFields = {
  $schema: text.optional().describe('Where this schema is, for editors'),
  name: requiredText.optional().describe('To tell it by in banners and reports'),
  description: text.optional().describe('What goes wrong, and what a till should do about it'),
  fixtures: requiredText
    .optional()
    .describe('A fixture file or folder, from the file’s own folder, or one that comes along: default, empty'),
  mode: z
    .enum(['standard', 'point-follower'])
    .optional()
    .describe('Whether the service keeps points itself, or follows an external point master'),
  now: timestamp.optional().describe('Freezes the clock at this moment'),
  seed: integer.min(0, seedRange).max(2_147_483_647, seedRange).optional().describe('What ids and chance follow from'),
  queueDelay: durationSchema.optional().describe('How long queued work waits: 15m; a bare number is in milliseconds'),
  fieldValidation: z
    .enum(['ignore', 'warn', 'strict'])
    .optional()
    .describe('What to do about fields that the service does not know'),
  assumptions: assumptions.optional().describe('Variants of assumptions: {"A-24": "twice"}'),
  rules: arrayOf(ruleSchema).optional().describe('The first that matches and has something to do decides'),
  webhooks: arrayOf(webhookRuleSchema)
    .optional()
    .describe('What goes wrong with what is sent to the webhook; the first rule that matches decides'),
  pointMaster: arrayOf(pointMasterRuleSchema)
    .optional()
    .describe('Faults of the point master that runs with the simulator; the first rule that matches decides'),
  policy: policySchema.optional().describe('What the client is held to beside the specification'),
  expectations: expectationListSchema.optional().describe('What is to have come in and be there in the end'),
  steps: stepListSchema.optional().describe('What is played, one after the other, by loyalty-sim run'),
};

export const scenarioSchema = objectOf(scenarioFields).meta({ id: 'Scenario' });

/** A scenario as a person writes it. */
export type ScenarioInput = z.input<typeof scenarioSchema>;

/** A scenario as it was written, its durations in ms. */
export type ScenarioSpec = z.output<typeof scenarioSchema>;
