import { describe, expect, it } from 'vitest';
import type { RuleSpec } from '../../src/faults/rule-schema.ts';
import { countsOf, nearMissesOf, statusesOf } from '../support/rules.ts';
import { openSimWithRules } from '../support/open-sim.ts';

const ok = 200;

describe('how often a rule fires', () => {
  it.each<[string, Omit<RuleSpec, 'match'>, number[]]>([
    ['always', { fault: 503 }, [503, 503, 503]],
    ['as often as it may', { fault: '504', times: 2 }, [504, 504, ok]],
    ['after some', { fault: 503, skip: 2 }, [ok, ok, 503]],
    ['at some', { fault: 503, nth: [1, 3] }, [503, ok, 503]],
    ['at one, and no more often than it may', { fault: 503, nth: [1, 3], times: 1 }, [503, ok, ok]],
    ['as a sequence, once', { fault: [500, '502', 'ok', 504] }, [500, 502, ok, 504, ok]],
    ['with any status, as a text', { fault: ['418', '599', '300'] }, [418, 599, 300, ok]],
    ['as a sequence, twice', { fault: [500, 'ok'], times: 2 }, [500, ok, 500, ok, ok]],
    ['as a sequence, late', { fault: [500, 502], skip: 1 }, [ok, 500, 502, ok]],
    ['as a sequence, at some', { fault: [500, 502], nth: [2, 4] }, [ok, 500, ok, 502, ok]],
    ['by a sure chance', { fault: 503, probability: 1 }, [503, 503]],
    ['by no chance', { fault: 503, probability: 0 }, [ok, ok]],
  ])('%s: %j', async (_, rule, statuses) => {
    const client = await openSimWithRules([{ ...rule, match: { endpoint: 'getContact' } }]);
    expect(await statusesOf(client, statuses.length)).toEqual(statuses);
  });

  it('counts calls by nth in match as well', async () => {
    const client = await openSimWithRules([{ match: { endpoint: 'getContact', nth: 2 }, fault: 503 }]);
    expect(await statusesOf(client, 3)).toEqual([ok, 503, ok]);
  });

  it('fires in its window on the tenant’s clock alone', async () => {
    const window = { from: '2026-03-01T12:10:00Z', until: '2026-03-01T12:30:00Z' };
    const client = await openSimWithRules([{ id: 'outage', fault: 503, ...window }]);
    const seen: number[] = [];
    for (const at of ['12:09:59', '12:10:00', '12:29:59', '12:30:00']) {
      await client.post('/__admin/clock', { set: `2026-03-01T${at}Z` });
      seen.push(...(await statusesOf(client, 1)));
    }
    expect(seen).toEqual([ok, 503, 503, ok]);
    expect(await nearMissesOf(client)).toEqual([
      'outage: its window ended 2026-03-01T12:30:00.000Z, the clock shows 2026-03-01T12:30:00.000Z',
    ]);
  });

  it('says why it did not fire', async () => {
    const client = await openSimWithRules([
      { id: 'spent', fault: 503, times: 1 },
      { id: 'nth', fault: 503, nth: [3, 5] },
      { id: 'early', fault: 503, from: '2026-03-02T00:00:00Z' },
      { id: 'chance', fault: 503, probability: 0 },
    ]);
    await statusesOf(client, 2);
    expect(await nearMissesOf(client)).toEqual([
      'spent: it has fired 1 of 1 time already',
      'nth: it is number 2 of those that match, the rule wants 3, 5',
      'early: its window begins 2026-03-02T00:00:00.000Z, the clock shows 2026-03-01T12:00:00.000Z',
      expect.stringMatching(/^chance: its probability 0 drew 0\.\d+$/),
    ]);
  });
});

describe('of the rules that match a call, the first that has something to do decides', () => {
  it('and only that one spends its budget, while all count the call', async () => {
    const client = await openSimWithRules([
      { id: 'first', fault: 500, times: 1 },
      { id: 'second', fault: [502, 503] },
      { id: 'third', fault: 504, nth: 4 },
    ]);
    expect(await statusesOf(client, 5)).toEqual([500, 502, 503, 504, ok]);
    expect(await countsOf(client)).toEqual([
      ['first', 5, 1],
      ['second', 5, 2],
      ['third', 5, 1],
    ]);
  });

  it('with the rules that were added before the scenario’s, the newest first', async () => {
    const client = await openSimWithRules([{ fault: 500 }]);
    await client.post('/__admin/faults', { fault: 502, times: 1 });
    await client.sim.faults.add({ fault: 503, times: 1 });
    expect(await statusesOf(client, 3)).toEqual([503, 502, 500]);
  });

  it('however specific they are', async () => {
    const [byQuery, byPath, any] = [{ query: { a: '1' } }, { path: '/api/v3/stores' }, {}];
    const client = await openSimWithRules([
      { match: byPath, fault: 500, nth: 1 },
      { match: any, fault: 502, nth: 2 },
      { match: byQuery, fault: 503 },
      { match: byPath, fault: 504 },
    ]);
    expect(await statusesOf(client, 3, '/api/v3/stores?a=1')).toEqual([500, 502, 503]);
  });

  it('letting a call through is something to do', async () => {
    const client = await openSimWithRules([
      { fault: 'ok', times: 1 },
      { id: 'behind', fault: 500 },
    ]);
    expect(await statusesOf(client, 2)).toEqual([ok, 500]);
  });

  it('tells of those that stood behind', async () => {
    const client = await openSimWithRules([
      { id: 'a', fault: 500 },
      { id: 'b', fault: 502 },
    ]);
    await statusesOf(client, 1);
    expect(await nearMissesOf(client)).toEqual(['b: the rule a, which stands before it, decided']);
  });
});
