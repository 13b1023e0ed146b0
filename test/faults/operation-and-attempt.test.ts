import { describe, expect, it } from 'vitest';
import { openSimWithRules } from '../support/open-sim.ts';
import { sendReceipt } from '../support/judged.ts';
import type { RuleSpec } from '../../src/faults/rule-schema.ts';

/** Sends receipts under these keys, one after the other, and returns the statuses that they got. */
async function statusesFor(rule: Partial<RuleSpec>, keys: readonly string[]): Promise<unknown[]> {
  const client = await openSimWithRules([{ match: { endpoint: 'createReceipt' }, fault: 504, ...rule }]);
  for (const key of keys) await sendReceipt(client, key);
  const { items } = (await client.get('/__admin/requests')).body;
  return items.map(({ status }: { status: number }) => status);
}

describe('a rule that selects attempts', () => {
  it('hits the first attempt of each operation, and none of its repeats', async () => {
    expect(await statusesFor({ attempt: 1 }, ['a', 'a', 'b', 'b', 'a'])).toEqual([504, 202, 504, 202, 202]);
  });

  it('hits later attempts alone', async () => {
    expect(await statusesFor({ attempt: [2, 3] }, ['a', 'a', 'a', 'a', 'b'])).toEqual([202, 504, 504, 202, 202]);
  });
});

describe('a rule that selects operations', () => {
  it('hits every attempt of the second one', async () => {
    expect(await statusesFor({ operation: 2 }, ['a', 'b', 'a', 'b', 'c'])).toEqual([202, 504, 202, 504, 202]);
  });

  it('hits one attempt of one operation', async () => {
    expect(await statusesFor({ operation: 2, attempt: 2 }, ['a', 'b', 'a', 'b', 'b'])).toEqual([
      202, 202, 202, 504, 202,
    ]);
  });

  it('says why it did not fire', async () => {
    const client = await openSimWithRules([
      { id: 'second', match: { endpoint: 'createReceipt' }, fault: 504, operation: 2, attempt: 1 },
    ]);
    await sendReceipt(client, 'a');
    const { nearMisses } = (await client.get('/__admin/requests/default-1')).body;
    expect(nearMisses).toEqual([
      { rule: 'second', reason: 'it is of operation 1 of those that match, the rule wants 2' },
    ]);
  });
});

describe('a rule about webhooks', () => {
  it('refuses to select attempts of operations', async () => {
    const { call } = await openSimWithRules([]);
    const sent = { webhooks: [{ fault: 'drop', attempt: 1 }] };
    const { status, body } = await call('PUT', '/__admin/scenario', { body: sent });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('attempt')]);
  });
});
