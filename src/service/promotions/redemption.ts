import type { TenantContext } from '../../core/tenant/context.ts';
import { getContact } from '../contacts/lookup.ts';
import { apiError } from '../errors/catalog.ts';
import { findPromotion, listAssignedPromotions, findAssignedPromotion, markRedeemed } from './assignments.ts';
import type { AssignedPromotion } from './assignments.ts';
import { promotionAssignments, promotions } from './schema.ts';
import type { ChannelType, Promotion } from './schema.ts';
import { expiryOf, isRedeemableIn, validityOf } from './validity.ts';

interface Redemption {
  /** Holds an assignment's, or with a contact a promotion's. */
  readonly id: string;
  readonly contactId?: string | undefined;
  readonly redemptionChannel?: ChannelType | null | undefined;
}

/** Marks a promotion as used by a contact. Throws `ContactNotFound`, `NoData`, or the refusals of A-33. */
export function redeemPromotion(
  tenant: TenantContext,
  { id, contactId, redemptionChannel }: Redemption,
): AssignedPromotion {
  const channel = redemptionChannel ?? null;
  if (channel === null && tenant.assumption('A-32') === 'strict') {
    throw apiError('NoData', { message: 'The body must name the redemptionChannel: POS, ECOM or OTHER.' });
  }
  const held = findToRedeem(tenant, id, contactId);
  if (held.assignment.redeemedOn !== null) {
    if (tenant.assumption('A-33') === 'again-ok') return held;
    const { assignment } = held;
    const message = `The promotion assignment ${assignment.id} was redeemed on ${assignment.redeemedOn} already.`;
    throw apiError('PromotionAlreadyRedeemed', { message });
  }
  checkRedeemable(tenant, held, channel);
  return { ...held, assignment: markRedeemed(tenant, held.assignment, { redemptionChannel: channel }) };
}

/** Returns the assignment to redeem; of several of one promotion the first that can be. */
function findToRedeem(tenant: TenantContext, id: string, contactId: string | undefined): AssignedPromotion {
  const named = contactId === undefined ? undefined : getContact(tenant, contactId);
  const held = findAssignedPromotion(tenant, id);
  if (held && named && held.assignment.contactId !== named.id) {
    const message = `The promotion assignment ${id} is not of the contact ${contactId}.`;
    throw apiError('PromotionNotAssociatedWithContact', { message });
  }
  if (held) return held;
  const promotion = promotionOf(tenant, id);
  if (tenant.assumption('A-32') === 'strict') {
    const message = `${id} is the id of a promotion; redeem by the id of the contact's assignment of it.`;
    throw apiError('NoData', { message });
  }
  const holder = named?.id ?? onlyHolderOf(tenant, promotion);
  if (holder === undefined) {
    const message = `${id} is a promotion, not one contact's: add ?contactId=, or redeem by the assignment's id.`;
    throw apiError('PromotionNotAssociatedWithContact', { message });
  }
  const candidates = listAssignedPromotions(tenant, holder, promotion.id);
  const unused = candidates.filter(({ assignment }) => assignment.redeemedOn === null);
  const usable = unused.find((each) => validityOf(each, tenant.now()) === 'active');
  const redeemed = candidates.findLast(({ assignment }) => assignment.redeemedOn !== null);
  const chosen = usable ?? redeemed ?? unused[0];
  if (chosen) return chosen;
  const message = `The promotion ${id} is not assigned to the contact ${holder}.`;
  throw apiError('PromotionNotAssociatedWithContact', { message });
}

/** Returns the contact who holds a promotion, when there is exactly one. */
export function onlyHolderOf(tenant: TenantContext, { id }: Promotion): string | undefined {
  let holder: string | undefined;
  for (const { key } of tenant.list(promotionAssignments, 'byPromotion', id)) {
    const contactId = tenant.get(promotionAssignments, key)?.contactId;
    if (holder !== undefined && contactId !== holder) return undefined;
    holder = contactId;
  }
  return holder;
}

function promotionOf(tenant: TenantContext, id: string): Promotion {
  const promotion = findPromotion(tenant, id);
  if (promotion) return promotion;
  const meant = [...tenant.all(promotions)].find(({ externalId }) => externalId === id);
  const hint = meant ? `; it is the externalId of the promotion ${meant.id}` : '';
  throw apiError('PromotionNotFound', { message: `No promotion and no assignment of one has the id ${id}${hint}.` });
}

/** Throws the reason why a promotion can't be redeemed, if there is one. */
function checkRedeemable(tenant: TenantContext, held: AssignedPromotion, channel: ChannelType | null): void {
  const { assignment, promotion } = held;
  const validity = validityOf(held, tenant.now());
  const name = `${promotion.name} (assignment ${assignment.id})`;
  if (validity === 'expired') {
    throw apiError('PromotionExpired', { message: `${name} has expired on ${expiryOf(held)}.` });
  }
  // What the listing doesn't show isn't there, either.
  if (validity !== 'active') throw apiError('PromotionNotFound', { message: `${name} is ${validity}.` });
  if (channel === null || isRedeemableIn(promotion, channel)) return;
  const channels = promotion.redemptionChannels.map(({ type }) => type).join(', ') || 'no channel';
  const message = `${name} cannot be redeemed in ${channel}, only in ${channels}.`;
  throw apiError('PromotionNotValidForRedemptionChannel', { message });
}
