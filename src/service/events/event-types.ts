/** Lists the kinds of events that others can hear of, besides the adjustments of points in point-follower mode. */
export const optionalEventTypes = [
  'contact.created',
  'contact.updated',
  'contact.consent.changed',
  'contact.acceptsEmail.changed',
  'contact.acceptsPostal.changed',
  'contact.acceptsSms.changed',
  'point.balance.updated',
  'reward.voucher.created',
  'promotion.multichannel.assigned',
] as const;
