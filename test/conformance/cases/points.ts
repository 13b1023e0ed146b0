import { expect } from 'vitest';
import { endpoints } from '../../../src/service/endpoints.ts';
import type { Client } from '../../support/client.ts';
import { lineOf, returnOf } from '../../support/receipt-lines.ts';
import { accountsOf, addRows, buy, held, kinds, row, setClock, trigger } from '../../support/points.ts';
import { refused, wrongFields } from '../world.ts';
import type { Case } from '../world.ts';
import { astrid, bo } from '../../support/people.ts';
import { openPointsSim, openPointShopSim } from '../../support/open-sim.ts';

const later = '2026-03-02T00:00:00Z';
const accounts = '/api/v3/point-accounts';
const transactions = '/api/v3/point-transactions';

const balanceIn = ({ balance }: { readonly balance: number }): number => balance;

const single = (fields: object = {}): object => ({ accountId: 1, transactionId: 't-1', amount: 10, ...fields });

/** Transactions of the first account that anybody has, the oldest first. */
const movesOf = async ({ get }: Client, id = '1') =>
  (await get(`${transactions}?id=${id}&sortBy=createdOn&sortOrder=asc`)).body.items;

const descriptionsOf = async (client: Client): Promise<string[]> =>
  (await movesOf(client)).map(({ description }: { description: string }) => description);

/** A case in which a placeholder code comes up, in a shop where points come of purchases. */
const code =
  (expected: string, ...receipts: readonly object[][]): Case =>
  async () => {
    const client = await openPointShopSim();
    for (const [i, items] of receipts.entries()) await buy(client, `r-${i}`, items);
    expect(await descriptionsOf(client)).toContain(expected);
  };

const pendingUntilLater: Case = async () => {
  const client = await openPointsSim();
  await addRows(client, { validFrom: later });
  expect(await held(client)).toEqual([0, 10]);
  await setClock(client, later);
  expect(await held(client)).toEqual([10, 0]);
};

const activeAtOnce: Case = async () => {
  const client = await openPointsSim();
  await addRows(client, {}, { validFrom: '2026-02-01T00:00:00Z' }, { validFrom: '2026-03-01T12:00:00Z' });
  expect(await held(client)).toEqual([30, 0]);
};

const discounted = [lineOf({ discounts: [{ type: 'SALE', value: -50 }] })];
const discountCode = code('@@(Bonus.DeductionForDiscount)', discounted);

const expired: Case = async () => {
  const client = await openPointsSim();
  await addRows(client, { validTo: later });
  await setClock(client, later);
  expect(await descriptionsOf(client)).not.toContain('@@(RemovedDueToTimeLimit)');
  expect((await movesOf(client, '2')).at(-1)).toMatchObject({ amount: -10, description: '@@(RemovedDueToTimeLimit)' });
};

