import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createSim } from '../../src/simulator/create-sim.ts';
import { folderWith, tidyFolders } from '../support/folders.ts';
import { clientOf } from '../support/client.ts';
import { astridPath } from '../support/people.ts';
import { openSim, openEmptySim } from '../support/open-sim.ts';

afterEach(tidyFolders);

const failOnce = { id: 'once', match: { endpoint: 'countContacts' }, fault: 500, times: 1 } as const;

describe('a sim with a scenario', () => {
  it('is set up by it, but for what its own options say', async () => {
    const scenario = { fixtures: 'empty', mode: 'point-follower', seed: 7, queueDelay: '15m' } as const;
    const { get } = clientOf(
      await createSim({ scenario, seed: 8, defaults: { mode: 'standard', now: '2026-03-01T12:00:00Z' } }),
    );
    const { body } = await get('/__admin/tenants/default');
    expect(body).toMatchObject({
      mode: 'point-follower',
      seed: 8,
      queueDelay: 900_000,
      now: '2026-03-01T12:00:00.000Z',
    });
    expect(body.rows.contacts).toBeUndefined();
  });

  it('adds up assumptions', async () => {
    const assumptions = { 'A-24': 'twice', 'A-01': 'default' };
    const { get } = await openEmptySim({ scenario: { assumptions }, assumptions: { 'A-24': 'default' } });
    const { body } = await get('/__admin/tenants/default');
    expect(body.assumptions).toEqual({ 'A-24': 'default', 'A-01': 'default' });
  });

  it('reads it from files, whose rules follow one another', async () => {
    const folder = folderWith({
      'a.yaml': 'rules: [{id: a, fault: 500}]',
      'b.json': { rules: [{ id: 'b', fault: 504 }] },
    });
    const { get } = await openEmptySim({ scenario: [join(folder, 'a.yaml'), join(folder, 'b.json')] });
    const { body } = await get('/__admin/scenario');
    expect(body.rules.map((rule: { id: string }) => rule.id)).toEqual(['a', 'b']);
  });

  it('is not made of a wrong one', async () => {
    const scenario = { rules: [{ fault: 504, tims: 2 }] };
    const message = 'scenario: rules[0].tims: is not a field here; did you mean "times"?';
    await expect(createSim({ scenario })).rejects.toThrow(message);
  });

  it('is not made of two rules with one id in two files', async () => {
    const folder = folderWith({ 'a.yaml': 'rules: [{id: a, fault: 500}]', 'b.yaml': 'rules: [{id: a, fault: 504}]' });
    const files = ['a.yaml', 'b.yaml'].map((name) => join(folder, name));
    const message = `b.yaml:1:10: rules[0].id: is "a", which is the id of a rule of ${files[0]} too: ids must be unique`;
    await expect(createSim({ scenario: files })).rejects.toThrow(message);
  });
});

describe('a tenant', () => {
  it('is made with a scenario of its own', async () => {
    const { post, call } = await openEmptySim({ scenario: { rules: [{ fault: 504 }] } });
    const scenario = { mode: 'point-follower', rules: [failOnce] };
    const made = await post('/__admin/tenants', { name: 'till', scenario });
    expect([made.status, made.body.mode]).toEqual([201, 'point-follower']);
    const statuses = [];
    for (const _ of [1, 2]) statuses.push((await call('GET', '/t/till/api/v3/contacts/count')).status);
    expect(statuses).toEqual([500, 200]);
  });

  it('is made with a scenario from a file', async () => {
    const file = join(folderWith({ 'a.yaml': 'seed: 7\nrules: [{fault: 503}]' }), 'a.yaml');
    const { post, call } = await openEmptySim();
    const { body } = await post('/__admin/tenants', { name: 'till', scenario: file });
    expect(body.seed).toBe(7);
    expect((await call('GET', '/t/till/api/v3/contacts/count')).status).toBe(503);
  });

  it.each([
    [{ rules: [{ fault: { phaze: 'after' } }] }, 'scenario.rules[0].fault.phaze'],
    [{ rules: [{ match: { endpoint: 'creatReceipt' }, fault: 500 }] }, 'scenario.rules[0].match.endpoint'],
    ['nothing.yaml', 'scenario'],
  ])('is not made with a wrong one: %j', async (scenario, field) => {
    const { post } = await openEmptySim();
    const { status, body } = await post('/__admin/tenants', { name: 'till', scenario });
    expect([status, body.validationErrors?.[0]?.field]).toEqual([400, field]);
  });

  it('starts anew when a scenario says how it is set up', async () => {
    const { call, get } = await openSim();
    await call('PATCH', astridPath, { body: { street: 'Storgatan 2' } });
    const body = { mode: 'point-follower', now: '2026-04-01T00:00:00Z', rules: [failOnce] };
    expect((await call('PUT', '/__admin/scenario', { body })).status).toBe(200);
    expect((await get('/api/v3/contacts/count')).status).toBe(500);
    expect((await get(astridPath)).body.street).not.toBe('Storgatan 2');
    expect((await get('/__admin/tenants/default')).body).toMatchObject({
      mode: body.mode,
      now: '2026-04-01T00:00:00.000Z',
    });
  });

  it('takes up one that comes along by its name, and says which there are', async () => {
    const { call, get } = await openSim();
    const { scenarios } = (await get('/__admin/scenarios')).body;
    expect(scenarios).toContainEqual(expect.objectContaining({ name: 'lost-redeem', title: expect.any(String) }));
    expect((await call('PUT', '/__admin/scenario', { body: '"lost-redeem"' })).body.rules).toHaveLength(1);
    const refused = await call('PUT', '/__admin/scenario', { body: '"lost-redem"' });
    expect(refused.body.validationErrors[0].errorDescription).toContain('did you mean "lost-redeem"?');
  });

  it('keeps its state when a scenario has rules alone', async () => {
    const { call, get } = await openSim();
    await call('PATCH', astridPath, { body: { street: 'Storgatan 2' } });
    await call('PUT', '/__admin/scenario', { body: { rules: [failOnce] } });
    expect((await get(astridPath)).body.street).toBe('Storgatan 2');
  });

  it('stays as it was when its new fixtures are not there', async () => {
    const { call, get } = await openSim();
    const { status } = await call('PUT', '/__admin/scenario', {
      body: { fixtures: 'nothing.json', mode: 'point-follower' },
    });
    expect([status, (await get('/__admin/tenants/default')).body.mode]).toEqual([400, 'standard']);
  });

  it('has its scenario again after a restart', async () => {
    const data = join(folderWith(), 'shop.json');
    const first = await openEmptySim({ data });
    await first.post('/__admin/tenants', { name: 'till', scenario: { seed: 7, rules: [{ fault: 503 }] } });
    await first.sim.close();
    const second = await openEmptySim({ data });
    expect((await second.call('GET', '/t/till/api/v3/contacts/count')).status).toBe(503);
    expect((await second.get('/__admin/tenants/till')).body.seed).toBe(7);
    await second.sim.close();
  });

  it('that started anew is kept as such', async () => {
    const data = join(folderWith(), 'shop.json');
    const first = await openSim({ data });
    await first.call('PATCH', astridPath, { body: { street: 'Storgatan 2' } });
    await first.call('PUT', '/__admin/scenario', { body: { fixtures: 'empty' } });
    await first.post('/api/v3/contacts', { email: 'new@example.com', contactType: 'Member' });
    await first.sim.close();
    const second = await openSim({ data });
    expect((await second.get('/api/v3/contacts/count')).body).toEqual((await first.get('/api/v3/contacts/count')).body);
    await second.sim.close();
  });
});

