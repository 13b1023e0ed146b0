import * as z from 'zod';
import { apiResponse } from '../core/exchange/endpoint.ts';
import { apiError } from '../service/errors/catalog.ts';
import { webhookRuleInput } from '../scenario/validate.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { redactSpec } from '../scenario/redact-scenario.ts';
import type { ActiveWebhookRule } from '../faults/webhook-rules.ts';
import type { WebhookRuleSpec } from '../faults/webhook-rule-schema.ts';
import { adminEndpoint, tenantQuery } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';

const tag = 'Control: webhooks';

export const activeWebhookRuleSchema = z
  .strictObject({
    id: z.string(),
    origin: z.enum(['scenario', 'added']),
    matched: z.int().describe('Number of attempts that it matched'),
    fired: z.int().describe('Number of times that it fired'),
    remaining: z.int().nullable().describe('Number of times that it may still fire; null: unlimited'),
    rule: z.looseObject({}).describe('The rule as written, with keys hidden'),
  })
  .meta({ id: 'ActiveWebhookRule', description: 'A webhook rule, and how often it has matched and fired' });

export const serializeWebhookRule = ({
  rule,
  origin,
  matched,
  fired,
}: ActiveWebhookRule): z.infer<typeof activeWebhookRuleSchema> => ({
  id: rule.id,
  origin,
  matched,
  fired,
  remaining: Number.isFinite(rule.limit) ? rule.limit - fired : null,
  rule: redactSpec(rule.written),
});

function addWebhookRule({ tenant }: AdminContext, written: WebhookRuleSpec): ActiveWebhookRule {
  const { webhooks } = scenarioOf(tenant);
  if (!webhooks.has(written.id)) return webhooks.add(written);
  const message = `There is a rule "${written.id}" already; give this one another id or none.`;
  throw apiError('Conflict', { message });
}

function deleteWebhookRule({ tenant }: AdminContext, id: string): void {
  const { webhooks } = scenarioOf(tenant);
  if (webhooks.remove(id)) return;
  const isPlanned = webhooks.has(id);
  const message = isPlanned
    ? `The rule "${id}" is part of the scenario; PUT /__admin/scenario without it, or DELETE /__admin/scenario.`
    : `There is no rule "${id}" about webhooks; GET /__admin/webhooks/faults lists them.`;
  throw apiError(isPlanned ? 'Conflict' : 'NotFound', { message });
}

export const webhookFaultEndpoints = [
  adminEndpoint({
    id: 'listWebhookFaults',
    method: 'GET',
    path: '/__admin/webhooks/faults',
    tag,
    summary: 'Lists the active webhook rules in the order in which they are tried',
    query: tenantQuery,
    responses: { 200: z.strictObject({ rules: z.array(activeWebhookRuleSchema) }) },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: ({ tenant }) => apiResponse(200, { rules: scenarioOf(tenant).webhooks.rules.map(serializeWebhookRule) }),
  }),
  adminEndpoint({
    id: 'addWebhookFault',
    method: 'POST',
    path: '/__admin/webhooks/faults',
    tag,
    summary: 'Adds a webhook rule before all others',
    query: tenantQuery,
    body: webhookRuleInput,
    responses: { 201: activeWebhookRuleSchema },
    errors: ['Conflict'],
    retry: 'unkeyed',
    examples: [
      { body: { match: { eventType: 'loyalty.addPoints' }, fault: 'duplicate', times: 1 }, status: 201 },
      { body: { fault: ['drop', { delay: '10s' }] }, status: 201 },
    ],
    handle: (control, { body }) => apiResponse(201, serializeWebhookRule(addWebhookRule(control, body))),
  }),
  adminEndpoint({
    id: 'clearWebhookFaults',
    method: 'DELETE',
    path: '/__admin/webhooks/faults',
    tag,
    summary: 'Deletes the webhook rules that were added at run time; the rules of the scenario stay',
    query: tenantQuery,
    responses: { 200: z.strictObject({ deleted: z.int() }) },
    retry: 'idempotent',
    examples: [{ status: 200 }],
    handle: ({ tenant }) => apiResponse(200, { deleted: scenarioOf(tenant).webhooks.clearAdded() }),
  }),
  adminEndpoint({
    id: 'deleteWebhookFault',
    method: 'DELETE',
    path: '/__admin/webhooks/faults/{id}',
    tag,
    summary: 'Deletes a webhook rule that was added at run time',
    query: tenantQuery,
    responses: { 200: z.strictObject({ deleted: z.string() }) },
    errors: ['NotFound', 'Conflict'],
    retry: 'once',
    examples: [{ params: { id: 'none' }, status: 404 }],
    handle: (control, { params: { id = '' } }) => {
      deleteWebhookRule(control, id);
      return apiResponse(200, { deleted: id });
    },
  }),
];
