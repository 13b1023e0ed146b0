/** A body that is nested too deeply is refused; whoever looks at it later does without it. */
import { describe, expect, it } from 'vitest';
import { openSim } from '../../support/open-sim.ts';

const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;

it.each<[string, object]>([
  ['chance', { fault: 503, probability: 0.000_001 }],
  ['its fields', { fault: 503, match: { body: { a: 'x' } } }],
  ['its contact', { fault: 503, match: { contact: 'nobody@example.com' } }],
])('a deep body is refused as usual, and shown, while a rule goes by %s', async (_, rule) => {
  const { sim, post, get } = await openSim();
  await sim.faults.add(rule as Parameters<typeof sim.faults.add>[0]);
  const { status, body } = await post('/api/v3/contacts', deep);
  expect([status, body.message]).toEqual([400, 'The body is nested deeper than 100 levels.']);
  expect((await get(`/__admin/requests/${body.requestId}`)).status).toBe(200);
});

const wide = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]));

it('an object with more fields than any client has is refused', async () => {
  const { post } = await openSim();
  const message = 'The body has an object with more than 10000 fields.';
  expect((await post('/api/v3/contacts', [wide(10_001)])).body).toMatchObject({ errorCode: 'InvalidJson', message });
  expect((await post('/api/v3/contacts', { email: 'a@example.com', ...wide(9_000) })).status).toBe(201);
});

it.each(['x', 'long-enough-to-be-read-in-turns'])(
  'the control API takes objects of 1,000 fields: %s…',
  async (name) => {
    const { call } = await openSim();
    const scenario = (count: number) => ({
      rules: [
        {
          match: { body: Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}${n}`, n])) },
          fault: 503,
        },
      ],
    });
    expect((await call('PUT', '/__admin/scenario', { body: scenario(1000) })).status).toBe(200);
    const { status, body } = await call('PUT', '/__admin/scenario', { body: scenario(1001) });
    expect([status, body.message]).toEqual([400, 'The body has an object with more than 1000 fields.']);
  },
);

it('texts are limited, and longer ones are taken in fields of their own and as files', async () => {
  const { post, call } = await openSim();
  expect((await post('/api/v3/contacts', texts(1_000_000, 3))).status).toBe(201);
  const { status, body } = await post('/api/v3/contacts', texts(1_000_001));
  expect([status, body.message]).toEqual([400, 'The body holds a text of more than 1000000 characters.']);
  const described = { description: 'x'.repeat(100_001) };
  const refused = (await call('PUT', '/__admin/scenario', { body: described })).body;
  expect(refused.message).toBe('The body holds a text of more than 100000 characters.');
  const file = { name: '20260301120000_1_transactions.xml', content: ' '.repeat(1_000_001) };
  expect((await call('POST', '/__admin/imports', { body: file })).body.errorCode).toBe('Conflict');
});

const texts = (length: number, count = 1): object => ({
  email: 'a@example.com',
  ...Object.fromEntries(Array.from({ length: count }, (_, n) => [`text${n}`, 'x'.repeat(length)])),
});

describe('a body that is nested too deeply', () => {
  it('leaves the verdict on all other calls', async () => {
    const { post } = await openSim();
    await post('/api/v3/contacts', deep);
    await post('/api/v3/contacts', deep);
    const { status, body } = await post('/__admin/verify', { request: { body: { a: 'x' } }, exactly: 0 });
    expect([status, body.verdict]).toEqual([200, 'PASS']);
    expect((await post('/__admin/verify')).status).toBe(200);
  });
});

const crowded = `[${'{},'.repeat(2_000_000)}{}]`;

it('a body with more values than any client sends is refused before it is parsed, and a fault comes first', async () => {
  const { sim, post } = await openSim();
  for (const [path, most] of [
    ['/api/v3/contacts/bulk', 400_000],
    ['/__admin/verify', 100_000],
  ] as const) {
    const message = `The body holds more than ${most} values.`;
    expect((await post(path, crowded)).body).toMatchObject({ errorCode: 'InvalidJson', message });
  }
  await sim.faults.add({ fault: 503, match: { endpoint: 'createContacts' } });
  expect((await post('/api/v3/contacts/bulk', crowded)).status).toBe(503);
  const { url } = await sim.listen();
  const headers = { 'content-type': 'application/json', 'user-agent': 'test', apikey: 'test' };
  const bulk = `${url}/api/v3/contacts/bulk`;
  expect((await fetch(bulk, { method: 'POST', headers, body: crowded })).status).toBe(503);
  await sim.close();
});

const large = (n: number): string => `[{"a":${'['.repeat(150)}"${String(n).repeat(500_000)}"${']'.repeat(150)}}]`;

it('large bodies that are refused are distinguished, and shown', async () => {
  const { sim, post, get } = await openSim();
  for (const n of [1, 2, 3]) {
    const { body } = await post('/api/v3/contacts/bulk', large(n));
    expect(body.message).toBe('The body is nested deeper than 100 levels.');
    expect((await get(`/__admin/requests/${body.requestId}`)).body.request.body).toBe(large(n));
  }
  const { verdict, operations } = await sim.verdict();
  expect([verdict, operations.length]).toEqual(['PASS', 3]);
});

it('a large body of another content type is refused for that', async () => {
  const { sim } = await openSim();
  const headers = { 'content-type': 'text/csv', 'user-agent': 'test', apikey: 'test' };
  const response = await sim.fetch('/api/v3/contacts', { method: 'POST', headers, body: 'a,'.repeat(500_000) });
  expect(await response.json()).toMatchObject({ errorCode: 'InvalidContentType' });
});

it('a bulk of as many contacts as fit is taken, each with 44 fields and a consent', async () => {
  const { post } = await openSim();
  const own = Object.fromEntries(Array.from({ length: 43 }, (_, n) => [`own${n}`, n]));
  const consents = [{ id: 'newsletter', value: true }];
  const contacts = Array.from({ length: 4000 }, (_, n) => ({ email: `c${n}@example.com`, ...own, consents }));
  expect((await post('/api/v3/contacts/bulk', contacts)).status).toBe(202);
});
