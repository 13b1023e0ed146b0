/** Promotions in the hands of contacts: finding them, and marking them as used. */
import { toTimestamp } from '../../core/clock.ts';
import { normalizeGuid } from '../../core/ids.ts';
import type { Tenant } from '../../core/tenant.ts';
import { promotionAssignments, promotions } from './schema.ts';
import type { Assignment, Promotion } from './schema.ts';

/** An assignment with the promotion that it was made from. */
export interface HeldPromotion {
  readonly assignment: Assignment;
  readonly promotion: Promotion;
}

/** The promotion of this id. A malformed id is not found. */
export const findPromotion = (tenant: Tenant, id: string): Promotion | undefined =>
  tenant.get(promotions, normalizeGuid(id) ?? '');

function withPromotion(tenant: Tenant, assignment: Assignment | undefined): HeldPromotion | undefined {
  const promotion = assignment && tenant.get(promotions, assignment.promotionId);
  return promotion && { assignment, promotion };
}

export const heldById = (tenant: Tenant, id: string): HeldPromotion | undefined =>
  withPromotion(tenant, tenant.get(promotionAssignments, normalizeGuid(id) ?? ''));

/** All that a contact was ever assigned, of one promotion or of all, in order of assignment. */
export function heldBy(tenant: Tenant, contactId: string, promotionId?: string): HeldPromotion[] {
  const held = [...tenant.list(promotionAssignments, 'byContact', contactId)].flatMap(
    ({ key }) => withPromotion(tenant, tenant.get(promotionAssignments, key)) ?? [],
  );
  return promotionId === undefined ? held : held.filter(({ promotion }) => promotion.id === promotionId);
}

/** The moment of the first redemption stays. */
export function markRedeemed(
  tenant: Tenant,
  assignment: Assignment,
  how: Partial<Pick<Assignment, 'redemptionChannel' | 'receiptId'>>,
): Assignment {
  const redeemedOn = assignment.redeemedOn ?? toTimestamp(tenant.now());
  return tenant.put(promotionAssignments, { ...assignment, redeemedOn, ...how });
}
