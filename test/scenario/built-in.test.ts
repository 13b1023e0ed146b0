import { afterEach, describe, expect, it } from 'vitest';
import { loadScenarios } from '../../src/scenario/load.ts';
import { builtInScenarios } from '../../src/scenario/built-in.ts';
import { createSim } from '../../src/simulator/create-sim.ts';
import type { Sim } from '../../src/simulator/sim.ts';
import { receiptOf } from '../support/receipt.ts';
import { astrid } from '../support/people.ts';

const open = new Set<Sim>();

afterEach(async () => {
  for (const sim of open) await sim.close();
  open.clear();
});

const contact = `/api/v3/contacts/${astrid}`;
const count = '/api/v3/contacts/count';
const welcome = '9b1d0c00-0001-4000-8000-000000000001';

interface Till {
  /** What the till is told: a status, or `lost`. */
  readonly get: (path: string) => Promise<number | 'lost'>;
  readonly post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<number | 'lost'>;
  /** What somebody else sees, who meets no faults. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly see: (path: string) => Promise<any>;
}

/** A till at a built-in scenario, over a socket. The clock runs: an outage takes a while. */
async function tillAt(scenario: string): Promise<Till> {
  const sim = await createSim({ scenario });
  open.add(sim);
  const { url } = await sim.listen();
  const call = async (path: string, init: RequestInit = {}): Promise<number | 'lost'> => {
    try {
      const response = await fetch(`${url}${path}`, init);
      await response.text();
      return response.status;
    } catch {
      return 'lost';
    }
  };
  return {
    get: (path) => call(path),
    post: (path, body, headers) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    see: async (path) => (await fetch(`${url}/__admin/${path}`)).json(),
  };
}

const told = async (times: number, call: () => Promise<number | 'lost'>): Promise<(number | 'lost')[]> => {
  const answers: (number | 'lost')[] = [];
  for (let i = 0; i < times; i++) answers.push(await call());
  return answers;
};

const sale = (till: Till, id = 'r-1') => till.post('/api/v3/receipts', receiptOf(astrid, id));

const rows = async ({ see }: Till, table: string): Promise<number> => (await see('tenants/default')).rows[table] ?? 0;

const move = async ({ post }: Till, advance: string): Promise<void> => void (await post('/__admin/clock', { advance }));

describe('the scenarios that come along', () => {
  it.each(builtInScenarios())('%s says what a till should do, and all its rules are in force', (name) => {
    const { spec, warnings } = loadScenarios([name]);
    expect(warnings).toEqual([]);
    expect(spec.name).toBeTypeOf('string');
    expect(spec.description).toMatch(/(?<=\. )A (?:till|point master or till) should [^.]+\.$/);
  });

  it('are all played here', () => {
    expect(builtInScenarios()).toEqual(Object.keys(played).toSorted());
  });

  it('are found by name, and a name that is none is told what was meant', () => {
    const message = 'scenario: "lost-redem" is not a built-in scenario; did you mean "lost-redeem"?';
    expect(() => loadScenarios(['lost-redem'])).toThrow(message);
  });

  it.each([
    ['reset-mid-answer', 'is not a built-in scenario; it is called "reset-mid-response" now. A file'],
    [
      'scenarios/scripted/lost-receipt-answer.yaml',
      'there is no file scenarios/scripted/lost-receipt-answer.yaml; it is called "lost-receipt-response.yaml" now',
    ],
  ])('that were renamed are refused by their old name %s, with the new one', (old, message) => {
    expect(() => loadScenarios([old])).toThrow(message);
  });
});

const played: Readonly<Record<string, (till: Till) => Promise<void>>> = {
  'server-error': async ({ get }) => {
    expect(await told(4, () => get(count))).toEqual([500, 500, 200, 200]);
  },

  'receipt-timeout': async (till) => {
    const before = await rows(till, 'receipts');
    expect(await told(2, () => sale(till))).toEqual([504, 504]);
    expect(await rows(till, 'receipts')).toBe(before);
    expect(await told(2, () => sale(till))).toEqual([202, 202]);
    expect(await rows(till, 'receipts')).toBe(before + 1);
  },

  'receipt-stored-timeout': async (till) => {
    const before = await rows(till, 'receipts');
    expect(await sale(till)).toBe(504);
    expect(await rows(till, 'receipts')).toBe(before + 1);
    expect(await told(2, () => sale(till))).toEqual([202, 202]);
    expect(await rows(till, 'receipts')).toBe(before + 1);
  },

  'lost-redeem': async ({ get, post }) => {
    const redeem = () => post(`/api/v3/promotions/codes/${welcome}/redeem?contactId=${astrid}`);
    expect(await told(2, redeem)).toEqual(['lost', 409]);
    expect(await get(count)).toBe(200);
  },

  'lost-bulk-points': async (till) => {
    const row = { contactId: astrid, definitionId: 2, amount: 50, source: 'Adjustment', description: 'evening' };
    const before = await rows(till, 'pointTransactions');
    const add = (key: string) => till.post('/api/v3/point-accounts/transactions', [row], { 'idempotency-key': key });
    expect(await add('one')).toBe('lost');
    expect(await told(2, () => add('one'))).toEqual([202, 202]);
    expect(await rows(till, 'pointTransactions')).toBe(before + 1);
  },

  'lost-contact': async (till) => {
    const email = 'new@example.com';
    const before = await rows(till, 'contacts');
    expect(await till.post('/api/v3/contacts', { email })).toBe('lost');
    expect(await till.get(`/api/v3/contacts/id?email=${email}`)).toBe(200);
    expect(await till.post('/api/v3/contacts', { email: 'other@example.com' })).toBe(201);
    expect(await rows(till, 'contacts')).toBe(before + 2);
  },

  'reset-mid-response': async ({ get, see }) => {
    expect(await told(3, () => get(contact))).toEqual(['lost', 200, 200]);
    const [{ id }] = (await see('requests?limit=1')).items;
    const { delivered } = await see(`requests/${id}`);
    expect(delivered).toMatchObject({ status: 200, end: 'reset', body: expect.stringMatching(/^\{"id":"5a0e/) });
  },

  'contact-not-found': async ({ get, post }) => {
    const email = 'astrid.lindqvist@example.com';
    expect(await get(`/api/v3/contacts/id?email=${email}`)).toBe(404);
    expect(await post('/api/v3/contacts', { email })).toBe(409);
    expect(await get(`/api/v3/contacts/id?email=${email}`)).toBe(200);
  },

  'slow-checkout': async ({ get, see }) => {
    expect(await get(contact)).toBe(200);
    const [{ id, ms }] = (await see('requests?limit=1')).items;
    const { fault } = await see(`requests/${id}`);
    expect(fault.delay).toBeGreaterThan(20);
    expect(ms).toBeGreaterThanOrEqual(fault.delay - 2);
    expect(await get('/api/v3/stores')).toBe(200);
  },

  outage: async (till) => {
    const minutes = ['5m', '19m', '59s', '1s'];
    const statuses = [await sale(till, 'r-0')];
    for (const [i, advance] of minutes.entries()) {
      await move(till, advance);
      statuses.push(await sale(till, `r-${i + 1}`));
    }
    expect(statuses).toEqual([202, 503, 503, 503, 202]);
  },

  'rate-limit': async ({ get, see }) => {
    expect(await told(9, () => get(count))).toEqual([200, 200, 200, 200, 200, 429, 429, 429, 200]);
    const { items } = await see('requests');
    const { id } = items.find(({ status }: { status: number }) => status === 429);
    expect((await see(`requests/${id}`)).delivered.headers).toMatchObject({ 'retry-after': '1' });
  },

  flaky: async ({ get, see }) => {
    const answers = await told(400, () => get(contact));
    const failed = answers.filter((answer) => answer !== 200);
    expect(new Set(failed)).toEqual(new Set([503, 'lost']));
    expect(failed.length).toBeGreaterThan(8);
    expect(failed.length).toBeLessThan(36);
    const { rules } = await see('scenario');
    expect(rules[0].fired + rules[1].fired).toBe(failed.length);
  },

  'balance-job-fails': async ({ post, see }) => {
    const balances = [{ contactId: astrid, definitionId: 2, amount: 100 }];
    expect(await told(2, () => post('/api/v3/point-accounts/balances', balances))).toEqual([202, 202]);
    const { jobs } = await see('queue');
    expect(jobs.map(({ status, failsBy }: { status: string; failsBy: string }) => [status, failsBy])).toEqual([
      ['failed', 'job-fails'],
    ]);
  },

  'late-receipts': async (till) => {
    const before = await rows(till, 'receipts');
    await till.post('/__admin/clock', { freeze: true });
    expect(await sale(till)).toBe(202);
    await move(till, '14m');
    expect(await rows(till, 'receipts')).toBe(before);
    await move(till, '1m');
    expect(await rows(till, 'receipts')).toBe(before + 1);
  },
};

describe('a till', () => {
  it.each(Object.entries(played))('meets %s', async (name, play) => {
    await play(await tillAt(name));
  });
});
