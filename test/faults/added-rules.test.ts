import { describe, expect, it } from 'vitest';
import { countsOf, statusesOf } from '../support/rules.ts';
import { astrid } from '../support/people.ts';
import { openSim, openSimWithRules } from '../support/open-sim.ts';

const rule = { match: { endpoint: 'getContact' }, fault: '504' as const, times: 2 };

describe('rules that are added', () => {
  it('are answered with their id and shown with their counts', async () => {
    const client = await openSim();
    const { status, body } = await client.post('/__admin/faults', rule);
    const added = { id: 'fault-1', origin: 'added', matched: 0, fired: 0, remaining: 2, rule, notes: [] };
    expect([status, body]).toEqual([201, added]);
    await statusesOf(client, 3);
    expect((await client.get('/__admin/faults')).body).toEqual({
      rules: [{ ...added, matched: 3, fired: 2, remaining: 0 }],
    });
  });

  it.each([
    ['fin', 'close', 'UND_ERR_SOCKET'],
    ['rst', 'reset', 'ECONNRESET'],
  ] as const)('read end %s as %s', async (spec, shown, code) => {
    const { post, get, sim } = await openSim();
    const { body } = await post('/__admin/faults', { fault: { respond: 'none', end: spec } });
    expect(body.rule.fault.end).toBe(shown);
    await expect(sim.fetch('/api/v3/contacts/count')).rejects.toMatchObject({ cause: { code } });
    expect((await get('/__admin/requests/default-1')).body).toMatchObject({ end: shown, fault: { end: shown } });
  });

  it('are taken away one by one, or all, and those of the scenario stay', async () => {
    const client = await openSimWithRules([{ id: 'planned', fault: 500 }]);
    for (const id of ['a', 'b', 'c']) await client.post('/__admin/faults', { ...rule, id });
    expect((await client.call('DELETE', '/__admin/faults/b')).body).toEqual({ deleted: 'b' });
    expect((await countsOf(client)).map(([id]) => id)).toEqual(['c', 'a', 'planned']);
    expect((await client.call('DELETE', '/__admin/faults')).body).toEqual({ deleted: 2 });
    expect((await client.call('DELETE', '/__admin/faults/planned')).status).toBe(409);
    expect((await client.call('DELETE', '/__admin/faults/b')).status).toBe(404);
    expect(await statusesOf(client, 1)).toEqual([500]);
  });

  it('have an id of their own', async () => {
    const { post, sim } = await openSim();
    await post('/__admin/faults', { ...rule, id: 'fault-1' });
    expect((await post('/__admin/faults', { ...rule, id: 'fault-1' })).status).toBe(409);
    expect(await sim.faults.add({ fault: 500 })).toBe('fault-2');
    await expect(sim.faults.add({ id: 'fault-2', fault: 500 })).rejects.toThrow('There is a rule "fault-2" already');
  });

  it('are noted when no endpoint is served at their path', async () => {
    const { post } = await openSim();
    const { notes } = (await post('/__admin/faults', { match: { path: '/api/v3/receipt' }, fault: 500 })).body;
    expect(notes).toEqual(['match.path: no endpoint is served at /api/v3/receipt; did you mean "/api/v3/receipts"?']);
  });

  it('are noted when what is to become of a job befalls none', async () => {
    const { post } = await openSim();
    const sent = { match: { endpoint: 'getContact' }, fault: { job: 'fail' } };
    expect((await post('/__admin/faults', sent)).body.notes).toEqual(['fault.job: getContact queues no job']);
  });

  it('are shown without the keys that they want', async () => {
    const { post, get } = await openSim();
    await post('/__admin/faults', { match: { headers: { ApiKey: 'k-1', a: 'b' } }, fault: 500 });
    const [shown] = (await get('/__admin/faults')).body.rules;
    expect(shown.rule.match).toEqual({ headers: { ApiKey: '(hidden)', a: 'b' } });
  });

  it('are for the tenant that is named: by the call, or by themselves', async () => {
    const client = await openSim();
    await client.post('/__admin/faults?tenant=a', rule);
    await client.post('/__admin/faults', { ...rule, match: { tenant: 'b' } });
    await client.sim.faults.add(rule, { tenant: 'c' });
    const seen = await Promise.all(
      ['', '/t/a', '/t/b', '/t/c'].map((at) => client.get(`${at}/api/v3/contacts/${astrid}`)),
    );
    expect(seen.map(({ status }) => status)).toEqual([200, 504, 504, 504]);
    expect((await client.post('/__admin/faults?tenant=a', { ...rule, match: { tenant: 'b' } })).status).toBe(400);
    client.sim.faults.clear({ tenant: 'c' });
    expect(await countsOf(client, '?tenant=c')).toEqual([]);
  });

  it('are gone after a reset, and the scenario begins anew', async () => {
    const client = await openSimWithRules([{ id: 'planned', fault: [500] }]);
    await client.sim.faults.add({ fault: 502, times: 1 });
    expect(await statusesOf(client, 3)).toEqual([502, 500, 200]);
    await client.post('/__admin/reset', { scopes: ['faults'] });
    expect(await countsOf(client)).toEqual([['planned', 0, 0]]);
    expect(await statusesOf(client, 2)).toEqual([500, 200]);
  });
});

