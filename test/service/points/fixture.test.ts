import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { folderWith, tidyFolders } from '../../support/folders.ts';
import { accountsOf, addRows, held, kinds, movesOf, setClock } from '../../support/points.ts';
import { receiptOf } from '../../support/receipt.ts';
import { astrid, bo, nobody } from '../../support/people.ts';
import { openSim, openPointsSim } from '../../support/open-sim.ts';

afterEach(tidyFolders);

const shop = JSON.parse(readFileSync('test/support/points.json', 'utf8'));

const addition = (fields: object = {}): object => ({
  contactId: astrid,
  definitionId: kinds.kept,
  amount: 10,
  type: 'Addition',
  source: 'Manual',
  description: 'for a test',
  transactionDate: '2026-01-01T00:00:00Z',
  ...fields,
});

/** The shop of points.json with other transactions of the past. */
function openWith(pointTransactions: object[], receipts: object[] = []) {
  return openPointsSim({ fixtures: folderWith({ 'points.json': { ...shop, pointTransactions, receipts } }) });
}

const taken = { amount: -4, type: 'Deduction', transactionDate: '2026-02-01T00:00:00Z' };
const expiry = (amount: number) => [amount, 'Expiry', '@@(RemovedDueToTimeLimit)'];

describe('point transactions of a fixture', () => {
  it('make the accounts that they are of', async () => {
    const client = await openWith([addition(), addition({ contactId: bo, definitionId: 2 }), addition(taken)]);
    expect(await held(client)).toEqual([6, 0]);
    const [ofBo] = await accountsOf(client, bo);
    expect((await client.get('/api/v3/point-accounts/2')).body).toMatchObject({ id: ofBo.id, balance: 10 });
  });

  it('expire in time, what was taken first apart', async () => {
    const soon = { validTo: '2026-04-01T00:00:00Z' };
    const client = await openWith([addition({ amount: 20 }), addition(soon), addition(taken)]);
    await setClock(client, '2026-04-01T00:00:00Z');
    expect([await held(client), (await movesOf(client)).at(-1)]).toEqual([[20, 0], expiry(-6)]);
  });

  it('are active when their validFrom comes', async () => {
    const client = await openWith([addition({ validFrom: '2026-03-01T12:00:00.001Z' })]);
    expect(await held(client)).toEqual([0, 10]);
    await setClock(client, '2026-03-01T12:00:00.001Z');
    expect(await held(client)).toEqual([10, 0]);
  });

  it('have expired by the time of the fixture, whether or not it says so', async () => {
    const over = addition({ validTo: '2026-02-01T00:00:00Z' });
    const said = addition({ type: 'Expiry', amount: -10, transactionDate: '2026-02-02T00:00:00Z' });
    for (const told of [[over], [over, said]]) {
      const client = await openWith(told);
      expect([await held(client), (await movesOf(client)).length]).toEqual([[0, 0], 2]);
    }
  });

  it('are not taken by deductions that came when they were over', async () => {
    const over = addition({ validTo: '2026-01-15T00:00:00Z' });
    const client = await openWith([over, addition({ amount: 30 }), addition(taken)]);
    expect(await held(client)).toEqual([26, 0]);
  });

  it('pay what is owed when their time comes, and not before', async () => {
    const owed = { type: 'Deduction', amount: -4 };
    const client = await openWith([
      addition(owed),
      addition({ validFrom: '2026-04-01T00:00:00Z', validTo: '2026-05-01T00:00:00Z' }),
    ]);
    expect(await held(client)).toEqual([-4, 10]);
    await addRows(client, { amount: 3, validTo: '2026-03-15T00:00:00Z' });
    await setClock(client, '2026-04-01T00:00:00Z');
    expect(await held(client)).toEqual([9, 0]);
    await setClock(client, '2026-05-01T00:00:00Z');
    expect([await held(client), (await movesOf(client)).at(-1)]).toEqual([[0, 0], expiry(-9)]);
  });

  it('get their validTo from the definition', async () => {
    const client = await openWith([addition({ definitionId: kinds.byAge })]);
    expect((await accountsOf(client))[0].balanceExpires).toBe('2027-01-01T00:00:00.000Z');
  });

  it('are over again when the state is reset and the clock is not', async () => {
    const client = await openWith([addition({ validTo: '2026-04-01T00:00:00Z' })]);
    await setClock(client, '2026-05-01T00:00:00Z');
    await client.post('/__admin/reset', { scopes: ['state'] });
    expect([await held(client), (await movesOf(client)).at(-1)]).toEqual([[0, 0], expiry(-10)]);
  });

  it('have expired when the contact bought nothing for long', async () => {
    const old = addition({ definitionId: kinds.byInactivity, transactionDate: '2025-01-01T00:00:00Z' });
    expect(await held(await openWith([old]))).toEqual([0, 0]);
    const bought = ['2025-06-01T00:00:00Z', '2025-11-30T00:00:00Z'].map((createdDate, i) =>
      receiptOf(astrid, `r-${i}`, { createdDate }),
    );
    const client = await openWith([old], bought);
    expect(await held(client)).toEqual([10, 0]);
    await setClock(client, '2026-06-01T00:00:00Z');
    expect(await held(client)).toEqual([0, 0]);
  });

  it('have expired when the contact was inactive for long, and came back', async () => {
    const [old, late] = ['2025-01-01T00:00:00Z', '2025-10-01T00:00:00Z'].map((transactionDate) =>
      addition({ definitionId: kinds.byInactivity, transactionDate }),
    ) as [object, object];
    const client = await openWith([old, late]);
    expect([await held(client), (await movesOf(client)).at(1)]).toEqual([[10, 0], expiry(-10)]);
    const receipt = receiptOf(astrid, 'r-1', { createdDate: '2025-06-01T00:00:00Z' });
    expect(await held(await openWith([old, late], [receipt]))).toEqual([20, 0]);
  });

  it.each([
    [{ contactId: nobody }, 'contactId: no contact of this fixture'],
    [{ definitionId: 99 }, 'definitionId: no point definition of this fixture'],
    [{ amount: -1 }, 'amount: must not be negative for an Addition'],
    [{ type: 'Deduction' }, 'amount: must be negative for a type of Deduction'],
    [{ validTo: '2026-01-01T00:00:00Z' }, 'validTo: must be later than 2026-01-01T00:00:00Z'],
  ])('are refused with %j', async (fields, message) => {
    await expect(openWith([addition(fields)])).rejects.toThrow(message);
  });

  it('are refused with a transactionId that another has', async () => {
    const repeated = [addition({ transactionId: 'a' }), addition({ transactionId: 'a' })];
    await expect(openWith(repeated)).rejects.toThrow('"a" is the transactionId of pointTransactions[0] already');
  });
});

it('point transactions of the default fixture add up to its accounts', async () => {
  const client = await openSim();
  const looks = (await accountsOf(client)).map(({ definitionId, balance, pendingPoints }: Record<string, number>) => [
    definitionId,
    balance,
    pendingPoints,
  ]);
  expect(looks).toEqual([
    [2, 140, 75],
    [3, 40, 0],
  ]);
});
