import * as z from '../core/validation/deferred-zod.ts';
import { objectOf, requiredText } from '../core/validation/field-types.ts';
import { invalidKeyReason } from '../core/tenant/webhook-key.ts';
import { durationSchema } from '../core/validation/duration-schema.ts';
import { expectedForms, oneOrMore, commonRuleFields } from './rule-schema.ts';

const key = requiredText.superRefine((sent, context) => {
  const message = invalidKeyReason(sent);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

const faultForms =
  'one of drop, duplicate, reorder, tamper, wrong-key, or {"delay": "10s"}, or {"rotated-key": "<32 characters>"}';

const withValue = objectOf({
  delay: durationSchema.optional().describe('Sends it so much later on the tenant’s clock'),
  'rotated-key': key.optional().describe('Encrypts payloads with this key instead'),
}).refine((sent) => Object.keys(sent).length === 1, { error: `must be ${faultForms}` });

const fault = z.union([z.enum(['drop', 'duplicate', 'reorder', 'tamper', 'wrong-key']), withValue], {
  error: expectedForms(faultForms),
});

/** Returns the fields of a rule about webhooks, which are of these types. */
export const webhookRuleFieldsFor = (eventTypes: readonly [string, ...string[]]) => ({
  ...commonRuleFields,
  match: objectOf({
    eventType: z
      .enum(eventTypes, { error: `must be one of ${eventTypes.join(', ')}` })
      .optional()
      .describe('Type of the webhook’s event, as AddPoints'),
    payload: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Fields of the payload by JSON path, each with a value or a test of it'),
  })
    .optional()
    .describe('Names the webhooks that are meant (default: all). Every attempt counts'),
  fault: oneOrMore(fault, faultForms).describe(`Says what goes wrong: ${faultForms}, or a list of these`),
});

type WebhookRuleFields = ReturnType<typeof webhookRuleFieldsFor>;

export type WebhookRuleSpec = z.output<z.ZodObject<WebhookRuleFields>>;
