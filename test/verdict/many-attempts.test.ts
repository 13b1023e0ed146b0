import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RuleSpec } from '../../src/faults/rule-schema.ts';
import { openSimWithRules } from '../support/open-sim.ts';
import { bo } from '../support/people.ts';
import { countSteps, type StepCounter } from '../support/steps-of.ts';

type Sent = readonly [method: string, path: string, body?: unknown];

const create: Sent = ['POST', '/api/v3/contacts', { email: 'ali@example.com' }];
const points: Sent = ['POST', '/api/v3/point-accounts/transactions', [{ contactId: bo, definitionId: 1, amount: 1 }]];
const look: Sent = ['GET', `/api/v3/point-accounts?contactId=${bo}`];
const fail = (endpoint: string, fault: RuleSpec['fault']): RuleSpec[] => [{ match: { endpoint }, fault }];

let counter: StepCounter;
beforeEach(async () => {
  counter = await countSteps();
});
afterEach(() => counter.close());

describe('the verdict on a client that tries without an end', () => {
  it.each<[what: string, many: number, rules: RuleSpec[], sent: readonly Sent[]]>([
    ['creates what always fails', 10_000, fail('createContact', 500), [create]],
    ['books what is booked each time', 10_000, fail('addPointTransactions', { phase: 'after', status: 500 }), [points]],
    ['sends what is never valid', 10_000, [], [['POST', '/api/v3/contacts', { email: 'nobody' }]]],
    ['looks whether it was booked', 4000, fail('addPointTransactions', 500), [points, look]],
    ['sees it booked', 4000, fail('addPointTransactions', { phase: 'after', status: 500 }), [points, look]],
  ])('takes no more steps for each attempt the more there are: one that %s', async (_, many, rules, sent) => {
    const { call, sim } = await openSimWithRules(rules);
    let requests = 0;
    const stepsOfVerdict = async (count: number): Promise<number> => {
      for (; requests < count; requests++) {
        const [method, path, body] = sent[requests % sent.length] ?? create;
        await call(method, path, { body });
      }
      return counter.stepsOf(() => sim.verdict());
    };
    await stepsOfVerdict(many / 20);
    const [before, after] = [await stepsOfVerdict(many / 10), await stepsOfVerdict(many)];
    // Ten times as many if each takes the same, a hundred times if each is held against all others.
    expect(after / before).toBeLessThan(12);
  });
});
