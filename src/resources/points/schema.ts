import * as z from 'zod';
import { parseTimestamp } from '../../core/clock.ts';
import type { Table } from '../../core/state.ts';
import { integer, number, requiredText, text, timestamp, word } from '../formats.ts';

const months = integer.positive({ error: 'must be at least 1' });

/** What becomes of points that are not used. */
const expirySchema = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('none') }),
  /** So many months after they became active. */
  z.strictObject({ method: z.literal('age'), months }),
  /** All of them, so many months after the contact's last purchase. */
  z.strictObject({ method: z.literal('contactInactive'), months }),
]);

/** What a contact's points are turned into as soon as there are enough of them. */
const rewardVoucherRuleSchema = z.strictObject({
  threshold: number.positive({ error: 'must be more than 0' }),
  value: number.positive({ error: 'must be more than 0' }),
  currency: z.string().length(3),
  validMonths: months,
});

/** Point definition: each contact has one independent account per definition. */
export const pointDefinitionSchema = z.strictObject({
  id: integer,
  name: requiredText,
  /** Points for each unit of group currency spent; 0 when purchases earn none. */
  pointsPerUnit: number.nonnegative({ error: 'must not be negative' }).default(0),
  /** How long points stay pending. */
  daysPending: integer.nonnegative({ error: 'must not be negative' }).default(0),
  expiry: expirySchema.default({ method: 'none' }),
  rewardVoucher: rewardVoucherRuleSchema.nullable().default(null),
});

export type PointDefinition = z.infer<typeof pointDefinitionSchema>;

export const pointDefinitions: Table<PointDefinition> = {
  name: 'pointDefinitions',
  scope: 'state',
  key: ({ id }) => String(id),
};

const optionalTimestamp = timestamp.nullable().default(null);

/** Point transaction as it is kept; its account is that of the contact and the definition. */
export const pointTransactionSchema = z.strictObject({
  id: z.guid({ error: 'must be a GUID' }).toLowerCase(),
  contactId: z.guid({ error: 'must be a GUID' }).toLowerCase(),
  definitionId: integer,
  /** Negative for deductions. */
  amount: number,
  type: word(['Addition', 'Deduction', 'Expiry', 'Cancellation', 'Adjustment']),
  source: requiredText,
  description: text.nullable().default(null),
  transactionDate: timestamp,
  /** The points are pending until then, and active from the start when there is none. */
  validFrom: optionalTimestamp,
  validTo: optionalTimestamp,
});

export type PointTransaction = z.infer<typeof pointTransactionSchema>;

export const pointTransactions: Table<PointTransaction> = {
  name: 'pointTransactions',
  scope: 'state',
  key: ({ id }) => id,
  lists: {
    byAccount: ({ contactId, definitionId, transactionDate }) => ({
      of: `${contactId}/${definitionId}`,
      order: parseTimestamp(transactionDate) ?? 0,
    }),
  },
};
