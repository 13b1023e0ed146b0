import { describe, expect, it } from 'vitest';
import { summarizePurchases } from '../../../src/service/receipts/purchase-history.ts';
import { roundAmount } from '../../../src/service/receipts/amounts.ts';
import type { Client } from '../../support/client.ts';
import { lineOf, returnOf } from '../../support/receipt-lines.ts';
import { receiptOf } from '../../support/receipt.ts';
import { astrid, nobody } from '../../support/people.ts';
import { openShopSim } from '../../support/open-sim.ts';

const buy = async ({ post }: Client, id: string, fields: object = {}) =>
  expect((await post('/api/v3/receipts', receiptOf(astrid, id, fields))).status).toBe(202);

const ask = ({ get }: Client, contactId = astrid) => get(`/api/v3/contacts/${contactId}/purchasehistorysummary`);

/** The figures of each window as [amount, articles, average, frequency]. */
const figuresOf = (body: Record<string, number>) =>
  Object.fromEntries(
    ['All', 'LastTwoYears', 'LastYear'].map((window) => [
      window,
      ['purchaseAmount', 'numberOfArticlePurchases', 'averageReceipt', 'purchaseFrequency'].map(
        (name) => body[name + window],
      ),
    ]),
  );

/** Of three receipts, one in each window. */
const wholeSummary = {
  lastUpdated: '2026-03-01T12:00:00.000Z',
  latestReceiptDate: '2026-02-01T10:00:00+01:00',
  purchaseAmountAll: 399.5,
  purchaseAmountLastYear: 249,
  purchaseAmountLastTwoYears: 349,
  numberOfArticlePurchasesAll: 3,
  numberOfArticlePurchasesLastYear: 1,
  numberOfArticlePurchasesLastTwoYears: 2,
  averageReceiptAll: 133.17,
  averageReceiptLastYear: 249,
  averageReceiptLastTwoYears: 174.5,
  purchaseFrequencyAll: 3,
  purchaseFrequencyLastYear: 1,
  purchaseFrequencyLastTwoYears: 2,
};