const accountRules = {
  'pointAccount.identity': async () => {
    const client = await openPointsSim();
    await addRows(client, {}, {}, { contactId: bo });
    const found = [...(await accountsOf(client)), ...(await accountsOf(client, bo))];
    const looks = found.map(({ contactId, definitionId, balance }) => [contactId, definitionId, balance]);
    expect(looks).toEqual([
      [astrid, 1, 20],
      [bo, 1, 50],
    ]);
  },
  'pointAccount.independence': async () => {
    const client = await openPointsSim();
    await addRows(client, {}, { definitionId: kinds.byAge, amount: 7 }, { amount: -3 });
    const found = await accountsOf(client);
    expect(found.map(({ balance }: { balance: number }) => balance)).toEqual([7, 7]);
    expect(new Set(found.map(({ id }: { id: string }) => id)).size).toBe(2);
  },
  'pointAccount.id': async () => {
    const client = await openPointsSim();
    const [{ id }] = await accountsOf(client, bo);
    const found = await Promise.all([id, id.toUpperCase(), '1'].map((any) => client.get(`${accounts}/${any}`)));
    expect(found.map(({ body }) => body.contactId)).toEqual([bo, bo, bo]);
    const refusals = await Promise.all(['2', 'x', astrid].map((any) => client.get(`${accounts}/${any}`)));
    expect(refusals.map(refused)).toEqual(refusals.map(() => [404, 'PointAccountNotFound']));
  },
  'pointAccount.balance': activeAtOnce,
  'pointAccount.pendingPoints': pendingUntilLater,
  'pointAccount.balanceExpires': async () => {
    const client = await openPointsSim();
    await addRows(client, { validFrom: later, validTo: '2026-05-01T00:00:00Z' });
    const next = async () => (await accountsOf(client))[0].balanceExpires;
    expect(await next()).toBe('2026-03-02T00:00:00.000Z');
    await setClock(client, later);
    expect(await next()).toBe('2026-05-01T00:00:00.000Z');
    await setClock(client, '2026-05-01T00:00:00Z');
    expect(await next()).toBe(null);
  },
  'pointAccount.inactivity': async () => {
    const client = await openPointsSim();
    await addRows(client, { definitionId: kinds.byAge }, { definitionId: kinds.byInactivity });
    const found = await accountsOf(client);
    const moments = found.map((account: object) => Object.entries(account).find(([name]) => /Inactivity/.test(name)));
    expect(moments).toEqual([undefined, ['pointsWillExpireDueToInactivity', '2026-09-01T12:00:00.000Z']]);
  },
  'pointAccount.links': async () => {
    const client = await openPointsSim();
    const [{ id, links }] = await accountsOf(client, bo);
    expect(links).toEqual([
      { id: '1', href: '/api/v3/point-definitions/1', method: 'GET', rel: 'definition' },
      { id, href: `${accounts}/transactions?accountId=${id}`, method: 'GET', rel: 'transactions' },
    ]);
    const led = await Promise.all(links.map(({ href }: { href: string }) => client.get(href)));
    expect(led.map(({ body }) => body.name ?? body.totalCount)).toEqual(['Kept', 1]);
  },
} satisfies Record<string, Case>;

const transactionRules = {
  'pointTransaction.amount': async () => {
    const client = await openPointsSim();
    for (const [i, amount] of [5, -5].entries()) {
      const { status, body } = await client.post(
        transactions,
        single({ transactionId: `t-${i}`, transactionType: 'Deduction', amount }),
      );
      expect([status, body.amount]).toEqual([201, -5]);
    }
    const taking = single({ transactionId: 't-2', transactionType: 'Addition', amount: -1 });
    expect((await client.post(transactions, taking)).body).toMatchObject({ amount: -1, type: 'Deduction' });
  },
  'pointTransaction.type': async () => {
    const client = await openPointsSim();
    const types = ['Addition', 'Deduction', 'Expiry', 'Cancellation', 'Adjustment'];
    for (const transactionType of types) {
      const sent = await client.post(transactions, single({ transactionId: transactionType, transactionType }));
      expect((await client.get(`${transactions}/${sent.body.id}`)).body.type).toBe(transactionType);
    }
    const listed = (await movesOf(client)).map(({ type }: { type: string }) => type);
    expect(listed.slice(1)).toEqual([...types.slice(0, 4), 'Addition']);
    expect(wrongFields(await client.post(transactions, single({ transactionType: 'Gift' })))).toEqual([
      'transactionType',
    ]);
  },
  'pointTransaction.source': async () => {
    const client = await openPointsSim();
    const sources = ['Automation', 'Purchase', 'RewardVoucher', 'BonusPromotion', 'Adjustment', 'Return', 'Of our own'];
    await addRows(client, ...sources.map((source) => ({ source })));
    expect((await movesOf(client, '2')).map(({ source }: { source: string }) => source)).toEqual(sources);
  },
  'pointTransaction.validFrom': pendingUntilLater,
  'pointTransaction.retailTransactionLineItemId': async () => {
    const client = await openPointShopSim();
    await buy(client, 'r-1', [lineOf({ sku: 'a' }), lineOf({ sku: 'b', grossPaidPrice: 200 })]);
    const [{ lineItems }] = (await client.get(`/api/v3/transactions?contactId=${astrid}`)).body.items;
    const lines = (await movesOf(client)).map((move: Record<string, unknown>) => move['retailTransactionLineItemId']);
    expect(lines).toEqual(lineItems.map(({ id }: { id: string }) => id));
  },
  'pointTransaction.description': async () => {
    const client = await openPointsSim();
    await addRows(client, { description: 'Grattis på födelsedagen' }, { description: '@@(Bonus.Points)' });
    const found = (await movesOf(client, '2')).map(({ description }: { description: string }) => description);
    expect(found).toEqual(['Grattis på födelsedagen', '@@(Bonus.Points)']);
  },
  'pointTransaction.code.Bonus.Points': code('@@(Bonus.Points)', [lineOf()]),
  'pointTransaction.code.RemovedDueToTimeLimit': expired,
  'pointTransaction.code.Bonus.DeductionForDiscount': discountCode,
  'pointTransaction.code.Bonus.DeductionForReturn': code('@@(Bonus.DeductionForReturn)', [lineOf()], [returnOf()]),
  'pointTransaction.code.ConvertedToBonusCheck': code('@@(ConvertedToBonusCheck)', [lineOf({ grossPaidPrice: 1000 })]),
  'pointTransaction.active': activeAtOnce,
  'pointTransaction.pending': pendingUntilLater,
  'version.rule.3': discountCode,
} satisfies Record<string, Case>;

