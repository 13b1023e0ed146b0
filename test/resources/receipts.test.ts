import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/resources/receipts/schema.ts';
import type { SimOptions } from '../../src/sim.ts';
import { openClient } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { lineOf, returnOf } from '../support/receipt-lines.ts';
import { receiptOf } from '../support/receipt.ts';

const astrid = '5a0e7c1e-0001-4000-8000-000000000001';

const open = (options: SimOptions = {}): Promise<Client> =>
  openClient({ fixtures: 'test/support/shop.json', ...options });

const send = ({ post }: Client, fields: object = {}, id = 'r-1') =>
  post('/api/v3/receipts', receiptOf(astrid, id, fields));

const transactions = async ({ get }: Client): Promise<Transaction[]> =>
  (await get(`/api/v3/transactions?contactId=${astrid}`)).body.items;

/** The receipts that were stored, as the journal shows them. */
const kept = ({ sim }: Client): readonly unknown[] => {
  const changes = [...sim.tenants.default.journal.exchanges()].flatMap(({ outcome }) => outcome.changes);
  return changes.filter(({ table }) => table === 'receipts').map(({ after }) => after);
};

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

describe('POST /receipts', () => {
  it('answers 202 with an empty object and nothing to warn about', async () => {
    const client = await open();
    const { status, body, warnings } = await send(client);
    expect([status, body, warnings]).toEqual([202, {}, '']);
    expect(await transactions(client)).toHaveLength(1);
  });

  it('records every receipt under an id of its own, and each line too', async () => {
    const client = await open();
    await send(client, { items: [lineOf(), lineOf()] });
    await send(client, {}, 'r-2');
    const recorded = await transactions(client);
    const lines = recorded.flatMap(({ lineItems }) => lineItems);
    const ids = [...recorded, ...lines].map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
  });

  it('takes null for a field that may be left out', async () => {
    const client = await open();
    const nothing = { receiptNumber: null, exchangeRateToGroupCurrency: null, usedPromotions: null };
    expect(
      (await send(client, { ...nothing, usedRewardVouchers: null, items: [lineOf({ discounts: null })] })).status,
    ).toBe(202);
    expect((await transactions(client))[0]?.transactionNumber).toBe('r-1');
  });

  it('keeps what points will be worked out from', async () => {
    const client = await open();
    const discounts = [{ type: 'CAMPAIGN', description: 'Sale', value: -50 }];
    const extraData = [{ name: 'season', value: 'SS26' }];
    const marked = { awardsPoints: false, marginPercent: '42.5', discounts, extraData };
    await send(client, { items: [lineOf(), lineOf(marked)] });
    expect(kept(client)).toMatchObject([{ items: [{ awardsPoints: true, discounts: [] }, marked] }]);
  });

  it('warns of a receipt dated ahead of the clock and records it', async () => {
    const client = await open();
    const { warnings } = await send(client, { createdDate: '2026-03-01T12:00:01Z' });
    expect(warnings).toContain('future-receipt: createdDate 2026-03-01T12:00:01Z is yet to come');
    expect(await transactions(client)).toHaveLength(1);
  });

  it('warns of a store that the retailer does not have, and of the one that may be meant', async () => {
    const client = await open();
    const { warnings } = await send(client, { storeExternalId: '1000' });
    expect(warnings).toBe('unknown-store: no store has the storeExternalId "1000"; did you mean "100"?');
    expect(await transactions(client)).toMatchObject([{ storeExternalId: '1000', storeName: null }]);
  });

  it('warns of a currency without a rate and counts it as it is', async () => {
    const { status, warnings } = await send(await open(), { currency: 'ISK' });
    expect([status, warnings]).toEqual([
      202,
      expect.stringContaining('unknown-rate: there is no rate from ISK to SEK'),
    ]);
  });
});