describe('another version of the scenario', () => {
  it('leaves the counters of rules that are as they were', async () => {
    const { sim, get } = await openEmptySim({ scenario: { rules: [failOnce, { id: 'other', fault: 504, times: 3 }] } });
    await get('/api/v3/contacts/count');
    const replaced = sim.replaceScenario({ rules: [{ id: 'new', fault: 503, times: 1 }, failOnce] });
    expect(replaced).toEqual({ added: ['new'], changed: [], removed: ['other'], fields: [], recreated: [] });
    const statuses = [];
    for (const _ of [1, 2]) statuses.push((await get('/api/v3/contacts/count')).status);
    expect(statuses).toEqual([503, 200]);
  });

  it('counts from zero for a rule whose place another had before', async () => {
    const { sim, get } = await openEmptySim({ scenario: { rules: [{ fault: 500, times: 1 }] } });
    await get('/api/v3/contacts/count');
    const rules = [
      { fault: 503, times: 1 },
      { fault: 500, times: 1 },
    ];
    expect(sim.replaceScenario({ rules })).toMatchObject({ added: ['rule-2'], changed: ['rule-1'], removed: [] });
    const statuses = [];
    for (const _ of [1, 2, 3]) statuses.push((await get('/api/v3/contacts/count')).status);
    expect(statuses).toEqual([503, 500, 200]);
  });

  it('is taken up by no tenant when one has added a rule of the same id', async () => {
    const { sim, get } = await openEmptySim({ scenario: {} });
    await get('/t/other/api/v3/contacts/count');
    await sim.faults.add({ id: 'mine', fault: 504 }, { tenant: 'other' });
    const rules = [{ id: 'mine', fault: 503 }];
    expect(() => sim.replaceScenario({ rules })).toThrow('rules: one has the id "mine", as has a rule that was added');
    expect((await get('/api/v3/contacts/count')).status).toBe(200);
    expect((await get('/__admin/scenario')).body.rules).toEqual([]);
  });

  it('makes tenants that follow it anew when it sets them up otherwise, and no others', async () => {
    const { sim, call, get } = await openEmptySim({ scenario: {} });
    await get('/t/follower/api/v3/contacts/count');
    await get('/t/own/api/v3/contacts/count');
    await call('PUT', '/__admin/scenario?tenant=own', { body: { name: 'own' } });
    const { recreated: anew } = sim.replaceScenario({ mode: 'point-follower' });
    expect(anew).toEqual(['default', 'follower']);
    const modes = [];
    for (const name of ['follower', 'own']) modes.push((await get(`/__admin/tenants/${name}`)).body.mode);
    expect(modes).toEqual(['point-follower', 'standard']);
  });

  it('throws away no state that is kept', async () => {
    const { sim, get } = await openSim({ data: join(folderWith(), 'shop.json') });
    expect(sim.replaceScenario({ fixtures: 'empty' }).recreated).toEqual([]);
    expect((await get('/api/v3/contacts/count')).body.count).not.toBe(0);
    await sim.close();
  });
});
