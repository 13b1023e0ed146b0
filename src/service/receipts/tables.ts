/** Keeps receipts, which are final from the moment they are stored (Receipt rule 4). */
import { parseTimestamp, toTimestamp } from '../../core/time/clock.ts';
import type { Instant } from '../../core/time/clock.ts';
import type { Table } from '../../core/state/state.ts';
import type { Retailer } from '../retailer/schema.ts';
import { articlesOf, paidFor, sumOf } from './amounts.ts';
import type { ReceiptBody, ReceiptContact, ReceiptItem } from './schema.ts';
import { isPureReturn, toNegative } from './return-signs.ts';

export interface LineItem {
  /** Holds the points' retailTransactionLineItemId. */
  readonly id: string;
  readonly type: NonNullable<ReceiptItem['type']>;
  readonly quantity: number;
  readonly grossPaidPrice: number;
  readonly taxAmount: number;
  readonly taxPercent: number | null;
  readonly sku: string | null;
  readonly articleNumber: string | null;
  readonly articleName: string | null;
  readonly articleGroup: string | null;
  readonly extraData: NonNullable<ReceiptItem['extraData']>;
  readonly marginPercent: string | null;
  readonly awardsPoints: boolean;
  readonly discounts: NonNullable<ReceiptItem['discounts']>;
}

export interface ReceiptRow {
  readonly id: string;
  /** Counts a tenant's receipts: which of two with the same createdDate came first. */
  readonly number: number;
  readonly transactionNumber: string;
  readonly uniqueReceiptId: string | null;
  /** True when there was one with the same uniqueReceiptId before. */
  readonly isRepeat: boolean;
  /** Holds it as it was sent. */
  readonly contact: ReceiptContact;
  /** Holds the id of its contact; null when nobody has the key that was sent. */
  readonly contactId: string | null;
  readonly createdDate: string;
  readonly recordedOn: string;
  readonly storeExternalId: string | null;
  readonly currency: string;
  /** Holds the units of group currency for one unit of currency. */
  readonly exchangeRate: number;
  readonly totalGrossPrice: number;
  readonly paymentMethods: NonNullable<ReceiptBody['paymentMethods']>;
  readonly items: readonly LineItem[];
  readonly usedRewardVouchers: NonNullable<ReceiptBody['usedRewardVouchers']>;
  readonly usedPromotions: NonNullable<ReceiptBody['usedPromotions']>;
}

const isSold = ({ type, quantity }: LineItem): boolean => type !== 'RETURN' && quantity >= 0;

/** Keeps when a contact's purchase history last changed, where that was through the API. */
interface PurchaseHistoryChange {
  readonly contactId: string;
  readonly changedOn: string;
}

export const purchaseHistoryChanges: Table<PurchaseHistoryChange> = {
  name: 'purchaseHistoryChanges',
  scope: 'state',
  key: ({ contactId }) => contactId,
};

export const receipts: Table<ReceiptRow> = {
  name: 'receipts',
  scope: 'state',
  key: (receipt) => receipt.id,
  unique: {
    uniqueReceiptId: ({ uniqueReceiptId, isRepeat }) => (uniqueReceiptId === null || isRepeat ? [] : [uniqueReceiptId]),
  },
  lists: {
    // The amounts are those that purchase-history.ts reads.
    byContact: ({ contactId, createdDate, number, totalGrossPrice, exchangeRate, items }) =>
      contactId === null
        ? undefined
        : {
            of: contactId,
            order: parseTimestamp(createdDate) ?? 0,
            tie: number,
            amounts: [totalGrossPrice * exchangeRate, sumOf(items, articlesOf), 1, items.some(isSold) ? 1 : 0],
          },
  },
};

/** Returns the rate at which a receipt counts, or undefined when neither it nor the retailer knows one. */
export function exchangeRateOf(
  { currency, exchangeRateToGroupCurrency }: ReceiptBody,
  { groupCurrency, exchangeRates }: Retailer,
): number | undefined {
  if (exchangeRateToGroupCurrency) return exchangeRateToGroupCurrency;
  const code = currency ?? groupCurrency;
  return exchangeRates[code] ?? (code === groupCurrency ? 1 : undefined);
}

interface ReceiptContext {
  readonly newId: () => string;
  readonly number: number;
  readonly contactId: string | null;
  readonly isRepeat: boolean;
  readonly retailer: Retailer;
  readonly acceptedAt: Instant;
  readonly recordedAt: Instant;
}

/** Makes the row of a receipt; whatever A-21's lenient variant lets a till leave out gets its plainest value. */
export function receiptRow(body: ReceiptBody, circumstances: ReceiptContext): ReceiptRow {
  const { newId, number, contactId, isRepeat, retailer, acceptedAt, recordedAt } = circumstances;
  const id = newId();
  const items = body.items.map((item) => lineItem(item, newId()));
  const { totalGrossPrice, paymentMethods } = moneyOf(body, items);
  return {
    id,
    number,
    transactionNumber: body.receiptNumber ?? body.uniqueReceiptId ?? id,
    uniqueReceiptId: body.uniqueReceiptId ?? null,
    isRepeat,
    contact: body.contact,
    contactId,
    createdDate: body.createdDate ?? toTimestamp(acceptedAt),
    recordedOn: toTimestamp(recordedAt),
    storeExternalId: body.storeExternalId ?? null,
    currency: body.currency ?? retailer.groupCurrency,
    exchangeRate: exchangeRateOf(body, retailer) ?? 1,
    totalGrossPrice,
    paymentMethods,
    items,
    usedRewardVouchers: body.usedRewardVouchers ?? [],
    usedPromotions: body.usedPromotions ?? [],
  };
}

function lineItem(item: ReceiptItem, id: string): LineItem {
  const type = item.type ?? 'PURCHASE';
  const [quantity, price, tax] = [item.quantity ?? 1, item.grossPaidPrice ?? 0, item.taxAmount ?? 0];
  const isReturn = type === 'RETURN';
  return {
    id,
    type,
    quantity: isReturn ? toNegative(quantity) : quantity,
    grossPaidPrice: isReturn ? Math.abs(price) : price,
    taxAmount: isReturn ? Math.abs(tax) : tax,
    taxPercent: item.taxPercent ?? null,
    sku: item.sku ?? null,
    articleNumber: item.articleNumber ?? null,
    articleName: item.articleName ?? null,
    articleGroup: item.articleGroup ?? null,
    extraData: item.extraData ?? [],
    marginPercent: item.marginPercent ?? null,
    awardsPoints: item.awardsPoints ?? true,
    discounts: item.discounts ?? [],
  };
}

function moneyOf(
  body: ReceiptBody,
  items: readonly LineItem[],
): Pick<ReceiptRow, 'totalGrossPrice' | 'paymentMethods'> {
  const totalGrossPrice = body.totalGrossPrice ?? sumOf(items, paidFor);
  const paymentMethods = body.paymentMethods ?? [];
  if (!isPureReturn(body)) return { totalGrossPrice, paymentMethods };
  return {
    totalGrossPrice: toNegative(totalGrossPrice),
    paymentMethods: paymentMethods.map(({ type, description, value }) => ({
      type,
      description,
      value: toNegative(value ?? 0),
    })),
  };
}