describe('POST /receipts with fields of the earlier version (Receipt rule 2)', () => {
  it('passes over usedBonusChecks and says what it is called now', async () => {
    const { status, warnings } = await send(await open(), { usedBonusChecks: [{ checkNumber: 'v-1' }] });
    expect(status).toBe(202);
    expect(warnings).toContain(
      '"usedBonusChecks" is not a field that the service reads; in API v3 it is called "usedRewardVouchers"',
    );
  });

  it('passes over checkNumber and says what it is called now', async () => {
    const { status, warnings } = await send(await open(), { usedRewardVouchers: [{ checkNumber: 'v-1' }] });
    expect(status).toBe(202);
    expect(warnings).toContain('in API v3 it is called "voucherNumber"');
    expect(warnings).toContain('unknown-voucher: one of usedRewardVouchers has no voucherNumber');
  });

  it('refuses them where field validation is strict', async () => {
    const client = await open({ fieldValidation: 'strict' });
    const { status } = await send(client, { usedBonusChecks: [] });
    expect([status, await transactions(client)]).toEqual([400, []]);
  });
});

describe('POST /receipts with something missing (A-21)', () => {
  it('names every missing field at once', async () => {
    const errors = await errorsOf(await open(), { ...bare, paymentMethods: [{}] });
    expect(Object.keys(errors).toSorted()).toEqual(required.toSorted());
    expect(new Set(Object.values(errors))).toEqual(new Set(['is required']));
  });

  it('names contact and items where they are missing', async () => {
    const client = await open({ assume: { 'A-21': 'lenient' } });
    expect(Object.keys(await errorsOf(client, {}))).toEqual(['contact', 'items']);
    const half = await errorsOf(client, { contact: {}, items: [] });
    expect(Object.keys(half)).toEqual(['contact.matchKey', 'contact.matchKeyType', 'items']);
  });

  it('names what is wrong and what is missing in one answer', async () => {
    const sent = { ...receiptOf(astrid, 'r-1', { totalGrossPrice: 'much' }), currency: null };
    expect(await errorsOf(await open(), sent)).toEqual({
      totalGrossPrice: 'must be a finite number',
      currency: 'is required',
    });
  });

  it('takes contact and items alone where the retailer is lenient', async () => {
    const client = await open({ assume: { 'A-21': 'lenient' } });
    expect((await client.post('/api/v3/receipts', bare)).status).toBe(202);
    const [transaction] = await transactions(client);
    expect(transaction).toMatchObject({ ...plainest, transactionNumber: transaction?.id });
  });

  it('adds up the lines where the lenient retailer gets no total', async () => {
    const client = await open({ assume: { 'A-21': 'lenient' } });
    const items = [{ grossPaidPrice: 300 }, { type: 'return', grossPaidPrice: 100 }];
    await client.post('/api/v3/receipts', { ...bare, items });
    const { body } = await client.get(`/api/v3/contacts/${astrid}/purchasehistorysummary`);
    expect(body).toMatchObject({ purchaseAmountAll: 200, numberOfArticlePurchasesAll: 0 });
  });
});

