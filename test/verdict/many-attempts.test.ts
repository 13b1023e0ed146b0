import { describe, expect, it } from 'vitest';
import type { RuleSpec } from '../../src/faults/rule-schema.ts';
import { cpuTimeOf } from '../support/cpu-time.ts';
import { openSimWithRules } from '../support/open-sim.ts';
import { bo } from '../support/people.ts';

type Sent = readonly [method: string, path: string, body?: unknown];

const create: Sent = ['POST', '/api/v3/contacts', { email: 'ali@example.com' }];
const points: Sent = ['POST', '/api/v3/point-accounts/transactions', [{ contactId: bo, definitionId: 1, amount: 1 }]];
const look: Sent = ['GET', `/api/v3/point-accounts?contactId=${bo}`];
const fail = (endpoint: string, fault: RuleSpec['fault']): RuleSpec[] => [{ match: { endpoint }, fault }];

describe('the verdict on a client that tries without an end', () => {
  it.each<[what: string, rules: RuleSpec[], sent: readonly Sent[]]>([
    ['creates what always fails', fail('createContact', 500), [create]],
    ['books what is booked each time', fail('addPointTransactions', { phase: 'after', status: 500 }), [points]],
    ['sends what is never valid', [], [['POST', '/api/v3/contacts', { email: 'nobody' }]]],
    ['looks whether it was booked', fail('addPointTransactions', 500), [points, look]],
    ['sees it booked', fail('addPointTransactions', { phase: 'after', status: 500 }), [points, look]],
  ])('takes no longer for each attempt the more there are: one that %s', async (_, rules, sent) => {
    const { call, sim } = await openSimWithRules(rules);
    let requests = 0;
    const timeOfVerdict = async (count: number): Promise<number> => {
      for (; requests < count; requests++) {
        const [method, path, body] = sent[requests % sent.length] ?? create;
        await call(method, path, { body });
      }
      return cpuTimeOf(() => sim.verdict());
    };
    await timeOfVerdict(200);
    const [few, many] = [await timeOfVerdict(400), await timeOfVerdict(4000)];
    // Ten times as much if each takes the same, a hundred times if each is held against all others.
    expect(many / few).toBeLessThan(20);
  });
});
