import { contactId, countryOf, days } from '../resource/generator-context.ts';
import type { GeneratorContext } from '../resource/generator-context.ts';
import type { GeneratedSection } from '../resource/generated-rows.ts';
import { rowSampler } from '../resource/row-sampler.ts';
import type { RowSampler } from '../resource/row-sampler.ts';

export const generatedReceipts: readonly GeneratedSection[] = [
  {
    name: 'receipts',
    count: (amountOf) => amountOf('contacts') * amountOf('receiptsPerContact'),
    rowOf: (context, i) => {
      const ofEach = context.amountOf('receiptsPerContact');
      const n = Math.ceil(i / ofEach);
      return generateReceipt(context, n, i - (n - 1) * ofEach);
    },
  },
];

/** Lists the articles, with prices in group currency. */
const articles = [
  { name: 'T-shirt', group: 'Tops', price: 199 },
  { name: 'Linen shirt', group: 'Shirts', price: 599 },
  { name: 'Wool cardigan', group: 'Knitwear', price: 899 },
  { name: 'Merino jumper', group: 'Knitwear', price: 749 },
  { name: 'Chinos', group: 'Trousers', price: 699 },
  { name: 'Jeans', group: 'Trousers', price: 999 },
  { name: 'Summer dress', group: 'Dresses', price: 799 },
  { name: 'Rain jacket', group: 'Outerwear', price: 1499 },
  { name: 'Winter coat', group: 'Outerwear', price: 2499 },
  { name: 'Scarf', group: 'Accessories', price: 299 },
  { name: 'Leather belt', group: 'Accessories', price: 349 },
  { name: 'Sneakers', group: 'Shoes', price: 1199 },
] as const;
const colours = ['black', 'white', 'navy', 'sand', 'olive', 'rust', 'grey', 'sky blue'] as const;
const sizes = ['XS', 'S', 'M', 'L', 'XL'] as const;
const payments = [
  { type: 'CARD', description: 'Visa' },
  { type: 'CARD', description: 'Mastercard' },
  { type: 'GIFTCARD', description: 'Gift card' },
  { type: 'CASH', description: 'Cash' },
] as const;

const taxPercents: Readonly<Record<string, number>> = { FI: 25.5 };
const usualTaxPercent = 25;

interface Sale {
  readonly rate: number;
  readonly taxPercent: number;
  readonly type: 'PURCHASE' | 'RETURN';
}

/** Generates the r-th receipt of the n-th contact, both from 1; one of twelve is a return. */
function generateReceipt(context: GeneratorContext, n: number, r: number): object {
  const sampler = rowSampler(context.seed, `receipt/${n}/${r}`);
  const { code } = countryOf(context, n);
  const { retailer } = context.setup;
  const store = sampler.oneOf('store', storesOf(context, code));
  const currency = store.currency ?? retailer.groupCurrency;
  const sale: Sale = {
    rate: retailer.exchangeRates[currency] ?? 1,
    taxPercent: taxPercents[store.countryCode ?? code] ?? usualTaxPercent,
    type: sampler.percent('return', 8) ? 'RETURN' : 'PURCHASE',
  };
  const items = Array.from({ length: sampler.between('lines', 1, 3) }, (_, line) => itemOf(sale, sampler, line));
  const sum = items.reduce((total, { grossPaidPrice }) => total + grossPaidPrice, 0);
  // A-23: on a pure return, the total and the payments are negative.
  const total = sale.type === 'RETURN' ? -sum : sum;
  return {
    contact: { matchKey: contactId(context, n), matchKeyType: 'contactId' },
    uniqueReceiptId: `${store.externalId}-${n}-${r}`,
    receiptNumber: `${n}-${r}`,
    createdDate: context.ago(sampler.between('minutes', 60, days(3 * 365))),
    storeExternalId: store.externalId,
    currency,
    totalGrossPrice: total,
    paymentMethods: [{ ...sampler.oneOf('payment', payments), value: total }],
    items,
  };
}

/** Returns the stores of a country and the web shops. */
function storesOf({ setup: { stores } }: GeneratorContext, country: string): GeneratorContext['setup']['stores'] {
  const [first, ...others] = stores.filter(({ countryCode, type }) => countryCode === country || type === 'ECOM');
  return first ? [first, ...others] : stores;
}

function itemOf({ rate, taxPercent, type }: Sale, sampler: RowSampler, line: number) {
  const article = sampler.between(`${line}/garment`, 0, articles.length - 1);
  const colour = sampler.between(`${line}/colour`, 0, colours.length - 1);
  const { name, group, price } = articles[article] ?? articles[0];
  const articleNumber = String(10_000 + article * 100 + colour);
  const quantity = sampler.percent(`${line}/pair`, 10) ? 2 : 1;
  const full = Math.round(price / rate) * quantity;
  const discount = sampler.percent(`${line}/sale`, 20) ? Math.round(full / 5) : 0;
  const grossPaidPrice = full - discount;
  return {
    type,
    // A-23: on a returned line, the quantity is negative and the money is not.
    quantity: type === 'RETURN' ? -quantity : quantity,
    grossPaidPrice,
    taxAmount: Math.round((grossPaidPrice * taxPercent * 100) / (100 + taxPercent)) / 100,
    taxPercent,
    sku: `${articleNumber}-${sampler.oneOf(`${line}/size`, sizes)}`,
    articleNumber,
    articleName: `${name}, ${colours[colour] ?? colours[0]}`,
    articleGroup: group,
    ...(discount > 0 && { discounts: [{ type: 'CAMPAIGN', description: 'Season sale', value: -discount }] }),
  };
}
