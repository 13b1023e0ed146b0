/** Defines scenario files: how a tenant is set up, which faults hit it, and what is expected. */
import type * as z from 'zod';
import { optionFields } from '../core/validation/option-definition.ts';
import { tenantOptions } from '../service/settings/tenant-options.ts';
import { arrayOf, objectOf, requiredText, text, upTo } from '../core/validation/field-types.ts';
import { limitedExpectationListSchema } from './expectations/expectation-schema.ts';
import { importRuleSchema } from '../faults/import-rule-schema.ts';
import { pointMasterRuleSchema } from '../faults/point-master-rule-schema.ts';
import { policySchema } from './policy-schema.ts';
import { ruleSchema } from '../faults/rule-schema.ts';
import { stepListSchema } from './steps/step-schema.ts';
import { webhookRuleSchema } from './webhook-rule-schema.ts';

/** Limits the rules of a kind and the steps: one with thousands of them keeps all others waiting. */
const maxItems = 1000;

export const scenarioFields = {
  $schema: text.optional().describe('Path or URL of this schema, for editors'),
  name: requiredText.optional().describe('Name in banners and reports'),
  description: text.optional().describe('Says what goes wrong, and what a client should do about it'),
  ...optionFields(tenantOptions),
  rules: arrayOf(ruleSchema)
    .max(...upTo(maxItems, 'rules'))
    .optional()
    .describe('Fault rules; the first matching rule that is still active wins'),
  webhooks: arrayOf(webhookRuleSchema)
    .max(...upTo(maxItems, 'rules'))
    .optional()
    .describe('Faults of webhook deliveries; the first matching rule that is still active wins'),
  pointMaster: arrayOf(pointMasterRuleSchema)
    .max(...upTo(maxItems, 'rules'))
    .optional()
    .describe(
      'Faults of the point master that runs with the simulator; the first matching rule that is still active wins',
    ),
  imports: arrayOf(importRuleSchema)
    .max(...upTo(maxItems, 'rules'))
    .optional()
    .describe('Faults of the import of files; the first matching rule that is still active wins'),
  policy: policySchema.optional().describe('Holds what the client declares in addition to the specification'),
  expectations: limitedExpectationListSchema.optional().describe('Requests and state that are expected at the end'),
  steps: stepListSchema
    .max(...upTo(maxItems, 'steps'))
    .optional()
    .describe('Steps that loyalty-sim run plays one after another'),
};

export const scenarioSchema = objectOf(scenarioFields).meta({ id: 'Scenario' });

/** Holds a scenario as a person writes it. */
export type ScenarioInput = z.input<typeof scenarioSchema>;

/** Holds a parsed scenario, its durations in ms. */
export type ScenarioSpec = z.output<typeof scenarioSchema>;
