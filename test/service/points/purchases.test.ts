import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { accountsOf, addRows, buy, setClock } from '../../support/points.ts';
import { folderWith, tidyFolders } from '../../support/folders.ts';
import { lineOf, returnOf } from '../../support/receipt-lines.ts';
import { astrid } from '../../support/people.ts';
import { openPointShopSim as open } from '../../support/open-sim.ts';

afterEach(tidyFolders);

/** Transactions of the contact's account for a definition, the oldest first. */
async function movesOf(client: Client, definitionId = 1) {
  const account = (await accountsOf(client)).find(
    (held: Record<string, unknown>) => held['definitionId'] === definitionId,
  );
  const { body } = await client.get(`/api/v3/point-transactions?id=${account.id}&sortBy=createdOn&sortOrder=asc`);
  return body.items;
}

const amountsOf = async (client: Client, definitionId = 1): Promise<number[]> =>
  (await movesOf(client, definitionId)).map(({ amount }: { amount: number }) => amount);

const heldBy = async (client: Client) =>
  (await accountsOf(client)).map(({ definitionId, balance, pendingPoints }: Record<string, number>) => [
    definitionId,
    balance,
    pendingPoints,
  ]);

const vouchersOf = ({ sim }: Client) => sim.tenants.default.state.tables['rewardVouchers']?.rows.size ?? 0;

describe('a purchase', () => {
  it('gives points for each line, in group currency and rounded down, and says which line gave them', async () => {
    const client = await open();
    await buy(client, 'r-1', [lineOf({ grossPaidPrice: 18.1 }), lineOf({ grossPaidPrice: 5 })], { currency: 'EUR' });
    const [sold] = (await client.get(`/api/v3/transactions?contactId=${astrid}`)).body.items;
    expect(await movesOf(client)).toMatchObject([
      {
        amount: 19,
        type: 'Addition',
        source: 'Purchase',
        description: '@@(Bonus.Points)',
        retailTransactionLineItemId: sold.lineItems[0].id,
        transactionDate: '2026-03-01T11:00:00Z',
        createdOn: '2026-03-01T12:00:00.000Z',
        validFrom: '2026-03-01T11:00:00.000Z',
        validTo: '2027-03-01T11:00:00.000Z',
      },
      { amount: 5, retailTransactionLineItemId: sold.lineItems[1].id },
    ]);
  });

  it('gives points that are pending for as long as the definition says', async () => {
    const client = await open();
    await buy(client, 'r-1', [lineOf()]);
    expect(await heldBy(client)).toEqual([
      [1, 10, 0],
      [2, 0, 100],
    ]);
    await setClock(client, '2026-03-15T10:59:59Z');
    expect((await heldBy(client))[1]).toEqual([2, 0, 100]);
    await setClock(client, '2026-03-15T11:00:00Z');
    expect((await heldBy(client))[1]).toEqual([2, 100, 0]);
  });

  it('gives none for lines that award none, and none to nobody', async () => {
    const client = await open();
    await buy(client, 'r-1', [lineOf({ awardsPoints: false }), lineOf({ type: 'ADJUSTMENT' })]);
    await buy(client, 'r-2', [lineOf()], { contact: { matchKey: 'x@example.com', matchKeyType: 'email' } });
    expect(await heldBy(client)).toEqual([
      [1, 0, 0],
      [2, 0, 0],
    ]);
  });

  it('takes back what a discount was worth', async () => {
    const client = await open();
    const discounts = [{ type: 'SALE', value: -55 }, { value: null }];
    await buy(client, 'r-1', [lineOf({ discounts })]);
    expect(await movesOf(client)).toMatchObject([
      { amount: 15, description: '@@(Bonus.Points)' },
      { amount: -5, type: 'Deduction', source: 'Purchase', description: '@@(Bonus.DeductionForDiscount)' },
    ]);
    expect(await heldBy(client)).toEqual([
      [1, 10, 0],
      [2, 0, 100],
    ]);
  });

  it('gives the points of a promotion that was used on it, once', async () => {
    const client = await open();
    const usedPromotions = [{ couponId: '9b1d0c00-aaaa-4000-8000-000000000001' }];
    await buy(client, 'r-1', [lineOf({ grossPaidPrice: 1 })], { usedPromotions });
    await buy(client, 'r-2', [lineOf({ grossPaidPrice: 1 })], { usedPromotions });
    expect(await movesOf(client)).toMatchObject([{ amount: 75, source: 'BonusPromotion', description: 'Double' }]);
    expect(await amountsOf(client, 2)).toEqual([1, 1]);
  });

  it('long ago gives points that expire at once, and a warning', async () => {
    const client = await open();
    const { warnings } = await buy(client, 'r-1', [lineOf()], { createdDate: '2025-02-28T10:00:00+01:00' });
    expect(warnings).toBe(
      'points-expired: the receipt is of 2025-02-28T10:00:00+01:00, ' +
        'so its points of definition 1 were over on 2026-02-28T09:00:00.000Z; they expire at once',
    );
    expect([await amountsOf(client), await heldBy(client)]).toEqual([
      [10, -10],
      [
        [1, 0, 0],
        [2, 100, 0],
      ],
    ]);
  });

  it('dated ahead of time gives points as of now', async () => {
    const client = await open();
    await buy(client, 'r-1', [lineOf()], { createdDate: '2026-04-01T00:00:00Z' });
    const moved = { transactionDate: '2026-04-01T00:00:00Z', validFrom: '2026-03-01T12:00:00.000Z' };
    expect([await heldBy(client), await movesOf(client)]).toMatchObject([
      [
        [1, 10, 0],
        [2, 0, 100],
      ],
      [moved],
    ]);
  });

  it('is seen in the points when the queue has come to it', async () => {
    const client = await open({ queueDelay: 60_000 });
    await buy(client, 'r-1', [lineOf()]);
    expect(await accountsOf(client)).toEqual([]);
    await client.post('/__admin/clock', { advance: '1m' });
    expect(await amountsOf(client)).toEqual([10]);
  });
});

