import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { folderWith, tidyFolders } from '../support/folders.ts';
import { openSim, startSim } from '../support/open-sim.ts';

afterEach(tidyFolders);

const contacts = Array.from({ length: 4000 }, (_, n) => ({
  email: `crowd${n}@example.com`,
  firstName: `First ${n}`,
  street: 'Storgatan 1, at the back of the yard',
}));

/** Writes a fixture whose tenant takes several turns of 15 ms on any machine: so much that its speed does not matter. */
const largeFixture = (files: object = { contacts }): string =>
  join(folderWith({ 'named.json': { retailer: { name: 'R', groupCurrency: 'SEK' }, ...files } }), 'named.json');

describe('a fixture that a call names', () => {
  it.each(['POST /__admin/tenants', 'PUT /__admin/scenario'])('lets %s serve others meanwhile', async (request) => {
    const { sim, call, get } = await openSim({ onWarning: () => {} });
    const [method = '', path = ''] = request.split(' ');
    const body = { fixtures: largeFixture(), ...(method === 'POST' && { name: 'named' }) };
    let isOver = false;
    const created = call(method, path, { body }).finally(() => (isOver = true));
    const { status, body: count } = await get('/api/v3/contacts/count');
    expect([status, count > 0, isOver]).toEqual([200, true, false]);
    expect((await created).status).toBe(method === 'POST' ? 201 : 200);
    const tenant = method === 'POST' ? '/t/named' : '';
    expect((await get(`${tenant}/api/v3/contacts/count`)).body).toBe(contacts.length);
    await sim.close();
  });

  it('is one of two tenants of the same name, whichever was created first', async () => {
    const { sim, post, get } = await openSim();
    const body = { name: 'named', fixtures: largeFixture() };
    const created = await Promise.all([post('/__admin/tenants', body), post('/__admin/tenants', body)]);
    expect(created.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect((await get('/__admin/tenants')).body.tenants.map(({ name }: { name: string }) => name)).toEqual([
      'default',
      'named',
    ]);
    await sim.close();
  });

  it('is read once for all tenants that are created of it at once', async () => {
    const { sim, post } = await openSim();
    const names = ['a', 'b', 'c'];
    const fixtures = largeFixture();
    await Promise.all(names.map((name) => post('/__admin/tenants', { name, fixtures })));
    const seeds = new Set(names.map((name) => sim.tenants.get(name)?.seedState));
    expect(seeds.size).toBe(1);
    await sim.close();
  });

  it('sets up the tenant that is there by then, where two scenarios set it up at once, and a restart finds it', async () => {
    const data = join(folderWith(), 'state.json');
    const options = { data, onWarning: () => {} };
    const { sim, call, get } = clientOf(await startSim(options));
    const few = largeFixture({ contacts: contacts.slice(0, 3) });
    const set = (fixtures: string) => call('PUT', '/__admin/scenario?tenant=shared', { body: { fixtures } });
    await call('POST', '/__admin/tenants', { body: { name: 'shared' } });
    const answers = await Promise.all([set(largeFixture()), set(largeFixture({ contacts: [] })), set(few)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const shown = (await get('/__admin/tenants/shared')).body;
    expect((await get('/t/shared/api/v3/contacts/count')).body).toBe(3);
    await sim.close();
    expect(existsSync(data)).toBe(true);
    const again = clientOf(await startSim(options));
    expect((await again.get('/__admin/tenants/shared')).body.rows).toEqual(shown.rows);
    await again.sim.close();
  });

  it('takes effect in the order of the calls, however long it takes to be read', async () => {
    const { sim, call, get } = await openSim();
    const put = (body: object) => call('PUT', '/__admin/scenario?tenant=shared', { body });
    const answers = [put({ name: 'first', fixtures: largeFixture() }), put({ name: 'second', fixtures: 'empty' })];
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await get('/__admin/scenario?tenant=shared')).body.scenario.name).toBe('second');
    expect((await get('/t/shared/api/v3/contacts/count')).body).toBe(0);
    await sim.close();
  });

  it('sets up a tenant that was deleted meanwhile as if it had been called afterwards', async () => {
    const { sim, call, get, post } = await openSim();
    await post('/__admin/tenants', { name: 'gone' });
    const put = call('PUT', '/__admin/scenario?tenant=gone', { body: { fixtures: largeFixture() } });
    const deleted = await call('DELETE', '/__admin/tenants/gone');
    expect([deleted.status, (await get('/__admin/tenants')).body.count, (await put).status]).toEqual([200, 1, 200]);
    expect((await get('/t/gone/api/v3/contacts/count')).body).toBe(contacts.length);
    expect((await get('/__admin/tenants')).body.count).toBe(2);
    await sim.close();
  });

  it('creates no tenant where its scenario is refused', async () => {
    const { sim, call, get } = await openSim({ onWarning: () => {} });
    expect((await call('PUT', '/__admin/scenario?tenant=never', { body: '"missing.yaml"' })).status).toBe(400);
    expect((await get('/__admin/tenants')).body.count).toBe(1);
    await sim.close();
  });

  it('is read no further when the simulator is closed meanwhile, and nothing of it is saved', async () => {
    const data = join(folderWith(), 'state.json');
    const { sim, post } = clientOf(await startSim({ data }));
    const created = post('/__admin/tenants', { name: 'late', fixtures: largeFixture() });
    await new Promise(setImmediate);
    await sim.close();
    expect(await created).toMatchObject({ status: 500, body: { message: 'The simulator is being stopped.' } });
    const again = clientOf(await startSim({ data }));
    expect((await again.get('/__admin/tenants')).body).toMatchObject({ count: 1, tenants: [{ name: 'default' }] });
    await again.sim.close();
  });

  it('is refused with the place in the log, as one that is read at a start', async () => {
    const warned: string[] = [];
    const { sim, post } = await openSim({ onWarning: (message) => void warned.push(message) });
    const wrong = largeFixture({ contacts: [...contacts, { email: 7 }] });
    const { status, body } = await post('/__admin/tenants', { name: 'named', fixtures: wrong });
    expect([status, body.validationErrors[0].field]).toEqual([400, 'fixtures']);
    expect(warned.join('\n')).toContain(`${wrong}:`);
    expect(warned.join('\n')).toContain('contacts[4000].email');
    expect(sim.tenants.get('named')).toBeUndefined();
    await sim.close();
  });
});
