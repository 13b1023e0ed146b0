import * as z from '../../core/validation/deferred-zod.ts';
import { matchKeyTypes } from '../contacts/match-keys.ts';
import {
  currencyCode,
  flag,
  arrayOf,
  number,
  objectOf,
  requiredText,
  text,
  timestamp,
  caseInsensitiveEnum,
  upTo,
} from '../../core/validation/field-types.ts';

/** Larger sums of money and quantities don't occur, and would leave no room for cents. */
const largest = 1e12;

const amount = number
  .min(-largest, { error: `must not be below -${largest}` })
  .max(largest, { error: `must not be above ${largest}` });

/** required-fields.ts says which these are. */
const requiredUnlessLenient = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().describe('Required, unless A-21 is set to lenient');

const rate = number
  .positive({ error: 'must be greater than 0' })
  .max(1e6, { error: 'must not be above 1000000' })
  .describe('Units of group currency for one unit of currency');

const currency = currencyCode.toUpperCase();

/** Lists a contact's keys, and its id. */
const receiptKeyTypes = ['contactId', ...matchKeyTypes] as const;

const receiptContact = objectOf({
  matchKey: requiredText,
  matchKeyType: caseInsensitiveEnum(receiptKeyTypes),
  contactType: text.nullish(),
});

const paymentMethod = objectOf({
  type: requiredUnlessLenient(text),
  description: text.nullish(),
  value: requiredUnlessLenient(amount),
});

const discount = objectOf({
  type: text.nullish(),
  description: text.nullish(),
  value: amount.max(0, { error: 'must not be positive: a discount is a negative number' }).nullish(),
});

const extraData = objectOf({ name: text, value: text.nullish() });

/** Prices and taxes are those of the whole line. */
const item = objectOf({
  //
  type: requiredUnlessLenient(caseInsensitiveEnum(['PURCHASE', 'RETURN', 'ADJUSTMENT'])),
  quantity: requiredUnlessLenient(amount),
  grossPaidPrice: requiredUnlessLenient(amount),
  taxAmount: requiredUnlessLenient(amount),
  taxPercent: requiredUnlessLenient(amount),
  sku: requiredUnlessLenient(text),
  articleNumber: requiredUnlessLenient(text),
  articleName: requiredUnlessLenient(text),
  articleGroup: text.nullish(),
  extraData: arrayOf(extraData).nullish(),
  packQuantity: amount.nullish(),
  marginPercent: z.preprocess(
    (sent) => (typeof sent === 'number' ? String(sent) : sent),
    text
      .regex(/^[+-]?\d+(\.\d+)?$/, { error: 'must be a decimal number or a text that holds one, as "42.5"' })
      .nullish(),
  ),
  awardsPoints: flag.nullish(),
  discounts: arrayOf(discount).nullish(),
});

const usedRewardVoucher = objectOf({ voucherNumber: requiredText.nullish() });

const usedPromotion = objectOf({ couponId: text.nullish(), promotionId: text.nullish() })
  .refine(({ couponId, promotionId }) => !(couponId && promotionId), {
    error: 'has couponId and promotionId: send one of them, never both; couponId is the recommended one',
  })
  .refine(({ couponId, promotionId }) => couponId || promotionId, {
    error: 'has neither couponId nor promotionId: send one of them; couponId is the recommended one',
  })
  .meta({
    description: 'Either couponId, which is recommended, or promotionId',
    oneOf: ['couponId', 'promotionId'].map((name) => ({
      properties: { [name]: { type: 'string', minLength: 1 } },
      required: [name],
    })),
  });

/** Limits each list of a receipt to more than any till sends: looking at more keeps all others waiting. */
const maxItems = 5000;
const limit = upTo(maxItems, 'items', 'hold');

/**
 * Describes a receipt as a till sends it. The tenant decides which fields must be there: see required-fields.ts.
 */
