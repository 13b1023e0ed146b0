/** Computes when a promotion in a contact's hands counts. */
import { parseTimestamp } from '../../core/time/clock.ts';
import type { Instant } from '../../core/time/clock.ts';
import type { AssignedPromotion } from './assignments.ts';
import type { ChannelType, Promotion } from './schema.ts';

export const promotionValidities = ['active', 'inactive', 'not started', 'expired'] as const;

type PromotionValidity = (typeof promotionValidities)[number];

const instantOf = (timestamp: string): Instant => parseTimestamp(timestamp) ?? 0;

/** Returns the moment from which the assignment or its promotion is expired, whichever comes first. */
export function expiryOf({ assignment, promotion }: AssignedPromotion): string | null {
  const ends = [assignment.expiresOn, promotion.expiresOn].filter((end) => end !== null);
  return ends.toSorted((a, b) => instantOf(a) - instantOf(b))[0] ?? null;
}

/** Promotion assignment: it counts while both the assignment and its template are active. */
export function validityOf(held: AssignedPromotion, now: Instant): PromotionValidity {
  const { assignment, promotion } = held;
  if (!assignment.isActive || !promotion.isActive) return 'inactive';
  const starts = [assignment.assignedOn, promotion.startsOn].filter((start) => start !== null);
  if (starts.some((start) => instantOf(start) > now)) return 'not started';
  const expiry = expiryOf(held);
  return expiry !== null && instantOf(expiry) <= now ? 'expired' : 'active';
}

export const isRedeemableIn = ({ redemptionChannels }: Promotion, channel: ChannelType): boolean =>
  redemptionChannels.some(({ type }) => type === channel);
