import { describe, expect, it } from 'vitest';
import type { SimOptions } from '../../../src/simulator/options.ts';
import type { Client } from '../../support/client.ts';
import { lineOf } from '../../support/receipt-lines.ts';
import { accountsOf, addRows, buy, held, kinds, movesOf } from '../../support/points.ts';
import { row, trigger } from '../../support/points.ts';
import { nobody, astrid, bo } from '../../support/people.ts';
import { openPointsSim, openPointShopSim } from '../../support/open-sim.ts';

const path = '/api/v3/point-accounts/balances';
const now = '2026-03-01T12:00:00.000Z';

const openFollower = (options: SimOptions = {}): Promise<Client> =>
  openPointsSim({ mode: 'point-follower', ...options });

const item = (amount: number, fields: object = {}): object => ({
  contactId: astrid,
  definitionId: kinds.kept,
  amount,
  ...fields,
});

const statusOf = async ({ get }: Client, id: string) => (await get(`${path}/status/${id}`)).body;

const send = async (client: Client, ...items: object[]): Promise<string> => (await client.post(path, items)).body.id;

/** Sends balances, and asks what became of them. */
const sync = async (client: Client, ...items: object[]) => statusOf(client, await send(client, ...items));

describe('a balance', () => {
  it('is reached by an adjustment of what is missing or too much', async () => {
    const client = await openFollower();
    const done = await sync(client, item(100), item(30.5), item(30.5));
    expect(done).toEqual({ id: done.id, status: 'Completed', messages: [], timeStamp: now });
    expect(await held(client)).toEqual([30.5, 0]);
    const amounts = (await movesOf(client)).map(([amount]) => amount);
    expect(amounts).toEqual([100, -69.5]);
  });

  it('is a transaction of the moment that the master says', async () => {
    const client = await openFollower();
    await sync(client, item(40.25, { contactId: bo, timeStamp: '2026-02-28T10:00:00+01:00' }));
    const { items } = (await client.get('/api/v3/point-transactions?id=1')).body;
    const { body } = await client.get(`/api/v3/point-transactions/${items[0].id}`);
    expect(body).toMatchObject({
      amount: 0.25,
      type: 'Adjustment',
      source: 'UpdateBalance',
      description: 'Balance update',
      transactionDate: '2026-02-28T10:00:00+01:00',
      createdOn: now,
    });
  });

  it('is of active points: pending ones come on top when their time comes', async () => {
    const client = await openFollower();
    await addRows(client, { amount: 5, validFrom: '2026-03-02T12:00:00Z' }, { amount: 8 });
    await sync(client, item(20));
    expect(await held(client)).toEqual([20, 5]);
    await client.post('/__admin/clock', { advance: '1d' });
    expect(await held(client)).toEqual([25, 0]);
  });

  it('may be below nothing, and is what the next points are taken from', async () => {
    const client = await openFollower();
    await sync(client, item(-10));
    await addRows(client, { amount: 4 });
    expect(await held(client)).toEqual([-6, 0]);
    await sync(client, item(0));
    expect(await held(client)).toEqual([0, 0]);
  });

  it('takes the points that expire first, and adds points that expire by age, where the service expires them', async () => {
    const client = await openFollower({ assumptions: { 'A-64': 'service' } });
    const byAge = { definitionId: kinds.byAge };
    await addRows(client, { ...byAge, amount: 10, validTo: '2026-04-01T00:00:00Z' });
    await sync(client, item(4, byAge), item(9, byAge));
    await client.post('/__admin/clock', { set: '2026-04-01T00:00:00Z' });
    expect(await held(client)).toEqual([5, 0]);
    await sync(client, item(6, byAge));
    await client.post('/__admin/clock', { set: '2027-03-01T12:00:00Z' });
    expect(await held(client)).toEqual([1, 0]);
  });
});

describe('balances', () => {
  it('are set one by one: a wrong one is told of and harms no other', async () => {
    const client = await openFollower();
    const wrong = [item(1, { contactId: nobody }), item(1, { definitionId: 9 })];
    const { status, messages } = await sync(client, ...wrong, item(7), item(9, { contactId: bo.toUpperCase() }));
    expect([status, messages]).toEqual([
      'CompletedWithErrors',
      [
        { message: `[0] contact not found: no contact has the id ${nobody}`, timeStamp: now },
        { message: '[1] No point definition has the id 9; there are 1, 2, 3, 4, 5.', timeStamp: now },
      ],
    ]);
    expect([await held(client), (await accountsOf(client, bo))[0].balance]).toEqual([[7, 0], 9]);
  });

  it('are refused as a whole when a field is wrong, each named', async () => {
    const client = await openFollower();
    const wrong = { contactId: '7', definitionId: '1', amount: '5', timeStamp: 'yesterday' };
    const { status, body } = await client.post(path, [item(1), wrong, {}]);
    const fields = body.validationErrors.map(({ field }: { field: string }) => field);
    const inSecond = ['contactId', 'amount', 'definitionId', 'timeStamp'].map((name) => `[1].${name}`);
    const inThird = ['contactId', 'amount', 'definitionId'].map((name) => `[2].${name}`);
    expect([status, fields]).toEqual([400, [...inSecond, ...inThird]]);
    expect(await accountsOf(client)).toEqual([]);
  });

  it('may be many, or none', async () => {
    const client = await openFollower();
    const many = Array.from({ length: 1500 }, (_, i) => item(i));
    expect((await sync(client, ...many)).status).toBe('Completed');
    expect(await held(client)).toEqual([1499, 0]);
    expect((await sync(client)).status).toBe('Completed');
  });

  it('without a timeStamp are neither older nor newer', async () => {
    const client = await openFollower({ assumptions: { 'A-46': 'newest-wins' } });
    await sync(client, item(1, { timeStamp: now }), item(2), item(3, { timeStamp: now }));
    expect(await held(client)).toEqual([3, 0]);
    const { messages } = await sync(client, item(4, { timeStamp: '2026-03-01T12:59:59+01:00' }));
    expect([await held(client), messages.length]).toEqual([[3, 0], 1]);
  });

  it('that are older than any before are told of, also when another older one came between', async () => {
    const client = await openFollower();
    const items = ['10', '08', '09'].map((hour) => item(Number(hour), { timeStamp: `2026-02-01T${hour}:00:00Z` }));
    const { status, messages } = await sync(client, ...items);
    expect([status, messages.length, await held(client)]).toEqual(['Completed', 2, [9, 0]]);
  });
});

