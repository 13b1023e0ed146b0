import * as z from '../../core/validation/deferred-zod.ts';
import { requiredText } from '../../core/validation/field-types.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { contactName } from '../contacts/contact-name.ts';
import { headline } from '../resource/headline.ts';
import { triggerContactId, triggerEvent } from '../resource/trigger-event.ts';
import { resource } from '../resource/resource.ts';
import { countField } from '../resource/state-field.ts';
import { listAssignedPromotions } from './assignments.ts';
import type { AssignedPromotion } from './assignments.ts';
import { promotionCard } from './card.ts';
import { promotionEndpoints } from './endpoints.ts';
import { promotionAssignmentsFixture, promotionsFixture } from './fixture.ts';
import { assignPromotion } from './operations.ts';
import { promotionAssignments, promotions } from './schema.ts';
import { promotionSubjects } from './subjects.ts';

export const promotionResource = resource({
  name: 'promotions',
  endpoints: promotionEndpoints,
  tables: [promotions, promotionAssignments],
  headlines: [
    headline(promotions, ['name', 'type', 'expiresOn']),
    headline(promotionAssignments, ['promotionId', 'expiresOn', 'redeemedOn', 'redemptionChannel']),
  ],
  fixtures: [promotionsFixture, promotionAssignmentsFixture],
  generated: {
    amounts: { promotions: { description: 'number of promotions', default: 6, most: 10_000 } },
    sections: async () => (await import('./generated-promotions.ts')).generatedPromotions,
  },
  banner: { promotions: 'promotions' },
  // A coupon: the promotion in the hands of one contact.
  references: { promotionId: (tenant, id) => tenant.get(promotionAssignments, id)?.contactId },
  state: {
    promotions: countField(
      'promotions',
      (tenant, contactId) => listAssignedPromotions(tenant, contactId).length,
      ', redeemed ones included,',
    ),
    redeemed: {
      kind: 'amount-or-list',
      description: 'Counts the promotions that the contact has redeemed, or lists some of them by id or externalId',
      hint: 'a list of promotions',
      read: (tenant, contactId) => ({
        place: 'number of redeemed promotions',
        value: listRedeemed(tenant, contactId).length,
      }),
      namesOf: (tenant, contactId) =>
        new Set(
          listRedeemed(tenant, contactId).flatMap(({ assignment, promotion }) => [
            assignment.id,
            promotion.id,
            promotion.externalId,
          ]),
        ),
      placeOf: (name) => `redemption of promotion ${name}`,
    },
  },
  triggers: {
    assignPromotion: () =>
      triggerEvent({
        schema: z.strictObject({
          event: z.literal('assignPromotion'),
          contactId: triggerContactId,
          promotionId: requiredText.describe('Promotion to assign'),
        }),
        errors: ['ContactNotFound', 'MultipleMatches', 'PromotionNotFound'],
        apply: assignPromotion,
      }),
  },
  card: promotionCard,
  subjects: promotionSubjects,
  things: [
    {
      table: promotionAssignments.name,
      describe: (effects, tenant) =>
        effects
          .filter(({ fields }) => typeof fields['redeemedOn']?.to === 'string')
          .map(({ key }) => {
            const { contactId, promotionId = key } = tenant.get(promotionAssignments, key) ?? {};
            const name = tenant.get(promotions, promotionId)?.name ?? promotionId;
            return { contact: contactName(tenant, contactId), text: `the redemption of promotion ${name}` };
          }),
    },
  ],
  wording: [
    {
      table: promotionAssignments.name,
      // By a promotion's id, each request redeems the next of those that a contact holds.
      describe: (effects, tenant) =>
        effects
          .filter(({ fields }) => typeof fields['redeemedOn']?.to === 'string')
          .map(({ key }) => {
            const { contactId, promotionId } = tenant.get(promotionAssignments, key) ?? {};
            return `${contactName(tenant, contactId)} has promotion ${promotionId ?? key} redeemed once too often`;
          }),
    },
  ],
});

const listRedeemed = (tenant: TenantContext, contactId: string): AssignedPromotion[] =>
  listAssignedPromotions(tenant, contactId).filter(({ assignment }) => assignment.redeemedOn !== null);
