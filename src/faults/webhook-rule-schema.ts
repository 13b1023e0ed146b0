/** How a person writes down what goes wrong with webhooks, and when. */
import * as z from 'zod';
import { objectOf, requiredText } from '../core/validation/field-types.ts';
import { optionalEventTypes } from '../service/events/event-types.ts';
import { addPointsEvent } from '../service/points/point-follower.ts';
import { invalidKeyReason } from '../webhooks/keys.ts';
import { durationSchema } from '../core/validation/duration-schema.ts';
import { expectedForms, oneOrMore, ruleFields } from './rule-schema.ts';

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

export const webhookRuleFields = {
  ...ruleFields,
  match: objectOf({
    eventType: z
      .enum([addPointsEvent, ...optionalEventTypes], {
        error: `must be one of ${[addPointsEvent, ...optionalEventTypes].join(', ')}`,
      })
      .optional()
      .describe('Of the webhook, as AddPoints'),
    payload: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Fields of the payload by JSON path, each with a value or a test of it'),
  })
    .optional()
    .describe('Which webhooks; all of them unless given. Every attempt counts'),
  fault: oneOrMore(fault, faultForms).describe(`What goes wrong: ${faultForms}, or a list of these`),
};

export const webhookRuleSchema = objectOf(webhookRuleFields).meta({ id: 'WebhookRule' });

export type WebhookRuleSpec = z.output<typeof webhookRuleSchema>;
