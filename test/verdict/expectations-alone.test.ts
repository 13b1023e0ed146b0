/** What a verdict by named expectations leaves out, and what it judges beside them. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { openSim } from '../support/open-sim.ts';

const counted = [{ request: { endpoint: 'countContacts' }, exactly: 1 }];

/** A client that met a 504, did not repeat its request, and sent a field that the service does not read. */
async function openFailed(): Promise<Client> {
  const client = await openSim({ scenario: { rules: [{ match: { endpoint: 'countContacts' }, fault: ['504'] }] } });
  await client.get('/api/v3/contacts/count');
  await client.post('/api/v3/contacts', { email: 'a@example.com', emial: 'x' });
  return client;
}

describe('named expectations', () => {
  it('are judged alone', async () => {
    const { sim } = await openFailed();
    expect(await sim.tenant('default').verdict(counted)).toMatchObject({
      verdict: 'PASS',
      reason: '1 of 1 as expected',
    });
  });

  it.each(['', '?clientEnded=false'])('are judged alone by POST /__admin/verify%s', async (query) => {
    const { post } = await openFailed();
    expect((await post(`/__admin/verify${query}`, { expectations: counted })).body.verdict).toBe('PASS');
  });

  it('are judged with the retries of a client that has ended', async () => {
    const { sim, post } = await openFailed();
    const { verdict, checks, reason } = await sim.verdict({ expectations: counted, clientEnded: true });
    expect([verdict, checks.length]).toEqual(['FAIL', 1]);
    expect(reason).toContain('R1: GET /api/v3/contacts/count got status 504 and was never repeated');
    expect((await post('/__admin/verify?clientEnded=true', { expectations: counted })).body.reason).toBe(reason);
  });

  it('are judged with the warnings that fail a verdict', async () => {
    const { sim, post } = await openFailed();
    const { verdict, reason } = await sim.verdict({ expectations: counted, failOnWarnings: ['all'] });
    expect([verdict, reason]).toEqual(['FAIL', expect.stringContaining('no warning unknown-field: 1 warning')]);
    expect((await post('/__admin/verify?failOnWarnings=all', { expectations: counted })).body.reason).toBe(reason);
  });

  it('are judged without any request as well', async () => {
    const { sim } = await openSim();
    expect((await sim.verdict({ expectations: counted, clientEnded: true })).verdict).toBe('FAIL');
  });
});

describe('a verdict by named expectations', () => {
  it.each([{}, { clientEnded: true }])('leaves an empty list of expectations open with %j', async (options) => {
    const { sim } = await openSim();
    const { verdict, reason } = await sim.verdict({ expectations: [], ...options });
    expect([verdict, reason]).toEqual(['INCONCLUSIVE', expect.stringContaining('there is something to judge: no ')]);
  });
});
