import { contactName } from '../contacts/contact-name.ts';
import { resource } from '../resource/resource.ts';
import { promotionEndpoints } from './endpoints.ts';
import { promotionAssignmentsFixture, promotionsFixture } from './fixture.ts';
import { promotionAssignments, promotions } from './schema.ts';

export const promotionResource = resource({
  name: 'promotions',
  endpoints: promotionEndpoints,
  tables: [promotions, promotionAssignments],
  fixtures: [promotionsFixture, promotionAssignmentsFixture],
  banner: { promotions: 'promotions' },
  // A coupon: the promotion in the hands of one contact.
  references: { promotionId: (tenant, id) => tenant.get(promotionAssignments, id)?.contactId },
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
