import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sim } from '../../src/simulator/sim.ts';
import { openSim } from '../support/open-sim.ts';
import { astrid } from '../support/people.ts';

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const newContact = json({ email: 'a@example.com' });

let sim: Sim;
beforeEach(async () => {
  ({ sim } = await openSim());
});
afterEach(() => sim.close());

describe('a tenant for a test', () => {
  it('has a name that nobody has, and one of its own when asked for', () => {
    expect([sim.tenant().name, sim.tenant('test-2').name, sim.tenant().name]).toEqual(['test-1', 'test-2', 'test-3']);
    expect(sim.tenant('test-2').name).toBe('test-2');
    expect(() => sim.tenant('no name')).toThrow('"no name" can\'t be a tenant\'s name');
  });

  it('answers in process by path, by URL and by request, from data that nobody else sees', async () => {
    const [one, other] = [sim.tenant(), sim.tenant()];
    expect((await one.fetch('/api/v3/contacts', newContact)).status).toBe(201);
    const count = async (input: string | URL | Request) => Number(await (await one.fetch(input)).text());
    const url = 'http://127.0.0.1/api/v3/contacts/count';
    expect([await count('/api/v3/contacts/count'), await count(new URL(url)), await count(new Request(url))]).toEqual([
      41, 41, 41,
    ]);
    expect(await (await other.fetch('/api/v3/contacts/count')).text()).toBe('40');
    expect(await (await sim.fetch('/api/v3/contacts/count')).text()).toBe('40');
  });

  it('has an address for a client once the sim is served', async () => {
    const tenant = sim.tenant('till');
    expect(tenant.url).toBeUndefined();
    const { url } = await sim.listen();
    expect([sim.url, tenant.url, sim.tenant('default').url]).toEqual([url, `${url}/t/till`, url]);
    expect((await fetch(`${tenant.url}/api/v3/contacts/count`)).status).toBe(200);
    expect(tenant.requests().map(({ path, status }) => [path, status])).toEqual([['/api/v3/contacts/count', 200]]);
  });

  it('has faults and a verdict of its own', async () => {
    const [one, other] = [sim.tenant(), sim.tenant()];
    await one.faults.add({ match: { endpoint: 'countContacts' }, fault: ['504'] });
    expect((await one.fetch('/api/v3/contacts/count')).status).toBe(504);
    expect((await other.fetch('/api/v3/contacts/count')).status).toBe(200);
    expect([(await one.verdict()).verdict, (await other.verdict()).verdict]).toEqual(['FAIL', 'PASS']);
    one.faults.clear();
    const met = await one.verdict([{ request: { endpoint: 'countContacts' }, exactly: 1 }]);
    expect(met.verdict).toBe('PASS');
  });

  it('takes up a scenario, set-up included, and leaves that of others alone', async () => {
    const tenant = sim.tenant();
    await tenant.applyScenario({
      now: '2027-01-01T00:00:00Z',
      rules: [{ match: { endpoint: 'countContacts' }, fault: ['500'] }],
    });
    expect(tenant.clock.now()).toBe('2027-01-01T00:00:00.000Z');
    expect((await tenant.fetch('/api/v3/contacts/count')).status).toBe(500);
    expect((await sim.fetch('/api/v3/contacts/count')).status).toBe(200);
    await tenant.applyScenario('lost-redeem');
    await expect(tenant.applyScenario('lost-reddem')).rejects.toThrow('lost-redeem');
  });

  it('tells all that is known of a contact', async () => {
    const tenant = sim.tenant();
    const { contact, pointAccounts } = await tenant.contact(astrid);
    expect([contact.attributes['email'], pointAccounts.length > 0]).toEqual(['astrid.lindqvist@example.com', true]);
    await expect(tenant.contact('nobody')).rejects.toThrow('tenant test-1, contact "nobody": ');
  });

  it('is put back, and is gone when its test is over', async () => {
    {
      await using tenant = sim.tenant('short');
      await tenant.fetch('/api/v3/contacts', newContact);
      tenant.reset('state');
      expect(await (await tenant.fetch('/api/v3/contacts/count')).text()).toBe('40');
      expect(tenant.requests()).toHaveLength(2);
      tenant.reset();
      expect(tenant.requests()).toHaveLength(0);
    }
    expect(sim.tenants.get('short')).toBeUndefined();
  });
});

describe('the clock of test code', () => {
  it('is advanced, set, frozen and let run, for each tenant alone', async () => {
    const { clock } = sim.tenant();
    await clock.advance('1h30m');
    expect(clock.now()).toBe('2026-03-01T13:30:00.000Z');
    await clock.advance(1500);
    await clock.set('2026-04-01T00:00:00+02:00');
    expect(clock.now()).toBe('2026-03-31T22:00:00.000Z');
    clock.resume();
    await clock.freeze('2026-05-01T00:00:00Z');
    expect([clock.now(), sim.clock.now()]).toEqual(['2026-05-01T00:00:00.000Z', '2026-03-01T12:00:00.000Z']);
  });

  it('does what falls due, and tells of it', async () => {
    const { sim: other } = await openSim({ queueDelay: 60_000 });
    await other.fetch('/api/v3/contacts/bulk', json([{ email: 'b@example.com' }]));
    expect(await other.clock.advance('1m')).toMatchObject([{ job: { kind: expect.any(String) }, error: undefined }]);
  });

  it.each(['soon', '-PT1H', -5])('refuses to advance by %s', async (duration) => {
    await expect(sim.clock.advance(duration)).rejects.toThrow(`not "${duration}"`);
  });

  it('refuses what is no moment', async () => {
    await expect(sim.clock.set('2026-03-01')).rejects.toThrow('not "2026-03-01"');
  });
});

describe('a sim', () => {
  it('keeps a thousand tenants apart that are called at once', async () => {
    const tenants = Array.from({ length: 1000 }, (_, i) => sim.tenant(`shop-${i}`));
    await sim.listen();
    const found = await Promise.all(
      tenants.map(async (tenant, i) => {
        await tenant.faults.add({ match: { endpoint: 'countContacts' }, fault: ['504'] });
        await tenant.fetch('/api/v3/contacts', json({ email: `a${i}@example.com` }));
        const statuses = [await tenant.fetch('/api/v3/contacts/count'), await tenant.fetch('/api/v3/contacts/count')];
        const held = await tenant.fetch(`/api/v3/contacts/id?email=a${i}@example.com`);
        const foreign = await tenant.fetch(`/api/v3/contacts/id?email=a${(i + 1) % 1000}@example.com`);
        const count = await statuses[1]?.text();
        return [statuses[0]?.status, count, held.status, foreign.status, tenant.requests().length].join();
      }),
    );
    expect(new Set(found)).toEqual(new Set(['504,41,200,404,5']));
  });
});