describe('GET /contacts/{contactId}/purchasehistorysummary', () => {
  it('answers every field of the specification', async () => {
    const client = await openShopSim();
    await buy(client, 'r-1', { createdDate: '2026-02-01T10:00:00+01:00' });
    await buy(client, 'r-2', { createdDate: '2024-09-01T10:00:00+02:00', totalGrossPrice: 100 });
    await buy(client, 'r-3', { createdDate: '2021-01-01T10:00:00+01:00', totalGrossPrice: 50.5 });
    expect((await ask(client)).body).toEqual(wholeSummary);
  });

  it('lets a receipt leave its windows as time goes by', async () => {
    const client = await openShopSim();
    await buy(client, 'r-1', { createdDate: '2026-03-01T11:00:00Z' });
    const [bought, nothing] = [
      [249, 1, 249, 1],
      [0, 0, 0, 0],
    ];
    const at = async (moment: string) => {
      await client.sim.clock.set(moment);
      return figuresOf((await ask(client)).body);
    };
    expect(await at('2027-03-01T11:00:00.000Z')).toEqual({ All: bought, LastTwoYears: bought, LastYear: bought });
    expect(await at('2027-03-01T11:00:00.001Z')).toEqual({ All: bought, LastTwoYears: bought, LastYear: nothing });
    expect(await at('2028-03-01T11:00:00.000Z')).toEqual({ All: bought, LastTwoYears: bought, LastYear: nothing });
    expect(await at('2028-03-01T11:00:00.001Z')).toEqual({ All: bought, LastTwoYears: nothing, LastYear: nothing });
  });

  it('counts a receipt that is dated ahead', async () => {
    const client = await openShopSim();
    await buy(client, 'r-1', { createdDate: '2026-03-01T14:00:00Z' });
    const { body } = await ask(client);
    expect([body.latestReceiptDate, body.purchaseFrequencyLastYear]).toEqual(['2026-03-01T14:00:00Z', 1]);
  });

  it('has no frequency for returns alone, and is as old as the last receipt', async () => {
    const client = await openShopSim();
    const items = [returnOf()];
    await buy(client, 'r-1', { items, totalGrossPrice: -100, paymentMethods: [{ type: 'CARD', value: -100 }] });
    await client.post('/__admin/clock', { advance: '1d' });
    const { body } = await ask(client);
    expect([body.purchaseFrequencyAll, body.averageReceiptAll, body.lastUpdated]).toEqual([
      0,
      0,
      '2026-03-01T12:00:00.000Z',
    ]);
  });

  it('takes off what was returned', async () => {
    const client = await openShopSim();
    await buy(client, 'r-1', { totalGrossPrice: 300, items: [lineOf({ quantity: 3, grossPaidPrice: 300 })] });
    await buy(client, 'r-2', { totalGrossPrice: 0, items: [lineOf(), returnOf()] });
    const back = [{ type: 'CARD', value: -100 }];
    await buy(client, 'r-3', { totalGrossPrice: -100, paymentMethods: back, items: [returnOf()] });
    expect(figuresOf((await ask(client)).body).All).toEqual([200, 2, 66.67, 3]);
  });

  it('does not count adjustments as articles', async () => {
    const client = await openShopSim();
    const adjustment = lineOf({ type: 'ADJUSTMENT', quantity: 1, grossPaidPrice: -0.5, taxAmount: 0 });
    await buy(client, 'r-1', { totalGrossPrice: 99.5, items: [lineOf(), adjustment] });
    expect(figuresOf((await ask(client)).body).All).toEqual([99.5, 1, 99.5, 1]);
  });

  it("counts in group currency: at the receipt's rate, the retailer's, or one to one", async () => {
    const client = await openShopSim();
    const hundred = { totalGrossPrice: 100 };
    await buy(client, 'sek', hundred);
    await buy(client, 'eur', { ...hundred, currency: 'EUR', exchangeRateToGroupCurrency: 11.2345 });
    await buy(client, 'eur-2', { ...hundred, currency: 'EUR' });
    await buy(client, 'nok', { ...hundred, currency: 'nok' });
    await buy(client, 'isk', { ...hundred, currency: 'ISK' });
    expect((await ask(client)).body.purchaseAmountAll).toBe(100 + 1123.45 + 1100 + 95 + 100);
  });

  it('stays exact to the cent over many small receipts', async () => {
    const client = await openShopSim();
    for (let n = 0; n < 300; n++) await buy(client, `r-${n}`, { totalGrossPrice: 0.1 });
    expect(figuresOf((await ask(client)).body).All).toEqual([30, 300, 0.1, 300]);
  });

  it.each([
    ['an unknown contact', nobody, 'no contact has the id'],
    ['a contact without receipts', astrid, 'has no receipts'],
  ])('is not calculated for %s', async (_, contactId, why) => {
    const { status, body } = await ask(await openShopSim(), contactId);
    expect([status, body.errorCode, body.message]).toEqual([
      404,
      'RetailKpiNotCalculated',
      expect.stringContaining(why),
    ]);
  });

  it('is all zeros for a known contact without receipts where the retailer has it so (A-29)', async () => {
    const client = await openShopSim({ assumptions: { 'A-29': 'zeros' } });
    const { status, body } = await ask(client);
    const { lastUpdated, latestReceiptDate, ...figures } = body;
    expect([status, lastUpdated, latestReceiptDate]).toEqual([200, '2026-03-01T12:00:00.000Z', null]);
    expect(new Set(Object.values(figures))).toEqual(new Set([0]));
    expect((await ask(client, nobody)).status).toBe(404);
  });
});

describe('the arithmetic of the summary', () => {
  it('rounds amounts to cents and divides only by receipts that there are', () => {
    const figures = summarizePurchases({ all: [100.005, 4.25, 3, 2], lastTwoYears: [-10, -1, 1, 1], lastYear: [] });
    expect(figuresOf({ ...figures })).toEqual({
      All: [100.01, 4.25, 33.34, 3],
      LastTwoYears: [-10, -1, -10, 1],
      LastYear: [0, 0, 0, 0],
    });
  });

  it.each([
    [1.005, 1.01],
    [-1.005, -1.01],
    [1.0049, 1],
    [0.1 + 0.2, 0.3],
    [-0.001, 0],
    [0, 0],
    [123_456_789.125, 123_456_789.13],
  ])('rounds %d to %d', (amount, cents) => {
    expect(roundAmount(amount)).toBe(cents);
  });
});