describe('a return', () => {
  it('takes what the line gave, from another receipt, in proportion to what comes back', async () => {
    const client = await open();
    await buy(client, 'r-1', [lineOf({ quantity: 3 })]);
    await buy(client, 'r-2', [returnOf({ quantity: -1 })]);
    expect((await movesOf(client)).at(-1)).toMatchObject({
      amount: -3,
      type: 'Deduction',
      source: 'Return',
      description: '@@(Bonus.DeductionForReturn)',
    });
    await buy(client, 'r-3', [returnOf({ quantity: -2 })]);
    expect(await amountsOf(client)).toEqual([10, -3, -7]);
  });

  it('takes pending points before they are active', async () => {
    const client = await open();
    await buy(client, 'r-1', [lineOf()]);
    await buy(client, 'r-2', [returnOf()]);
    expect((await heldBy(client))[1]).toEqual([2, 0, 0]);
    await setClock(client, '2026-04-01T00:00:00Z');
    expect((await heldBy(client))[1]).toEqual([2, 0, 0]);
  });

  it('never takes more than was given', async () => {
    const client = await open();
    await buy(client, 'r-1', [lineOf()]);
    for (const id of ['r-2', 'r-3']) await buy(client, id, [returnOf({ quantity: -5, grossPaidPrice: 900 })]);
    await buy(client, 'r-4', [returnOf({ sku: 'other' })]);
    expect(await amountsOf(client)).toEqual([10, -10]);
  });

  it('of more than was bought is told', async () => {
    const client = await open();
    await buy(client, 'r-1', [lineOf({ quantity: 2 })]);
    const { warnings } = await buy(client, 'r-2', [returnOf({ quantity: -5 })]);
    const told = 'of 5 returned of sku 1001-M, 3 match no purchase of the contact up to 2026-03-01T11:00:00Z';
    expect(warnings).toContain(`return-unmatched: ${told} known to point definition 1; they take no points`);
  });

  it('against another article makes no vouchers on the way', async () => {
    const client = await open();
    await buy(client, 'r-1', [lineOf({ grossPaidPrice: 900 })]);
    await buy(client, 'r-2', [lineOf({ sku: 'other', grossPaidPrice: 950 }), returnOf()]);
    expect(await amountsOf(client)).toEqual([90, 95, -90]);
    expect(vouchersOf(client)).toBe(0);
  });

  it('is of the latest purchase first', async () => {
    const client = await open();
    await buy(client, 'r-1', [lineOf({ grossPaidPrice: 200 })], { createdDate: '2026-02-01T10:00:00Z' });
    await buy(client, 'r-2', [lineOf({ grossPaidPrice: 300 })], { createdDate: '2026-01-01T10:00:00Z' });
    await buy(client, 'r-3', [returnOf()]);
    expect(await amountsOf(client)).toEqual([20, 30, -20]);
    await buy(client, 'r-4', [returnOf({ quantity: -2 })]);
    expect(await amountsOf(client)).toEqual([20, 30, -20, -30]);
  });

  it('is of the last line first when a receipt sells the article on several', async () => {
    const client = await open();
    const prices = [50, 60, 70, 80, 90];
    await buy(
      client,
      'r-1',
      prices.map((grossPaidPrice) => lineOf({ grossPaidPrice })),
    );
    await buy(client, 'r-2', [returnOf()]);
    await buy(client, 'r-3', [returnOf({ quantity: -2, grossPaidPrice: 200 })]);
    expect((await amountsOf(client)).slice(prices.length)).toEqual([-9, -8, -7]);
  });

  it('on a receipt that also sells the article is of an earlier purchase', async () => {
    const client = await open();
    await buy(client, 'r-1', [lineOf({ grossPaidPrice: 200 })]);
    await buy(client, 'r-2', [returnOf({ grossPaidPrice: 200 }), lineOf({ grossPaidPrice: 300 })]);
    expect(await amountsOf(client)).toEqual([20, 30, -20]);
    await buy(client, 'r-3', [returnOf(), lineOf({ grossPaidPrice: 90, sku: 'other' })]);
    expect(await amountsOf(client)).toEqual([20, 30, -20, 9, -30]);
  });
});

