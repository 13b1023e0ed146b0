import * as z from '../../core/validation/deferred-zod.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { flag, lowerCaseGuid, text, requiredText, timestamp } from '../../core/validation/field-types.ts';
import { triggerContactId, triggerEvent, triggerPointDefinitionId } from '../resource/trigger-event.ts';
import { points } from './definitions.ts';
import { adjustPoints, convertPoints, switchPendingPoints } from './operations.ts';
import { isPointFollower } from './point-follower.ts';

const someName = requiredText.optional();
const someId = lowerCaseGuid.optional();

/** Lists what only a point master hears: who did it, when it is not applied here. */
const details = {
  automation: {
    reason: text.optional().describe('Reason for the adjustment, for the point master'),
    processId: someId.describe('Id of the run of the automation, for the point master'),
    workflowId: someId.describe('Id of the automation that adjusts, for the point master'),
    workflowName: someName.describe('Name of the automation that adjusts, for the point master'),
  },
  manual: {
    userId: someId.describe('Id of the person who adjusts by hand, for the point master'),
    userName: someName.describe('Name of the person who adjusts by hand, for the point master'),
  },
} as const;

const detailFields = { ...details.automation, ...details.manual };

const ways = ['automation', 'manual'] as const;

const adjustmentSchema = z
  .strictObject({
    event: z.literal('adjustPoints'),
    contactId: triggerContactId,
    definitionId: triggerPointDefinitionId,
    amount: points.describe('Adds this many points; a negative number takes them away'),
    description: text.nullable().default(null).describe('Text of the transaction'),
    // Points transitions: ignored, what is adjusted by hand or by an automation is active at once.
    validFrom: timestamp.nullish(),
    by: z
      .enum(ways, { error: `must be one of ${ways.join(', ')}` })
      .default('manual')
      .describe(`Origin of the adjustment: ${ways.join(' or ')}`),
    ...detailFields,
  })
  .superRefine((sent, context) => {
    const message = `does not belong to what is done by: ${sent.by}; that has ${Object.keys(details[sent.by]).join(', ')}`;
    for (const name of detailNames(sent)) {
      if (!(name in details[sent.by])) context.addIssue({ code: 'custom', path: [name], message });
    }
  });

const detailNames = (sent: object): string[] => Object.keys(detailFields).filter((name) => name in sent);

/** Warns of details that nobody will hear of. */
function warnUnusedDetails(tenant: TenantContext, sent: object): void {
  const given = detailNames(sent);
  if (given.length === 0 || isPointFollower(tenant)) return;
  const message = `${given.join(', ')}: not used, since only a point master would receive it, in point-follower mode`;
  tenant.warn('details-unused', message);
}

const errors = ['ContactNotFound', 'MultipleMatches', 'PointDefinitionNotFound', 'NewPointSystemNotActive'];

export const pointTriggers = {
  adjustPoints: () =>
    triggerEvent({
      schema: adjustmentSchema,
      errors,
      apply: (tenant, input) => {
        warnUnusedDetails(tenant, input);
        return adjustPoints(tenant, input);
      },
    }),
  convertPoints: () =>
    triggerEvent({
      schema: z.strictObject({
        event: z.literal('convertPoints'),
        contactId: triggerContactId,
        definitionId: triggerPointDefinitionId,
      }),
      errors,
      apply: convertPoints,
    }),
  switchPendingPoints: () =>
    triggerEvent({
      schema: z
        .strictObject({
          event: z.literal('switchPendingPoints'),
          definitionId: triggerPointDefinitionId,
          active: flag.describe('Pending from now on'),
        })
        .describe('Lets points of a definition be pending from now on, or not'),
      errors,
      apply: (tenant, { definitionId, active }) => switchPendingPoints(tenant, definitionId, active),
    }),
};
