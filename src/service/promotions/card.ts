import * as z from '../../core/validation/deferred-zod.ts';
import { latestRows } from '../resource/card-section.ts';
import { findAssignedPromotion } from './assignments.ts';
import { promotionAssignmentResponseSchema, promotionAssignments } from './schema.ts';
import { serializePromotionAssignment } from './serialize.ts';
import { promotionValidities, validityOf } from './validity.ts';

/** Declares the promotions of a contact's card. */
export const promotionCard = () => ({
  promotions: latestRows({
    table: promotionAssignments,
    item: promotionAssignmentResponseSchema.extend({
      assignedOn: z.string(),
      validity: z.enum(promotionValidities),
      receiptId: z.string().nullable().describe('The receipt that it was used on'),
    }),
    show: ({ id, assignedOn, receiptId }, { tenant }) => {
      const held = findAssignedPromotion(tenant, id);
      if (!held) return undefined;
      return {
        ...serializePromotionAssignment(tenant, held),
        assignedOn,
        validity: validityOf(held, tenant.now()),
        receiptId,
      };
    },
  }),
});
