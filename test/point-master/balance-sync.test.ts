import { afterEach, describe, expect, it } from 'vitest';
import type { PointMasterFaultRule } from '../../src/point-master/faults.ts';
import { call, closeAll, manual, openMaster, openService, post, seal, send } from '../support/master.ts';
import { openSimOnPort } from '../support/open-sim-on-port.ts';
import { bo as other, astrid } from '../support/people.ts';

afterEach(closeAll);

const now = () => Date.parse('2026-03-01T12:00:00Z');
const timeStamp = '2026-03-01T12:00:00.000Z';
const total = (contactId: string, amount: number) => ({ contactId, amount, definitionId: 1, timeStamp });
const change = (amount: number, contactId = astrid) => ({ contactId, definitionId: 1, amount });

describe('a sync', () => {
  it('tells the service the totals of accounts that changed', async () => {
    const service = await openService();
    const { master, url } = await openMaster({ serviceUrl: `${service.url}/`, apiKey: 'till-1', now });
    master.adjust(change(10));
    master.adjust(change(5, other));
    await master.sync();
    master.adjust(change(0.1));
    master.adjust(change(0.2));
    expect(await post(`${url}/sync`)).toEqual({
      status: 200,
      body: { complete: true, items: 1, calls: [expect.objectContaining({ outcome: 'sent', syncId: 'sync-1' })] },
    });
    expect(service.items()).toEqual([[total(astrid, 10), total(other, 5)], [total(astrid, 10.3)]]);
    expect(service.asked[1]).toMatchObject({
      path: '/api/v3/point-accounts/balances',
      headers: { apikey: 'till-1', 'content-type': 'application/json', 'x-sim-tenant': 'default' },
    });
  });

  it('without a change asks for nothing, and in full for everything', async () => {
    const service = await openService();
    const { master, url } = await openMaster({ serviceUrl: service.url, now });
    master.adjust(change(10));
    await master.sync();
    expect((await master.sync()).calls).toEqual([]);
    await post(`${url}/sync`, { full: true });
    expect(service.items()).toEqual([[total(astrid, 10)], [total(astrid, 10)]]);
  });

  it('goes by tenant', async () => {
    const service = await openService();
    const { master, url } = await openMaster({ serviceUrl: service.url });
    for (const tenant of ['oslo', 'umea']) master.adjust({ ...change(1), tenant });
    await post(`${url}/sync`, { tenant: 'umea' });
    await master.sync();
    expect(service.asked.map(({ headers }) => headers['x-sim-tenant'])).toEqual(['umea', 'oslo']);
  });

  it('is tried again with the same body when there is no response, 500 or 504', async () => {
    const service = await openService(['reset', 500, 504]);
    const { master } = await openMaster({ serviceUrl: service.url });
    master.adjust(change(10));
    const { calls } = await master.sync();
    expect(calls).toMatchObject([{ outcome: 'sent', attempts: 4, status: 202 }]);
    expect(new Set(service.asked.map(({ body }) => body)).size).toBe(1);
  });

  it('that was refused is not tried again, and the next one has to tell', async () => {
    const service = await openService([400]);
    const { master, url } = await openMaster({ serviceUrl: service.url, now });
    master.adjust(change(10));
    const { status, body } = await post(`${url}/sync`);
    expect([status, body.complete]).toEqual([502, false]);
    expect(body.calls).toMatchObject([{ outcome: 'failed', attempts: 1, status: 400, message: '400 it is' }]);
    await master.sync();
    expect(service.items()).toEqual([[total(astrid, 10)], [total(astrid, 10)]]);
  });

  it('gives up after five attempts, and says why', async () => {
    const service = await openService(Array(5).fill('reset'));
    const { master } = await openMaster({ serviceUrl: service.url });
    master.adjust(change(10));
    const { calls } = await master.sync();
    expect(calls).toMatchObject([{ outcome: 'failed', attempts: 5, status: null, message: 'ECONNRESET' }]);
  });

  it('sends at most a thousand balances in a call', async () => {
    const service = await openService();
    const opening = Array.from({ length: 1001 }, (_, i) => ({
      contactId: `5a0e7c1e-0001-4000-8000-${String(i).padStart(12, '0')}`,
      definitionId: 1,
      amount: i,
    }));
    const { master } = await openMaster({ serviceUrl: service.url, opening });
    expect((await master.sync()).items).toBe(1001);
    expect(service.items().map((items) => (items as unknown[]).length)).toEqual([1000, 1]);
  });

  it('comes on its own as often as it was asked to', async () => {
    const service = await openService();
    const { master, url } = await openMaster({ serviceUrl: service.url, syncEvery: 10 });
    await send(url, seal());
    const { body } = await call(`${url}/__master/log?event=sync&wait=60s`);
    expect(body).toMatchObject({ complete: true, entries: [{ outcome: 'sent', items: 1 }] });
    expect(master.ledger()).toMatchObject([{ lastSync: { amount: 25 } }]);
  });

  it('needs to know where the service is', async () => {
    const { url } = await openMaster();
    const { status, body } = await post(`${url}/sync`);
    expect([status, body.message]).toEqual([409, expect.stringContaining('--service-url')]);
  });
});

