/** How a person writes down what goes wrong with webhooks, and when. */
import * as z from 'zod';
import { record, requiredText } from '../resources/formats.ts';
import { otherEventTypes } from '../resources/event-types.ts';
import { addPoints } from '../resources/points/follower.ts';
import { keyFault } from '../webhooks/keys.ts';
import { milliseconds } from './milliseconds.ts';
import { expected, oneOrMore, ruleFields } from './schema.ts';

const key = requiredText.superRefine((sent, context) => {
  const message = keyFault(sent);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

const faultForms =
  'one of drop, duplicate, reorder, tamper, wrong-key, or {"delay": "10s"}, or {"rotatedKey": "<32 characters>"}';

const fault = z.union(
  [
    z.enum(['drop', 'duplicate', 'reorder', 'tamper', 'wrong-key']),
    z.strictObject({ delay: milliseconds.describe('On the tenant’s clock') }),
    z.strictObject({ rotatedKey: key.describe('Payloads are encrypted with this one instead') }),
  ],
  { error: expected(faultForms) },
);

export const webhookRuleFields = {
  ...ruleFields,
  match: record({
    eventType: z
      .enum([addPoints, ...otherEventTypes], { error: `must be one of ${[addPoints, ...otherEventTypes].join(', ')}` })
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

export const webhookRuleSchema = record(webhookRuleFields).meta({ id: 'WebhookRule' });

export type WrittenWebhookRule = z.output<typeof webhookRuleSchema>;