describe('POST /receipts with something wrong', () => {
  it('names every wrong field at once and records nothing', async () => {
    const client = await open();
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
    const errors = await errorsOf(await open(), receiptOf(astrid, 'r-1', { usedPromotions: [{ couponId: 'c' }, use] }));
    expect(errors).toEqual({ 'usedPromotions[1]': expect.stringContaining(said) });
  });

  it.each(['1e400', '1e13', '"NaN"', 'null', 'true'])('refuses %s as a total', async (total) => {
    const text = JSON.stringify(receiptOf(astrid, 'r-1', { totalGrossPrice: 'TOTAL' })).replace('"TOTAL"', total);
    const { status, body } = await (await open()).post('/api/v3/receipts', text);
    expect([status, body.validationErrors]).toEqual([
      400,
      [{ field: 'totalGrossPrice', errorDescription: expect.any(String) }],
    ]);
  });

  it('refuses a contact type that the retailer does not have', async () => {
    const contact = { matchKey: 'astrid@example.com', matchKeyType: 'email', contactType: 'Guest' };
    const { status, body } = await send(await open(), { contact });
    expect([status, body.errorCode]).toEqual([400, 'InvalidContactType']);
  });

  it.each(['PURCHASE', 'purchase', 'Return', 'ADJUSTMENT'])('takes %s as a type, in any case (A-22)', async (type) => {
    const client = await open();
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
    const client = await open();
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

  it('warns of a purchase that looks like a return, and takes it as it is', async () => {
    const client = await open();
    const { status, warnings } = await send(client, { items: [returnOf({ type: 'PURCHASE', quantity: -1 })] });
    expect(status).toBe(202);
    expect(warnings).toBe(
      'wrong-sign: items[0].quantity is -1 on a line of type PURCHASE; what is returned is of type RETURN',
    );
  });

  it('keeps the total and the payments of a pure return negative', async () => {
    const client = await open();
    await send(client, wrong);
    const { body } = await client.get(`/api/v3/contacts/${astrid}/purchasehistorysummary`);
    expect(body.purchaseAmountAll).toBe(-100);
    expect(kept(client)).toMatchObject([{ totalGrossPrice: -100, paymentMethods: [{ value: -100 }] }]);
  });

  it('has nothing against nothing', async () => {
    const client = await open({ assume: { 'A-23': 'refuse' } });
    const nothing = { quantity: 0, grossPaidPrice: 0, taxAmount: 0 };
    const fields = { totalGrossPrice: 0, paymentMethods: [], items: [returnOf(nothing)] };
    expect(await send(client, fields)).toMatchObject({ status: 202, warnings: '' });
  });

  it('names each where they are refused', async () => {
    const client = await open({ assume: { 'A-23': 'refuse' } });
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
    const client = await open({ assume: { 'A-23': 'refuse' } });
    const items = [lineOf({ grossPaidPrice: 349 }), returnOf()];
    expect(await send(client, { items })).toMatchObject({ status: 202, warnings: '' });
  });
});

describe('POST /receipts with a uniqueReceiptId once more (A-24)', () => {
  const warning = 'repeated-receipt: a receipt with the uniqueReceiptId "r-1" is already there; this one is ignored';

  it('ignores the second and warns: a receipt is final (Receipt rule 4)', async () => {
    const client = await open();
    await send(client);
    const before = await transactions(client);
    const again = await send(client, { totalGrossPrice: 1, receiptNumber: 'changed' });
    expect([again.status, again.body, again.warnings]).toEqual([202, {}, warning]);
    expect(await transactions(client)).toEqual(before);
  });

  it('ignores the second where both waited in the queue', async () => {
    const client = await open({ queueDelay: 60_000 });
    await send(client);
    expect((await send(client)).warnings).toBe('');
    const happenings = await client.sim.clock.advance(60_000);
    expect(happenings.map(({ outcome }) => outcome.warnings.map(({ code }) => code))).toEqual([
      [],
      ['repeated-receipt'],
    ]);
    expect(await transactions(client)).toHaveLength(1);
  });

  it('warns at once of one that is already recorded, and queues nothing', async () => {
    const client = await open({ queueDelay: 60_000 });
    await send(client);
    await client.sim.clock.advance(60_000);
    expect((await send(client)).warnings).toBe(warning);
    expect(await client.sim.clock.advance(60_000)).toEqual([]);
  });

  it('counts it again where the retailer does', async () => {
    const client = await open({ assume: { 'A-24': 'twice' } });
    await send(client);
    expect((await send(client)).warnings).toBe('');
    await send(client);
    expect((await transactions(client)).map(({ uniqueReceiptId }) => uniqueReceiptId)).toEqual(['r-1', 'r-1', 'r-1']);
  });
});

describe('POST /receipts where queued work waits (A-26)', () => {
  it('shows the receipt once the wait is over', async () => {
    const client = await open({ queueDelay: 15 * 60_000 });
    expect((await send(client)).status).toBe(202);
    await client.sim.clock.advance(15 * 60_000 - 1);
    expect(await transactions(client)).toEqual([]);
    await client.sim.clock.advance(1);
    expect(await transactions(client)).toHaveLength(1);
  });

  it('refuses at once what is wrong', async () => {
    const client = await open({ queueDelay: 60_000 });
    expect((await send(client, { items: [] })).status).toBe(400);
  });
});