describe('the ledger', () => {
  it('opens with the balances it is given, and tells them', async () => {
    const service = await openService();
    const opening = [
      { ...change(100), contactId: astrid.toUpperCase(), description: 'From the old system' },
      { ...change(7), tenant: 'oslo' },
    ];
    const { master, url } = await openMaster({ serviceUrl: service.url, opening, now });
    await send(url, seal());
    await master.sync();
    expect(service.items()).toEqual([[total(astrid, 125)], [total(astrid, 107)]]);
    const { body } = await call(`${url}/fetchPointHistory?id=${astrid}`, { headers: { 'x-sim-tenant': 'default' } });
    expect(body.map(({ description }: { description: string }) => description)).toEqual([
      'From the old system',
      'For the long wait',
    ]);
  });
});

/** What a service hears of a sync that goes wrong, after one that did not. */
const synced = async (fault: PointMasterFaultRule) => {
  const service = await openService();
  const { master } = await openMaster({ serviceUrl: service.url, now });
  for (const contactId of [astrid, other]) master.adjust(change(10, contactId));
  await master.sync();
  master.setFaults([fault]);
  for (const contactId of [astrid, other]) master.adjust(change(1, contactId));
  await master.sync();
  return { items: service.items().slice(1), master };
};

describe('a fault of a sync', () => {
  it('"repeated-sync" tells twice', async () => {
    const { items } = await synced({ fault: 'repeated-sync' });
    expect(items).toEqual([
      [total(astrid, 11), total(other, 11)],
      [total(astrid, 11), total(other, 11)],
    ]);
  });

  it('"stale-sync" tells what was told before', async () => {
    const { items, master } = await synced({ fault: 'stale-sync' });
    expect(items).toEqual([[total(astrid, 10), total(other, 10)]]);
    expect((await master.sync()).calls).toEqual([]);
  });

  it('"partial-sync" leaves out half, which is never told unless in full', async () => {
    const { items, master } = await synced({ fault: 'partial-sync', times: 1 });
    expect(items).toEqual([[total(astrid, 11)]]);
    expect((await master.sync()).calls).toEqual([]);
    expect((await master.sync({ full: true })).items).toBe(2);
  });

  it('"late-sync" tells late what held when it was due', async () => {
    const service = await openService();
    const { master } = await openMaster({ serviceUrl: service.url, faults: [{ fault: 'late-sync', delay: '50ms' }] });
    master.adjust(change(10));
    const sync = master.sync();
    await new Promise(setImmediate);
    master.adjust(change(1));
    await sync;
    expect(service.items()).toMatchObject([[{ amount: 10 }]]);
  });
});

it('the point master is followed by a simulator over the wire', async () => {
  const { url: serviceUrl } = await openSimOnPort({ mode: 'point-follower' });
  const { master, url } = await openMaster({ serviceUrl });
  await send(url, seal({ payload: manual({ amount: 1234 }) }));
  await master.sync();
  const { body } = await call(`${serviceUrl}/api/v3/point-accounts?contactId=${astrid}`);
  expect(body.items).toContainEqual(expect.objectContaining({ definitionId: 1, balance: 1234 }));
});
