import { describe, expect, it, onTestFinished } from 'vitest';
import { createSim } from '../../src/simulator/create-sim.ts';
import type { SimOptions } from '../../src/simulator/options.ts';
import type { Client } from '../support/client.ts';
import { call } from '../support/master.ts';
import { openEmptySim, openSim } from '../support/open-sim.ts';
import { openSimOnPort } from '../support/open-sim-on-port.ts';
import { astrid } from '../support/people.ts';

/** A simulator on a port, with a point master beside it. */
const openPair = (options: SimOptions = {}): Promise<Client> => openSimOnPort({ withPointMaster: true, ...options });

const adjust = ({ post }: Client, amount: number, tenant = 'default') =>
  post(`/__admin/trigger?tenant=${tenant}`, { event: 'adjustPoints', contactId: astrid, definitionId: 2, amount });

const sync = ({ post }: Client, tenant = 'default') =>
  post(`/__admin/trigger?tenant=${tenant}`, { event: 'syncBalances' });

async function balance({ call: ask }: Client, tenant = 'default'): Promise<number> {
  const path = `/t/${tenant}/api/v3/point-accounts?contactId=${astrid}`;
  const { items } = (await ask('GET', path)).body;
  return items.find(({ definitionId }: { definitionId: number }) => definitionId === 2).balance;
}

describe('a master beside the simulator', () => {
  it('is told of adjustments, and its balances show when it sends them', async () => {
    const pair = await openPair();
    const before = await balance(pair);
    await adjust(pair, 25);
    expect(await balance(pair)).toBe(before);
    expect((await sync(pair)).body).toMatchObject({ event: 'syncBalances', warnings: [] });
    expect(await balance(pair)).toBe(before + 25);
    expect((await sync(pair)).body.balances).toBe(0);
  });

  it.each([{ 'A-48': 'aes-256-gcm' }, { 'A-48': 'plain' }, { 'A-49': 'unsigned' }] as const)(
    'reads what %j makes of a webhook',
    async (assumptions) => {
      const pair = await openPair({ assumptions });
      await adjust(pair, 25);
      await sync(pair);
      expect(pair.sim.pointMaster?.log.map(({ event }) => event)).toEqual(['webhook', 'sync']);
    },
  );

  it('keeps accounts of each tenant, and knows their history', async () => {
    const pair = await openPair();
    await adjust(pair, 25, 'oslo');
    await sync(pair, 'oslo');
    const [oslo, standard] = [await balance(pair, 'oslo'), await balance(pair)];
    expect(oslo).toBe(standard + 25);
    const history = async (tenant: string) =>
      (await call(`${pair.sim.pointMaster?.url}/t/${tenant}/fetchPointHistory?id=${astrid}`)).body;
    const adjusted = { transactionDate: '2026-03-01T12:00:00.000Z', amount: 25, description: '' };
    expect(await history('oslo')).toContainEqual(adjusted);
    expect(await history('default')).not.toContainEqual(adjusted);
  });

  it("is asked for a contact's history by the card", async () => {
    const pair = await openPair();
    await adjust(pair, 25, 'oslo');
    await sync(pair, 'oslo');
    const { pointHistory } = (await pair.get(`/__admin/contacts/${astrid}/card?tenant=oslo`)).body;
    const adjusted = { transactionDate: '2026-03-01T12:00:00.000Z', amount: 25, description: '' };
    expect(pointHistory).toEqual({ items: expect.arrayContaining([adjusted]), note: null });
  });

  it('begins anew when the tenant is reset or goes back to a snapshot', async () => {
    const pair = await openPair();
    const before = await balance(pair);
    await pair.post('/__admin/snapshots/before');
    for (const path of ['/__admin/reset', '/__admin/snapshots/before/restore']) {
      await adjust(pair, 25);
      await sync(pair);
      await pair.post(path);
    }
    await adjust(pair, 1);
    await sync(pair);
    expect(await balance(pair)).toBe(before + 1);
  });

  it('is let in with the key that the simulator asks for', async () => {
    const pair = await openPair({ apiKeys: ['till-1'] });
    await adjust(pair, 25);
    expect((await sync(pair)).body.warnings).toEqual([]);
  });

  it('is gone with it', async () => {
    const pair = await openPair();
    const url = pair.sim.pointMaster?.url ?? '';
    expect((await call(`${url}/ledger`)).status).toBe(200);
    await pair.sim.close();
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});

it('the control API warns of balances that could not be sent', async () => {
  const client = await openSim({ withPointMaster: true });
  onTestFinished(() => client.sim.close());
  await adjust(client, 25);
  const { body } = await sync(client);
  expect(body.balances).toBe(0);
  expect(body.warnings).toEqual([
    {
      code: 'sync-failed',
      message: 'the point master could not send its balances: no response, the service is not served on a port yet',
    },
  ]);
});

it('a simulator without a point master can not send balances', async () => {
  const client = await openEmptySim({ mode: 'point-follower' });
  const { status, body } = await sync(client);
  expect([status, body.errorCode, body.message]).toEqual([
    409,
    'Conflict',
    expect.stringContaining('--with-point-master'),
  ]);
});

it.each([
  [{ mode: 'standard' }, 'mode: standard has no point master'],
  [{ webhookUrl: 'http://127.0.0.1:1' }, 'webhookUrl: is that of another point master'],
  [{ pointMasterUrl: 'http://127.0.0.1:1' }, 'pointMasterUrl: is that of another point master'],
  [{ webhookKey: 'short' }, 'webhookKey: must be 32 characters'],
  [{ webhookSecret: 'short' }, 'webhookSecret: must be whsec_'],
  [{ fixtures: 'nowhere.json' }, 'nowhere.json'],
] as const)('a built-in point master does not go with %j', async (options, told) => {
  await expect(createSim({ withPointMaster: true, ...options })).rejects.toThrow(told);
});
