import { describe, expect, it } from 'vitest';
import { lineOf } from '../../support/receipt-lines.ts';
import { storedReceipts, send, transactions } from '../../support/shop.ts';
import { openShopSim } from '../../support/open-sim.ts';

describe('POST /receipts', () => {
  it('answers 202 with an empty object and nothing to warn about', async () => {
    const client = await openShopSim();
    const { status, body, warnings } = await send(client);
    expect([status, body, warnings]).toEqual([202, {}, '']);
    expect(await transactions(client)).toHaveLength(1);
  });

  it('records every receipt under an id of its own, and each line too', async () => {
    const client = await openShopSim();
    await send(client, { items: [lineOf(), lineOf()] });
    await send(client, {}, 'r-2');
    const recorded = await transactions(client);
    const lines = recorded.flatMap(({ lineItems }) => lineItems);
    const ids = [...recorded, ...lines].map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
  });

  it('takes null for a field that may be left out', async () => {
    const client = await openShopSim();
    const nothing = { receiptNumber: null, exchangeRateToGroupCurrency: null, usedPromotions: null };
    expect(
      (await send(client, { ...nothing, usedRewardVouchers: null, items: [lineOf({ discounts: null })] })).status,
    ).toBe(202);
    expect((await transactions(client))[0]?.transactionNumber).toBe('r-1');
  });

  it('keeps what points will be worked out from', async () => {
    const client = await openShopSim();
    const discounts = [{ type: 'CAMPAIGN', description: 'Sale', value: -50 }];
    const extraData = [{ name: 'season', value: 'SS26' }];
    const marked = { awardsPoints: false, marginPercent: '42.5', discounts, extraData };
    await send(client, { items: [lineOf(), lineOf(marked)] });
    expect(storedReceipts(client)).toMatchObject([{ items: [{ awardsPoints: true, discounts: [] }, marked] }]);
  });

  it('warns of a receipt dated ahead of the clock and records it', async () => {
    const client = await openShopSim();
    const { warnings } = await send(client, { createdDate: '2026-03-01T12:00:01Z' });
    expect(warnings).toContain('future-receipt: createdDate 2026-03-01T12:00:01Z is yet to come');
    expect(await transactions(client)).toHaveLength(1);
  });

  it('warns of a store that the retailer does not have, and of the one that may be meant', async () => {
    const client = await openShopSim();
    const { warnings } = await send(client, { storeExternalId: '1000' });
    expect(warnings).toBe('unknown-store: no store has the storeExternalId "1000"; did you mean "100"?');
    expect(await transactions(client)).toMatchObject([{ storeExternalId: '1000', storeName: null }]);
  });

  it('warns of a currency without a rate and counts it is', async () => {
    const { status, warnings } = await send(await openShopSim(), { currency: 'ISK' });
    expect([status, warnings]).toEqual([
      202,
      expect.stringContaining('unknown-rate: there is no rate from ISK to SEK'),
    ]);
  });
});

describe('POST /receipts with fields of the earlier version (Receipt rule 2)', () => {
  it('passes over usedBonusChecks and says what it is called now', async () => {
    const { status, warnings } = await send(await openShopSim(), { usedBonusChecks: [{ checkNumber: 'v-1' }] });
    expect(status).toBe(202);
    expect(warnings).toContain(
      '"usedBonusChecks" is not a field that the service reads; in API v3 it is called "usedRewardVouchers"',
    );
  });

  it('passes over checkNumber and says what it is called now', async () => {
    const { status, warnings } = await send(await openShopSim(), { usedRewardVouchers: [{ checkNumber: 'v-1' }] });
    expect(status).toBe(202);
    expect(warnings).toContain('in API v3 it is called "voucherNumber"');
    expect(warnings).toContain('unknown-voucher: one of usedRewardVouchers has no voucherNumber');
  });

  it('refuses them where field validation is strict', async () => {
    const client = await openShopSim({ fieldValidation: 'strict' });
    const { status } = await send(client, { usedBonusChecks: [] });
    expect([status, await transactions(client)]).toEqual([400, []]);
  });
});

describe('POST /receipts with a uniqueReceiptId once more (A-24)', () => {
  const warning = 'repeated-receipt: a receipt with the uniqueReceiptId "r-1" is already there; this one is ignored';

  it('ignores the second and warns: a receipt is final (Receipt rule 4)', async () => {
    const client = await openShopSim();
    await send(client);
    const before = await transactions(client);
    const again = await send(client, { totalGrossPrice: 1, receiptNumber: 'changed' });
    expect([again.status, again.body, again.warnings]).toEqual([202, {}, warning]);
    expect(await transactions(client)).toEqual(before);
  });

  it('ignores the second where both waited in the queue', async () => {
    const client = await openShopSim({ queueDelay: 60_000 });
    await send(client);
    expect((await send(client)).warnings).toBe('');
    const happenings = await client.sim.clock.advance(60_000);
    expect(happenings.map(({ sideEffects: outcome }) => outcome.warnings.map(({ code }) => code))).toEqual([
      [],
      ['repeated-receipt'],
    ]);
    expect(await transactions(client)).toHaveLength(1);
  });

  it('warns at once of one that is already recorded, and queues nothing', async () => {
    const client = await openShopSim({ queueDelay: 60_000 });
    await send(client);
    await client.sim.clock.advance(60_000);
    expect((await send(client)).warnings).toBe(warning);
    expect(await client.sim.clock.advance(60_000)).toEqual([]);
  });

  it('counts it again where the retailer does', async () => {
    const client = await openShopSim({ assumptions: { 'A-24': 'twice' } });
    await send(client);
    expect((await send(client)).warnings).toBe('');
    await send(client);
    expect((await transactions(client)).map(({ uniqueReceiptId }) => uniqueReceiptId)).toEqual(['r-1', 'r-1', 'r-1']);
  });
});

describe('POST /receipts where queued work waits (A-26)', () => {
  it('shows the receipt once the wait is over', async () => {
    const client = await openShopSim({ queueDelay: 15 * 60_000 });
    expect((await send(client)).status).toBe(202);
    await client.sim.clock.advance(15 * 60_000 - 1);
    expect(await transactions(client)).toEqual([]);
    await client.sim.clock.advance(1);
    expect(await transactions(client)).toHaveLength(1);
  });

  it('refuses at once what is wrong', async () => {
    const client = await openShopSim({ queueDelay: 60_000 });
    expect((await send(client, { items: [] })).status).toBe(400);
  });
});
