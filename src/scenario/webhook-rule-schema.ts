import type * as z from 'zod';
import { objectOf } from '../core/validation/field-types.ts';
import { webhookRuleFieldsFor } from '../faults/webhook-rule-schema.ts';
import { optionalEventTypes } from '../service/events/event-types.ts';
import { addPointsEvent } from '../service/points/point-follower.ts';

export const webhookRuleFields = webhookRuleFieldsFor([addPointsEvent, ...optionalEventTypes]);

export const webhookRuleSchema = objectOf(webhookRuleFields).meta({ id: 'WebhookRule' });

/** Describes a rule about webhooks as test code writes it. */
export type WebhookRuleInput = z.input<typeof webhookRuleSchema>;
