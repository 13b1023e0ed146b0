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

/** Returns the type of an option about webhooks, checked as at the command line. */
const webhookText = (name: Parameters<typeof invalidWebhookOptionReason>[0]) =>
  requiredText.superRefine((sent, context) => {
    const message = invalidWebhookOptionReason(name, sent);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** Fields of `POST /__admin/tenants` that say how a tenant is set up. */
export const tenantSetupFields = {
  fixtures: requiredText.optional().describe('A fixture file or folder (default: the fixtures of the sim)'),
  now: timestamp.optional().describe("Freezes the tenant's clock at this moment"),
  mode: enumWithSuggestion('mode', tenantModes)
    .optional()
    .describe('standard: the service keeps points itself; point-follower: it follows a point master'),
  seed: integer.optional().describe('The seed of ids and random choices'),
  assumptions: assumeBody.optional().describe('Variants of assumptions: {"A-24":"twice"}'),
  queueDelay: durationField
    .refine(({ months, milliseconds }) => months === 0 && milliseconds >= 0 && milliseconds <= longestDelay, {
      error: 'must be a fixed length of time, at most 36525d',
    })
    .transform(({ milliseconds }) => milliseconds)
    .optional()
    .describe('Delay of queued jobs, such as 15m'),
  fieldValidation: enumWithSuggestion('way of field validation', fieldValidations).optional(),
  webhookUrl: webhookText('webhookUrl').optional().describe('URL that webhooks are sent to'),
  webhookKey: webhookText('webhookKey').optional().describe('The 32 characters that encrypt their payloads'),
  webhookSecret: webhookText('webhookSecret')
    .optional()
    .describe('The secret that signs them (default: the bytes of the key)'),
  webhookEvents: z.array(webhookText('webhookEvents')).optional().describe('Event types to send in addition'),
  pointMasterUrl: webhookText('pointMasterUrl')
    .optional()
    .describe("URL of the point master, which has a contact's point history"),
};

const tenantSetupSchema = z.object(tenantSetupFields);

/** Says how a tenant is set up where it differs from the sim. */
export type TenantSetup = z.output<typeof tenantSetupSchema> & { readonly scenario?: ScenarioSpec };
