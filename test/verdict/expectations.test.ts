/** Every kind of expectation, met and not met. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { astrid } from '../support/people.ts';
import { openSim } from '../support/open-sim.ts';

const email = 'astrid.lindqvist@example.com';

/** A client that has fetched a contact, sent two wrong receipts, and called what there isn't. */
async function openCalled(): Promise<Client> {
  const client = await openSim();
  await client.get(`/api/v3/contacts/${astrid}`);
  for (const storeExternalId of ['100', '200']) await client.post('/api/v3/receipts', { storeExternalId });
  await client.get('/api/v3/stors');
  return client;
}

const receipt = { endpoint: 'createReceipt' };

/** Verdict and reason of one expectation. */
async function verify({ post }: Client, expectation: unknown): Promise<[string, string]> {
  const { body } = await post('/__admin/verify', expectation);
  return [body.verdict, body.checks[0].reason];
}

describe('counts of calls', () => {
  it.each([
    [{ request: receipt }, 'PASS', 'createReceipt at least 1 time, got 2 (default-2, default-3)'],
    [{ request: receipt, exactly: 1 }, 'FAIL', 'expected createReceipt exactly 1 time, got 2 (default-2, default-3)'],
    [{ request: receipt, atMost: 2 }, 'PASS', 'createReceipt at most 2 times, got 2 (default-2, default-3)'],
    [{ request: receipt, never: true }, 'FAIL', 'expected createReceipt never, got 2 (default-2, default-3)'],
    [{ request: { endpoint: 'listStores' }, never: true }, 'PASS', 'listStores never, got 0'],
    [
      { request: { method: 'post', path: '/api/v3/receipts', body: { storeExternalId: '600' } }, exactly: 1 },
      'FAIL',
      'expected POST /api/v3/receipts with body.storeExternalId "600" exactly 1 time, got 0; default-2 differs: body.storeExternalId is "100"; default-3 differs: body.storeExternalId is "200"',
    ],
    [
      { request: { ...receipt, status: '4xx' }, exactly: 2 },
      'PASS',
      'createReceipt with status 4xx exactly 2 times, got 2 (default-2, default-3)',
    ],
    [
      { request: { ...receipt, status: 200 } },
      'FAIL',
      'expected createReceipt with status 200 at least 1 time, got 0; default-2 differs: its status is 400; default-3 differs: its status is 400',
    ],
    [
      { request: { endpoint: 'listStores' } },
      'FAIL',
      'expected listStores at least 1 time, got 0; no request went there; the last of 4 was GET /api/v3/stors (default-4)',
    ],
  ])('%j is %s', async (expectation, verdict, reason) => {
    expect(await verify(await openCalled(), expectation)).toEqual([verdict, reason]);
  });

  it('names the calls that a check rests on', async () => {
    const { body } = await (
      await openCalled()
    ).post('/__admin/verify', { request: receipt, exactly: 2, description: 'two' });
    const check = {
      description: 'two',
      verdict: 'PASS',
      reason: 'createReceipt exactly 2 times, got 2 (default-2, default-3)',
    };
    expect(body).toEqual({
      verdict: 'PASS',
      reason: '1 of 1 as expected',
      checks: [{ ...check, requests: ['default-2', 'default-3'] }],
      rules: [],
      operations: [],
      requests: 4,
      evicted: 0,
      warnings: [],
    });
  });
});

describe('the order of calls, and what else came', () => {
  it.each([
    [
      { order: [{ endpoint: 'getContact' }, { ...receipt, body: { storeExternalId: '200' } }] },
      'PASS',
      'default-1, default-3',
    ],
    [
      { order: [receipt, { endpoint: 'getContact' }] },
      'FAIL',
      'expected getContact after POST /api/v3/receipts (default-2), which was not received; it was only received before: default-1',
    ],
    [
      { noUnexpectedRequests: true, allow: [receipt] },
      'FAIL',
      `no endpoint serves GET /api/v3/stors (default-4; the nearest is GET /api/v3/stores); no expectation names GET /api/v3/contacts/${astrid} (default-1)`,
    ],
  ])('%j is %s', async (expectation, verdict, reason) => {
    expect(await verify(await openCalled(), expectation)).toEqual([verdict, reason]);
  });

  it('expects the calls that other expectations name, unless they name them as never to come', async () => {
    const { get, post } = await openSim();
    await get('/api/v3/stores');
    const verdicts = [{ atLeast: 1 }, { never: true }].map(async (times) => {
      const expectations = [{ request: { endpoint: 'listStores' }, ...times }, { noUnexpectedRequests: true }];
      const { body } = await post('/__admin/verify', { expectations });
      return body.checks[1].verdict;
    });
    expect(await Promise.all(verdicts)).toEqual(['PASS', 'FAIL']);
  });
});

