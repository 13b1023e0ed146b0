/** How the control API shows what was sent to a webhook. */
import * as z from 'zod';
import { toTimestamp } from '../../core/clock.ts';
import { attemptFaults, deliveries } from '../../core/deliveries.ts';
import type { Attempt, Delivery } from '../../core/deliveries.ts';
import type { Tenant } from '../../core/tenant.ts';
import { refusal } from '../../resources/refusals.ts';

export const statuses = ['pending', 'delivered', 'failed', 'missed'] as const;

const attemptSchema = z.strictObject({
  at: z.string().describe("On the tenant's clock"),
  ms: z.number().describe('Real time until the answer, or until there was none'),
  status: z.int().nullable().describe('null when no answer came'),
  error: z.string().nullable().describe('Why it did not deliver'),
  fault: z.enum(attemptFaults).nullable().describe('What went wrong with it on purpose'),
  rule: z.string().nullable().describe('The rule that the fault is of'),
});

const deliveryFields = {
  id: z.string(),
  number: z.int().describe("Counts a tenant's deliveries from 1"),
  eventType: z.string(),
  status: z.enum(statuses).describe('missed: there was no webhook to send it to'),
  createdAt: z.string(),
  dueAt: z.string().nullable().describe('When it is tried next; null when it is not'),
  exchange: z.string().nullable().describe('The request that it came of'),
  attempts: z.array(attemptSchema),
  payload: z.record(z.string(), z.unknown()).describe('Before it was encrypted'),
};

/** What the list has of it, but for the body that is sent. */
export const triedDeliverySchema = z.strictObject(deliveryFields);

export const deliverySchema = z
  .strictObject({
    ...deliveryFields,
    raw: z.string().nullable().describe('The body that is sent; null when there is no webhook to send it to'),
  })
  .meta({ id: 'WebhookDelivery', description: 'Something that is told to whoever listens at the webhook' });

export const showDelivery = async (tenant: Tenant, delivery: Delivery): Promise<z.input<typeof deliverySchema>> => ({
  ...showTriedDelivery(delivery),
  raw: await rawOf(tenant, delivery),
});

export function showTriedDelivery(delivery: Delivery): z.input<typeof triedDeliverySchema> {
  const { id, number, eventType, status, createdAt, dueAt, exchange = null, attempts, payload } = delivery;
  return {
    id,
    number,
    eventType,
    status,
    createdAt: toTimestamp(createdAt),
    dueAt: status === 'pending' ? toTimestamp(dueAt) : null,
    exchange,
    attempts: attempts.map(showAttempt),
    payload: { ...payload },
  };
}

function showAttempt({ at, ms, status, error, fault, rule }: Attempt): z.infer<typeof attemptSchema> {
  return {
    at: toTimestamp(at),
    ms,
    status: status ?? null,
    error: error ?? null,
    fault: fault ?? null,
    rule: rule ?? null,
  };
}

async function rawOf({ name, settings }: Tenant, delivery: Delivery): Promise<string | null> {
  const { seed, assume, webhook } = settings;
  if (!webhook) return null;
  const { bodyOf } = await import('../../webhooks/outgoing.ts');
  return bodyOf({ tenant: name, seed, assume, webhook, delivery });
}

/** The delivery of this id. Throws `NotFound`. */
export function deliveryOf(tenant: Tenant, id: string): Delivery {
  const delivery = tenant.get(deliveries, id);
  if (delivery) return delivery;
  const message = `No webhook has the id "${id}"; GET /__admin/webhooks lists all ${tenant.count(deliveries)}.`;
  throw refusal('NotFound', { message });
}
