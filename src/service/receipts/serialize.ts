/** Serializes a receipt as a transaction. */
import type { TenantContext } from '../../core/tenant/context.ts';
import { retailerOf } from '../retailer/operations.ts';
import { stores } from '../retailer/schema.ts';
import { netPaidFor, paidFor, roundAmount, sumOf } from './amounts.ts';
import type { LineItem, ReceiptRow } from './tables.ts';
import type { Transaction } from './schema.ts';

export function serializeTransaction(tenant: TenantContext, receipt: ReceiptRow): Transaction {
  const { storeExternalId, currency, exchangeRate, items } = receipt;
  const net = sumOf(items, netPaidFor);
  return {
    id: receipt.id,
    transactionNumber: receipt.transactionNumber,
    uniqueReceiptId: receipt.uniqueReceiptId,
    createdDate: receipt.createdDate,
    storeExternalId,
    storeName: tenant.get(stores, storeExternalId ?? '')?.name ?? null,
    numberOfItems: items.length,
    netPriceSum: roundAmount(net * exchangeRate),
    localNetPriceSum: roundAmount(net),
    localCurrency: currency,
    groupCurrency: retailerOf(tenant).groupCurrency,
    lineItems: items.map((item) => showLine(item, exchangeRate)),
  };
}

function showLine(item: LineItem, exchangeRate: number): Transaction['lineItems'][number] {
  const { id, type, sku, articleNumber, articleName, articleGroup, quantity } = item;
  return {
    id,
    type,
    sku,
    articleNumber,
    articleName,
    articleGroup,
    quantity,
    price: roundAmount(paidFor(item) * exchangeRate),
    localPrice: roundAmount(paidFor(item)),
    isReturned: type === 'RETURN',
  };
}
