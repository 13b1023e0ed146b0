import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../../src/service/receipts/schema.ts';
import type { Client } from '../../support/client.ts';
import { lineOf, returnOf } from '../../support/receipt-lines.ts';
import { receiptOf } from '../../support/receipt.ts';
import { storedReceipts, send, transactions } from '../../support/shop.ts';
import { astrid } from '../../support/people.ts';
import { openShopSim } from '../../support/open-sim.ts';

const figures = (sold?: Transaction) => [sold?.netPriceSum, sold?.lineItems[0]?.quantity, sold?.lineItems[0]?.price];

const errorsOf = async (client: Client, body: object): Promise<Record<string, string>> => {
  const { status, body: answered } = await client.post('/api/v3/receipts', body);
  expect([status, answered.errorCode]).toEqual([400, 'ValidationError']);
  const errors: { field: string; errorDescription: string }[] = answered.validationErrors;
  return Object.fromEntries(errors.map(({ field, errorDescription }) => [field, errorDescription]));
};

/** Fields that a receipt is refused without. */
const required = [
  'uniqueReceiptId',
  'createdDate',
  'storeExternalId',
  'currency',
  'totalGrossPrice',
  'paymentMethods[0].type',
  'paymentMethods[0].value',
  'items[0].type',
  'items[0].quantity',
  'items[0].grossPaidPrice',
  'items[0].taxAmount',
  'items[0].taxPercent',
  'items[0].sku',
  'items[0].articleNumber',
  'items[0].articleName',
];

/** Each of them of a wrong type or form, in the order of the schema. */
const wrongFields = {
  createdDate: '2026-02-30T10:00:00Z',
  currency: 'kronor',
  exchangeRateToGroupCurrency: 0,
  totalGrossPrice: '249',
  paymentMethods: { type: 'CARD' },
};
const wrongItemFields = {
  type: 'GIFT',
  quantity: 'one',
  marginPercent: 'high',
  awardsPoints: 1,
  discounts: [{ value: 5 }],
};

/** What is made of a receipt that says nothing. */
const plainest = {
  uniqueReceiptId: null,
  createdDate: '2026-03-01T12:00:00.000Z',
  storeExternalId: null,
  storeName: null,
  numberOfItems: 1,
  netPriceSum: 0,
  localNetPriceSum: 0,
  localCurrency: 'SEK',
  groupCurrency: 'SEK',
  lineItems: [{ type: 'PURCHASE', quantity: 1, price: 0 }],
};

const bare = { contact: { matchKey: astrid, matchKeyType: 'contactId' }, items: [{}] };

describe('the check of a receipt', () => {
  it.each(['42.5', 42.5])('takes marginPercent %j and a packQuantity', async (marginPercent) => {
    const client = await openShopSim({ fieldValidation: 'strict' });
    const body = receiptOf(astrid, 'r-1', { items: [lineOf({ marginPercent, packQuantity: 6 })] });
    expect((await client.post('/api/v3/receipts', body)).status).toBe(202);
  });

  it('takes a receipt of 5,000 lines and none of more', async () => {
    const client = await openShopSim();
    const items = Array.from({ length: 5001 }, () => lineOf());
    expect(await errorsOf(client, receiptOf(astrid, 'r-1', { items }))).toEqual({
      items: 'must hold at most 5000 items',
    });
    expect(await send(client, { items: items.slice(1) })).toMatchObject({ status: 202 });
  });
});

