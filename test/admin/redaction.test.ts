import { describe, expect, it } from 'vitest';
import { adminEndpoints } from '../../src/admin/endpoints.ts';
import type { Client } from '../support/client.ts';
import { astrid } from '../support/people.ts';
import { openSim } from '../support/open-sim.ts';

const key = 'planted-4711';
const rotatedKey = `${key}${'k'.repeat(32 - key.length)}`;

const names = {
  headers: [
    'ocp-apim-subscription-key',
    'x-functions-key',
    'Authorization',
    'x-auth-token',
    'Cookie',
    'x-client-secret',
  ],
  query: ['token', 'apikey', 'code', 'sig', 'access_token', 'subscription-key'],
};

const planted = (of: readonly string[]): Record<string, string> => Object.fromEntries(of.map((name) => [name, key]));

const query = [...names.query, '%74oken'].map((name) => `${name}=${key}`).join('&');
const headers = planted(names.headers);
const match = { endpoint: 'getContact', headers, query: planted(names.query) };
const answered = { status: 401, headers: { 'Set-Cookie': key, 'x-access-token': key, 'www-authenticate': 'Basic' } };

const scenario = {
  rules: [{ id: 'planned', match, fault: answered }],
  webhooks: [{ fault: { 'rotated-key': rotatedKey } }],
  expectations: [{ description: 'asks', get: `/api/v3/contacts/count?${query}`, status: 200 }],
  steps: [
    { request: { path: `/api/v3/stores?${query}`, headers, query: planted(names.query) } },
    { request: `GET /api/v3/stores?${query}` },
    { fault: { match, fault: answered } },
  ],
};

/** A sim to which keys were sent in all the ways that clients and testers send them. */
async function openPlanted(): Promise<Client> {
  const webhook = { webhookUrl: `http://127.0.0.1:1/hook?${query}`, webhookKey: rotatedKey };
  const client = await openSim({ mode: 'point-follower', ...webhook });
  const { call, post } = client;
  expect((await call('PUT', '/__admin/scenario', { body: scenario })).status).toBe(200);
  await call('GET', `/api/v3/contacts/${astrid}?${query}`, { headers });
  await call('GET', `/api/v3/contacts/${astrid}?${query}`);
  await post('/__admin/faults', { match, fault: [answered, 500] });
  await post('/__admin/webhooks/faults', { fault: { 'rotated-key': rotatedKey } });
  await call('GET', `/api/v3/contacts?${query}`, { headers });
  await call('GET', `/api/v3/nowhere?${query}`, { headers });
  await post('/__admin/trigger', { event: 'adjustPoints', contactId: astrid, definitionId: 1, amount: 5 });
  return client;
}

/** Every path that can be read, with the names of something that is there in it. */
const paths = adminEndpoints
  .filter(({ method }) => method === 'GET')
  .map(({ path }) => path.replace('{name}', 'default').replace('contacts/{id}', `contacts/${astrid}`))
  .flatMap((path) => (path.includes('{id}') ? [1, 2, 3].map((n) => path.replace('{id}', `default-${n}`)) : [path]))
  .map((path) => (path.endsWith('/events') ? `${path}?after=0&for=0s` : path));

it.each(paths)('no response of the control API shows a key that was sent: %s', async (path) => {
  const { sim } = await openPlanted();
  const answer = await sim.fetch(path);
  expect([200, 404]).toContain(answer.status);
  expect(await answer.text()).not.toContain(key);
});

describe('the redaction of keys', () => {
  it('shows that keys were there, and all else', async () => {
    const { get } = await openPlanted();
    const { request, response, delivered, query: sent, fault } = (await get('/__admin/requests/default-1')).body;
    expect(request.headers).toMatchObject({ 'ocp-apim-subscription-key': '(hidden)', 'user-agent': 'test' });
    expect([sent, response, fault.rule]).toEqual([query.replaceAll(key, '(hidden)'), null, 'planned']);
    expect(delivered.headers).toMatchObject({ 'set-cookie': '(hidden)', 'www-authenticate': 'Basic' });
    const { steps } = (await get('/__admin/scenario')).body.scenario;
    expect(steps[1].request).toBe(`GET /api/v3/stores?${query.replaceAll(key, '(hidden)')}`);
  });

  it.each(['idempotency-key', 'matchKey', 'x-request-id', 'customKey', 'x-sim-test-id', 'www-authenticate', 'author'])(
    'hides nothing that is no key: %s',
    async (name) => {
      const { call, get } = await openSim();
      await call('GET', `/api/v3/contacts/count?${name}=v`, { headers: { [name]: 'v' } });
      const { request, query: sent } = (await get('/__admin/requests/default-1')).body;
      expect([request.headers[name.toLowerCase()], sent]).toEqual(['v', `${name}=v`]);
    },
  );

  it('asks of a key that was sent whether it was there, and of its value nothing', async () => {
    const { post } = await openSim();
    const of = (token: unknown) => post('/__admin/verify', { request: { query: { token } }, never: true });
    expect((await of({ exists: true })).body.verdict).toBe('PASS');
    expect((await of('x')).body.validationErrors).toEqual([
      { field: 'request.query.token', errorDescription: 'is not kept: only {"exists": true} can match it' },
    ]);
  });
});
