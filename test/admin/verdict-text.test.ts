/** The verdict as lines for people, for test code that has no library of ours. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sim } from '../../src/simulator/sim.ts';
import { startSim } from '../support/open-sim.ts';

let sim: Sim;
beforeEach(async () => {
  sim = await startSim({ fixtures: 'empty' });
});
afterEach(() => sim.close());

describe('the verdict as text', () => {
  it('is what verify prints, as plain text', async () => {
    await sim.faults.add({ id: 'outage', match: { endpoint: 'countContacts' }, fault: ['504'] });
    await sim.fetch('/api/v3/contacts/count');
    const response = await sim.fetch('/__admin/verdict?as=text&clientEnded=true');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    expect(text).toContain('✓ rule outage: fired 1 time\n✗ GET /api/v3/contacts/count\n');
    expect(text).toContain('✗ R1: GET /api/v3/contacts/count got status 504 and was never repeated\n');
    expect(text).toMatch(/\nFAIL: 1 of 2 as expected, 1 request.*\n$/);
  });

  it('hides personal numbers, as a log does', async () => {
    await sim.faults.add({ fault: ['504'] });
    await sim.fetch('/api/v3/contacts/id?socialSecurityNumber=19460324-2873');
    const text = await (await sim.fetch('/__admin/verify?as=text', { method: 'POST' })).text();
    expect(text).toContain('/api/v3/contacts/id');
    expect(text).not.toContain('19460324');
  });

  it('is refused in another form', async () => {
    const response = await sim.fetch('/__admin/verdict?as=xml');
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('must be json or text')]);
  });
});
