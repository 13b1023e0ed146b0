import { describe, expect, it } from 'vitest';
import { ada } from '../../support/people.ts';
import { openSimWithAda, openEmptySim } from '../../support/open-sim.ts';

describe('tenants', () => {
  it('share nothing', async () => {
    const { client } = await openSimWithAda();
    const query = `/api/v3/contacts/id?email=${ada.email}`;
    expect((await client.get(`/t/other${query}`)).status).toBe(404);
    expect((await client.call('GET', query, { headers: { 'x-sim-tenant': 'other' } })).status).toBe(404);
    expect((await client.post('/t/other/api/v3/contacts', ada)).status).toBe(201);
  });

  it.each(['a%b', 'a b', '-x', 'x'.repeat(65)])('refuse the name "%s"', async (name) => {
    const { status, body } = await (await openEmptySim()).get(`/t/${encodeURIComponent(name)}/consents`);
    expect([status, body.errorCode]).toEqual([400, 'ValidationError']);
  });

  it('are distinguished by their keys where asked for', async () => {
    const client = await openEmptySim({ tenants: 'by-key' });
    const as = (apikey: string) => client.call('POST', '/api/v3/contacts', { body: ada, headers: { apikey } });
    expect([(await as('one')).status, (await as('two')).status, (await as('one')).status]).toEqual([201, 201, 409]);
  });

  it.each([
    [{ apikey: 'k2' }, 'The key that was sent is none of those that the simulator was started with (--api-key).'],
    [
      { authorization: 'Bearer k1' },
      'There is no key: send one in the header apikey (or x-api-key); Authorization and the query are not looked at.',
    ],
  ])('tell a caller with the headers %o why it is not let in', async (headers, message) => {
    const { call } = await openEmptySim({ apiKeys: ['k1'] });
    const { body } = await call('GET', '/api/v3/contacts/count', { headers });
    expect(body).toEqual({ errorCode: 'Unauthorized', message, requestId: 'default-1' });
  });

  it('are closed to unknown keys where keys are given', async () => {
    const client = await openEmptySim({ apiKeys: ['secret'] });
    const as = (headers: Record<string, string>) => client.call('GET', '/consents', { headers });
    const statuses = [
      await as({}),
      await as({ apikey: 'x' }),
      await as({ apikey: 'secret' }),
      await as({ 'x-api-key': 'secret' }),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 200, 200]);
  });
});
