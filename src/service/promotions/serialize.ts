import type { AssignedPromotion } from './assignments.ts';
import type { PromotionAssignmentResponse } from './schema.ts';
import { expiryOf } from './validity.ts';

/** A promotion assignment as it is answered: the assignment's own state, and the texts of its promotion. */
export function serializePromotionAssignment(held: AssignedPromotion): PromotionAssignmentResponse {
  const { assignment, promotion } = held;
  const { externalId, type, name, heading, description, imageUrl, link, redemptionChannels } = promotion;
  return {
    id: assignment.id,
    promotionId: promotion.id,
    externalId,
    type,
    name,
    heading,
    description,
    imageUrl,
    link,
    expiresOn: expiryOf(held),
    redeemed: assignment.redeemedOn !== null,
    redeemedOn: assignment.redeemedOn,
    redemptionChannels,
  };
}