const callRules = {
  'points.activatingPending': async () => {
    const client = await openPointsSim();
    const pending = { definitionId: kinds.neverPending, validFrom: later };
    await addRows(client, pending);
    await trigger(client, { event: 'switchPendingPoints', definitionId: kinds.neverPending, active: true });
    expect(await held(client)).toEqual([10, 0]);
    await addRows(client, pending);
    expect(await held(client)).toEqual([10, 10]);
    await trigger(client, { event: 'switchPendingPoints', definitionId: kinds.neverPending, active: false });
    expect(await held(client)).toEqual([10, 10]);
  },
  'points.accountTransactions': async () => {
    const { get } = await openPointsSim();
    const list = (await get(`${accounts}/transactions?accountId=1`)).body;
    expect((await get(`${accounts}/1`)).body.transactions.items).toEqual(list.items);
    expect((await get(`${transactions}?id=1`)).body.items).toEqual(list.items);
    expect([list.totalCount, list.items[0].amount]).toEqual([1, 40]);
  },
  'points.singleTransactionRequired': async () => {
    const { post } = await openPointsSim();
    expect(wrongFields(await post(transactions, { amount: 1 }))).toEqual(['accountId', 'transactionId']);
    expect(refused(await post(transactions, single({ accountId: 99 })))).toEqual([404, 'PointAccountNotFound']);
  },
  'points.expirySettings': async () => {
    const client = await openPointsSim();
    await addRows(client, { definitionId: kinds.byAge }, { definitionId: kinds.byInactivity });
    const [byAge, byInactivity] = await accountsOf(client);
    const sent = (accountId: string, transactionId: string, fields: object = {}) =>
      client.post(transactions, single({ accountId, transactionId, ...fields }));
    expect((await sent(byAge.id, 'a')).body.validTo).toBe('2027-03-01T12:00:00.000Z');
    expect((await sent(byAge.id, 'b', { validTo: '2026-06-01T00:00:00Z' })).body.validTo).toBe('2026-06-01T00:00:00Z');
    expect((await sent(byInactivity.id, 'c', { expireAfterMonthsInactive: 6 })).warnings).toBe('');
    expect((await sent(byInactivity.id, 'd', { expireAfterMonthsInactive: 5 })).warnings).toContain('expiry-setting');
  },
  'points.bulkAmount': async () => {
    const client = await openPointsSim();
    expect(await accountsOf(client)).toEqual([]);
    await addRows(client, {}, { amount: -2.5 });
    expect(await held(client)).toEqual([7.5, 0]);
  },
  'points.bulkValidFrom': pendingUntilLater,
  'points.balanceSync': async () => {
    const client = await openPointsSim({ mode: 'point-follower', queueDelay: 60_000 });
    const sync = [astrid, bo].map((contactId) => ({ contactId, amount: 5, definitionId: 1, timeStamp: later }));
    await client.post(`${accounts}/balances`, sync);
    const totals = async () => [...(await accountsOf(client)), ...(await accountsOf(client, bo))].map(balanceIn);
    expect(await totals()).toEqual([40]);
    await client.post('/__admin/clock', { advance: '1m' });
    expect(await totals()).toEqual([5, 5]);
  },
  'points.balancesMode': async () => {
    const { post } = await openPointsSim();
    const sync = [{ contactId: astrid, amount: 5, definitionId: 1, timeStamp: later }];
    expect(refused(await post(`${accounts}/balances`, sync))).toEqual([400, 'PointFollowerNotActive']);
    const follower = await openPointsSim({ mode: 'point-follower' });
    expect((await follower.post(`${accounts}/balances`, sync)).status).toBe(202);
  },
  'follower.noPurchasePoints': async () => {
    const client = await openPointShopSim({ mode: 'point-follower' });
    await buy(client, 'r-1', [lineOf({ grossPaidPrice: 1000 })]);
    expect(await accountsOf(client)).toEqual([]);
  },
  // Levels that follow from points are none of what is served.
  'follower.featuresOff': async () => {
    const client = await openPointShopSim({ mode: 'point-follower' });
    const usedPromotions = [{ couponId: '9b1d0c00-aaaa-4000-8000-000000000001' }];
    await buy(client, 'r-1', [lineOf()], { usedPromotions });
    expect(await accountsOf(client)).toEqual([]);
    await client.post(`${accounts}/balances`, [{ contactId: astrid, amount: 250, definitionId: 1 }]);
    expect(await held(client)).toEqual([250, 0]);
    const convert = { event: 'convertPoints', contactId: astrid, definitionId: 1 };
    expect(refused(await trigger(client, convert))).toEqual([409, 'Conflict']);
  },
  'version.rule.5': async () => {
    const { get } = await openPointsSim();
    const status = endpoints.find(({ id }) => id === 'getPointBalancesStatus');
    expect(status?.deprecated).toBe(true);
    const asked = await get(`${accounts}/balances/status/${astrid}`);
    expect([...refused(asked), asked.warnings]).toEqual([
      404,
      'BalanceSyncNotFound',
      expect.stringContaining('deprecated-endpoint'),
    ]);
  },
} satisfies Record<string, Case>;