export const receiptBody = objectOf({
  contact: receiptContact,
  uniqueReceiptId: requiredUnlessLenient(requiredText),
  receiptNumber: text.nullish(),
  createdDate: requiredUnlessLenient(timestamp),
  storeExternalId: requiredUnlessLenient(requiredText),
  currency: requiredUnlessLenient(currency),
  exchangeRateToGroupCurrency: rate.nullish(),
  totalGrossPrice: requiredUnlessLenient(amount),
  paymentMethods: requiredUnlessLenient(arrayOf(paymentMethod).max(...limit)),
  items: arrayOf(item)
    .min(1, { error: 'must hold at least one item' })
    .max(...limit),
  usedRewardVouchers: arrayOf(usedRewardVoucher)
    .max(...limit)
    .nullish(),
  usedPromotions: arrayOf(usedPromotion)
    .max(...limit)
    .nullish(),
});

export type ReceiptBody = z.infer<typeof receiptBody>;
export type ReceiptContact = ReceiptBody['contact'];
export type ReceiptItem = ReceiptBody['items'][number];

const strictItem = item
  .extend({ extraData: arrayOf(extraData.strict()).nullish(), discounts: arrayOf(discount.strict()).nullish() })
  .strict();

/** Holds a receipt in a fixture: the same, without a field that nobody reads. */
export const fixtureReceipt = receiptBody
  .extend({
    contact: receiptContact.strict(),
    paymentMethods: arrayOf(paymentMethod.strict()).nullish(),
    items: arrayOf(strictItem).min(1),
    usedRewardVouchers: arrayOf(usedRewardVoucher.strict()).nullish(),
    usedPromotions: arrayOf(usedPromotion.strict()).nullish(),
    unmatched: flag.optional().describe('True when nobody is meant to have this key (A-25)'),
  })
  .strict();

export type FixtureReceipt = z.infer<typeof fixtureReceipt>;

/** Describes a transaction record. */
export const transactionSchema = z.strictObject({
  id: z.guid(),
  transactionNumber: z.string(),
  uniqueReceiptId: z.string().nullable(),
  createdDate: z.string(),
  storeExternalId: z.string().nullable(),
  storeName: z.string().nullable(),
  numberOfItems: z.number().int().describe('Counts the lines'),
  netPriceSum: z.number().describe('Amount that was paid without tax, in group currency'),
  localNetPriceSum: z.number().describe('Amount that was paid without tax, in the currency of the receipt'),
  localCurrency: z.string(),
  groupCurrency: z.string(),
  lineItems: z.array(
    z.strictObject({
      id: z.guid(),
      type: z.string(),
      sku: z.string().nullable(),
      articleNumber: z.string().nullable(),
      articleName: z.string().nullable(),
      articleGroup: z.string().nullable(),
      quantity: z.number(),
      price: z.number().describe('Amount that was paid for the line, tax included, in group currency'),
      localPrice: z
        .number()
        .describe('Amount that was paid for the line, tax included, in the currency of the receipt'),
      isReturned: z.boolean(),
    }),
  ),
});

export type Transaction = z.infer<typeof transactionSchema>;

/** Describes the purchase history summary. */
export const summarySchema = z.strictObject({
  lastUpdated: z.string(),
  latestReceiptDate: z.string().nullable(),
  purchaseAmountAll: z.number(),
  purchaseAmountLastYear: z.number(),
  purchaseAmountLastTwoYears: z.number(),
  numberOfArticlePurchasesAll: z.number(),
  numberOfArticlePurchasesLastYear: z.number(),
  numberOfArticlePurchasesLastTwoYears: z.number(),
  averageReceiptAll: z.number(),
  averageReceiptLastYear: z.number(),
  averageReceiptLastTwoYears: z.number(),
  purchaseFrequencyAll: z.number(),
  purchaseFrequencyLastYear: z.number(),
  purchaseFrequencyLastTwoYears: z.number(),
});

export type PurchaseHistorySummary = z.infer<typeof summarySchema>;
