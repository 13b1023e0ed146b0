import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { assumptions as known } from '../../src/service/assumptions/catalog.ts';
import { ella } from '../support/people.ts';
import { openSim, openEmptySim } from '../support/open-sim.ts';

const now = '2026-03-01T12:00:00.000Z';

describe('about', () => {
  it('says that it is up, and what it is', async () => {
    const { get } = await openEmptySim();
    expect((await get('/__admin/health')).body).toEqual({
      status: 'ok',
      journals: { bytes: 0, historyBytes: 0, maxBytes: 512 * 1024 * 1024, evicted: 0 },
    });
    expect((await get('/__admin/version')).body).toMatchObject({ name: 'loyalty-sim', node: process.version });
  });

  it('describes itself in OpenAPI, and serves a page to read it', async () => {
    const { get, sim } = await openEmptySim();
    const document = (await get('/__admin/openapi.json')).body;
    expect((await new Validator().validate(structuredClone(document))).errors).toBeUndefined();
    const { paths, servers } = document;
    expect(paths['/__admin/clock'].post.operationId).toBe('updateClock');
    expect(paths['/api/v3/contacts'].post.operationId).toBe('createContact');
    expect(servers[0].url).toBe('http://127.0.0.1');
    const page = await sim.fetch(new Request('http://127.0.0.1/__admin/docs'));
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('names the nearest path, and the methods of a path', async () => {
    const { get, call } = await openEmptySim();
    expect((await get('/__admin/snapshot')).body.message).toBe(
      'GET /__admin/snapshot is not served here; the nearest endpoint is GET /__admin/snapshots.',
    );
    const { status, headers } = await call('PUT', '/__admin/clock');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  it('shows what is assumed, and the last request that rested on it', async () => {
    const { get, post } = await openEmptySim({ assumptions: { 'A-10': 'envelope' } });
    await post('/api/v3/contacts', ella);
    const { assumptions } = (await get('/__admin/assumptions')).body;
    expect(assumptions).toHaveLength(known.length);
    const a10 = assumptions.find(({ id }: { id: string }) => id === 'A-10');
    expect(a10).toMatchObject({ inForce: 'envelope', exchanges: 1, lastExchange: 'default-1' });
    const a05 = assumptions.find(({ id }: { id: string }) => id === 'A-05');
    expect(a05).toMatchObject({ inForce: 'default', exchanges: 0, lastExchange: null });
  });

  it('shows the outbox', async () => {
    const { get } = await openEmptySim();
    expect((await get('/__admin/outbox?orderNumber=none')).body).toEqual({ count: 0, items: [] });
  });
});

describe('tenants', () => {
  it('makes one with the setup that the call gives, and lists it', async () => {
    const { get, post } = await openEmptySim();
    const setup = { now: '2025-01-01T00:00:00+01:00', seed: 7, assumptions: { 'A-24': 'twice' }, queueDelay: '15m' };
    const { status, body } = await post('/__admin/tenants', { name: 'suite', fieldValidation: 'strict', ...setup });
    expect(status).toBe(201);
    const { rows, ...shown } = body;
    expect(shown).toEqual({
      name: 'suite',
      mode: 'standard',
      now: '2024-12-31T23:00:00.000Z',
      frozen: true,
      seed: 7,
      assumptions: { 'A-24': 'twice' },
      queueDelay: 900_000,
      importEvery: 900_000,
      fieldValidation: 'strict',
      webhookUrl: null,
      webhookEvents: [],
      pointMasterUrl: null,
      exchanges: 0,
      queue: { held: false, jobs: 0 },
    });
    expect(rows.contactTypes).toBeGreaterThan(0);
    expect((await get('/__admin/tenants')).body.tenants.map(({ name }: typeof body) => name)).toEqual([
      'default',
      'suite',
    ]);
  });

  it('keeps the setup of a tenant apart from the others', async () => {
    const { get, post } = await openEmptySim();
    await post('/__admin/tenants', { name: 'strict', fieldValidation: 'strict' });
    expect((await post('/t/strict/api/v3/contacts', { ...ella, eyes: 2 })).status).toBe(400);
    expect((await post('/api/v3/contacts', { ...ella, eyes: 2 })).status).toBe(201);
    expect((await get('/__admin/tenants/strict')).body.exchanges).toBe(1);
  });

  it('starts all tenants from one and the same state', async () => {
    const { sim, post } = await openEmptySim();
    await post('/__admin/tenants', { name: 'a' });
    await post('/__admin/clock?tenant=b', { freeze: true });
    const states = ['default', 'a', 'b'].map((name) => sim.tenants.get(name)?.state);
    expect(new Set(states).size).toBe(1);
  });

  it('are listed in pages', async () => {
    const { get, post } = await openEmptySim();
    for (const name of ['a', 'b', 'c']) await post('/__admin/tenants', { name });
    const { count, tenants } = (await get('/__admin/tenants?offset=1&limit=2')).body;
    expect([count, tenants.map(({ name }: { name: string }) => name)]).toEqual([4, ['a', 'b']]);
    expect((await get('/__admin/tenants?limit=1001')).body.validationErrors[0].field).toBe('limit');
  });

  it('reads other fixtures once', async () => {
    const { sim, post } = await openEmptySim();
    const fixtures = 'test/support/shop.json';
    expect((await post('/__admin/tenants', { name: 'a', fixtures })).body.rows.contacts).toBe(3);
    await post('/__admin/tenants', { name: 'b', fixtures });
    expect(sim.tenants.get('b')?.state).toBe(sim.tenants.get('a')?.state);
  });

  it('makes none twice, and none that can not be', async () => {
    const { post } = await openEmptySim();
    expect((await post('/__admin/tenants', { name: 'default' })).status).toBe(409);
    const wrong = { name: 'suite', assumptions: { 'A-24': 'twicee' }, queueDelay: 'soon', fieldValidation: 'lax' };
    const { status, body } = await post('/__admin/tenants', wrong);
    expect(status).toBe(400);
    const fields = body.validationErrors.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(['queueDelay', 'fieldValidation', 'assumptions.A-24']);
    expect((await post('/__admin/tenants', { name: 'a/b' })).body.validationErrors[0].field).toBe('name');
    expect((await post('/__admin/tenants', { name: 'a', fixture: 'x' })).body.validationErrors).toEqual([
      { field: 'fixture', errorDescription: 'is not a field that the service reads; did you mean "fixtures"?' },
    ]);
  });

  it('advises nothing that is refused', async () => {
    const { get, post } = await openEmptySim();
    expect((await post('/__admin/tenants', { name: 'default' })).body.message).toBe(
      'There is a tenant "default" already; take another name, or POST /__admin/reset to empty it.',
    );
    expect((await get('/__admin/clock?tenant=../x')).body.message).toBe(
      'There is no tenant "../x". POST /__admin/tenants makes one.',
    );
  });

  it('removes one, but not the default', async () => {
    const { get, call, post } = await openEmptySim();
    await post('/__admin/tenants', { name: 'suite' });
    expect((await call('DELETE', '/__admin/tenants/suite')).body).toEqual({ deleted: 'suite' });
    expect((await get('/__admin/tenants/suite')).status).toBe(404);
    expect((await call('DELETE', '/__admin/tenants/default')).status).toBe(409);
  });

  it('reads only of tenants there are, and makes those that something is done to', async () => {
    const { get, post } = await openEmptySim();
    expect((await get('/__admin/clock?tenant=defualt')).body.message).toContain('did you mean "default"?');
    await post('/__admin/snapshots/start?tenant=new');
    expect((await get('/__admin/snapshots?tenant=new')).body).toEqual({ snapshots: [{ name: 'start', takenAt: now }] });
    expect((await post('/__admin/reset?tenant=a%20b')).status).toBe(400);
  });

  it('makes none for a call that is refused', async () => {
    const { get, post } = await openEmptySim();
    await post('/__admin/clock?tenant=new', { advance: 'soon' });
    expect((await get('/__admin/clock?tenant=new')).status).toBe(404);
  });

  it('takes a key for the tenant that it stands for', async () => {
    const { get, post, call } = await openEmptySim({ tenants: 'by-key' });
    await post('/__admin/clock?tenant=till-1', { set: '2027-01-01T00:00:00Z' });
    await call('POST', '/api/v3/contacts', { body: ella, headers: { apikey: 'till-1' } });
    const { items } = (await get('/__admin/requests?tenant=till-1')).body;
    expect(items).toMatchObject([{ at: '2027-01-01T00:00:00.000Z', endpoint: 'createContact' }]);
  });

  it('is not served under the path of a tenant', async () => {
    const { get } = await openEmptySim();
    const { status, body } = await get('/t/a/__admin/clock');
    expect([status, body.message]).toEqual([
      404,
      "The control API is not served under a tenant's path: call /__admin/clock?tenant=a.",
    ]);
  });
});

describe('reset', () => {
  it('puts everything back when nothing is named', async () => {
    const { get, post, sim } = await openEmptySim({ queueDelay: 1000 });
    const seed = sim.tenants.default.state;
    await post('/api/v3/contacts', ella);
    await post('/api/v3/contacts/bulk', [ella]);
    await post('/__admin/clock', { advance: '3d' });
    expect((await post('/__admin/reset')).body).toEqual({
      tenant: 'default',
      scopes: ['state', 'journal', 'faults', 'clock', 'queue', 'webhooks'],
      notes: [],
    });
    expect((await get('/__admin/clock')).body).toEqual({ now, frozen: true });
    expect((await get('/__admin/requests')).body.count).toBe(0);
    expect((await get('/__admin/snapshots/diff')).body).toMatchObject({ counts: {}, effects: [] });
    expect(sim.tenants.default.state.tables.contacts).toBe(seed.tables.contacts);
  });

  it('leaves alone what is not named', async () => {
    const { get, post } = await openEmptySim();
    await post('/api/v3/contacts', ella);
    expect((await post('/__admin/reset', { scopes: ['journal'] })).body.scopes).toEqual(['journal']);
    expect((await get('/__admin/requests')).body.count).toBe(0);
    expect((await get('/__admin/snapshots/diff')).body.counts.contacts).toEqual({ created: 1, updated: 0, deleted: 0 });
  });

  it('leaves the seed where nothing has changed it', async () => {
    const { get, post } = await openSim();
    await post('/__admin/reset', { scopes: ['journal'] });
    expect((await get('/api/v3/contacts/count')).body).toBeGreaterThan(0);
    expect((await get('/__admin/snapshots/diff')).body.counts).toEqual({});
  });

  it('resets nothing when a scope is unknown', async () => {
    const { get, post } = await openEmptySim();
    await post('/api/v3/contacts', ella);
    const { status, body } = await post('/__admin/reset', { scopes: ['journal', 'stat'] });
    expect([status, body.validationErrors[0].field]).toEqual([400, 'scopes[1]']);
    expect(body.validationErrors[0].errorDescription).toContain('did you mean "state"?');
    expect((await get('/__admin/requests')).body.count).toBe(1);
  });
});

describe('the control API', () => {
  it.each([
    ['reset', [], '', 'must be an object, not a list'],
    ['clock', [], '', 'must be an object, not a list'],
    ['queue', { step: 0 }, 'step', 'must be at least 1, not 0'],
    ['tenants', { name: 'a', seed: -1 }, 'seed', 'must be a whole number from 0 to 2147483647, not -1'],
    [
      'tenants',
      { name: 'a', mode: 'standrd' },
      'mode',
      'must be one of standard, point-follower, not "standrd"; did you mean "standard"?',
    ],
  ])('says in plain words what %s should have got instead of %j', async (name, sent, field, errorDescription) => {
    const { post } = await openSim();
    const { status, body } = await post(`/__admin/${name}`, sent);
    expect([status, body.validationErrors]).toEqual([400, [{ field, errorDescription }]]);
  });
});