describe('the scenario', () => {
  const scenario = { name: 'outage', rules: [{ id: 'r', fault: 503, times: 1 }] };

  it('is shown as written, replaced with its counts at zero, and cleared, while added rules stay', async () => {
    const client = await openSimWithRules([{ fault: 500 }]);
    await client.sim.faults.add({ id: 'mine', fault: 'ok', nth: 1 });
    expect(await statusesOf(client, 2)).toEqual([200, 500]);
    const { body } = await client.call('PUT', '/__admin/scenario', { body: scenario });
    expect([body.scenario, body.notes]).toEqual([scenario, []]);
    expect(await countsOf(client)).toEqual([
      ['mine', 2, 1],
      ['r', 0, 0],
    ]);
    expect(await statusesOf(client, 2)).toEqual([503, 200]);
    expect((await client.call('DELETE', '/__admin/scenario')).body.scenario).toEqual({});
    expect(await countsOf(client)).toEqual([['mine', 4, 1]]);
  });

  it('is refused when one of its rules has the id of one that was added', async () => {
    const client = await openSimWithRules([{ id: 'old', fault: 500 }]);
    await client.sim.faults.add({ id: 'mine', fault: 'ok', nth: 1 });
    await client.post('/__admin/webhooks/faults', { id: 'lost', fault: 'drop' });
    const { status, body } = await client.call('PUT', '/__admin/scenario', {
      body: { rules: [{ id: 'mine', fault: 503 }] },
    });
    const words =
      'one has the id "mine", as has a rule that was added while running; give it another, or DELETE /__admin/faults/mine first';
    expect([status, body.validationErrors]).toEqual([400, [{ field: 'rules', errorDescription: words }]]);
    const lost = await client.call('PUT', '/__admin/scenario', { body: { webhooks: [{ id: 'lost', fault: 'drop' }] } });
    expect([lost.status, lost.body.validationErrors[0].field]).toEqual([400, 'webhooks']);
    expect((await countsOf(client)).map(([id]) => id)).toEqual(['mine', 'old']);
  });

  it('numbers rules by their places, past the ids that others have', async () => {
    const fault = 503;
    const client = await openSimWithRules([
      { id: 'rule-2', fault },
      { fault },
      { fault },
      { id: 'rule-5', fault },
      { fault },
    ]);
    const ids = (await countsOf(client)).map(([id]) => id);
    expect(ids).toEqual(['rule-2', 'rule-3', 'rule-4', 'rule-5', 'rule-6']);
  });

  it('says which of its rules are for another tenant', async () => {
    const { call } = await openSim();
    const rules = [{ id: 'r', match: { tenant: 'a' }, fault: 500 }];
    const { body } = await call('PUT', '/__admin/scenario?tenant=b', { body: { rules } });
    expect([body.rules, body.notes]).toEqual([[], ['rules[0] (r) is for the tenant "a", and this is "b"']]);
  });

  it('is refused as a whole when one of its rules is wrong', async () => {
    const client = await openSimWithRules([{ fault: 500 }]);
    const rules = [
      { id: 'a', fault: 503 },
      { id: 'a', fault: 503, from: 'now' },
    ];
    const { status, body } = await client.call('PUT', '/__admin/scenario', { body: { rules, nam: 'x' } });
    const fields = body.validationErrors.map(({ field }: { field: string }) => field);
    expect([status, fields]).toEqual([400, ['rules[1].from', 'nam', 'rules[1].id']]);
    expect(await statusesOf(client, 1)).toEqual([500]);
  });
});
