import * as z from 'zod';
import { deliveries, kindKey, stages } from '../../core/deliveries.ts';
import type { Delivery, Stage } from '../../core/deliveries.ts';
import { answer } from '../../core/endpoint.ts';
import { Outcome } from '../../core/journal.ts';
import { wholeFrom } from '../../core/page.ts';
import type { Tenant } from '../../core/tenant.ts';
import { otherEventTypes } from '../../resources/event-types.ts';
import { addPoints } from '../../resources/points/follower.ts';
import { refusal } from '../../resources/refusals.ts';
import { answerTime } from '../../webhooks/retries.ts';
import { controlEndpoint, pageParameters, tenantParameter, tenantQuery } from './control.ts';
import type { Control } from './control.ts';
import { deliveryOf, deliverySchema, showDelivery, statuses } from './deliveries.ts';
import { nameOf, wait } from './formats.ts';
import { until } from './until.ts';

const tag = 'Control: webhooks';
const eventTypes = [addPoints, ...otherEventTypes] as const;
const totals = {
  sent: z.int().describe('delivered + failed + pending'),
  delivered: z.int(),
  failed: z.int(),
  pending: z.int(),
  missed: z.int().describe('There was no webhook to send them to'),
};

const listQuery = z.object({
  ...tenantParameter,
  eventType: nameOf('kind of event', eventTypes).optional(),
  status: nameOf('status', statuses).optional(),
  ...pageParameters,
  wait: wait.optional().describe('Answers when so many were tried or missed, or after this much real time: 5s'),
  atLeast: wholeFrom(0).optional().describe('How many to wait for; 1 unless given'),
});

type ListQuery = z.output<typeof listQuery>;

const listSchema = z.strictObject({
  ...totals,
  count: z.int().describe('How many match, on all pages'),
  complete: z.boolean().describe('Whether as many as were asked for have been tried or missed'),
  items: z.array(deliverySchema).describe('The newest last'),
});

/** How many deliveries there are of these kinds; costs the same for any number of them. */
function countOf(tenant: Tenant, kinds: readonly string[], counted: readonly Stage[]): number {
  const keys = kinds.flatMap((kind) => counted.map((stage) => kindKey(kind, stage)));
  return keys.reduce((sum, key) => sum + tenant.list(deliveries, 'byKind', key).size, 0);
}

const stagesOf = (status: Delivery['status'] | undefined): readonly Stage[] => {
  if (status === undefined) return stages;
  return status === 'pending' ? ['pending', 'retrying'] : [status];
};

function showTotals(tenant: Tenant) {
  const [pending, delivered, failed, missed] = statuses.map((status) => countOf(tenant, eventTypes, stagesOf(status)));
  const [waiting = 0, done = 0, given = 0] = [pending, delivered, failed];
  return { sent: waiting + done + given, delivered: done, failed: given, pending: waiting, missed: missed ?? 0 };
}

async function listDeliveries({ tenant, signal }: Control, query: ListQuery): Promise<z.input<typeof listSchema>> {
  const { eventType, status, offset, limit, wait: milliseconds } = query;
  const { atLeast = milliseconds === undefined ? 0 : 1 } = query;
  const kinds = eventType === undefined ? eventTypes : [eventType];
  const isMet = (): boolean => {
    const tried = stagesOf(status).filter((stage) => stage !== 'pending');
    return countOf(tenant, kinds, tried) >= atLeast;
  };
  if (milliseconds !== undefined) await until(tenant, { isMet, milliseconds, signal });
  const meant = [...tenant.list(deliveries, 'all', 'all')]
    .flatMap(({ key }) => tenant.get(deliveries, key) ?? [])
    .filter((delivery) => (eventType ?? delivery.eventType) === delivery.eventType)
    .filter((delivery) => (status ?? delivery.status) === delivery.status);
  const items = await Promise.all(meant.slice(offset, offset + limit).map((shown) => showDelivery(tenant, shown)));
  return { ...showTotals(tenant), count: meant.length, complete: isMet(), items };
}

/** Has a delivery tried at once; answers what became of it when the attempt is over. */
async function redeliver({ tenant, signal }: Control, id: string): Promise<Delivery> {
  const delivery = deliveryOf(tenant, id);
  if (!tenant.settings.webhook) {
    throw refusal('Conflict', { message: 'There is no webhook to send it to: set webhookUrl and webhookKey.' });
  }
  const { status, dueAt, attempts } = delivery;
  const isPending = status === 'pending';
  if (isPending && dueAt <= tenant.clock.now()) {
    throw refusal('Conflict', { message: `Webhook ${id} is being sent right now; ask again when it has been tried.` });
  }
  const attemptsBefore = isPending ? delivery.attemptsBefore : attempts.length;
  tenant.call(new Outcome(), () =>
    tenant.put(deliveries, { ...delivery, status: 'pending', dueAt: tenant.now(), attemptsBefore }),
  );
  const isMet = (): boolean => (tenant.get(deliveries, id)?.attempts.length ?? Infinity) > attempts.length;
  await until(tenant, { isMet, milliseconds: 2 * answerTime, signal });
  return deliveryOf(tenant, id);
}

export const webhookEndpoints = [
  controlEndpoint({
    id: 'listWebhooks',
    method: 'GET',
    path: '/__admin/webhooks',
    tag,
    summary: 'What was sent to the webhook or missed, with all attempts; waits for it when asked to',
    query: listQuery,
    answers: { 200: listSchema },
    retry: 'read',
    examples: [{ query: { eventType: addPoints, status: 'failed' }, status: 200 }],
    handle: async (control, { query }) => answer(200, await listDeliveries(control, query)),
  }),
  controlEndpoint({
    id: 'getWebhook',
    method: 'GET',
    path: '/__admin/webhooks/{id}',
    tag,
    summary: 'One delivery: what was sent, decrypted and as it was, and what became of each attempt',
    query: tenantQuery,
    answers: { 200: deliverySchema },
    refusals: ['NotFound'],
    retry: 'read',
    examples: [{ params: { id: '00000000-0000-4000-8000-000000000000' }, status: 404 }],
    handle: async ({ tenant }, { params: { id = '' } }) =>
      answer(200, await showDelivery(tenant, deliveryOf(tenant, id))),
  }),
  controlEndpoint({
    id: 'redeliverWebhook',
    method: 'POST',
    path: '/__admin/webhooks/{id}/redeliver',
    tag,
    summary: 'Sends a webhook once more, at once and under the same id; answers when that was tried',
    query: tenantQuery,
    answers: { 200: deliverySchema },
    refusals: ['NotFound', 'Conflict'],
    retry: 'unkeyed',
    examples: [{ params: { id: '00000000-0000-4000-8000-000000000000' }, status: 404 }],
    handle: async (control, { params: { id = '' } }) =>
      answer(200, await showDelivery(control.tenant, await redeliver(control, id))),
  }),
];
