import { expect } from 'vitest';
import type { SimOptions } from '../../../src/simulator/options.ts';
import type { Client } from '../../support/client.ts';
import { lineOf, returnOf } from '../../support/receipt-lines.ts';
import { accountsOf, addRows, buy, held, kinds, row, trigger } from '../../support/points.ts';
import { advance, receipt, refused, requestsRestingOn, wrongFields } from '../world.ts';
import type { Case } from '../world.ts';
import { astrid, bo, nobody } from '../../support/people.ts';
import { openPointsSim, openPointShopSim } from '../../support/open-sim.ts';

const accounts = '/api/v3/point-accounts';
const transactions = '/api/v3/point-transactions';
const bulk = `${accounts}/transactions`;

const openWith = (id: string, variant: string, options: SimOptions = {}): Promise<Client> =>
  openPointsSim({ ...options, assumptions: { [id]: variant } });

const single = (fields: object = {}): object => ({ accountId: 1, transactionId: 't-1', amount: 10, ...fields });

const balanceOfBo = async (client: Client): Promise<number> => (await accountsOf(client, bo))[0].balance;

/** Bo has 40 points of the first definition. */
const balanceItem = (amount: number, fields: object = {}): object => ({
  contactId: bo,
  definitionId: 1,
  amount,
  ...fields,
});

const openFollower = (assumptions: Record<string, string> = {}): Promise<Client> =>
  openPointsSim({ mode: 'point-follower', assumptions });

/** What became of a newer balance and an older one that came after it. */
async function sendOlder(client: Client) {
  await client.post(`${accounts}/balances`, [balanceItem(7, { timeStamp: '2026-02-02T01:00:00+01:00' })]);
  const older = [balanceItem(5, { timeStamp: '2026-02-01T23:59:59Z' }), balanceItem(3, { definitionId: 2 })];
  const { body, warnings } = await client.post(`${accounts}/balances`, older);
  const { status, messages } = (await client.get(`${accounts}/balances/status/${body.id}`)).body;
  return [await balanceOfBo(client), warnings, status, messages.map(({ message }: { message: string }) => message)];
}

/** A page of transactions as the milliseconds or days that tell them apart. */
const orderOf = async ({ get }: Client, query: string): Promise<number[]> =>
  (await get(`${transactions}?id=2${query}`)).body.items.map(({ amount }: { amount: number }) => amount);

/** Amounts 1, 2, 3 as they were entered; dated the other way round. */
async function openDated(): Promise<Client> {
  const client = await openPointsSim();
  for (const [i, day] of ['03', '02', '01'].entries()) {
    await addRows(client, { amount: i + 1, timeStamp: `2026-01-${day}T00:00:00Z` });
    await advance(client, '1s');
  }
  return client;
}

const withKey = ({ call }: Client, key: string, amount = 10) =>
  call('POST', bulk, { body: [row({ amount })], headers: { 'Idempotency-Key': key } });

/** Tries every way in which points arise, for a retailer without the new point system and a contact with 150 points, 10 to come. */
async function addWithoutSystem(assumptions: Record<string, string> = {}) {
  const client = await openPointsSim({ fixtures: 'test/support/points-off.json', assumptions });
  const whose = { contactId: astrid, definitionId: kinds.forVouchers };
  const answers = [
    await client.post(bulk, [row(whose)]),
    await client.post(transactions, single()),
    await trigger(client, { event: 'adjustPoints', ...whose, amount: 25 }),
    await trigger(client, { event: 'convertPoints', ...whose }),
    await buy(client, 'r-1', [lineOf({ grossPaidPrice: 24 })]),
  ];
  return { client, statuses: answers.map(({ status }) => status) };
}

/** Points to come from next year on: one of an automation, two added by hand, one of neither. */
async function addByOthers(assumptions: Record<string, string> = {}) {
  const client = await openPointsSim({ assumptions });
  const validFrom = '2027-01-01T00:00:00Z';
  const one = await client.post(transactions, single({ source: 'Automation', validFrom }));
  const rows = ['manual', 'Manual', 'Adjustment'].map((source) => ({ source, validFrom }));
  const many = await addRows(client, ...rows);
  return { client, warnings: [one.warnings, many.warnings] };
}

