import * as z from 'zod';
import { matchKeyTypes } from '../contacts/keys.ts';
import { currencyCode, flag, listOf, number, record, requiredText, text, timestamp, word } from '../formats.ts';

/** Larger sums of money and quantities don't occur, and would leave no room for cents. */
const largest = 1e12;

const amount = number
  .min(-largest, { error: `must not be below -${largest}` })
  .max(largest, { error: `must not be above ${largest}` });

/** required.ts says which these are. */
const asked = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().describe('Required, unless A-21 is set to lenient');

const rate = number
  .positive({ error: 'must be greater than 0' })
  .max(1e6, { error: 'must not be above 1000000' })
  .describe('Units of group currency for one unit of currency');

const currency = currencyCode.toUpperCase();

/** Contact's keys, and its id. */
const receiptKeyTypes = ['contactId', ...matchKeyTypes] as const;

const receiptContact = record({
  matchKey: requiredText,
  matchKeyType: word(receiptKeyTypes),
  contactType: text.nullish(),
});

const paymentMethod = record({
  type: asked(text),
  description: text.nullish(),
  value: asked(amount),
});

const discount = record({
  type: text.nullish(),
  description: text.nullish(),
  value: amount.max(0, { error: 'must not be positive: a discount is a negative number' }).nullish(),
});

const extraData = record({ name: text, value: text.nullish() });

/** Prices and taxes are those of the whole line. */
const item = record({
  //
  type: asked(word(['PURCHASE', 'RETURN', 'ADJUSTMENT'])),
  quantity: asked(amount),
  grossPaidPrice: asked(amount),
  taxAmount: asked(amount),
  taxPercent: asked(amount),
  sku: asked(text),
  articleNumber: asked(text),
  articleName: asked(text),
  articleGroup: text.nullish(),
  extraData: listOf(extraData).nullish(),
  marginPercent: text
    .regex(/^[+-]?\d+(\.\d+)?$/, { error: 'must be a text that holds a decimal number, as "42.5"' })
    .nullish(),
  awardsPoints: flag.nullish(),
  discounts: listOf(discount).nullish(),
});

const usedRewardVoucher = record({ voucherNumber: requiredText.nullish() });

const usedPromotion = record({ couponId: text.nullish(), promotionId: text.nullish() })
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

/** Receipt, as a till sends it. Which fields must be there depends on the tenant: see required.ts. */
export const receiptBody = record({
  contact: receiptContact,
  uniqueReceiptId: asked(requiredText),
  receiptNumber: text.nullish(),
  createdDate: asked(timestamp),
  storeExternalId: asked(requiredText),
  currency: asked(currency),
  exchangeRateToGroupCurrency: rate.nullish(),
  totalGrossPrice: asked(amount),
  paymentMethods: asked(listOf(paymentMethod)),
  items: listOf(item).min(1, { error: 'must hold at least one item' }),
  usedRewardVouchers: listOf(usedRewardVoucher).nullish(),
  usedPromotions: listOf(usedPromotion).nullish(),
});

export type ReceiptBody = z.infer<typeof receiptBody>;
export type ReceiptContact = ReceiptBody['contact'];
export type ReceiptItem = ReceiptBody['items'][number];

const strictItem = item
  .extend({ extraData: listOf(extraData.strict()).nullish(), discounts: listOf(discount.strict()).nullish() })
  .strict();

/** A receipt in a fixture: the same, without a field that nobody reads. */
export const fixtureReceipt = receiptBody
  .extend({
    contact: receiptContact.strict(),
    paymentMethods: listOf(paymentMethod.strict()).nullish(),
    items: listOf(strictItem).min(1),
    usedRewardVouchers: listOf(usedRewardVoucher.strict()).nullish(),
    usedPromotions: listOf(usedPromotion.strict()).nullish(),
    unmatched: flag.optional().describe('Whether nobody is meant to have this key (A-25)'),
  })
  .strict();

export type FixtureReceipt = z.infer<typeof fixtureReceipt>;

/** */
export const transactionSchema = z.strictObject({
  id: z.guid(),
  transactionNumber: z.string(),
  uniqueReceiptId: z.string().nullable(),
  createdDate: z.string(),
  storeExternalId: z.string().nullable(),
  storeName: z.string().nullable(),
  numberOfItems: z.number().int().describe('How many lines there are'),
  netPriceSum: z.number().describe('What was paid without tax, in group currency'),
  localNetPriceSum: z.number().describe('What was paid without tax, in the currency of the receipt'),
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
      price: z.number().describe('What was paid for the line, tax included, in group currency'),
      localPrice: z.number().describe('What was paid for the line, tax included, in the currency of the receipt'),
      isReturned: z.boolean(),
    }),
  ),
});

export type Transaction = z.infer<typeof transactionSchema>;

/** Purchase history summary. */
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