describe('POST /receipts with something missing (A-21)', () => {
  it('names every missing field at once', async () => {
    const errors = await errorsOf(await openShopSim(), { ...bare, paymentMethods: [{}] });
    expect(Object.keys(errors).toSorted()).toEqual(required.toSorted());
    expect(new Set(Object.values(errors))).toEqual(new Set(['is required']));
  });

  it('names contact and items where they are missing', async () => {
    const client = await openShopSim({ assumptions: { 'A-21': 'lenient' } });
    expect(Object.keys(await errorsOf(client, {}))).toEqual(['contact', 'items']);
    const half = await errorsOf(client, { contact: {}, items: [] });
    expect(Object.keys(half)).toEqual(['contact.matchKey', 'contact.matchKeyType', 'items']);
  });

  it('names what is wrong and what is missing in one answer', async () => {
    const sent = { ...receiptOf(astrid, 'r-1', { totalGrossPrice: 'much' }), currency: null };
    expect(await errorsOf(await openShopSim(), sent)).toEqual({
      totalGrossPrice: 'must be a finite number, not a text',
      currency: 'is required',
    });
  });

  it('takes contact and items alone where the retailer is lenient', async () => {
    const client = await openShopSim({ assumptions: { 'A-21': 'lenient' } });
    expect((await client.post('/api/v3/receipts', bare)).status).toBe(202);
    const [transaction] = await transactions(client);
    expect(transaction).toMatchObject({ ...plainest, transactionNumber: transaction?.id });
  });

  it('adds up the lines where the lenient retailer gets no total', async () => {
    const client = await openShopSim({ assumptions: { 'A-21': 'lenient' } });
    const items = [{ grossPaidPrice: 300 }, { type: 'return', grossPaidPrice: 100 }];
    await client.post('/api/v3/receipts', { ...bare, items });
    const { body } = await client.get(`/api/v3/contacts/${astrid}/purchasehistorysummary`);
    expect(body).toMatchObject({ purchaseAmountAll: 200, numberOfArticlePurchasesAll: 0 });
  });
});

describe('POST /receipts with something wrong', () => {
  it('names every wrong field at once and records nothing', async () => {
    const client = await openShopSim();
    const body = receiptOf(astrid, 'r-1', { ...wrongFields, items: [lineOf(wrongItemFields)] });
    const items = Object.keys(wrongItemFields).map((name) =>
      name === 'discounts' ? 'items[0].discounts[0].value' : `items[0].${name}`,
    );
    expect(Object.keys(await errorsOf(client, body))).toEqual([...Object.keys(wrongFields), ...items]);
    expect(await transactions(client)).toEqual([]);
  });

  it.each([
    ['both', { couponId: 'c', promotionId: 'p' }, 'never both'],
    ['neither', {}, 'neither'],
  ])('refuses a used promotion with %s couponId and promotionId', async (_, use, said) => {
    const errors = await errorsOf(
      await openShopSim(),
      receiptOf(astrid, 'r-1', { usedPromotions: [{ couponId: 'c' }, use] }),
    );
    expect(errors).toEqual({ 'usedPromotions[1]': expect.stringContaining(said) });
  });

  it.each(['1e400', '1e13', '"NaN"', 'null', 'true'])('refuses %s as a total', async (total) => {
    const text = JSON.stringify(receiptOf(astrid, 'r-1', { totalGrossPrice: 'TOTAL' })).replace('"TOTAL"', total);
    const { status, body } = await (await openShopSim()).post('/api/v3/receipts', text);
    expect([status, body.validationErrors]).toEqual([
      400,
      [{ field: 'totalGrossPrice', errorDescription: expect.any(String) }],
    ]);
  });

  it('refuses a contact type that the retailer does not have', async () => {
    const contact = { matchKey: 'astrid@example.com', matchKeyType: 'email', contactType: 'Guest' };
    const { status, body } = await send(await openShopSim(), { contact });
    expect([status, body.errorCode]).toEqual([400, 'InvalidContactType']);
  });

  it.each(['PURCHASE', 'purchase', 'Return', 'ADJUSTMENT'])('takes %s as a type, in any case (A-22)', async (type) => {
    const client = await openShopSim();
    expect((await send(client, { items: [lineOf({ type, quantity: -1 }), lineOf()] })).status).toBe(202);
    expect((await transactions(client))[0]?.lineItems[0]?.type).toBe(type.toUpperCase());
  });
});

