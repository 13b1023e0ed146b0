/** Finds promotions in the hands of contacts, and marks them as used. */
import { toTimestamp } from '../../core/time/clock.ts';
import { normalizeGuid } from '../../core/lib/random.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { promotionAssignments, promotions } from './schema.ts';
import type { PromotionAssignment, Promotion } from './schema.ts';

/** Describes an assignment with the promotion that it was made from. */
export interface AssignedPromotion {
  readonly assignment: PromotionAssignment;
  readonly promotion: Promotion;
}

/** Returns the promotion of this id. A malformed id is not found. */
export const findPromotion = (tenant: TenantContext, id: string): Promotion | undefined =>
  tenant.get(promotions, normalizeGuid(id) ?? '');

function withPromotion(
  tenant: TenantContext,
  assignment: PromotionAssignment | undefined,
): AssignedPromotion | undefined {
  const promotion = assignment && tenant.get(promotions, assignment.promotionId);
  return promotion && { assignment, promotion };
}

export const findAssignedPromotion = (tenant: TenantContext, id: string): AssignedPromotion | undefined =>
  withPromotion(tenant, tenant.get(promotionAssignments, normalizeGuid(id) ?? ''));

/** Returns all that a contact was ever assigned, of one promotion or of all, in order of assignment. */
export function listAssignedPromotions(
  tenant: TenantContext,
  contactId: string,
  promotionId?: string,
): AssignedPromotion[] {
  const held = [...tenant.list(promotionAssignments, 'byContact', contactId)].flatMap(
    ({ key }) => withPromotion(tenant, tenant.get(promotionAssignments, key)) ?? [],
  );
  return promotionId === undefined ? held : held.filter(({ promotion }) => promotion.id === promotionId);
}

/** The moment of the first redemption stays. */
export function markRedeemed(
  tenant: TenantContext,
  assignment: PromotionAssignment,
  how: Partial<Pick<PromotionAssignment, 'redemptionChannel' | 'receiptId'>>,
): PromotionAssignment {
  const redeemedOn = assignment.redeemedOn ?? toTimestamp(tenant.now());
  return tenant.put(promotionAssignments, { ...assignment, redeemedOn, ...how });
}
