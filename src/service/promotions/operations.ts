import { toTimestamp } from '../../core/time/clock.ts';
import { normalizeGuid } from '../../core/lib/random.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { getContact } from '../contacts/lookup.ts';
import { apiError } from '../errors/catalog.ts';
import { findPromotion, listAssignedPromotions, findAssignedPromotion, markRedeemed } from './assignments.ts';
import type { AssignedPromotion } from './assignments.ts';
import { promotionAssignments } from './schema.ts';
import type { ChannelType } from './schema.ts';
import { isRedeemableIn, validityOf } from './validity.ts';

interface AssignmentFilter {
  readonly contactId: string;
  readonly redemptionChannelType?: ChannelType | undefined;
}

/**
 * Returns the promotions that count for a contact now, redeemed ones included, in order of assignment. Throws
 * `ContactNotFound`.
 */
export function listAssignments(tenant: TenantContext, filter: AssignmentFilter): AssignedPromotion[] {
  const { contactId, redemptionChannelType: channel } = filter;
  const active = listAssignedPromotions(tenant, getContact(tenant, contactId).id).filter(
    (held) => validityOf(held, tenant.now()) === 'active',
  );
  return channel === undefined ? active : active.filter(({ promotion }) => isRedeemableIn(promotion, channel));
}

/** Gives a contact a promotion, once more if it has it already. Throws `ContactNotFound` or `PromotionNotFound`. */
export function assignPromotion(
  tenant: TenantContext,
  { contactId, promotionId }: { readonly contactId: string; readonly promotionId: string },
): AssignedPromotion {
  const contact = getContact(tenant, contactId);
  const promotion = findPromotion(tenant, promotionId);
  if (!promotion) throw apiError('PromotionNotFound', { message: `No promotion has the id ${promotionId}.` });
  const assignment = tenant.put(promotionAssignments, {
    id: tenant.newId(),
    promotionId: promotion.id,
    contactId: contact.id,
    assignedOn: toTimestamp(tenant.now()),
    expiresOn: null,
    isActive: true,
    redeemedOn: null,
    redemptionChannel: null,
    receiptId: null,
  });
  return { assignment, promotion };
}

/** Names a promotion on a receipt by one of two ids. */
export interface PromotionUse {
  readonly couponId?: string | null | undefined;
  readonly promotionId?: string | null | undefined;
}

/** Names the receipt that a promotion is used on, and whose it is, if that is known. */
export interface PromotionReceipt {
  readonly contactId: string | undefined;
  readonly receiptId: string;
}

/** Marks a promotion that a receipt names as used. Never throws: what can't be right is warned about, the receipt stands. */
export function usePromotion(tenant: TenantContext, use: PromotionUse, receipt: PromotionReceipt): void {
  const held = use.couponId ? findCoupon(tenant, use.couponId, receipt) : findUsed(tenant, use, receipt);
  if (!held || held.assignment.receiptId === receipt.receiptId) return;
  const { assignment, promotion } = held;
  if (assignment.receiptId !== null) {
    const message = `${promotion.name} (coupon ${assignment.id}) was used on receipt ${assignment.receiptId} already`;
    return tenant.warn('promotion-used-again', message);
  }
  const validity = validityOf(held, tenant.now());
  if (assignment.redeemedOn === null && validity !== 'active') {
    const message = `${promotion.name} (coupon ${assignment.id}) is ${validity}; it is marked as used all the same`;
    tenant.warn('promotion-not-active', message);
  }
  markRedeemed(tenant, assignment, { receiptId: receipt.receiptId });
}

/** Returns the assignment that a receipt names by its couponId. */
function findCoupon(
  tenant: TenantContext,
  couponId: string,
  { contactId }: PromotionReceipt,
): AssignedPromotion | undefined {
  const held = findAssignedPromotion(tenant, couponId);
  if (held && held.assignment.contactId === contactId) return held;
  if (held) {
    const whose =
      contactId === undefined ? 'the receipt has no known contact' : `the receipt's contact is ${contactId}`;
    const message = `coupon ${couponId} belongs to contact ${held.assignment.contactId}, and ${whose}`;
    tenant.warn('promotion-of-another-contact', `${message}; it stays as it was`);
  } else {
    const hint = findPromotion(tenant, couponId) ? '; it is the id of a promotion, to be sent as promotionId' : '';
    tenant.warn('unknown-promotion', `no promotion assignment has the couponId ${couponId}${hint}`);
  }
  return undefined;
}

/** Returns the assignment that a receipt means by a promotion's id: the one just redeemed, else the next possible. */
function findUsed(
  tenant: TenantContext,
  { promotionId }: PromotionUse,
  { contactId }: PromotionReceipt,
): AssignedPromotion | undefined {
  const id = normalizeGuid(promotionId ?? '') ?? '';
  const candidates = contactId === undefined ? [] : listAssignedPromotions(tenant, contactId, id);
  const unsent = candidates.filter(({ assignment }) => assignment.receiptId === null);
  const used =
    unsent.find(({ assignment }) => assignment.redeemedOn !== null) ??
    unsent.find((held) => validityOf(held, tenant.now()) === 'active') ??
    candidates.findLast(({ assignment }) => assignment.receiptId !== null) ??
    unsent[0];
  if (used) return used;
  const whose = contactId === undefined ? 'of a receipt whose contact is unknown' : `of contact ${contactId}`;
  tenant.warn('unknown-promotion', `no promotion assignment ${whose} has the promotionId ${promotionId ?? '(none)'}`);
  return undefined;
}
