import { describe, expect, it } from 'vitest';
import { receiptOf } from '../support/receipt.ts';
import { nearMissesOf } from '../support/rules.ts';
import { astrid, bo } from '../support/people.ts';
import { openSim, openSimWithRules } from '../support/open-sim.ts';

type Match = object;

const receipt = receiptOf(astrid, 'r-1', { storeExternalId: '600' });
const items = [
  { definitionId: 1, contactId: bo },
  { definitionId: 1, contactId: astrid },
];

type Sent = readonly [method: string, path: string, body?: unknown, headers?: object | undefined];

/** Whether a call that the match means is told 503. */
async function isMeant(match: Match, [method, path, body, headers]: Sent) {
  const { post, call } = await openSim();
  expect((await post('/__admin/faults', { match, fault: 503 })).status).toBe(201);
  return (await call(method, path, { body, headers: { ...headers } })).status === 503;
}

const padding = 'x'.repeat(20_000);

/** Makes the body so long that it is read in turns. */
function lengthened([method, path, body, headers]: Sent): Sent {
  if (body === undefined) return [method, path, body, headers];
  if (Array.isArray(body)) return [method, path, [...body, { padding }], headers];
  return [method, path, typeof body === 'object' ? { ...body, padding } : `${String(body)}${padding}`, headers];
}

describe.each([
  ['', (sent: Sent) => sent],
  [', also when its body is long,', lengthened],
])('a rule means a call%s', (_name, written) => {
  it.each<[Match, boolean, Sent]>([
    [{}, true, ['GET', '/api/v3/stores']],
    [{}, true, ['GET', '/no/such/path']],
    [{ endpoint: 'getContact' }, true, ['GET', `/api/v3/contacts/${astrid}`]],
    [{ endpoint: 'getContact' }, false, ['GET', '/api/v3/stores']],
    [{ endpoint: ['listStores', 'getContact'] }, true, ['GET', '/api/v3/stores']],
    [{ endpoint: 'listConsents' }, true, ['GET', '/api/v3/consents']],
    [{ method: 'post' }, true, ['POST', '/api/v3/receipts', receipt]],
    [{ method: 'POST' }, false, ['GET', '/api/v3/stores']],
    [{ path: '/api/v3/contacts/{id}' }, true, ['GET', `/api/v3/contacts/${astrid}`]],
    [{ path: '/api/v3/contacts/{id}' }, false, ['GET', `/api/v3/contacts/${astrid}/purchasehistorysummary`]],
    [{ path: '/api/v3/contacts/*' }, true, ['GET', `/api/v3/contacts/${astrid}/purchasehistorysummary`]],
    [{ path: `/api/v3/contacts/${astrid}` }, true, ['GET', `/api/v3/contacts/${astrid}`]],
    [{ path: '/no/such/path' }, true, ['GET', '/no/such/path']],
    [{ method: 'DELETE', path: '/api/v3/receipts' }, true, ['DELETE', '/api/v3/receipts']],
    [{ query: { contactId: astrid } }, true, ['GET', `/api/v3/transactions?contactId=${astrid}`]],
    [{ query: { count: 5 } }, true, ['GET', '/api/v3/stores?count=5']],
    [{ query: { count: { exists: false } } }, true, ['GET', '/api/v3/stores']],
    [{ headers: { 'X-Till': '7' } }, true, ['GET', '/api/v3/stores', undefined, { 'x-till': '7' }]],
    [{ headers: { apikey: 'k-1' } }, true, ['GET', '/api/v3/stores', undefined, { apikey: 'k-1' }]],
    [{ headers: { apikey: 'k-1' } }, false, ['GET', '/api/v3/stores', undefined, { apikey: 'k-2' }]],
    [{ body: { storeExternalId: '600' } }, true, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { storeExternalId: 600 } }, true, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { totalGrossPrice: '249' } }, true, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { storeExternalId: '601' } }, false, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { 'contact.matchKey': astrid } }, true, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { '$.contact.matchKey': astrid } }, true, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { contact: { matchKeyType: 'contactId' } } }, true, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { contact: { matchKey: { matches: '^5a0e' } } } }, true, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { 'items[0].sku': '1001-M' } }, true, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { 'items[1].sku': '1001-M' } }, false, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { 'items[*].sku': { contains: '-M' } } }, true, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { '[*].contactId': astrid } }, true, ['POST', '/api/v3/challenges/checkpoints', items]],
    [{ body: { '[0].contactId': astrid } }, false, ['POST', '/api/v3/challenges/checkpoints', items]],
    [{ body: { paymentMethods: [{ type: 'CARD' }] } }, true, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { totalGrossPrice: { atLeast: 249, atMost: 249 } } }, true, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { totalGrossPrice: { atLeast: 250 } } }, false, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { currency: { oneOf: ['EUR', 'SEK'] } } }, true, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { coupons: { exists: false } } }, true, ['POST', '/api/v3/receipts', receipt]],
    [{ body: { currency: 'SEK' } }, false, ['POST', '/api/v3/receipts', '{"currency":"SEK"']],
    [{ tenant: 'default' }, true, ['GET', '/api/v3/stores']],
  ])('%j: %s', async (match, meant, sent) => {
    expect(await isMeant(match, written(sent))).toBe(meant);
  });
});

