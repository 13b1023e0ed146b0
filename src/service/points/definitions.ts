import * as z from '../../core/validation/deferred-zod.ts';
import type { Table } from '../../core/state/state.ts';
import {
  flag,
  lowerCaseGuid,
  integer,
  number,
  requiredText,
  text,
  timestamp,
  caseInsensitiveEnum,
} from '../../core/validation/field-types.ts';

const months = integer.positive({ error: 'must be at least 1' }).max(1200, { error: 'must not be above 1200' });

/** Sets when points that are not used expire. */
const expirySchema = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('none') }),
  /** Expires points so many months after they became active. */
  z.strictObject({ method: z.literal('age'), months }),
  /** Expires all of them, so many months after the contact's last purchase. */
  z.strictObject({ method: z.literal('contactInactive'), months }),
]);

/** Sets what a contact's points become as soon as there are enough of them. */
const rewardVoucherRuleSchema = z.strictObject({
  threshold: number.positive({ error: 'must be more than 0' }),
  value: number.positive({ error: 'must be more than 0' }),
  currency: z.string().length(3),
  validMonths: months,
});

/** Describes a member level: a contact with at least so many points has it. */
const levelSchema = z.strictObject({
  name: requiredText,
  threshold: number.nonnegative({ error: 'must not be negative' }),
});

/** Describes a point definition, for which each contact has one independent account. */
export const pointDefinitionSchema = z.strictObject({
  id: integer,
  name: requiredText,
  /** Gives so many points for each unit of group currency spent; 0 when purchases earn none. */
  pointsPerUnit: number.nonnegative({ error: 'must not be negative' }).default(0),
  /** Holds the time for which points stay pending. */
  daysPending: integer
    .nonnegative({ error: 'must not be negative' })
    .max(3660, { error: 'must not be above 3660' })
    .default(0),
  /** True when points can be pending; where they can't, a future validFrom is ignored. */
  pendingPointsActive: flag.default(true),
  expiry: expirySchema.default({ method: 'none' }),
  rewardVoucher: rewardVoucherRuleSchema.nullable().default(null),
  levels: z
    .array(levelSchema)
    .default([])
    .describe('Member levels; a contact has the one with the highest threshold that its points have reached (A-77)'),
});

export type PointDefinition = z.infer<typeof pointDefinitionSchema>;

export const pointDefinitions: Table<PointDefinition> = {
  name: 'pointDefinitions',
  scope: 'state',
  key: ({ id }) => String(id),
  lists: { earning: ({ id, pointsPerUnit }) => (pointsPerUnit > 0 ? { of: 'all', order: id } : undefined) },
};

const optionalTimestamp = timestamp.nullable().default(null);

/** Lists the kinds of point transactions. */
export const transactionTypes = ['Addition', 'Deduction', 'Expiry', 'Cancellation', 'Adjustment'] as const;

export type TransactionType = (typeof transactionTypes)[number];

/** More points than these don't occur, and would leave no room for decimals. */
const largest = 1e9;

export const points = number
  .min(-largest, { error: `must not be below -${largest}` })
  .max(largest, { error: `must not be above ${largest}` });

/** Describes a point transaction of the past, in a fixture; its account is that of the contact and the definition. */
export const pointTransactionFixture = z.strictObject({
  id: lowerCaseGuid.optional(),
  contactId: lowerCaseGuid,
  definitionId: integer,
  /** Is negative for deductions. */
  amount: points,
  type: caseInsensitiveEnum(transactionTypes),
  source: requiredText,
  description: text.nullable().default(null),
  transactionDate: timestamp.optional(),
  /** Says when it was entered (default: on its transactionDate). */
  createdOn: timestamp.optional(),
  /** The points are pending until then, and active from the start when there is none. */
  validFrom: optionalTimestamp,
  validTo: optionalTimestamp,
  /** Holds the caller's own id of it. */
  transactionId: requiredText.nullable().default(null),
  retailTransactionLineItemId: lowerCaseGuid.nullable().default(null),
});

export type PointTransactionFixture = z.infer<typeof pointTransactionFixture>;
