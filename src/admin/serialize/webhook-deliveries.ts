/** Serializes webhook deliveries for the control API. */
import * as z from '../../core/validation/deferred-zod.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import { webhookAttemptFaults, webhookDeliveries } from '../../core/tenant/webhook-outbox.ts';
import type { WebhookAttempt, WebhookDelivery } from '../../core/tenant/webhook-outbox.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { apiError } from '../../service/errors/catalog.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'missed'] as const;

const attemptSchema = z.strictObject({
  at: z.string().describe("On the tenant's clock"),
  ms: z.number().describe('Real time until the response, or until the attempt failed'),
  status: z.int().nullable().describe('null if there was no response'),
  error: z.string().nullable().describe('Says why the attempt failed'),
  fault: z.enum(webhookAttemptFaults).nullable().describe('The fault that was injected'),
  rule: z.string().nullable().describe('The rule of the fault'),
});

const deliveryFields = {
  id: z.string(),
  number: z.int().describe("Counts a tenant's deliveries from 1"),
  eventType: z.string(),
  status: z.enum(deliveryStatuses).describe('missed: there was no webhook to send it to'),
  createdAt: z.string(),
  dueAt: z.string().nullable().describe('Says when the next attempt is due; null if there is none'),
  exchange: z.string().nullable().describe('The request that caused it'),
  attempts: z.array(attemptSchema),
  payload: z.record(z.string(), z.unknown()).describe('The payload before encryption'),
};

/** Describes a delivery without the body that is sent, as events have it. */
export const attemptedDeliverySchema = z.strictObject(deliveryFields);

export const deliverySchema = z
  .strictObject({
    ...deliveryFields,
    raw: z.string().nullable().describe('The body that is sent; null if there is no webhook to send it to'),
  })
  .meta({ id: 'WebhookDelivery', description: 'An event that is sent to the webhook, with its attempts' });

export const serializeDelivery = async (
  tenant: Tenant,
  delivery: WebhookDelivery,
): Promise<z.input<typeof deliverySchema>> => ({
  ...serializeAttemptedDelivery(delivery),
  raw: await rawOf(tenant, delivery),
});

export function serializeAttemptedDelivery(delivery: WebhookDelivery): z.input<typeof attemptedDeliverySchema> {
  const { id, number, eventType, status, createdAt, dueAt, exchange = null, attempts, payload } = delivery;
  return {
    id,
    number,
    eventType,
    status,
    createdAt: toTimestamp(createdAt),
    dueAt: status === 'pending' ? toTimestamp(dueAt) : null,
    exchange,
    attempts: attempts.map(serializeWebhookAttempt),
    payload: { ...payload },
  };
}

function serializeWebhookAttempt({
  at,
  ms,
  status,
  error,
  fault,
  rule,
}: WebhookAttempt): z.infer<typeof attemptSchema> {
  return {
    at: toTimestamp(at),
    ms,
    status: status ?? null,
    error: error ?? null,
    fault: fault ?? null,
    rule: rule ?? null,
  };
}

async function rawOf({ name, settings }: Tenant, delivery: WebhookDelivery): Promise<string | null> {
  const { seed, assumptions, webhook } = settings;
  if (!webhook) return null;
  const { buildWebhookBody: bodyOf } = await import('../../webhooks/webhook-body.ts');
  return bodyOf({ tenant: name, seed, assumptions, webhook, delivery });
}

/** Returns the delivery with this id. Throws `NotFound`. */
export function findDelivery(tenant: Tenant, id: string): WebhookDelivery {
  const delivery = tenant.get(webhookDeliveries, id);
  if (delivery) return delivery;
  const message = `No webhook has the id "${id}"; GET /__admin/webhooks lists all ${tenant.count(webhookDeliveries)}.`;
  throw apiError('NotFound', { message });
}
