import * as z from '../../core/validation/deferred-zod.ts';
import { parseTimestamp } from '../../core/time/clock.ts';
import type { Table } from '../../core/state/state.ts';
import {
  flag,
  lowerCaseGuid,
  arrayOf,
  number,
  objectOf,
  requiredText,
  text,
  timestamp,
  caseInsensitiveEnum,
} from '../../core/validation/field-types.ts';

/** Lists the channels in which a promotion can be redeemed. */
const channelTypes = ['POS', 'ECOM', 'OTHER'] as const;

const valueTypes = ['PERCENT', 'MONEY', 'EXTERNALOFFER', 'MANUAL', 'SWIPE'] as const;

/** Compares channels without case. */
export const channelTypeSchema = caseInsensitiveEnum(channelTypes);

export type ChannelType = z.infer<typeof channelTypeSchema>;

const optionalText = text.nullable().default(null);
const optionalTimestamp = timestamp.nullable().default(null);

const localValue = z.strictObject({
  currency: text.regex(/^[A-Z]{3}$/, { error: 'must be a currency code of three capitals, as SEK' }),
  amount: number,
});

const redemptionChannelSchema = z.strictObject({
  type: z.enum(channelTypes),
  valueType: z.enum(valueTypes),
  /** A number is percent, or an amount in group currency; anything else is returned as it stands here. */
  value: z.unknown().default(null),
  /** Holds the same amount in other currencies. */
  localValues: arrayOf(localValue).default([]),
  instruction: optionalText,
});

export type RedemptionChannel = z.infer<typeof redemptionChannelSchema>;

/** Describes a promotion: the template that assignments are made from. */
export const promotionSchema = z.strictObject({
  id: lowerCaseGuid,
  externalId: optionalText,
  type: requiredText,
  name: requiredText,
  heading: optionalText,
  description: optionalText,
  imageUrl: optionalText,
  link: optionalText,
  isActive: flag.default(true),
  startsOn: optionalTimestamp,
  /** Holds the moment from which it is expired. */
  expiresOn: optionalTimestamp,
  redemptionChannels: arrayOf(redemptionChannelSchema).default([]),
  /** Holds the points that whoever uses the promotion is given on top. */
  bonusPoints: number.nullable().default(null),
});

export type Promotion = z.infer<typeof promotionSchema>;

export const promotions: Table<Promotion> = { name: 'promotions', scope: 'state', key: (promotion) => promotion.id };

/** Describes a promotion in the hands of one contact, who may hold the same one several times. */
export const promotionAssignmentSchema = z.strictObject({
  /** Holds the receipt's couponId. */
  id: lowerCaseGuid,
  promotionId: lowerCaseGuid,
  contactId: lowerCaseGuid,
  assignedOn: timestamp,
  expiresOn: optionalTimestamp,
  isActive: flag.default(true),
  redeemedOn: optionalTimestamp,
  redemptionChannel: z.enum(channelTypes).nullable().default(null),
  /** Holds the receipt that it was used on. */
  receiptId: optionalText,
});

export type PromotionAssignment = z.infer<typeof promotionAssignmentSchema>;

export const promotionAssignments: Table<PromotionAssignment> = {
  name: 'promotionAssignments',
  scope: 'state',
  key: (assignment) => assignment.id,
  lists: {
    byContact: ({ contactId, assignedOn }) => ({ of: contactId, order: parseTimestamp(assignedOn) ?? 0 }),
    byPromotion: ({ promotionId }) => ({ of: promotionId, order: 0 }),
  },
};

/** Describes a promotion assignment as it is returned. */
export const promotionAssignmentResponseSchema = z
  .object({
    id: z.guid(),
    promotionId: z.guid(),
    externalId: z.string().nullable(),
    type: z.string(),
    name: z.string(),
    heading: z.string().nullable(),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
    link: z.string().nullable(),
    expiresOn: timestamp.nullable(),
    redeemed: z.boolean(),
    redeemedOn: timestamp.nullable(),
    redemptionChannels: z.array(redemptionChannelSchema),
  })
  .meta({ id: 'PromotionAssignment' });

export type PromotionAssignmentResponse = z.infer<typeof promotionAssignmentResponseSchema>;

/** Says where it is redeemed, if the caller says so. */
export const redeemBody = objectOf({ redemptionChannel: channelTypeSchema.nullable().optional() });
