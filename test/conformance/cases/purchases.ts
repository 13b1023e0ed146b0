import { expect } from 'vitest';
import { lineOf, returnOf } from '../../support/receipt-lines.ts';
import {
  advance,
  coupons,
  listPromotions,
  promotions,
  receipt,
  redeem,
  refused,
  sendReceipt,
  summaryOf,
  transactionsOf,
  wrongFields,
} from '../world.ts';
import type { Case } from '../world.ts';
import { astrid, nobody, bo } from '../../support/people.ts';
import { openRetailerSim } from '../../support/open-sim.ts';

const renamed: Case = async () => {
  const client = await openRetailerSim();
  const old = await sendReceipt(client, { usedBonusChecks: [{ checkNumber: 'V-1' }] });
  expect([old.status, old.warnings]).toEqual([202, expect.stringContaining('"usedRewardVouchers"')]);
  const inner = await sendReceipt(client, { usedRewardVouchers: [{ checkNumber: 'V-1' }] }, 'r-2');
  expect(inner.warnings).toContain('"voucherNumber"');
  expect((await sendReceipt(client, { usedRewardVouchers: [{ voucherNumber: 'V-1' }] }, 'r-3')).warnings).toBe('');
};

const discountOf = (value: number): object => ({ items: [lineOf({ discounts: [{ type: 'SALE', value }] })] });

const used: Case = async () => {
  const client = await openRetailerSim();
  const { status, body } = await redeem(client, coupons.spring);
  expect([status, body.redeemed, body.redeemedOn]).toEqual([200, true, '2026-03-01T12:00:00.000Z']);
  expect(refused(await redeem(client, coupons.spring))).toEqual([409, 'PromotionAlreadyRedeemed']);
  expect((await sendReceipt(client, { usedPromotions: [{ couponId: coupons.spring }] })).warnings).toBe('');
};

export const receiptRules = {
  'general.rule.1': async () => {
    const client = await openRetailerSim({ queueDelay: 60_000 });
    const queued = [
      await sendReceipt(client),
      await client.post('/api/v3/contacts/bulk', [{ email: 'eva@example.com' }]),
    ];
    expect(queued.map(({ status }) => status)).toEqual([202, 202]);
    const found = async () => [
      (await transactionsOf(client)).length,
      (await client.get('/api/v3/contacts/count')).body,
    ];
    expect(await found()).toEqual([0, 3]);
    await advance(client, '1m');
    expect(await found()).toEqual([1, 4]);
  },
  'general.rule.4': async () => {
    const client = await openRetailerSim();
    await sendReceipt(client, { currency: 'EUR', exchangeRateToGroupCurrency: 11.5, totalGrossPrice: 249 });
    expect((await summaryOf(client)).body.purchaseAmountAll).toBe(2863.5);
  },
  'receipt.rule.1': async () => {
    const client = await openRetailerSim();
    await sendReceipt(client, { contact: { matchKey: astrid, matchKeyType: 'contactId' } }, 'r-1');
    // Both a Member, the default type, and a Contact have this e-mail.
    await sendReceipt(client, { contact: { matchKey: 'bo@example.com', matchKeyType: 'email' } }, 'r-2');
    const found = [bo, astrid].map((id) => transactionsOf(client, id));
    const ids = (await Promise.all(found)).flat().map(({ uniqueReceiptId }) => uniqueReceiptId);
    expect(ids).toEqual(['r-2', 'r-1']);
  },
  'receipt.rule.2': renamed,
  'version.rule.2': renamed,
  'receipt.rule.3': async () => {
    const client = await openRetailerSim();
    const items = [lineOf({ grossPaidPrice: 249 }), returnOf({ grossPaidPrice: 100 })];
    await sendReceipt(client, { items, totalGrossPrice: 149 });
    const [{ lineItems }] = await transactionsOf(client);
    expect(lineItems.map(({ isReturned }: { isReturned: boolean }) => isReturned)).toEqual([false, true]);
    expect((await summaryOf(client)).body.purchaseAmountAll).toBe(149);
  },
  'receipt.rule.4': async () => {
    const client = await openRetailerSim();
    await sendReceipt(client);
    const before = await transactionsOf(client);
    await sendReceipt(client, { totalGrossPrice: 1, items: [lineOf({ grossPaidPrice: 1 })] });
    expect(await transactionsOf(client)).toEqual(before);
    const methods = ['PUT', 'PATCH', 'DELETE'].map((method) => client.call(method, '/api/v3/receipts', { body: {} }));
    expect((await Promise.all(methods)).map(({ status }) => status)).toEqual([405, 405, 405]);
  },
  'receipt.usedPromotions': async () => {
    const client = await openRetailerSim();
    const use = { couponId: coupons.spring, promotionId: promotions.spring };
    const both = await sendReceipt(client, { usedPromotions: [use] });
    expect([...refused(both), ...wrongFields(both)]).toEqual([400, 'ValidationError', 'usedPromotions[0]']);
    for (const [name, id] of Object.entries(use))
      expect((await sendReceipt(client, { usedPromotions: [{ [name]: id }] }, name)).status).toBe(202);
  },
  'receipt.discountValue': async () => {
    const wrong = await sendReceipt(await openRetailerSim(), discountOf(10));
    expect([...refused(wrong), ...wrongFields(wrong)]).toEqual([400, 'ValidationError', 'items[0].discounts[0].value']);
    expect((await sendReceipt(await openRetailerSim(), discountOf(-10))).status).toBe(202);
  },
  'purchaseHistorySummary.types': async () => {
    const client = await openRetailerSim();
    await sendReceipt(client);
    const { lastUpdated, latestReceiptDate, ...numbers } = (await summaryOf(client)).body;
    expect([lastUpdated, latestReceiptDate]).toEqual(['2026-03-01T12:00:00.000Z', '2026-03-01T11:00:00Z']);
    expect(Object.values(numbers).map((value) => typeof value)).toEqual(Array.from({ length: 12 }, () => 'number'));
  },
} satisfies Record<string, Case>;

