import * as z from '../../core/validation/deferred-zod.ts';
import { parseTimestamp } from '../../core/time/clock.ts';
import type { Table } from '../../core/state/state.ts';
import { lowerCaseGuid, number, requiredText, text, timestamp } from '../../core/validation/field-types.ts';

/** Describes a reward voucher: money that points were turned into, to be spent on a receipt. */
export const rewardVoucherSchema = z.strictObject({
  voucherNumber: requiredText,
  contactId: lowerCaseGuid,
  value: number.positive({ error: 'must be more than 0' }),
  currency: text.regex(/^[A-Z]{3}$/, { error: 'must be a currency code of three capitals, as SEK' }),
  issuedOn: timestamp,
  /** Holds the moment from which it is expired. */
  expiresOn: timestamp.nullable().default(null),
  usedOn: timestamp.nullable().default(null),
  /** Holds the receipt that it was used on. */
  receiptId: text.nullable().default(null),
});

export type RewardVoucher = z.infer<typeof rewardVoucherSchema>;

export const rewardVouchers: Table<RewardVoucher> = {
  name: 'rewardVouchers',
  scope: 'state',
  key: (voucher) => voucher.voucherNumber,
  lists: {
    byContact: ({ contactId, issuedOn }) => ({ of: contactId, order: parseTimestamp(issuedOn) ?? 0 }),
  },
};
