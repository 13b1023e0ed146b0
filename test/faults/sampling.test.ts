import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { receiptOf } from '../support/receipt.ts';
import { astrid } from '../support/people.ts';
import { openSim, openSimWithRules } from '../support/open-sim.ts';

const flaky = { match: { endpoint: 'createReceipt' }, fault: 503, probability: 0.5 };

/** Sends a receipt; what became of it. */
const send = async ({ post }: Client, id: string, at = ''): Promise<number> =>
  (await post(`${at}/api/v3/receipts`, receiptOf(astrid, id))).status;

/** What becomes of each attempt of each receipt, when they are sent in this order. */
async function outcomes(order: readonly string[], seed = 1): Promise<Record<string, number[]>> {
  const client = await openSimWithRules([flaky], { seed });
  const seen: Record<string, number[]> = {};
  for (const id of order) (seen[id] ??= []).push(await send(client, id));
  return Object.fromEntries(Object.entries(seen).toSorted());
}

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** What becomes of attempts that say which test they are of. */
const sendAs = async (test: string, fields: object): Promise<number[]> => {
  const { call } = await openSimWithRules([flaky]);
  const options = { body: receiptOf(astrid, 'r', fields), headers: { 'x-sim-test-id': test } };
  return Promise.all(ids.map(async () => (await call('POST', '/api/v3/receipts', options)).status));
};

describe('chance', () => {
  it('follows from seed, operation and attempt, and not from the order of the calls', async () => {
    const attempts = [...ids, ...ids, ...ids];
    const expected = await outcomes(attempts);
    const shuffled = fc.shuffledSubarray(attempts, { minLength: attempts.length });
    await fc.assert(
      fc.asyncProperty(shuffled, async (order) => {
        expect(await outcomes(order)).toEqual(expected);
      }),
      { numRuns: 10 },
    );
    expect(await outcomes(attempts, 2)).not.toEqual(expected);
  });

  it('is about as frequent as it is said to be', async () => {
    const client = await openSimWithRules([{ ...flaky, match: { endpoint: 'getContact' }, probability: 0.05 }]);
    const calls = Array.from({ length: 2000 }, () => client.get(`/api/v3/contacts/${astrid}`));
    const faults = (await Promise.all(calls)).filter(({ status }) => status === 503);
    expect(faults.length).toBeGreaterThan(70);
    expect(faults.length).toBeLessThan(130);
  });

  it('is the same for a test that names itself, whatever it sends', async () => {
    expect(await sendAs('t-1', { currency: 'SEK' })).toEqual(await sendAs('t-1', { receiptNumber: '2' }));
  });

  it.each([
    [{ uniform: [100, 200] as [number, number] }, 100, 200, 140, 160],
    [{ lognormal: { median: 100, p99: 1000 } }, 0, Number.POSITIVE_INFINITY, 85, 115],
  ])('draws delays: %j', async (spread, least, most, low, high) => {
    const client = await openSimWithRules([{ fault: { delay: { ...spread, time: 'virtual' } } }]);
    const calls = Array.from({ length: 400 }, (_, i) => client.get(`/api/v3/contacts/${i}`));
    await client.post('/__admin/clock', { advance: '1d' });
    await Promise.all(calls);
    const delays = [...client.sim.tenants.default.journal.exchanges()].map(({ fault }) => fault?.delay ?? -1);
    const sorted = delays.toSorted((a, b) => a - b);
    expect(sorted.every((delay) => delay >= least && delay <= most)).toBe(true);
    expect(sorted[200]).toBeGreaterThan(low);
    expect(sorted[200]).toBeLessThan(high);
  });
});

describe('tenants', () => {
  const tenants = ['a', 'b', 'c'];
  const calls = fc.array(fc.tuple(fc.constantFrom(...tenants), fc.constantFrom('r-1', 'r-2')), { maxLength: 20 });
  const rules = fc.array(fc.constantFrom(flaky, { ...flaky, probability: 1, nth: [2, 3] }, { fault: [500, 502] }), {
    maxLength: 3,
  });

  it('never meet each other’s faults, nor does one’s traffic change another’s', async () => {
    await fc.assert(
      fc.asyncProperty(rules, calls, async (added, sent) => {
        const [alone, together] = [await openSim(), await openSim()];
        for (const rule of added)
          for (const client of [alone, together]) await client.sim.faults.add(rule, { tenant: 'a' });
        const own = sent.filter(([tenant]) => tenant === 'a');
        const expected = [];
        for (const [, id] of own) expected.push(await send(alone, id, '/t/a'));
        const seen = [];
        for (const [tenant, id] of sent) seen.push([tenant, await send(together, id, `/t/${tenant}`)] as const);
        expect(seen.flatMap(([tenant, status]) => (tenant === 'a' ? [status] : []))).toEqual(expected);
        expect(seen.every(([tenant, status]) => tenant === 'a' || status === 202)).toBe(true);
      }),
      { numRuns: 15 },
    );
  });

  it('each have the scenario with counts of their own', async () => {
    const client = await openSimWithRules([{ fault: [500, 502] }]);
    const statuses = [];
    for (const at of ['/t/a', '/t/b', '/t/a', '/t/b', '/t/a']) statuses.push(await send(client, 'r', at));
    expect(statuses).toEqual([500, 500, 502, 502, 202]);
  });
});

describe('the sampling of faults', () => {
  it('uses a sequence up exactly once, however calls come in between each other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 6, max: 40 }), async (length, count) => {
        const sequence = Array.from({ length }, (_, i) => 500 + i);
        const client = await openSimWithRules([{ fault: sequence }]);
        const sent = Array.from({ length: count }, (_, i) => send(client, `r-${i % 5}`));
        const seen = (await Promise.all(sent)).filter((status) => status !== 202);
        expect(seen.toSorted()).toEqual(sequence);
      }),
      { numRuns: 15 },
    );
  });
});