describe('the status of balances', () => {
  it('is Queued until the job is done', async () => {
    const client = await openFollower({ queueDelay: 900_000 });
    const id = await send(client, item(5));
    expect(await statusOf(client, id)).toEqual({ id, status: 'Queued', messages: [], timeStamp: now });
    await client.post('/__admin/clock', { advance: '15m' });
    const done = { id, status: 'Completed', messages: [], timeStamp: '2026-03-01T12:15:00.000Z' };
    expect(await statusOf(client, id)).toEqual(done);
  });

  it('is Failed when the job was failed, and nothing is set', async () => {
    const client = await openFollower();
    await client.post('/__admin/queue', { hold: true });
    const id = await send(client, item(5));
    await client.post('/__admin/queue', { fail: true });
    const messages = [{ message: 'failed on demand by POST /__admin/queue', timeStamp: now }];
    expect(await statusOf(client, id)).toEqual({ id, status: 'Failed', messages, timeStamp: now });
    expect(await accountsOf(client)).toEqual([]);
  });

  it('is Failed when the job was thrown away with the queue', async () => {
    const client = await openFollower({ queueDelay: 900_000 });
    const id = await send(client, item(5));
    await client.post('/__admin/reset', { scopes: ['queue'] });
    const { status, messages } = await statusOf(client, id);
    expect([status, messages[0].message]).toEqual(['Failed', expect.stringContaining('no longer in the queue')]);
  });

  it('is not there for another id', async () => {
    const client = await openFollower();
    expect(await statusOf(client, nobody)).toMatchObject({ errorCode: 'BalanceSyncNotFound' });
    expect((await client.get(`${path}/status/x`)).status).toBe(404);
  });
});

describe('point-follower mode', () => {
  it('is set for one tenant and shown', async () => {
    const client = await openPointsSim();
    const made = await client.post('/__admin/tenants', { name: 'follower', mode: 'point-follower' });
    expect(made.body.mode).toBe('point-follower');
    const { tenants } = (await client.get('/__admin/tenants')).body;
    expect(tenants.map(({ mode }: { mode: string }) => mode)).toEqual(['standard', 'point-follower']);
    expect((await client.post(`/t/follower${path}`, [item(5)])).status).toBe(202);
    expect((await client.post(path, [item(5)])).body.message).toContain('--mode point-follower');
  });

  it('is asked for by its name', async () => {
    const { post } = await openPointsSim();
    const { status, body } = await post('/__admin/tenants', { name: 'follower', mode: 'follower' });
    expect([status, body.validationErrors[0].field]).toEqual([400, 'mode']);
  });

  it('lets no purchase and no return change points', async () => {
    const client = await openPointShopSim({ mode: 'point-follower' });
    await sync(client, item(50));
    await buy(client, 'r-1', [lineOf({ grossPaidPrice: 1000 })]);
    await buy(client, 'r-2', [lineOf({ type: 'RETURN' })]);
    await client.post('/__admin/clock', { advance: '14d' });
    expect((await accountsOf(client)).map(({ balance }: { balance: number }) => balance)).toEqual([50]);
  });

  it('makes no vouchers', async () => {
    const client = await openFollower();
    await sync(client, item(250, { definitionId: kinds.forVouchers }));
    expect(await held(client)).toEqual([250, 0]);
    const convert = { event: 'convertPoints', contactId: astrid, definitionId: kinds.forVouchers };
    const { status, body } = await trigger(client, convert);
    expect([status, body.message]).toEqual([409, expect.stringContaining('in point-follower mode')]);
  });

  it('leaves adjustments to the point master', async () => {
    const client = await openFollower();
    const adjustment = { event: 'adjustPoints', contactId: astrid, definitionId: kinds.kept, amount: 5 };
    const { status, body } = await trigger(client, adjustment);
    expect([status, body.warnings]).toEqual([200, [expect.objectContaining({ code: 'webhook-missed' })]]);
    expect(await accountsOf(client)).toEqual([]);
  });

  it('still takes transactions', async () => {
    const client = await openFollower();
    expect((await client.post('/api/v3/point-accounts/transactions', [row()])).status).toBe(202);
    expect(await held(client)).toEqual([10, 0]);
  });
});
