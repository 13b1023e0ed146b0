import { describe, expect, it } from 'vitest';
import type { RuleSpec } from '../../src/faults/rule-schema.ts';
import { cpuTimeOf } from '../support/cpu-time.ts';
import { openSimWithRules } from '../support/open-sim.ts';
import { astrid, bo } from '../support/people.ts';

type Sent = readonly [method: string, path: string, body?: unknown];

const create: Sent = ['POST', '/api/v3/contacts', { email: 'ali@example.com' }];
const points: Sent = ['POST', '/api/v3/point-accounts/transactions', [{ contactId: bo, definitionId: 1, amount: 1 }]];
const lookup: Sent = ['GET', `/api/v3/contacts/${astrid}`];
const fail = (endpoint: string, fault: RuleSpec['fault']): RuleSpec[] => [{ match: { endpoint }, fault }];

/** Returns the processor time of the verdict on so many requests, which are made in turns. */
async function timeOfVerdict(count: number, rules: RuleSpec[], calls: readonly Sent[]): Promise<number> {
  const { call, sim } = await openSimWithRules(rules);
  for (let i = 0; i < count; i++) {
    const [method, path, body] = calls[i % calls.length] ?? create;
    await call(method, path, { body });
  }
  return cpuTimeOf(() => sim.verdict());
}

describe('the verdict on a client that tries without an end', () => {
  it.each<[what: string, rules: RuleSpec[], calls: readonly Sent[]]>([
    ['creates what always fails', fail('createContact', 500), [create]],
    ['looks in between', fail('createContact', 500), [create, lookup]],
    ['books what is booked each time', fail('addPointTransactions', { phase: 'after', status: 500 }), [points]],
    ['sends what is never valid', [], [['POST', '/api/v3/contacts', { email: 'nobody' }]]],
    ['reads what always fails', fail('getContact', 504), [lookup]],
  ])('takes no longer for each attempt the more there are: one that %s', async (_, rules, calls) => {
    await timeOfVerdict(500, rules, calls);
    const [few, many] = [await timeOfVerdict(1000, rules, calls), await timeOfVerdict(10_000, rules, calls)];
    // Ten times as much if each takes the same, a hundred times if each is held against all others.
    expect(many / few).toBeLessThan(20);
  });
});
