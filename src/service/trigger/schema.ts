/** What happens inside the service and not through its API, as a tester asks for it. */
import * as z from 'zod';
import { didYouMean } from '../../core/lib/suggest.ts';
import {
  expectedType,
  flag,
  lowerCaseGuid,
  integer,
  requiredText,
  text,
  timestamp,
} from '../../core/validation/field-types.ts';
import { points } from '../points/definitions.ts';

const contactId = requiredText;
const pointDefinitionId = z.union(
  [integer, requiredText],
  expectedType('the id of a point definition, a whole number'),
);

const someName = requiredText.optional();
const someId = lowerCaseGuid.optional();

/** What only the point master is told: who did it, when it was not applied here. */
const details = {
  automation: { reason: text.optional(), processId: someId, workflowId: someId, workflowName: someName },
  manual: { userId: someId, userName: someName },
} as const;

const detailFields = { ...details.automation, ...details.manual };

const ways = ['automation', 'manual'] as const;

const adjustment = z
  .strictObject({
    event: z.literal('adjustPoints'),
    contactId,
    definitionId: pointDefinitionId,
    amount: points,
    description: text.nullable().default(null),
    // Points transitions: ignored, what is adjusted by hand or by an automation is active at once.
    validFrom: timestamp.nullish(),
    by: z.enum(ways, { error: `must be one of ${ways.join(', ')}` }).default('manual'),
    ...detailFields,
  })
  .superRefine((sent, context) => {
    const message = `is not told of what is done by: ${sent.by}; that has ${Object.keys(details[sent.by]).join(', ')}`;
    for (const name of adjustmentDetailNames(sent)) {
      if (!(name in details[sent.by])) context.addIssue({ code: 'custom', path: [name], message });
    }
  });

export type AdjustmentTrigger = z.output<typeof adjustment>;

/** The details that are given. */
export const adjustmentDetailNames = (sent: object): string[] =>
  Object.keys(detailFields).filter((name) => name in sent);

function unknownEventMessage({ input, ...issue }: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_union' || !Array.isArray(issue['options'])) return undefined;
  const names = issue['options'].map(String);
  const named = typeof input === 'object' && input !== null && 'event' in input ? input.event : undefined;
  if (typeof named !== 'string') return `is required: one of ${names.join(', ')}`;
  return `there is no event "${named}"${didYouMean(named, names)} (${names.join(', ')})`;
}

export const triggerSchema = z.discriminatedUnion(
  'event',
  [
    adjustment,
    z.strictObject({ event: z.literal('assignPromotion'), contactId, promotionId: requiredText }),
    z.strictObject({ event: z.literal('assignChallenge'), contactId, definitionId: requiredText }),
    z.strictObject({ event: z.literal('convertPoints'), contactId, definitionId: pointDefinitionId }),
    z
      .strictObject({ event: z.literal('switchPendingPoints'), definitionId: pointDefinitionId, active: flag })
      .describe('Lets points of a definition be pending from now on, or not'),
    z
      .strictObject({ event: z.literal('syncBalances') })
      .describe('The point master beside the sim sends the balances that changed; with --with-point-master'),
  ],
  { error: unknownEventMessage },
);

export type Trigger = z.output<typeof triggerSchema>;
