import { describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { openPointsSim, openSim } from '../../support/open-sim.ts';
import { astrid } from '../../support/people.ts';
import { accountsOf, addRows, kinds } from '../../support/points.ts';

const pointsOf = async ({ get }: Client, query = '') =>
  (await get(`/__admin/contacts/${astrid}/points${query}`)).body.accounts;

describe('the points of a contact over time', () => {
  it('tells what an account held at each moment, what it will hold, and what each change came of', async () => {
    const client = await openPointsSim();
    await addRows(client, { amount: 100, definitionId: kinds.byAge });
    await client.post('/__admin/clock', { advance: '1d' });
    await addRows(client, { amount: 40, definitionId: kinds.byAge, validFrom: '2026-03-10T12:00:00Z' });
    await addRows(client, { amount: -30, definitionId: kinds.byAge, type: 'Deduction' });
    const account = (await pointsOf(client)).find(({ changes }: { changes: unknown[] }) => changes.length > 0);
    expect(account.past).toEqual([
      { at: '2026-03-01T12:00:00.000Z', active: 100, pending: 0 },
      { at: '2026-03-02T12:00:00.000Z', active: 70, pending: 40 },
    ]);
    expect(account.changes.map(({ amount, request }: Record<string, unknown>) => [amount, request])).toEqual([
      [100, 'default-1'],
      [40, 'default-2'],
      [-30, 'default-3'],
    ]);
    expect(account.expiring.map(({ amount }: { amount: number }) => amount)).toEqual([70, 40]);
    expect(account.future[0]).toEqual({ at: '2026-03-10T12:00:00.000Z', active: 110, pending: 0 });
    expect(account.future.at(-1)).toMatchObject({ active: 0, pending: 0 });
  });

  it('comes to what the service says, now, as it was, and as time goes on', async () => {
    const client = await openSim();
    await addRows(client, { amount: 55, definitionId: 2 });
    const before = await pointsOf(client);
    for (const advance of ['20d', '4mo', '1y']) {
      await client.post('/__admin/clock', { advance });
      const accounts = await accountsOf(client);
      const shown = await pointsOf(client, '?limit=1000');
      for (const [i, { balance, pendingPoints }] of accounts.entries()) {
        expect(shown[i].past.at(-1)).toMatchObject({ active: balance, pending: pendingPoints });
      }
    }
    expect(await pointsOf(client, '?at=default-1')).toEqual(before);
  });

  it('starts from what came before the transactions that are listed', async () => {
    const client = await openPointsSim();
    for (const amount of [10, 20, 30]) await addRows(client, { amount });
    const [{ past, changes }] = await pointsOf(client, '?limit=1');
    expect([past.at(-1).active, changes.length]).toEqual([60, 1]);
  });
});
