import { describe, expect, it } from 'vitest';
import { openSim } from '../../support/open-sim.ts';
import { astridPath } from '../../support/people.ts';

const count = '/api/v3/contacts/count';

describe('the timeline', () => {
  it('returns requests as columns, with their outcomes, faults and effects', async () => {
    const { get, patch, post } = await openSim();
    await post('/__admin/faults', { match: { path: count }, fault: { phase: 'after', respond: 'none', end: 'reset' } });
    await patch(astridPath, { street: 'Drottninggatan 1' });
    await get(count).catch(() => {});
    await get('/api/v3/nothing');
    const { body } = await get('/__admin/timeline');
    expect(body).toMatchObject({ cursor: 3, evicted: 0, omitted: 0, endpoints: ['updateContact', 'countContacts'] });
    expect(body.clients).toEqual(['test']);
    expect(body.requests).toEqual({
      number: [1, 2, 3],
      startedAt: Array.from({ length: 3 }, () => expect.any(Number)),
      ms: Array.from({ length: 3 }, () => expect.any(Number)),
      at: Array.from({ length: 3 }, () => Date.parse('2026-03-01T12:00:00Z')),
      endpoint: [0, 1, -1],
      client: [0, 0, 0],
      outcome: [1, 4, 2],
      phase: [0, 2, 0],
      effects: [1, 0, 0],
      warnings: [1, 0, 0],
    });
  });

  it('returns what was completed since a cursor, what is in flight, and what a filter selects', async () => {
    const { get, post, sim } = await openSim();
    await get(count);
    await post('/__admin/faults', { match: { path: count }, fault: { delay: 60_000 }, times: 1 });
    const held = get(count).catch(() => {});
    await get(astridPath);
    const numbers = async (query: string) => (await get(`/__admin/timeline${query}`)).body.requests.number;
    expect(await numbers('')).toEqual([1, 2, 3]);
    expect(await numbers('?after=1')).toEqual([2, 3]);
    expect(await numbers('?after=2')).toEqual([2]);
    expect(await numbers('?search=astrid')).toEqual([3]);
    sim.tenants.default.releaseHeldRequests();
    await held;
  });

  it('leaves plain operations out of a verdict of the notable ones', async () => {
    const { get, post } = await openSim();
    await get(astridPath);
    await post('/__admin/faults', { match: { path: count }, fault: '500', times: 1 });
    await get(count);
    const lines = async (query: string): Promise<string[]> =>
      (await get(`/__admin/verdict${query}`)).body.operations.map((one: { requestLine: string }) => one.requestLine);
    expect(await lines('')).toHaveLength(2);
    expect(await lines('?operations=notable')).toEqual([`GET ${count}`]);
  });
});
