import type { TenantContext } from '../../core/tenant/context.ts';
import { retailerOf } from '../retailer/operations.ts';
import type { AssignedPromotion } from './assignments.ts';
import type { PromotionAssignmentResponse, RedemptionChannel } from './schema.ts';
import { expiryOf } from './validity.ts';

/** Serializes a promotion assignment: the assignment's own state, and the texts of its promotion. */
export function serializePromotionAssignment(
  tenant: TenantContext,
  held: AssignedPromotion,
): PromotionAssignmentResponse {
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
    redemptionChannels: redemptionChannels.map((channel) => ({ ...channel, value: channelValue(tenant, channel) })),
  };
}

/** Returns a number as its kind of value has it: money with its currency, percent whole, and others as a text. */
function channelValue(tenant: TenantContext, { value, valueType }: RedemptionChannel): RedemptionChannel['value'] {
  if (typeof value !== 'number' || tenant.assumption('A-31') === 'numbers') return value;
  if (valueType === 'MONEY') return { amount: value, currency: retailerOf(tenant).groupCurrency };
  if (valueType === 'PERCENT') return Math.round(value);
  return valueType === 'SWIPE' ? value : String(value);
}