const lateDate = '2026-02-20T10:00:00+01:00';

/** From and to when the points of a purchase count whose receipt comes nine days late, and those that are pending. */
async function buyLate(assumptions: Record<string, string> = {}) {
  const client = await openPointShopSim({ assumptions });
  await buy(client, 'r-1', [lineOf()], { createdDate: lateDate });
  const [atOnce, pending] = await accountsOf(client);
  const [first] = (await client.get(`${transactions}?id=${atOnce.id}`)).body.items;
  const [second] = (await client.get(`${transactions}?id=${pending.id}`)).body.items;
  return { client, moments: [first.validFrom, first.validTo, second.validFrom] };
}

/** How many points of the second definition a return of 10 February takes, of purchases that gave 40, 100, 60 and 1,000. */
async function returnAmongPurchases(assumptions: Record<string, string> = {}): Promise<number> {
  const client = await openPointShopSim({ assumptions });
  const bought = { 40: '2026-02-01', 100: '2026-02-03', 60: '2026-02-05', 1000: '2026-02-20' };
  for (const [price, day] of Object.entries(bought)) {
    await buy(client, price, [lineOf({ grossPaidPrice: Number(price) })], { createdDate: `${day}T10:00:00Z` });
  }
  const { warnings } = await buy(client, 'r-1', [returnOf()], { createdDate: '2026-02-10T10:00:00Z' });
  expect(warnings).not.toContain('return-unmatched');
  const { balance, pendingPoints } = (await accountsOf(client))[1];
  return 1200 - balance - pendingPoints;
}

/** The balance after 20 points of a purchase: 5 are spent, the others expire, and all is returned; and after a voucher. */
async function returnExpired(assumptions: Record<string, string> = {}): Promise<readonly number[]> {
  const client = await openPointShopSim({ assumptions });
  const createdDate = '2025-03-20T10:00:00Z';
  await buy(client, 'r-1', [lineOf({ quantity: 2, grossPaidPrice: 200 })], { createdDate });
  await addRows(client, { amount: -5 });
  await advance(client, 'P1M');
  await buy(client, 'r-2', [returnOf({ quantity: -2, grossPaidPrice: 200 })]);
  const [afterExpiry] = await held(client);
  await addRows(client, { amount: 5 });
  await buy(client, 'r-3', [lineOf({ grossPaidPrice: 1050 })]);
  await advance(client, 'P13M');
  await buy(client, 'r-4', [returnOf({ grossPaidPrice: 1050 })]);
  return [afterExpiry ?? 0, (await held(client))[0] ?? 0];
}

/** What is taken of 75 points of a promotion by a return of a quarter of the receipt, and then of the rest. */
async function returnWithBonus(assumptions: Record<string, string> = {}) {
  const client = await openPointShopSim({ assumptions });
  const usedPromotions = [{ couponId: '9b1d0c00-aaaa-4000-8000-000000000001' }];
  const items = [lineOf({ grossPaidPrice: 5 }), lineOf({ sku: 'other', quantity: 3, grossPaidPrice: 15 })];
  await buy(client, 'r-1', items, { usedPromotions });
  await buy(client, 'r-2', [returnOf({ grossPaidPrice: 5 })]);
  await buy(client, 'r-3', [returnOf({ sku: 'other', quantity: -3, grossPaidPrice: 15 })]);
  const { body } = await client.get(`${transactions}?id=1&sortBy=createdOn&sortOrder=asc`);
  return body.items
    .filter(({ source }: { source: string }) => source.startsWith('Bonus'))
    .map(({ amount, type, source, description }: Record<string, unknown>) => [amount, type, source, description]);
}

