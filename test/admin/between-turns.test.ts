import { setImmediate as immediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { folderWith, tidyFolders } from '../support/folders.ts';
import { openSim } from '../support/open-sim.ts';
import { astrid } from '../support/people.ts';
import { receiptOf } from '../support/receipt.ts';

afterEach(tidyFolders);

const crowd = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    email: `${prefix}${n}@example.com`,
    firstName: `First ${n}`,
    street: 'Storgatan 1',
    consents: [{ id: 'newsletter', value: true }],
  }));

/** Opens a simulator with many contacts. */
async function openCrowd() {
  const sim = await openSim();
  for (const prefix of ['a', 'b', 'c', 'd']) await sim.post('/api/v3/contacts/bulk', crowd(prefix, 4000));
  return sim;
}

describe('the control API', () => {
  it.each(['/__admin/contacts?search=example', '/__admin/snapshots/diff?limit=1000'])(
    'serves others while GET %s goes on, which shows the state that it began with',
    async (path) => {
      const { get, post } = await openCrowd();
      const before = (await get(path)).body;
      let isOver = false;
      const showing = get(path).finally(() => (isOver = true));
      const created = await post('/api/v3/contacts', { email: 'between@example.com', firstName: 'Between' });
      expect([created.status, isOver]).toEqual([201, false]);
      expect((await showing).body).toEqual(before);
      expect((await get(path)).body).not.toEqual(before);
    },
  );

  it('serves others while it searches a long request for many who wait, and tells those who meant it', async () => {
    const { get, post } = await openSim();
    let isOver = false;
    const waiting = Array.from({ length: 120 }, (_, n) =>
      get(`/__admin/requests?search=${n % 2 ? 'word' : 'nothing'}&wait=${n % 2 ? '60s' : '1s'}`),
    );
    void Promise.all(waiting).then(() => (isOver = true));
    await get('/api/v3/stores');
    const street = 'x'.repeat(990_000);
    const long = await post('/api/v3/contacts', { email: 'word@example.com', street, city: street, zipCode: street });
    const { status } = await get('/api/v3/stores');
    expect([long.status, status, isOver]).toEqual([201, 200, false]);
    const counts = (await Promise.all(waiting)).map(({ body }) => body.count);
    expect(counts).toEqual(waiting.map((_, n) => n % 2));
  });

  it('serves others while a scenario with many rules is looked at', async () => {
    const { get, call } = await openSim();
    const rules = Array.from({ length: 1000 }, (_, n) => ({
      match: { method: 'POST', path: '/api/v3/receipts', body: { uniqueReceiptId: `r-${n}` } },
      fault: '500',
    }));
    let isOver = false;
    const put = call('PUT', '/__admin/scenario', { body: { rules } }).finally(() => (isOver = true));
    expect((await get('/__admin/scenario')).body.rules).toEqual([]);
    expect(isOver).toBe(false);
    const { status, body } = await put;
    expect([status, body.rules.length]).toEqual([200, 1000]);
  });

  it.each(['yaml', 'json'])('serves others while a long .%s file is read that a call names', async (ending) => {
    const rules = Array.from({ length: 1000 }, (_, n) => ({ id: `rule-${n}`, fault: '500', match: { path: `/${n}` } }));
    const folder = folderWith({ 'a.json': { rules }, 'a.yaml': stringify({ rules }) });
    const { get, post } = await openSim();
    // The modules that read scenarios are loaded then.
    await post('/__admin/tenants', { name: 'first', scenario: 'outage' });
    const call = { isOver: false, turns: 0 };
    const making = post('/__admin/tenants', { name: 'shop', scenario: `${folder}/a.${ending}` });
    void making.finally(() => (call.isOver = true));
    for (; !call.isOver; call.turns++) await immediate();
    expect((await making).status).toBe(201);
    expect((await get('/__admin/scenario?tenant=shop')).body.rules).toHaveLength(1000);
    expect(call.turns).toBeGreaterThan(8);
  });

  it('names each wrong rule of many', async () => {
    const { call } = await openSim();
    const rules = Array.from({ length: 150 }, (_, n) =>
      n % 50 === 7 ? { fault: '500', nth: 2, skip: 1 } : { fault: '500' },
    );
    const { status, body } = await call('PUT', '/__admin/scenario', { body: { rules: [...rules, { fault: 1 }] } });
    expect(status).toBe(400);
    expect(body.validationErrors.map(({ field }: { field: string }) => field)).toEqual([
      'rules[150].fault',
      'rules[7].skip',
      'rules[57].skip',
      'rules[107].skip',
    ]);
  });

  it('judges what was there when the verdict was asked for, whatever is done and called meanwhile', async () => {
    const { get, post } = await openSim({ queueDelay: '5m' });
    const receipts = Array.from({ length: 20 }, (_, n) => receiptOf(astrid, `queued-${n}`));
    for (const receipt of receipts) await post('/api/v3/receipts', receipt);
    for (let n = 0; n < 6000; n++) await get('/api/v3/contacts/count');
    const before = (await get('/__admin/verdict')).body;
    let isOver = false;
    const judging = get('/__admin/verdict').finally(() => (isOver = true));
    const { status } = await post('/__admin/queue', { drain: true });
    await get('/api/v3/stores');
    expect([status, isOver]).toEqual([200, false]);
    expect((await judging).body).toEqual(before);
    expect((await get('/__admin/verdict')).body).not.toEqual(before);
  });
});