export const promotionRules = {
  'promotionAssignment.listing': async () => {
    const { body } = await listPromotions(await openRetailerSim());
    expect(body.map(({ id }: { id: string }) => id)).toEqual([coupons.spring, coupons.tillOnly]);
  },
  'promotionAssignment.redeemedListing': async () => {
    const client = await openRetailerSim();
    await redeem(client, coupons.spring);
    const [first] = (await listPromotions(client)).body;
    expect([first.id, first.redeemed]).toEqual([coupons.spring, true]);
  },
  'promotions.checkoutOrder': async () => {
    const client = await openRetailerSim();
    const [{ id }] = (await listPromotions(client, '&redemptionChannelType=POS')).body;
    expect((await client.patch(`/api/v3/contacts/${astrid}`, { street: 'New 1' })).status).toBe(200);
    expect((await redeem(client, id)).status).toBe(200);
    const sold = await sendReceipt(client, { usedPromotions: [{ couponId: id }] });
    expect([sold.status, sold.warnings]).toEqual([202, '']);
  },
} satisfies Record<string, Case>;

export const promotionTransitions = { 'promotionAssignment.active→used': used } satisfies Record<string, Case>;

export const purchaseErrors = {
  'error.retailKpiNotCalculated': async () =>
    expect(refused(await summaryOf(await openRetailerSim(), nobody))).toEqual([404, 'RetailKpiNotCalculated']),
} satisfies Record<string, Case>;

export const wireRules = {
  'intro.baseUrl': async () => {
    const { get } = await openRetailerSim();
    const paths = ['/api/v3/contacts/count', '/t/other/api/v3/contacts/count'].map((path) => get(path));
    expect((await Promise.all(paths)).map(({ status, body }) => [status, body])).toEqual([
      [200, 3],
      [200, 3],
    ]);
  },
  'intro.bodies': async () => {
    const client = await openRetailerSim();
    const answers = [await client.get('/consents'), await sendReceipt(client), await summaryOf(client, nobody)];
    const types = answers.map(({ headers }) => headers.get('content-type'));
    expect(types).toEqual(answers.map(() => 'application/json; charset=utf-8'));
    expect(refused(await client.post('/api/v3/contacts', '<contact/>'))).toEqual([400, 'InvalidJson']);
  },
  'intro.timestamps': async () => {
    const client = await openRetailerSim();
    const sentOn = (createdDate: string) => client.post('/api/v3/receipts', receipt({ createdDate }, createdDate));
    expect((await sentOn('2026-02-01T10:00:00+01:00')).status).toBe(202);
    expect(wrongFields(await sentOn('2026-02-01T10:00:00'))).toEqual(['createdDate']);
    const { lastUpdated } = (await summaryOf(client)).body;
    expect(lastUpdated).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    await sentOn('2026-02-02t10:00+0100');
    const shown = (await transactionsOf(client)).map(({ createdDate }: { createdDate: string }) => createdDate);
    expect(shown.toSorted()).toEqual(['2026-02-01T10:00:00+01:00', '2026-02-02T09:00:00.000Z']);
  },
} satisfies Record<string, Case>;