/** What a follower holds of a balance, of points with a validTo and of inactive points, after a year and a half. */
async function waitAsFollower(assumptions: Record<string, string> = {}) {
  const client = await openFollower(assumptions);
  await client.post(`${accounts}/balances`, [balanceItem(900, { definitionId: kinds.byAge })]);
  await addRows(client, { definitionId: kinds.byInactivity }, { validTo: '2026-03-02T00:00:00Z' });
  const promised = [...(await accountsOf(client)), ...(await accountsOf(client, bo))].map(
    ({ balanceExpires }) => balanceExpires,
  );
  await advance(client, 'P18M');
  const left = [...(await accountsOf(client)), ...(await accountsOf(client, bo))].map(({ balance }) => balance);
  return { left, promised };
}

const levelled = 'test/support/levels.json';

const levelIn = async ({ get }: Client): Promise<string | null> =>
  (await get(`/__admin/contacts/${astrid}/card`)).body.pointAccounts[0].level;

/** The level of a contact with 60 pending points, after each of these amounts. */
async function levelsAfter(assumptions: Record<string, string>, ...amounts: readonly number[]) {
  const client = await openPointsSim({ fixtures: levelled, assumptions });
  const item = { contactId: astrid, definitionId: 1, source: 'Manual', description: 'x' };
  await client.post(`${accounts}/transactions`, [{ ...item, amount: 60, validFrom: '2027-01-01T00:00:00Z' }]);
  const levels: (string | null)[] = [];
  for (const amount of amounts) {
    await client.post(`${accounts}/transactions`, [{ ...item, amount }]);
    levels.push(await levelIn(client));
  }
  return levels;
}