describe.each([
  ['', (sent: Sent) => sent],
  [', also when its body is long,', lengthened],
])('a rule for a contact means a call%s', (_name, written) => {
  const account = '/api/v3/point-accounts';

  it.each<[string, boolean, Sent]>([
    [astrid, true, ['GET', `/api/v3/contacts/${astrid}`]],
    [astrid.toUpperCase(), true, ['GET', `/api/v3/contacts/${astrid}`]],
    ['ASTRID.lindqvist@example.com', true, ['GET', `/api/v3/contacts/${astrid}`]],
    ['100001', true, ['GET', `/api/v3/contacts/${astrid}`]],
    ['CRM-20413', true, ['GET', '/api/v3/contacts/id?email=astrid.lindqvist@example.com']],
    ['0046 70 174 06 10', true, ['GET', `${account}?contactId=${astrid}`]],
    ['850709-9821', true, ['POST', '/api/v3/receipts', receipt]],
    [bo, false, ['POST', '/api/v3/receipts', receipt]],
    [bo, true, ['POST', '/api/v3/challenges/checkpoints', items]],
    [bo, false, ['GET', `/api/v3/contacts/${astrid}`]],
    ['new@example.com', true, ['POST', '/api/v3/contacts', { email: 'New@example.com' }]],
    [
      'new@example.com',
      true,
      ['POST', '/api/v3/contacts/bulk', [{ email: 'a@example.com' }, { email: 'new@example.com' }]],
    ],
    ['new@example.com', false, ['POST', '/api/v3/contacts', { email: 'old@example.com' }]],
  ])('%s: %s', async (contact, meant, sent) => {
    expect(await isMeant({ contact }, written(sent))).toBe(meant);
  });

  it('whose account, challenge, promotion or transaction it names', async () => {
    const client = await openSimWithRules([
      { match: { contact: 'astrid.lindqvist@example.com' }, fault: 503, skip: 3 },
    ]);
    const { get } = client;
    const [owned] = (await get(`${account}?contactId=${astrid}`)).body.items;
    const [coupon] = (await get(`/api/v3/promotion-assignments?contactId=${astrid}`)).body;
    const [transaction] = (await get(`/api/v3/point-accounts/transactions?accountId=${owned.id}`)).body.items;
    expect((await get(`${account}/${owned.id}`)).status).toBe(503);
    expect((await get(`/api/v3/point-transactions?id=${owned.id}`)).status).toBe(503);
    expect((await get(`/api/v3/point-transactions/${transaction.id}`)).status).toBe(503);
    expect((await client.post(`/api/v3/promotions/codes/${coupon.id}/redeem`)).status).toBe(503);
  });
});

