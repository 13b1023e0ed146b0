import * as z from 'zod';
import { longestDelay } from '../../core/lib/duration.ts';
import { integer, requiredText, timestamp } from '../../core/validation/field-types.ts';
import type { ScenarioSpec } from '../../scenario/scenario-schema.ts';
import { variantError } from '../../service/assumptions/variants.ts';
import { invalidWebhookOptionReason } from '../../webhooks/settings.ts';
import { durationField, enumWithSuggestion } from './field-formats.ts';

export const tenantModes = ['standard', 'point-follower'] as const;
export const fieldValidations = ['ignore', 'warn', 'strict'] as const;

const assumeBody = z.record(z.string(), z.string()).superRefine((sent, context) => {
  for (const [id, variant] of Object.entries(sent)) {
    const message = variantError(id, variant);
    if (message !== undefined) context.addIssue({ code: 'custom', path: [id], message });
  }
});

/** One of the options about a webhook. */
const webhookText = (name: Parameters<typeof invalidWebhookOptionReason>[0]) =>
  requiredText.superRefine((sent, context) => {
    const message = invalidWebhookOptionReason(name, sent);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** Fields of `POST /__admin/tenants` that say how a tenant is set up. */
export const tenantSetupFields = {
  fixtures: requiredText.optional().describe("A fixture file or folder; the sim's own unless given"),
  now: timestamp.optional().describe("Freezes the tenant's clock at this moment"),
  mode: enumWithSuggestion('mode', tenantModes)
    .optional()
    .describe('Whether the service keeps points itself, or follows a point master'),
  seed: integer.optional().describe('What ids and chance follow from'),
  assumptions: assumeBody.optional().describe('Variants of assumptions: {"A-24":"twice"}'),
  queueDelay: durationField
    .refine(({ months, milliseconds }) => months === 0 && milliseconds >= 0 && milliseconds <= longestDelay, {
      error: 'must be a fixed length of time, at most 36525d',
    })
    .transform(({ milliseconds }) => milliseconds)
    .optional()
    .describe('How long queued work waits: 15m'),
  fieldValidation: enumWithSuggestion('way of field validation', fieldValidations).optional(),
  webhookUrl: webhookText('webhookUrl').optional().describe('Where its webhooks go'),
  webhookKey: webhookText('webhookKey').optional().describe('The 32 characters that their payloads are encrypted with'),
  webhookSecret: webhookText('webhookSecret')
    .optional()
    .describe("What they are signed with; the key's own bytes else"),
  webhookEvents: z.array(webhookText('webhookEvents')).optional().describe('Kinds of events to send as well'),
  pointMasterUrl: webhookText('pointMasterUrl').optional().describe("Where a contact's point history is asked for"),
};

const tenantSetupSchema = z.object(tenantSetupFields);

/** Says how a tenant is set up where it differs from the sim. */
export type TenantSetup = z.output<typeof tenantSetupSchema> & { readonly scenario?: ScenarioSpec };
