/** Describes points as callers send and see them. */
import * as z from '../../core/validation/deferred-zod.ts';
import { linkSchema, pageSchema, pageQuery } from '../../core/exchange/pagination.ts';
import {
  expectedType,
  integer,
  arrayOf,
  objectOf,
  requiredText,
  text,
  timestamp,
  caseInsensitiveEnum,
} from '../../core/validation/field-types.ts';
import { points, transactionTypes } from './definitions.ts';

/** Describes an id in either of its forms. */
const identifier = z.union([requiredText, integer], expectedType('an id, a text or a whole number'));

const shownId = z.union([z.string(), z.number().int()]);

/** Describes a point transaction in a response. */
export const pointTransactionSchema = z
  .strictObject({
    id: z.string(),
    accountId: shownId,
    description: z.string().nullable(),
    source: z.string(),
    amount: z.number(),
    type: z.enum(transactionTypes),
    transactionDate: z.string(),
    createdOn: z.string(),
    modifiedOn: z.string(),
    validFrom: z.string().nullable(),
    validTo: z.string().nullable(),
    retailTransactionLineItemId: z.guid().nullable(),
    links: z.array(linkSchema),
  })
  .meta({ id: 'PointTransaction' });

export type PointTransactionResponse = z.infer<typeof pointTransactionSchema>;

export const pointTransactionPageSchema = pageSchema(pointTransactionSchema);

/** Describes a point account in a response. */
export const pointAccountSchema = z.strictObject({
  id: shownId,
  contactId: z.string(),
  definitionId: z.number().int(),
  balance: z.number(),
  pendingPoints: z.number(),
  balanceExpires: z
    .string()
    .nullable()
    .describe('Moment at which the balance next changes by itself; not to be relied on'),
  pointsWillExpireDueToInactivity: z
    .string()
    .nullable()
    .optional()
    .describe('There for the expiry method contactInactive alone'),
  links: z.array(linkSchema),
});

export type PointAccountResponse = z.infer<typeof pointAccountSchema>;

/** Describes an account with the first page of its transactions. */
export const accountWithTransactions = pointAccountSchema.extend({
  transactions: pointTransactionPageSchema.optional(),
});

/** Declares the query of a list of transactions, with its sort tokens. */
export const pointTransactionQuery = {
  filter: caseInsensitiveEnum(['All', 'Active', 'Pending']).default('All'),
  sortBy: caseInsensitiveEnum(['transactionDate', 'createdOn']).default('transactionDate'),
  sortOrder: caseInsensitiveEnum(['asc', 'desc', 'ascending', 'descending']).default('desc'),
  ...pageQuery,
};

/** Accepts what "may be left blank": left out, null or an empty text. */
const orBlank = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((sent) => (sent === '' ? null : sent), schema.nullish());

/** Describes the body of a single transaction. */
export const pointTransactionBody = objectOf({
  accountId: identifier,
  transactionId: identifier.describe("A unique id from the caller's own system"),
  transactionType: caseInsensitiveEnum(transactionTypes).nullish(),
  amount: points.nullish(),
  description: text.nullish(),
  source: text.nullish(),
  transactionDate: timestamp.nullish(),
  validFrom: timestamp.nullish(),
  validTo: orBlank(timestamp).describe("Filled from the definition's expiry settings when it is left blank"),
  expireAfterMonthsInactive: orBlank(integer).describe("May repeat the definition's own setting"),
});

export type PointTransactionBody = z.infer<typeof pointTransactionBody>;

/** Describes an item of a bulk body; A-43 asks for `source` and `description`. */
export const bulkItem = objectOf({
  contactId: z.union([requiredText, integer], expectedType('the id of a contact')),
  definitionId: z.union([integer, requiredText], expectedType('the id of a point definition, a whole number')),
  amount: points,
  timeStamp: timestamp.nullish(),
  source: requiredText,
  description: requiredText,
  validFrom: timestamp.nullish(),
  validTo: timestamp.nullish(),
});

export type BulkItem = z.infer<typeof bulkItem>;

/** Rows are read one by one: a bad one is skipped and harms no other. */
export const bulkBody = z.array(z.union([bulkItem.loose(), z.unknown()]), {
  error: 'must be a list of point transactions',
});

/** Describes the response to bulk transactions. */
export const bulkResponseSchema = z.strictObject({
  notAccepted: z.array(z.unknown()),
  errorMessages: z.array(z.string()),
  missingDefinitionIds: z.array(z.unknown()),
  missingContactIds: z.array(z.unknown()),
});

export type BulkResponse = z.infer<typeof bulkResponseSchema>;

/** Describes an item of a balance sync. */
const balanceItem = objectOf({
  contactId: z.guid({ error: 'must be a GUID' }),
  amount: points.describe('The new total of active points'),
  definitionId: integer,
  timeStamp: timestamp.nullish(),
});

export type BalanceSyncItem = z.infer<typeof balanceItem>;

export const balancesBody = arrayOf(balanceItem);

/** Describes the response to balances. */
export const balancesResponseSchema = z.union([z.strictObject({ id: z.string() }), z.string()]);

export const balanceSyncStatusSchema = z.strictObject({
  messages: z.array(z.strictObject({ message: z.string(), timeStamp: z.string() })),
  id: z.string(),
  status: z.enum(['Queued', 'Processing', 'Completed', 'CompletedWithErrors', 'Failed']),
  timeStamp: z.string(),
});

export type BalanceSyncStatus = z.infer<typeof balanceSyncStatusSchema>;