export const pointReadings = {
  'A-38': {
    default: async () => {
      const client = await openPointsSim();
      const [{ id }] = await accountsOf(client, bo);
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      const [{ accountId }] = (await client.get(`${transactions}?id=1`)).body.items;
      expect([accountId, (await client.get(`${accounts}/1`)).body.id]).toEqual([id, id]);
      expect((await client.post(transactions, single({ accountId: id }))).body.accountId).toBe(id);
    },
    integer: async () => {
      const client = await openWith('A-38', 'integer');
      const [{ id, links }] = await accountsOf(client, bo);
      const [{ accountId }] = (await client.get(links[1].href)).body.items;
      expect([id, accountId, (await client.post(transactions, single())).body.accountId]).toEqual([1, 1, 1]);
    },
  },
  'A-39': {
    default: async () => {
      const { get } = await openPointsSim();
      const { body } = await get(`${accounts}?contactId=${bo}&offset=0&count=1`);
      expect({ ...body, items: body.items.length, links: body.links.length }).toEqual({
        links: 1,
        count: 1,
        offset: 0,
        items: 1,
        totalCount: 1,
      });
    },
    array: async () => {
      const { get } = await openWith('A-39', 'array');
      const { body } = await get(`${accounts}?contactId=${bo}`);
      expect(body).toMatchObject([{ contactId: bo, definitionId: 1, balance: 40, pendingPoints: 0 }]);
    },
  },
  'A-40': {
    default: async () => {
      const { get } = await openPointsSim();
      const { transactions: first, ...account } = (await get(`${accounts}/1`)).body;
      expect(first).toEqual((await get(account.links[1].href)).body);
    },
    'account-only': async () => {
      const client = await openWith('A-40', 'account-only');
      expect((await client.get(`${accounts}/1`)).body).toEqual((await accountsOf(client, bo))[0]);
    },
  },
  'A-41': {
    default: async () => {
      const { get, post } = await openPointsSim();
      const { status, body } = await post(transactions, single({ description: 'x', source: 'Automation' }));
      expect([status, body]).toEqual([201, (await get(`${transactions}/t-1`)).body]);
      expect(body).toMatchObject({ amount: 10, type: 'Addition', description: 'x', source: 'Automation' });
    },
    '202': async () => {
      const client = await openWith('A-41', '202');
      const { status, body } = await client.post(transactions, single());
      expect([status, body, await balanceOfBo(client)]).toEqual([202, {}, 50]);
    },
  },
  'A-42': {
    default: async () => {
      const client = await openPointsSim();
      const first = await client.post(transactions, single());
      const again = await client.post(transactions, single());
      expect([again.status, again.body, await balanceOfBo(client)]).toEqual([201, first.body, 50]);
      expect(again.warnings).toContain('repeated-transaction');
      expect((await client.post(transactions, single({ amount: 99 }))).warnings).toContain('its amount was 10, not 99');
    },
    twice: async () => {
      const client = await openWith('A-42', 'twice');
      const [first, again] = [await client.post(transactions, single()), await client.post(transactions, single())];
      expect([again.status, again.body.id === first.body.id, await balanceOfBo(client)]).toEqual([201, false, 60]);
    },
    conflict: async () => {
      const client = await openWith('A-42', 'conflict');
      await client.post(transactions, single());
      expect(refused(await client.post(transactions, single()))).toEqual([409, 'PointTransactionExists']);
      expect(await balanceOfBo(client)).toBe(50);
    },
  },
  'A-43': {
    default: async () => {
      const client = await openPointsSim();
      const wrong = [row({ contactId: nobody }), row({ definitionId: 9 }), row({ source: '' }), { contactId: astrid }];
      const { status, body } = await client.post(bulk, [...wrong, row(), row({ definitionId: '1' })]);
      const { errorMessages, ...rest } = body;
      expect([status, rest, errorMessages.length]).toEqual([
        202,
        { notAccepted: wrong, missingContactIds: [nobody], missingDefinitionIds: [9] },
        4,
      ]);
      expect(await held(client)).toEqual([20, 0]);
      const first = await withKey(client, 'k-1');
      const again = await withKey(client, 'k-1');
      expect([again.body, again.warnings]).toEqual([first.body, expect.stringContaining('repeated-bulk')]);
      await withKey(client, 'k-2');
      expect(await held(client)).toEqual([40, 0]);
      await advance(client, '24h');
      expect((await withKey(client, 'k-1')).warnings).toBe('');
    },
  },
  'A-44': {
    default: async () => {
      const client = await openDated();
      const found = ['', '&sortBy=createdOn', '&sortOrder=asc', '&sortBy=CREATEDON&sortOrder=Ascending'];
      expect(await Promise.all(found.map((query) => orderOf(client, query)))).toEqual([
        [1, 2, 3],
        [3, 2, 1],
        [3, 2, 1],
        [1, 2, 3],
      ]);
      const wrong = await Promise.all(
        ['sortBy=amount', 'sortOrder=up'].map((query) => client.get(`${transactions}?id=2&${query}`)),
      );
      expect(wrong.map(wrongFields)).toEqual([['sortBy'], ['sortOrder']]);
    },
  },
  'A-45': {
    default: async () => {
      const { get, post } = await openFollower();
      const { status, body } = await post(`${accounts}/balances`, [balanceItem(5)]);
      expect([status, body]).toEqual([202, { id: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
      const statusOf = async (id: string) => (await get(`${accounts}/balances/status/${id}`)).body.status;
      expect(await statusOf(body.id)).toBe('Completed');
      const wrong = await post(`${accounts}/balances`, [balanceItem(5, { definitionId: 9 })]);
      expect(await statusOf(wrong.body.id)).toBe('CompletedWithErrors');
      await post('/__admin/queue', { hold: true });
      const waiting = await post(`${accounts}/balances`, [balanceItem(5)]);
      expect(await statusOf(waiting.body.id)).toBe('Queued');
      await post('/__admin/queue', { fail: true });
      expect(await statusOf(waiting.body.id)).toBe('Failed');
    },
    string: async () => {
      const { get, post } = await openFollower({ 'A-45': 'string' });
      const { status, body } = await post(`${accounts}/balances`, [balanceItem(5)]);
      expect([status, body]).toEqual([202, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      expect((await get(`${accounts}/balances/status/${body}`)).body.id).toBe(body);
    },
  },
  'A-46': {
    default: async () => {
      const told = 'the balance of 2026-02-01T23:59:59Z came after that of 2026-02-02T01:00:00+01:00';
      expect(await sendOlder(await openFollower())).toEqual([
        5,
        expect.stringContaining('older-balance'),
        'Completed',
        [`[0] ${told}; it is applied all the same`],
      ]);
    },
    'newest-wins': async () => {
      const told = 'the balance of 2026-02-01T23:59:59Z came after that of 2026-02-02T01:00:00+01:00';
      expect(await sendOlder(await openFollower({ 'A-46': 'newest-wins' }))).toEqual([
        7,
        '',
        'Completed',
        [`[0] ${told}; it is passed over`],
      ]);
    },
  },
  'A-47': {
    default: async () => {
      const { post } = await openPointsSim();
      const refusal = await post(`${accounts}/balances`, [{ contactId: astrid, amount: 5, definitionId: 1 }]);
      expect(refused(refusal)).toEqual([400, 'PointFollowerNotActive']);
    },
  },
  'A-77': {
    default: async () => expect(await levelsAfter({}, 50, 60, -100)).toEqual(['Bronze', 'Silver', null]),
    pending: async () => {
      expect(await levelsAfter({ 'A-77': 'pending' }, 50)).toEqual(['Silver']);
      const follower = await openPointsSim({ fixtures: levelled, mode: 'point-follower' });
      await follower.post(`${accounts}/balances`, [balanceItem(500, { contactId: astrid })]);
      expect(await levelIn(follower)).toBeNull();
    },
  },
  'A-55': {
    default: async () => {
      const { client, statuses } = await addWithoutSystem();
      expect(statuses).toEqual([400, 400, 400, 400, 202]);
      expect(await accountsOf(client)).toMatchObject([{ balance: 150, pendingPoints: 10 }]);
      await advance(client, 'P1M');
      expect(await accountsOf(client)).toMatchObject([{ balance: 160, pendingPoints: 0 }]);
      const follower = await openPointsSim({ fixtures: 'test/support/points-off.json', mode: 'point-follower' });
      const balances = await follower.post(`${accounts}/balances`, [balanceItem(1)]);
      expect(refused(balances)).toEqual([400, 'NewPointSystemNotActive']);
    },
    'bulk-only': async () => {
      const { client, statuses } = await addWithoutSystem({ 'A-55': 'bulk-only' });
      // There is nothing left to convert: vouchers are made as soon as there are points enough.
      expect(statuses).toEqual([400, 201, 200, 409, 202]);
      expect(await accountsOf(client)).toMatchObject([{ balance: 150 + 10 + 25 + 24 - 200 }]);
    },
  },
  'A-56': {
    default: async () => {
      const { client, moments } = await buyLate();
      expect(moments).toEqual(['2026-02-20T09:00:00.000Z', '2027-02-20T09:00:00.000Z', '2026-03-06T09:00:00.000Z']);
      await client.post('/api/v3/receipts', receipt({ items: [returnOf()], createdDate: lateDate }, 'r-2'));
      const [{ id }] = await accountsOf(client);
      const { items } = (await client.get(`${transactions}?id=${id}`)).body;
      expect(items).toMatchObject([
        { amount: -10, transactionDate: lateDate, validFrom: null },
        { amount: 10, transactionDate: lateDate },
      ]);
    },
    processing: async () => {
      const { moments } = await buyLate({ 'A-56': 'processing' });
      expect(moments).toEqual(['2026-03-01T12:00:00.000Z', '2027-03-01T12:00:00.000Z', '2026-03-15T12:00:00.000Z']);
    },
  },
  'A-57': {
    ignored: async () => {
      const { client, warnings } = await addByOthers({ 'A-57': 'ignored' });
      expect(await held(client)).toEqual([20, 10]);
      expect((await accountsOf(client, bo))[0]).toMatchObject({ balance: 50, pendingPoints: 0 });
      const ignored = /validFrom \S+ is ignored, since the source is (\w+)/;
      expect(warnings.map((warning) => ignored.exec(warning)?.[1])).toEqual(['Automation', 'manual']);
    },
    default: async () => {
      const { client, warnings } = await addByOthers();
      expect([await held(client), warnings]).toEqual([
        [0, 30],
        ['', ''],
      ]);
      expect((await accountsOf(client, bo))[0]).toMatchObject({ balance: 40, pendingPoints: 10 });
    },
  },
  'A-61': {
    default: async () => {
      expect(await returnAmongPurchases()).toBe(100);
      const client = await openPointShopSim();
      await buy(client, 'r-1', [lineOf()], { createdDate: '2026-02-20T10:00:00Z' });
      const { warnings } = await buy(client, 'r-2', [returnOf()], { createdDate: '2026-02-10T10:00:00Z' });
      expect(warnings).toContain('return-unmatched: of 1 returned of sku 1001-M, 1 match no purchase');
      expect(await accountsOf(client)).toMatchObject([{ balance: 10 }, { pendingPoints: 100 }]);
    },
    latest: async () => expect(await returnAmongPurchases({ 'A-61': 'latest' })).toBe(1000),
    oldest: async () => expect(await returnAmongPurchases({ 'A-61': 'oldest' })).toBe(40),
  },
  'A-62': {
    default: async () => expect(await returnExpired()).toEqual([-5, -100]),
    deduct: async () => expect(await returnExpired({ 'A-62': 'deduct' })).toEqual([-20, -105]),
  },
  'A-63': {
    default: async () => {
      expect(await returnWithBonus()).toEqual([
        [75, 'Addition', 'BonusPromotion', 'Double'],
        [-18, 'Deduction', 'BonusPromotionReturn', 'Double'],
        [-57, 'Deduction', 'BonusPromotionReturn', 'Double'],
      ]);
    },
    keep: async () => {
      expect(await returnWithBonus({ 'A-63': 'keep' })).toEqual([[75, 'Addition', 'BonusPromotion', 'Double']]);
    },
  },
  'A-64': {
    default: async () => {
      const { left, promised } = await waitAsFollower();
      expect([left, promised]).toEqual([
        [10, 10, 40, 900],
        [null, null, null, null],
      ]);
    },
    service: async () => {
      const { left, promised } = await waitAsFollower({ 'A-64': 'service' });
      expect([left, promised[0]]).toEqual([[0, 0, 40, 0], '2026-03-02T00:00:00.000Z']);
    },
  },
  'A-68': {
    default: async () => {
      const client = await openPointsSim();
      const { status, body, warnings } = await client.post(transactions, { accountId: 1, transactionId: 't-1' });
      expect([status, body.amount, await balanceOfBo(client)]).toEqual([201, 0, 40]);
      expect(warnings).toContain('amount-missing');
    },
    required: async () => {
      const { post } = await openWith('A-68', 'required');
      expect(wrongFields(await post(transactions, { accountId: 1, transactionId: 't-1' }))).toEqual(['amount']);
    },
  },
  'A-69': {
    default: async () => {
      const client = await openPointsSim();
      const { body, warnings } = await client.post(transactions, single({ transactionType: 'Addition', amount: -4 }));
      expect([body.type, body.amount, await balanceOfBo(client)]).toEqual(['Deduction', -4, 36]);
      expect(warnings).toContain('wrong-sign: amount is -4 for an Addition');
    },
    refuse: async () => {
      const { post } = await openWith('A-69', 'refuse');
      const refusal = await post(transactions, single({ transactionType: 'Addition', amount: -4 }));
      expect(wrongFields(refusal)).toEqual(['amount']);
    },
  },
  'A-51': {
    default: async () => {
      const client = await openPointShopSim();
      await buy(client, 'r-1', [lineOf({ grossPaidPrice: 129 }), lineOf({ awardsPoints: false, sku: 'other' })]);
      expect((await accountsOf(client)).map(({ balance }: { balance: number }) => balance)).toEqual([12, 0]);
      expect(await requestsRestingOn(client, 'A-51')).toBe(1);
      await buy(client, 'r-2', [returnOf({ grossPaidPrice: 129 })]);
      await advance(client, '14d');
      expect((await accountsOf(client)).map(({ balance }: { balance: number }) => balance)).toEqual([0, 0]);
    },
  },
} satisfies Record<string, Record<string, Case>>;