describe('state', () => {
  it.each([
    [{ contact: email, exists: true }, 'PASS', 'as expected'],
    [{ contact: 'nobody@example.com', exists: false }, 'PASS', 'as expected'],
    [{ contact: 'nobody@example.com', receipts: 0 }, 'FAIL', 'there is no contact nobody@example.com'],
    [{ contact: astrid, exists: false }, 'FAIL', `contact ${astrid} is there: ${astrid}`],
    [{ contact: email, balance: { 1: 0, 2: 12 } }, 'FAIL', 'balance of point definition 2 is 140, expected 12'],
    [
      { contact: email, balance: 5, pendingPoints: 1 },
      'FAIL',
      'balance of point definition 1 is 0, expected 5; pending points of point definition 1 is 0, expected 1',
    ],
    [{ contact: email, receipts: { atLeast: 1 }, vouchers: { atMost: 9 } }, 'PASS', 'as expected'],
    [
      { contact: email, fields: { firstName: 'Astrid', 'preferences.acceptsSms': 3 } },
      'FAIL',
      'preferences.acceptsSms is false, expected 3',
    ],
    [{ count: { contacts: 39 } }, 'FAIL', 'number of contacts is 40, expected 39'],
    [{ count: { contacts: 40, orders: 0 } }, 'PASS', 'as expected'],
  ])('%j is %s', async (state, verdict, reason) => {
    expect(await verify(await openSim(), { state })).toEqual([verdict, reason]);
  });
});

describe('responses of the service', () => {
  it.each([
    [{ get: '/api/v3/contacts/count', body: 40 }, 'PASS', 'as expected'],
    [{ get: '/api/v3/contacts/count', body: { atLeast: 41 } }, 'FAIL', 'body is 40, expected a value of at least 41'],
    [
      { get: `/api/v3/contacts/${astrid}`, body: { email, lastName: 'Lind' } },
      'FAIL',
      'body.lastName is "Lindqvist", expected "Lind"',
    ],
    [{ get: '/api/v3/contacts/nobody', status: 404 }, 'PASS', 'as expected'],
    [
      { get: '/api/v3/contacts/id?email=x' },
      'FAIL',
      'status is 400 (The e-mail address is not well formed.), expected 200',
    ],
    [{ get: '/api/v3/stores', body: { '[*].externalId': '900' } }, 'PASS', 'as expected'],
  ])('%j is %s', async (expectation, verdict, reason) => {
    const client = await openSim();
    expect(await verify(client, expectation)).toEqual([verdict, reason]);
    expect((await client.get('/__admin/requests')).body.count).toBe(0);
  });
});

describe('what can not be known', () => {
  it('counts nothing that the journal may have dropped', async () => {
    const client = await openSim({ journalBytes: 3000 });
    for (let i = 0; i < 5; i++) await client.get('/api/v3/stores');
    const [verdict, reason] = await verify(client, { request: { endpoint: 'listStores' }, exactly: 2 });
    expect(verdict).toBe('INCONCLUSIVE');
    expect(reason).toMatch(/the journal dropped \d older requests that may have been among them/);
    expect(await verify(client, { request: { endpoint: 'listStores' }, never: true })).toEqual([
      'FAIL',
      expect.anything(),
    ]);
  });

  it('refuses what can not be meant, all of it at once', async () => {
    const { post } = await openSim();
    const { body } = await post('/__admin/verify', {
      expectations: [
        { request: { endpoint: 'createReceit' }, exactly: 1, never: true },
        { state: { balance: 3 } },
        { get: '/api/v3/nothing' },
        { order: [{ sku: 1 }], status: 200 },
        {},
      ],
    });
    expect(body.validationErrors.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      'expectations[0].never',
      'expectations[0].request.endpoint',
      'expectations[1].state',
      'expectations[2].get',
      'expectations[3].order[0].sku',
      'expectations[3].status',
      'expectations[4]',
    ]);
  });
});
