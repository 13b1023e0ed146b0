/** The verdict on a whole scenario: expectations, planned rules, and whether there is anything to judge. */
import { describe, expect, it } from 'vitest';
import { openFailingSim, openSim } from '../support/open-sim.ts';
import { astrid } from '../support/people.ts';

const stores = { request: { endpoint: 'listStores' }, exactly: 1 };
const rule = { id: 'down', match: { endpoint: 'listStores' }, fault: 503 as const };

describe('the verdict on a scenario', () => {
  it('passes when all is as expected and every rule fired', async () => {
    const { get } = await openSim({ scenario: { rules: [rule], expectations: [stores] } });
    await get('/api/v3/stores');
    const { body } = await get('/__admin/verdict');
    expect(body).toMatchObject({ verdict: 'PASS', reason: '3 of 3 as expected' });
    expect(body.rules).toEqual([
      { id: 'down', description: null, matched: 1, fired: 1, verdict: 'PASS', reason: 'fired 1 time' },
    ]);
  });

  it('names the first of very many reasons, and says how many more there are', async () => {
    const { call, sim } = await openSim();
    for (let n = 0; n < 30 * 8; n++) await call('POST', '/api/v3/contacts', { body: { email: `nobody ${n % 30}` } });
    const { reason, operations } = await sim.verdict();
    expect([operations.length, operations[0]?.findings.length]).toEqual([30, 7]);
    const lines = reason.split('\n');
    expect(lines).toHaveLength(21);
    expect(lines[0]).toMatch(/^POST \/api\/v3\/contacts: (R3: [^;]+; ){5}and 2 more$/);
    expect(lines.at(-1)).toBe('and 10 more');
  });

  it('names what decided it before what was only noted', async () => {
    const client = await openFailingSim({ addPointTransactions: ['lost', 'lost'] });
    const contacts = Array.from({ length: 8 }, (_, i) => `${astrid.slice(0, -1)}${i + 1}`);
    const row = { definitionId: 1, amount: 10, source: 'Adjustment', description: 'x' };
    const send = () =>
      client
        .post(
          '/api/v3/point-accounts/transactions',
          contacts.map((contactId) => ({ ...row, contactId })),
        )
        .catch(() => undefined);
    await send();
    await send();
    for (const contactId of contacts) await client.get(`/api/v3/point-accounts?contactId=${contactId}`);
    await send();
    const { verdict, reason } = await client.sim.verdict();
    expect([verdict, reason]).toEqual(['FAIL', expect.stringMatching(/^POST \S+: R11: .*; R10: .*; and \d more$/)]);
  });

  it('judges how calls were retried when nothing else is expected', async () => {
    const { get } = await openSim();
    await get('/api/v3/stores');
    const { body } = await get('/__admin/verdict');
    expect(body).toMatchObject({ verdict: 'PASS', reason: '1 of 1 as expected' });
  });

  it.each([
    [{}, 'INCONCLUSIVE', 'never fired: it matched no request'],
    [{ optional: true }, 'PASS', 'never fired: it matched no request'],
    [{ probability: 0.05 }, 'PASS', 'never fired: it matched no request'],
  ])('says of a rule with %j that never fired: %s', async (fields, verdict, reason) => {
    const { get } = await openSim({ scenario: { rules: [{ ...rule, ...fields }] } });
    await get('/api/v3/contacts/count');
    const { body } = await get('/__admin/verdict');
    expect(body).toMatchObject({ verdict, rules: [{ verdict, reason }] });
  });

  it.each([
    [{ skip: 5 }, 'it is number 1 of those that match, the rule passes over the first 5'],
    [{ from: '2027-01-01T00:00:00Z' }, 'its window begins 2027-01-01T00:00:00.000Z, the clock shows '],
  ])('names what kept a rule with %j from firing', async (fields, reason) => {
    const { get } = await openSim({ scenario: { rules: [{ ...rule, ...fields }] } });
    await get('/api/v3/stores');
    const [checked] = (await get('/__admin/verdict')).body.rules;
    expect(checked.reason).toContain(`never fired: it matched 1 request, and did nothing about the last: ${reason}`);
  });

  it('names the option that gives a full journal more room', async () => {
    const { get } = await openSim({ journalBytes: 1000 });
    for (let i = 0; i < 3; i++) await get('/api/v3/stores');
    const { reason } = (await get('/__admin/verdict')).body;
    expect(reason).toMatch(/the journal has dropped \d requests?; give it more room with --journal-bytes/);
  });

  it('tells which faults of a sequence never came', async () => {
    const { get } = await openSim({ scenario: { rules: [{ ...rule, fault: [500, 504, 500] }] } });
    await get('/api/v3/stores');
    const { body } = await get('/__admin/verdict');
    expect(body.rules[0]).toMatchObject({ verdict: 'PASS', reason: 'fired 1 time; 2 of its 3 faults never fired' });
  });

  it('responds as soon as what is waited for has come', async () => {
    const { get, post } = await openSim();
    const waiting = post('/__admin/verify?wait=60s', stores);
    await get('/api/v3/stores');
    expect((await waiting).body.verdict).toBe('PASS');
  });

  it('judges tenants apart in the library, and refuses what can not be expected', async () => {
    const { sim } = await openSim();
    await sim.fetch(new Request('http://localhost/t/a/api/v3/stores', { headers: { 'user-agent': 'test' } }));
    await sim.fetch(new Request('http://localhost/t/b/api/v3/contacts/count', { headers: { 'user-agent': 'test' } }));
    const verdicts = ['a', 'b'].map((tenant) => sim.verdict({ tenant, expectations: [stores] }));
    expect((await Promise.all(verdicts)).map(({ verdict }) => verdict)).toEqual(['PASS', 'FAIL']);
    await expect(sim.verdict({ tenant: 'c' })).rejects.toThrow('There is no tenant "c"');
    await expect(sim.verdict({ expectations: [{ ...stores, never: true }] })).rejects.toThrow('expectations[0].never');
  });
});

it('the verdict is inconclusive before any request arrived', async () => {
  const { post } = await openSim({ scenario: { rules: [], expectations: [stores] } });
  const { body } = await post('/__admin/verify');
  expect(body).toMatchObject({ verdict: 'INCONCLUSIVE', reason: 'there is something to judge: no request arrived' });
});
