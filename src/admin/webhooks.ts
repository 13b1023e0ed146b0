import * as z from '../core/validation/deferred-zod.ts';
import { webhookDeliveries, eventStageKey, deliveryStages } from '../core/tenant/webhook-outbox.ts';
import type { WebhookDelivery, DeliveryStage } from '../core/tenant/webhook-outbox.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import { SideEffects } from '../core/exchange/exchange.ts';
import { integerParameter } from '../core/exchange/pagination.ts';
import { finishInTurns } from '../core/time/steps.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { optionalEventTypes } from '../service/events/event-types.ts';
import { addPointsEvent } from '../service/points/point-follower.ts';
import { apiError } from '../service/errors/catalog.ts';
import { responseTimeout } from '../webhooks/retry-schedule.ts';
import { adminEndpoint, pageParameters, tenantParameter, tenantQuery } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';
import { findDelivery, deliverySchema, serializeDelivery, deliveryStatuses } from './serialize/webhook-deliveries.ts';
import { enumWithSuggestion, waitField } from './input/field-formats.ts';
import { followTenant, waitUntil } from './input/long-poll.ts';

const tag = 'Control: webhooks';
const eventTypes = [addPointsEvent, ...optionalEventTypes] as const;
const totals = {
  sent: z.int().describe('delivered + failed + pending'),
  delivered: z.int(),
  failed: z.int(),
  pending: z.int(),
  missed: z.int().describe('Events without a webhook to send them to'),
};

const listQuery = z.object({
  ...tenantParameter,
  eventType: enumWithSuggestion('kind of event', eventTypes).optional(),
  status: enumWithSuggestion('status', deliveryStatuses).optional(),
  ...pageParameters,
  wait: waitField
    .optional()
    .describe('Responds when enough were attempted or missed, or after this much real time: 5s'),
  atLeast: integerParameter(0).optional().describe('Waits for this many (default: 1)'),
});

type ListQuery = z.output<typeof listQuery>;

const listSchema = z.strictObject({
  ...totals,
  count: z.int().describe('Counts the matches on all pages'),
  complete: z.boolean().describe('True if at least `atLeast` were attempted or missed'),
  items: z.array(deliverySchema).describe('The newest last'),
});

/** Counts deliveries by kind and stage, at the same cost for any number of them. */
function countOf(tenant: Tenant, kinds: readonly string[], counted: readonly DeliveryStage[]): number {
  const keys = kinds.flatMap((kind) => counted.map((stage) => eventStageKey(kind, stage)));
  return keys.reduce((sum, key) => sum + tenant.list(webhookDeliveries, 'byKind', key).size, 0);
}

const stagesOf = (status: WebhookDelivery['status'] | undefined): readonly DeliveryStage[] => {
  if (status === undefined) return deliveryStages;
  return status === 'pending' ? ['pending', 'retrying'] : [status];
};

function serializeTotals(tenant: Tenant) {
  const [pending, delivered, failed, missed] = deliveryStatuses.map((status) =>
    countOf(tenant, eventTypes, stagesOf(status)),
  );
  const [waiting = 0, done = 0, given = 0] = [pending, delivered, failed];
  return { sent: waiting + done + given, delivered: done, failed: given, pending: waiting, missed: missed ?? 0 };
}

async function listDeliveries({ tenant, signal }: AdminContext, query: ListQuery): Promise<z.input<typeof listSchema>> {
  const { eventType, status, offset, limit, wait: milliseconds } = query;
  const { atLeast = milliseconds === undefined ? 0 : 1 } = query;
  const kinds = eventType === undefined ? eventTypes : [eventType];
  const isMet = (): boolean => {
    const tried = stagesOf(status).filter((stage) => stage !== 'pending');
    return countOf(tenant, kinds, tried) >= atLeast;
  };
  if (milliseconds !== undefined) await waitUntil(tenant, { isMet, milliseconds, signal });
  const look = function* () {
    // Very many may have waited for one event.
    yield;
    const meant = tenant
      .listRows(webhookDeliveries, 'all', 'all')
      .filter((delivery) => (eventType ?? delivery.eventType) === delivery.eventType)
      .filter((delivery) => (status ?? delivery.status) === delivery.status);
    return { meant, ...serializeTotals(tenant), complete: isMet() };
  };
  const { meant, ...shown } = await finishInTurns(look());
  const items: z.input<typeof deliverySchema>[] = [];
  for (const delivery of meant.slice(offset, offset + limit)) items.push(await serializeDelivery(tenant, delivery));
  return { ...shown, count: meant.length, items };
}

/** Attempts a delivery at once, and returns it when the attempt is over. */
async function redeliver({ tenant, signal }: AdminContext, id: string): Promise<WebhookDelivery> {
  await tenant.afterTurns();
  const delivery = findDelivery(tenant, id);
  if (!tenant.settings.webhook) {
    throw apiError('Conflict', { message: 'There is no webhook to send it to: set webhookUrl and webhookKey.' });
  }
  const { status, dueAt, attempts } = delivery;
  const isPending = status === 'pending';
  if (isPending && dueAt <= tenant.clock.now()) {
    throw apiError('Conflict', { message: `Webhook ${id} is being sent right now; try again after the attempt.` });
  }
  const attemptsBefore = isPending ? delivery.attemptsBefore : attempts.length;
  tenant.transact(new SideEffects(), () =>
    tenant.put(webhookDeliveries, { ...delivery, status: 'pending', dueAt: tenant.now(), attemptsBefore }),
  );
  const isMet = (): boolean => (tenant.get(webhookDeliveries, id)?.attempts.length ?? Infinity) > attempts.length;
  await waitUntil(tenant, { isMet, milliseconds: 2 * responseTimeout, signal });
  return findDelivery(tenant, id);
}

export const webhookEndpoints = [
  adminEndpoint({
    id: 'listWebhooks',
    method: 'GET',
    path: '/__admin/webhooks',
    tag,
    summary: 'Lists webhook deliveries with all attempts; `wait` waits for them',
    query: listQuery,
    responses: { 200: listSchema },
    retry: 'safe',
    examples: [{ query: { eventType: addPointsEvent, status: 'failed' }, status: 200 }],
    handle: async (context, { query }) => apiResponse(200, await followTenant(context, query, listDeliveries)),
  }),
  adminEndpoint({
    id: 'getWebhook',
    method: 'GET',
    path: '/__admin/webhooks/{id}',
    tag,
    summary: 'Shows a delivery: its payload, the body as sent, and its attempts',
    query: tenantQuery,
    responses: { 200: deliverySchema },
    errors: ['NotFound'],
    retry: 'safe',
    examples: [{ params: { id: '00000000-0000-4000-8000-000000000000' }, status: 404 }],
    handle: async ({ tenant }, { params: { id = '' } }) =>
      apiResponse(200, await serializeDelivery(tenant, findDelivery(tenant, id))),
  }),
  adminEndpoint({
    id: 'redeliverWebhook',
    method: 'POST',
    path: '/__admin/webhooks/{id}/redeliver',
    tag,
    summary: 'Sends a webhook again at once, under the same id; responds when the attempt is over',
    query: tenantQuery,
    responses: { 200: deliverySchema },
    errors: ['NotFound', 'Conflict'],
    retry: 'unkeyed',
    examples: [{ params: { id: '00000000-0000-4000-8000-000000000000' }, status: 404 }],
    handle: async (context, { params: { id = '' } }) =>
      apiResponse(200, await serializeDelivery(context.tenant, await redeliver(context, id))),
  }),
];