describe('POST /receipts with other signs on a return (A-23)', () => {
  const wrong = {
    totalGrossPrice: 100,
    paymentMethods: [{ type: 'CARD', value: 100 }],
    items: [returnOf({ quantity: 1, grossPaidPrice: -100, taxAmount: -20 })],
  };

  it('warns of each and counts it the right way round', async () => {
    const client = await openShopSim();
    const { warnings } = await send(client, wrong);
    expect(warnings.split(' | ')).toHaveLength(5);
    expect(warnings).toContain(
      'wrong-sign: items[0].quantity must be negative on a line of type RETURN, not 1; it counts as -1',
    );
    const right = { totalGrossPrice: -100, paymentMethods: [{ type: 'CARD', value: -100 }], items: [returnOf()] };
    expect((await send(client, right, 'r-2')).warnings).toBe('');
    const [second, first] = await transactions(client);
    expect([first, second].map(figures)).toEqual([
      [-80, -1, -100],
      [-80, -1, -100],
    ]);
  });

  it.each([
    ['a quantity of 0', { items: [returnOf({ quantity: 0 })] }, 'items[0].quantity'],
    ['a total of 0 for what was paid for', { totalGrossPrice: 0 }, 'totalGrossPrice'],
  ])('takes %s for a wrong sign', async (_, change, field) => {
    const free = { totalGrossPrice: -100, paymentMethods: [{ type: 'CARD', value: 0 }], items: [returnOf()] };
    const { status, warnings } = await send(await openShopSim(), { ...free, ...change });
    expect([status, warnings]).toEqual([202, expect.stringMatching(/^wrong-sign: \S+ must be negative on .*, not 0$/)]);
    expect(warnings).toContain(field);
    const strict = await openShopSim({ assumptions: { 'A-23': 'refuse' } });
    expect((await send(strict, { ...free, ...change })).status).toBe(400);
  });

  it('takes back for nothing what was given away', async () => {
    const items = [returnOf({ grossPaidPrice: 0, taxAmount: 0 })];
    const free = { totalGrossPrice: 0, paymentMethods: [{ type: 'CARD', value: 0 }], items };
    const { status, warnings } = await send(await openShopSim({ assumptions: { 'A-23': 'refuse' } }), free);
    expect([status, warnings]).toEqual([202, '']);
  });

  it('warns of a purchase that looks like a return, and takes it is', async () => {
    const client = await openShopSim();
    const { status, warnings } = await send(client, { items: [returnOf({ type: 'PURCHASE', quantity: -1 })] });
    expect(status).toBe(202);
    expect(warnings).toBe(
      'wrong-sign: items[0].quantity is -1 on a line of type PURCHASE; what is returned is of type RETURN',
    );
  });

  it('keeps the total and the payments of a pure return negative', async () => {
    const client = await openShopSim();
    await send(client, wrong);
    const { body } = await client.get(`/api/v3/contacts/${astrid}/purchasehistorysummary`);
    expect(body.purchaseAmountAll).toBe(-100);
    expect(storedReceipts(client)).toMatchObject([{ totalGrossPrice: -100, paymentMethods: [{ value: -100 }] }]);
  });

  it('has nothing against nothing', async () => {
    const client = await openShopSim({ assumptions: { 'A-23': 'refuse' } });
    const nothing = { quantity: 0, grossPaidPrice: 0, taxAmount: 0 };
    const fields = { totalGrossPrice: 0, paymentMethods: [], items: [returnOf(nothing)] };
    expect(await send(client, fields)).toMatchObject({ status: 202, warnings: '' });
  });

  it('names each where they are refused', async () => {
    const client = await openShopSim({ assumptions: { 'A-23': 'refuse' } });
    expect(Object.keys(await errorsOf(client, receiptOf(astrid, 'r-1', wrong)))).toEqual([
      'items[0].quantity',
      'items[0].grossPaidPrice',
      'items[0].taxAmount',
      'totalGrossPrice',
      'paymentMethods[0].value',
    ]);
    expect(await transactions(client)).toEqual([]);
  });

  it('has nothing against a positive total on a receipt with a purchase too (Receipt rule 3)', async () => {
    const client = await openShopSim({ assumptions: { 'A-23': 'refuse' } });
    const items = [lineOf({ grossPaidPrice: 349 }), returnOf()];
    expect(await send(client, { items })).toMatchObject({ status: 202, warnings: '' });
  });
});
