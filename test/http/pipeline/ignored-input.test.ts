import { expect, it } from 'vitest';
import { openEmptySim } from '../../support/open-sim.ts';

const type = 'POST /api/v3/contacts/{contactId}/updateContactType';

it.each([
  [
    'POST',
    '/api/v3/contacts/1/updateContactType?contactTypeId=Member',
    `unread-body: ${type} takes no body; what was sent as one is not read`,
  ],
  ['DELETE', '/__admin/faults', ''],
])('a body that %s %s has no use for is passed over, and the service says so', async (method, path, warnings) => {
  const { call } = await openEmptySim();
  expect((await call(method, path, { body: { contactTypeId: 'Staff' } })).warnings).toBe(warnings);
  expect((await call(method, path)).warnings).toBe('');
});

it.each([
  [
    'POST',
    '/api/v3/contacts',
    [],
    'unread-header: POST /api/v3/contacts does not read the header idempotency-key; a repetition counts as a call of its own',
  ],
  ['POST', '/api/v3/point-accounts/transactions', [], ''],
  ['GET', '/api/v3/consents', undefined, ''],
])('%s %s with a key against repetition says whether that counts', async (method, path, body, warnings) => {
  const { call } = await openEmptySim();
  expect((await call(method, path, { body, headers: { 'idempotency-key': 'k-1' } })).warnings).toBe(warnings);
});

it.each([
  ['contactId', '/api/v3/point-accounts', 400, '"contactId" was sent as a header, which is not read'],
  ['source', '/api/v3/contacts', 201, '"source" was sent as a header, which is not read'],
])('a parameter %s that is sent as a header is not read, and the service says so', async (name, path, status, said) => {
  const { call } = await openEmptySim();
  const body = status === 201 ? { email: 'eva@example.com' } : undefined;
  const answered = await call(body ? 'POST' : 'GET', path, { body, headers: { [name]: 'x' } });
  expect([answered.status, answered.warnings]).toEqual([status, expect.stringContaining(said)]);
});

it.each([
  [{ apikey: 'any' }, ''],
  [{ 'x-api-key': 'any' }, ''],
  [
    { apikey: '', authorization: 'Bearer any' },
    'key-unread: the header authorization is not read; send the key in the header apikey',
  ],
])('a caller with the headers %o is warned about its key where it is not read', async (headers, warnings) => {
  const { sim } = await openEmptySim();
  const sent = Object.entries({ 'user-agent': 'test', ...headers }).filter(([, value]) => value !== '');
  const answered = await sim.fetch(new Request('http://127.0.0.1/consents', { headers: sent }));
  expect(answered.headers.get('x-sim-warnings') ?? '').toBe(warnings);
});

it('callers without a key are warned once that the live service asks for one', async () => {
  const { sim } = await openEmptySim();
  const call = async () =>
    (await sim.fetch(new Request('http://127.0.0.1/consents', { headers: { 'user-agent': 'test' } }))).headers.get(
      'x-sim-warnings',
    );
  expect([await call(), await call()]).toEqual([
    'key-missing: there is no key; the live service asks for one in the header apikey (this warning comes once)',
    null,
  ]);
});

it('of very many warnings of one kind the first thousand are listed, and the others counted', async () => {
  const { post, get } = await openEmptySim();
  const unread = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`unread${i}`, i]));
  const { body } = await post('/api/v3/contacts', { email: 'eva@example.com', contactType: 'Nobody', ...unread });
  const made = await post('/api/v3/contacts/bulk', [unread, { emial: 'eva@example.com' }]);
  const [single, bulk] = (await get('/__admin/requests')).body.items;
  expect(body.errorCode).toBe('InvalidContactType');
  const unknown = single.warnings.filter(({ code }: { code: string }) => code === 'unknown-field');
  expect([unknown.length, unknown[999].message, unknown[1000].message]).toEqual([
    1001,
    expect.stringContaining('"unread999" is not a field'),
    'and 500 more like these',
  ]);
  expect(made.status).toBe(202);
  const late = bulk.warnings.filter(({ code }: { code: string }) => code === 'unknown-field');
  expect([late.length, late[1000].message]).toEqual([1001, 'and 501 more like these']);
});

it('of very many wrong fields a response names the first thousand, and counts the others', async () => {
  const { post } = await openEmptySim();
  const { body } = await post('/api/v3/receipts', {
    uniqueReceiptId: 'r-1',
    items: Array.from({ length: 2000 }, () => 1),
  });
  expect(body.validationErrors).toHaveLength(1001);
  expect(body.validationErrors.at(-1).errorDescription).toMatch(/^and \d+ more errors like these$/);
});

it('of a body that is filled with wrong values a response counts no more than it looked for', async () => {
  const { post, call } = await openEmptySim({ mode: 'point-follower' });
  const filled = Array.from({ length: 20_000 }, () => 1);
  const { body } = await post('/api/v3/point-accounts/balances', filled);
  expect(body.validationErrors.at(-1).errorDescription).toBe('and at least 1001 more errors like these');
  for (const [name, items] of Object.entries({ rules: 'rules', steps: 'steps', expectations: 'expectations' })) {
    const refused = await call('PUT', '/__admin/scenario', { body: { [name]: filled } });
    const errorDescription = `must have at most 1000 ${items}`;
    expect(refused.body.validationErrors).toEqual([{ field: name, errorDescription }]);
  }
});

it.each([
  ['POST', '/__admin/verify', { request: { status: [] } }, 'request.status', 'must not be empty'],
  ['PUT', '/__admin/scenario', { policy: { minBackoff: [] } }, 'policy.minBackoff', 'must not be empty'],
  ['PUT', '/__admin/scenario', { queueDelay: '1'.repeat(60_000) }, 'queueDelay', /a duration such as/],
  ['POST', '/__admin/trigger', { event: 'x'.repeat(60_000) }, 'event', /^there is no event/],
])(
  '%s %s says of a list that is empty, or a text that is long, what was expected',
  async (method, path, body, ...wrong) => {
    const { call } = await openEmptySim();
    const [field, message] = wrong;
    const { validationErrors } = (await call(method, path, { body })).body;
    const errorDescription = message instanceof RegExp ? expect.stringMatching(message) : message;
    expect(validationErrors).toEqual([{ field, errorDescription }]);
  },
);

it('of very many unknown fields of a scenario a response names the first thousand, and counts the others', async () => {
  const { call } = await openEmptySim();
  const unknown = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`nam${n}`, n]));
  const body = { ...unknown, rules: [{ fault: 503, ...unknown }] };
  const { validationErrors } = (await call('PUT', '/__admin/scenario', { body })).body;
  expect(validationErrors[0].errorDescription).toContain('did you mean "name"');
  expect(validationErrors[999].errorDescription).toBe('is not a field here');
  expect(validationErrors.at(-1).errorDescription).toMatch(/800 more fields|and 1 more errors/);
});

it('lists that hold more items than fit in one call are refused whatever they hold', async () => {
  const { post } = await openEmptySim();
  for (const [path, most] of [
    ['contacts/bulk', 4000],
    ['point-accounts/transactions', 1000],
    ['challenges/checkpoints', 1000],
  ] as const) {
    const { status, body } = await post(`/api/v3/${path}`, Array(most + 1).fill(1));
    const message = `Too many items: ${most + 1}, at most ${most} fit in one call.`;
    expect([status, body]).toMatchObject([400, { errorCode: 'TooManyItems', message }]);
  }
});