describe('what nearly fired', () => {
  const rule = { id: 'r', fault: 503 };
  const send = { endpoint: 'createReceipt' };

  it.each<[Match, string]>([
    [{ ...send, body: { storeExternalId: '100' } }, 'body.storeExternalId is "600", the rule wants "100"'],
    [{ ...send, body: { 'items[*].sku': 'x' } }, 'body.items[*].sku is "1001-M", the rule wants "x"'],
    [{ ...send, body: { coupon: 'x' } }, 'body.coupon is not there, the rule wants "x"'],
    [{ ...send, query: { a: 1 } }, 'query.a is not there, the rule wants 1'],
    [
      { ...send, headers: { 'X-Till': { atLeast: 7 } } },
      'the header x-till is "6", the rule wants a value of at least 7',
    ],
    [{ ...send, headers: { apikey: 'k-1' } }, 'the header apikey is not what the rule wants (its value is not shown)'],
    [{ ...send, headers: { apikey: 'k-2' }, query: { a: 1 } }, 'query.a is not there, the rule wants 1'],
    [
      { ...send, headers: { apikey: 'k-2' }, body: { currency: 'EUR' } },
      'body.currency is "SEK", the rule wants "EUR"',
    ],
    [{ ...send, contact: bo }, 'it is about somebody else than the one that the rule wants'],
    [{ path: '/api/v3/receipts', method: 'GET' }, 'the method is POST, the rule wants GET'],
  ])('says for %j: %s', async (match, reason) => {
    const client = await openSimWithRules([{ ...rule, match }]);
    const headers = { apikey: 'k-2', 'x-till': '6' };
    await client.call('POST', '/api/v3/receipts', { body: receipt, headers });
    expect(await nearMissesOf(client)).toEqual([`r: ${reason}`]);
    await client.call('POST', '/api/v3/receipts', { body: { ...receipt, padding }, headers });
    expect(await nearMissesOf(client)).toEqual([`r: ${reason}`]);
  });

  it('says that a text is too long for a pattern', async () => {
    const match = { ...send, body: { padding: { matches: 'x{900}' } } };
    const client = await openSimWithRules([{ ...rule, match }]);
    await client.post('/api/v3/receipts', { ...receipt, padding });
    const reason = `body.padding is "${'x'.repeat(56)}…, the rule wants a value that matches x{900}`;
    expect(await nearMissesOf(client)).toEqual([`r: ${reason}; this pattern searches texts of up to 2217 characters`]);
  });

  it('is not a rule for another endpoint or path', async () => {
    const client = await openSimWithRules([
      { match: { endpoint: 'listStores' }, fault: 503 },
      { match: { path: '/api/v3/stores' }, fault: 503 },
      { match: { body: { a: 1 } }, fault: 503 },
    ]);
    await client.post('/api/v3/receipts', receipt);
    expect(await nearMissesOf(client)).toEqual([]);
  });

  it('is told of five rules at the most, and of those rather that match', async () => {
    const others = Array.from({ length: 9 }, (_, i) => ({
      match: { ...send, body: { storeExternalId: String(i) } },
      fault: 503,
    }));
    const client = await openSimWithRules([...others, { id: 'late', match: send, fault: 503, skip: 9 }]);
    await client.post('/api/v3/receipts', receipt);
    const told = await nearMissesOf(client);
    expect(told).toHaveLength(5);
    expect(told[0]).toBe('late: it is number 1 of those that match, the rule passes over the first 9');
  });

  it('has a hint for a body that is a list', async () => {
    const client = await openSimWithRules([
      { id: 'r', match: { endpoint: 'awardCheckpoints', body: { contactId: astrid } }, fault: 503 },
    ]);
    await client.post('/api/v3/challenges/checkpoints', items);
    const hint = 'the body is a list: write [*].contactId';
    expect(await nearMissesOf(client)).toEqual([`r: body.contactId is not there, the rule wants "${astrid}"; ${hint}`]);
  });
});
