import * as z from '../core/validation/deferred-zod.ts';
import { webhookRuleInput } from '../scenario/validate.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import type { ActiveWebhookRule } from '../faults/webhook-rules.ts';
import { activeRuleFields, ruleEndpoints, serializeRule } from './rule-endpoints.ts';

export const activeWebhookRuleSchema = z
  .strictObject(activeRuleFields('attempts'))
  .meta({ id: 'ActiveWebhookRule', description: 'A webhook rule, and how often it has matched and fired' });

export const serializeWebhookRule = (active: ActiveWebhookRule): z.infer<typeof activeWebhookRuleSchema> =>
  serializeRule(active);

export const webhookFaultEndpoints = ruleEndpoints({
  name: 'WebhookFault',
  noun: 'webhook rule',
  path: '/__admin/webhooks/faults',
  tag: 'Control: webhooks',
  rulesOf: (tenant) => scenarioOf(tenant).webhooks,
  body: webhookRuleInput,
  response: activeWebhookRuleSchema,
  serialize: serializeWebhookRule,
  examples: [
    { body: { match: { eventType: 'loyalty.addPoints' }, fault: 'duplicate', times: 1 }, status: 201 },
    { body: { fault: ['drop', { delay: '10s' }] }, status: 201 },
  ],
});