describe('reward vouchers', () => {
  it('are made as soon as there are points enough, as many as there are points for', async () => {
    const client = await open();
    await buy(client, 'r-1', [lineOf({ grossPaidPrice: 2500 })]);
    expect(await movesOf(client)).toMatchObject([
      { amount: 250 },
      { amount: -100, type: 'Deduction', source: 'RewardVoucher', description: '@@(ConvertedToBonusCheck)' },
      { amount: -100 },
    ]);
    expect([vouchersOf(client), (await heldBy(client))[0]]).toEqual([2, [1, 50, 0]]);
  });

  it('are made a thousand at a time, and a warning says so', async () => {
    const client = await open();
    const { warnings } = await addRows(client, { amount: 100_250 });
    expect([warnings, vouchersOf(client)]).toEqual([expect.stringContaining('vouchers-left'), 1000]);
    await addRows(client, { amount: 1 });
    expect([vouchersOf(client), await heldBy(client)]).toEqual([1002, [[1, 51, 0]]]);
  });

  it('are made when pending points become active', async () => {
    const client = await open();
    await addRows(client, { amount: 100, validFrom: '2026-03-02T00:00:00Z' });
    expect([vouchersOf(client), await heldBy(client)]).toEqual([0, [[1, 0, 100]]]);
    await setClock(client, '2026-03-02T00:00:00Z');
    expect([vouchersOf(client), await heldBy(client)]).toEqual([1, [[1, 0, 0]]]);
  });

  it('can be used on a receipt', async () => {
    const client = await open();
    await buy(client, 'r-1', [lineOf({ grossPaidPrice: 1000 })]);
    const usedRewardVouchers = [{ voucherNumber: '80000001' }];
    const first = await buy(client, 'r-2', [lineOf()], { usedRewardVouchers });
    const second = await buy(client, 'r-3', [lineOf()], { usedRewardVouchers });
    expect([first.warnings, second.warnings]).toEqual(['', expect.stringContaining('voucher-used-again')]);
  });
});

/** Buys one thing; returns the id of its line. */
async function buyLine(client: Client): Promise<string> {
  await buy(client, 'r-1', [lineOf()]);
  return (await client.get(`/api/v3/transactions?contactId=${astrid}`)).body.items[0].lineItems[0].id;
}

describe('points of a fixture that name a line of a purchase', () => {
  it('lose nothing of what it gave when they expire', async () => {
    // The same seed draws the same ids.
    const retailTransactionLineItemId = await buyLine(await open());
    const expiring = {
      contactId: astrid,
      definitionId: 1,
      amount: 7,
      type: 'Addition',
      source: 'Purchase',
      transactionDate: '2026-01-01T00:00:00Z',
      validTo: '2026-04-01T00:00:00Z',
      retailTransactionLineItemId,
    };
    const content = {
      ...JSON.parse(readFileSync('test/support/point-shop.json', 'utf8')),
      pointTransactions: [expiring],
    };
    const client = await open({ fixtures: folderWith({ 'points.json': content }) });
    expect(await buyLine(client)).toBe(retailTransactionLineItemId);
    await setClock(client, '2026-04-01T00:00:00Z');
    await buy(client, 'r-2', [returnOf()]);
    expect(await amountsOf(client)).toEqual([7, 10, -7, -10]);
  });
});