export const pointRules = { ...accountRules, ...transactionRules, ...callRules };

const adjusted =
  (by: string, source: string): Case =>
  async () => {
    const client = await openPointsSim();
    await trigger(client, {
      event: 'adjustPoints',
      contactId: astrid,
      definitionId: 1,
      amount: 25,
      description: 'x',
      by,
    });
    expect(await held(client)).toEqual([25, 0]);
    expect((await movesOf(client, '2'))[0]).toMatchObject({ amount: 25, type: 'Addition', source, validFrom: null });
  };

export const pointTransitions = {
  'points.none→pending': pendingUntilLater,
  'points.pending→active': pendingUntilLater,
  'points.none→active': activeAtOnce,
  'points.none→activeImmediately': async () => {
    await adjusted('manual', 'Manual')();
    await adjusted('automation', 'Automation')();
  },
} satisfies Record<string, Case>;

export const pointErrors = {
  'error.bulkPointTransactions': async () => {
    const { post } = await openPointsSim();
    const tooMany = await post(
      `${accounts}/transactions`,
      Array.from({ length: 1001 }, () => row()),
    );
    expect([...refused(tooMany), tooMany.body.message]).toEqual([
      400,
      'TooManyItems',
      expect.stringContaining('Too many items'),
    ]);
    const other = await openPointsSim({ fixtures: 'test/support/points-off.json' });
    const off = await other.post(`${accounts}/transactions`, [row()]);
    expect([...refused(off), off.body.message]).toEqual([
      400,
      'NewPointSystemNotActive',
      'New point system not active',
    ]);
  },
} satisfies Record<string, Case>;
