/** Looks: which read shows a caller whether its write took effect. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { addPoints, advance, award, findingsOf, messagesOf, pointsRow, sendReceipt, times } from '../support/judged.ts';
import { openFailingSim, openSimWithRules } from '../support/open-sim.ts';
import { clientOf } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { astrid, bo, ella } from '../support/people.ts';

const coupon = '9b1d0c00-aaaa-4000-8000-000000000001';
const fiveVisits = '9b1d0c00-cccc-4000-8000-000000000001';
const emailLookup = '/api/v3/contacts/id?email=ella.ek@example.com';

const create = ({ post }: Client): Promise<unknown> => post('/api/v3/contacts', ella);
const redeem = ({ post }: Client): Promise<unknown> =>
  post(`/api/v3/promotions/codes/${coupon}/redeem`, { redemptionChannel: 'POS' });
const addToAccount = ({ post }: Client): Promise<unknown> =>
  post('/api/v3/point-transactions', {
    accountId: '1',
    transactionId: 'crm-1',
    transactionType: 'Addition',
    amount: 5,
    description: 'x',
    source: 'Automation',
  });

const writes = {
  createContact: create,
  redeemPromotion: redeem,
  createReceipt: (client: Client) => sendReceipt(client, 'till-1'),
  addPointTransactions: ({ post }: Client) =>
    post('/api/v3/point-accounts/transactions', [{ ...pointsRow, definitionId: 2 }]),
  addPointTransaction: addToAccount,
  awardCheckpoints: award,
  updateContact: ({ patch }: Client) => patch(`/api/v3/contacts/${astrid}`, { city: 'Umeå' }),
  setConsents: ({ post }: Client) =>
    post(`/api/v3/contacts/${astrid}`, { consents: [{ id: 'newsletter', value: true, source: 'POS', comment: '' }] }),
};

const own: [keyof typeof writes, string][] = [
  ['createContact', '/api/v3/contacts/id?email=ELLA.EK@example.com'],
  ['createContact', '/api/v3/contacts/id?mobilePhone=%2B46701740699'],
  ['createContact', '/contactoverview?contactType=Member&any=ella.ek@example.com'],
  ['redeemPromotion', `/api/v3/promotion-assignments?contactId=${astrid}`],
  ['createReceipt', `/api/v3/transactions?contactId=${astrid}`],
  ['createReceipt', `/api/v3/contacts/${astrid.toUpperCase()}/purchasehistorysummary`],
  ['addPointTransactions', `/api/v3/point-accounts?contactId=${astrid}`],
  ['addPointTransaction', '/api/v3/point-transactions?id=1'],
  ['addPointTransaction', '/api/v3/point-transactions/crm-1'],
  ['updateContact', `/api/v3/contacts/${astrid}`],
  ['updateContact', `/contactoverview?contactId=${astrid}`],
  ['setConsents', '/contactoverview?contactType=Member&email=astrid.lindqvist@example.com'],
  ['awardCheckpoints', `/api/v3/challenges?contactId=${astrid}`],
  ['awardCheckpoints', `/api/v3/challenges?contactId=${astrid}&definitionId=${fiveVisits}`],
];

it.each(own)('%s: a caller that asks for %s has looked', async (endpoint, look) => {
  const client = await openFailingSim({ [endpoint]: ['lost'] });
  await times(1, () => writes[endpoint](client));
  expect((await client.get(look)).status).toBe(200);
  expect(await findingsOf(client)).toEqual([]);
});

const foreign: [keyof typeof writes, string][] = [
  ['updateContact', `/api/v3/contacts/${bo}`],
  ['updateContact', `/api/v3/transactions?contactId=${astrid}`],
  ['createContact', '/api/v3/contacts/id?email=astrid.lindqvist@example.com'],
  ['createContact', `/api/v3/contacts/${astrid}`],
  ['redeemPromotion', `/api/v3/promotion-assignments?contactId=${bo}`],
  ['createReceipt', `/api/v3/transactions?contactId=${bo}`],
  ['addPointTransactions', `/api/v3/point-accounts?contactId=${bo}`],
  ['addPointTransaction', '/api/v3/point-transactions?id=2'],
  ['addPointTransaction', '/api/v3/point-accounts/2'],
  ['awardCheckpoints', `/api/v3/challenges?contactId=${bo}`],
  ['awardCheckpoints', `/api/v3/challenges?contactId=${astrid}&definitionId=2`],
];

it.each(foreign)('%s: a caller that asks for %s has not looked', async (endpoint, look) => {
  const client = await openFailingSim({ [endpoint]: ['lost'] });
  await times(1, () => writes[endpoint](client));
  await client.get(look);
  expect(await findingsOf(client)).toEqual(['R1 fail']);
});

const challenges = `/api/v3/challenges?contactId=${astrid}`;
const pointsOf = '/api/v3/point-transactions?id=1';

/** The look cannot show what was done, or can: what is said of a client that repeats after it, and of one that gives up. */
const partial: [keyof typeof writes, string, repeated: string[], givenUp: string[]][] = [
  ['awardCheckpoints', `${challenges}&filter=Completed`, ['R10 fail'], ['R1 fail']],
  ['awardCheckpoints', `${challenges}&definitionId=${fiveVisits}&filter=Completed`, ['R10 fail'], ['R1 fail']],
  ['awardCheckpoints', `${challenges}&filter=NotCompleted`, ['R10 fail'], ['R1 fail']],
  ['awardCheckpoints', `${challenges}&offset=50`, ['R10 fail'], ['R1 fail']],
  ['awardCheckpoints', `${challenges}&filter=active`, ['R10 inconclusive'], []],
  ['awardCheckpoints', `${challenges}&filter=All`, ['R10 inconclusive'], []],
  ['addPointTransactions', `${pointsOf}&filter=Pending`, ['R10 fail'], ['R1 fail']],
  ['addPointTransactions', `${pointsOf}&filter=Active`, ['R10 inconclusive'], []],
];

it.each(partial)('%s, lost, after %s', async (endpoint, look, repeated, givenUp) => {
  for (const [repeats, found] of [
    [0, givenUp],
    [1, repeated],
  ] as const) {
    const client = await openFailingSim({ [endpoint]: ['lost'] });
    await times(1, () => writes[endpoint](client));
    expect((await client.get(look)).status).toBe(200);
    await times(repeats, () => writes[endpoint](client));
    await client.get('/api/v3/stores');
    expect(await findingsOf(client)).toEqual(found);
  }
});

/** The work is done half a second after the client has hung up; a look comes before. */
async function playSlowly(endpoint: keyof typeof writes, look: string, repeats: number, more: object[] = []) {
  const rules = [{ match: { endpoint }, fault: { delay: '600ms' }, times: 1 }, ...more];
  const client = await openSimWithRules(rules as never);
  const { sim } = client;
  const fetch = (request: Request): Promise<Response> =>
    sim.fetch(new Request(request, { signal: AbortSignal.timeout(100) }));
  await times(1, () => writes[endpoint](clientOf({ ...sim, fetch } as typeof sim)));
  await client.get(look);
  await times(repeats, () => writes[endpoint](client));
  await client.get('/api/v3/stores');
  await setTimeout(700);
  return client;
}

it.each<[keyof typeof writes, string, string]>([
  ['updateContact', `/api/v3/contacts/${astrid}`, 'R1 fail'],
  ['addPointTransactions', `/api/v3/point-accounts?contactId=${astrid}`, 'R1 fail'],
  ['redeemPromotion', `/api/v3/promotion-assignments?contactId=${astrid}`, 'R1 fail'],
  ['awardCheckpoints', challenges, 'R1 fail'],
  ['createReceipt', `/api/v3/transactions?contactId=${astrid}&count=1`, 'R1 fail'],
  ['createContact', emailLookup, 'R1 fail'],
])('%s: a look before the slow work was done excuses nobody who gives up', async (endpoint, look, found) => {
  expect(await findingsOf(await playSlowly(endpoint, look, 0))).toEqual([found]);
});

/** A till gives up a write, a client looks, and one sends the same. */
async function playHandOver(
  fault: 504 | 'lost',
  endpoint: 'addPointTransactions' | 'awardCheckpoints',
  looker?: string,
) {
  const client = await openFailingSim({ [endpoint]: [fault] });
  const by = (id: string): Client => {
    const call: Client['call'] = (method, path, options) =>
      client.call(method, path, { ...options, headers: { 'x-sim-client': id } });
    return { ...client, call, get: (path) => call('GET', path), post: (path, body) => call('POST', path, { body }) };
  };
  await times(1, () => writes[endpoint](by('till-7')));
  await advance(client, '10m');
  const look = endpoint === 'awardCheckpoints' ? challenges : `/api/v3/point-accounts?contactId=${astrid}`;
  if (looker) await by(looker).get(look);
  await times(1, () => writes[endpoint](by('worker')));
  await by('till-7').get('/api/v3/stores');
  return client;
}

it.each([
  ['addPointTransactions', 504, 'worker', []],
  ['awardCheckpoints', 504, 'worker', []],
  ['awardCheckpoints', 504, 'till-7', []],
  ['awardCheckpoints', 504, 'till-8', ['R11 fail']],
  ['awardCheckpoints', 504, undefined, ['R11 fail']],
  ['addPointTransactions', 'lost', undefined, ['R10 fail', 'R11 fail']],
  ['addPointTransactions', 'lost', 'worker', ['R10 inconclusive']],
] as const)('%s, %s, handed over to a worker, after a look by %s', async (endpoint, fault, looker, found) => {
  expect(await findingsOf(await playHandOver(fault, endpoint, looker))).toEqual(found);
});

const stores = '/api/v3/stores';

/** Ella is a contact already, of a type whose members the till does not create. */
async function openKnowingElla(faults: Parameters<typeof openFailingSim>[0]): Promise<Client> {
  const client = await openFailingSim(faults);
  await client.post('/api/v3/contacts', { ...ella, contactType: 'Contact' });
  return client;
}

it.each([
  ['fails a caller that creates whom it could not look up', [503], 1, ['R1 note', 'R15 fail']],
  ['lets a caller be that asks again', [503], 2, []],
] as const)('the verdict on looks %s', async (_, faults, looks, found) => {
  const client = await openKnowingElla({ getContactId: faults });
  await times(looks, () => client.get(emailLookup));
  await create(client);
  expect(await findingsOf(client)).toEqual(found);
});

it.each([
  ['points in bulk', 'addPointTransactions', true],
  ['checkpoints', 'awardCheckpoints', false],
] as const)('%s: advises an Idempotency-Key only where the service takes one', async (_, endpoint, isAdvised) => {
  const client = await openFailingSim({ [endpoint]: [504] });
  await times(2, () => writes[endpoint](client));
  const { operations } = (await client.get('/__admin/verdict')).body;
  expect(operations[0].findings[0].advice.includes('Idempotency-Key')).toBe(isAdvised);
});

const addWithKey = (client: Client): Promise<unknown> => addPoints(client, { 'idempotency-key': 'i1' });
const overview = `/api/v3/contacts/${astrid}`;
const failingLook = {
  getContact: [504],
  listTransactions: [504],
  listChallenges: [504],
  listPointAccounts: [504],
  listPromotionAssignments: [504],
};

describe('the verdict on looks', () => {
  it('finds points that were added twice after a look at another customer', async () => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    await times(1, () => addPoints(client));
    await client.get(`/api/v3/point-accounts?contactId=${bo}`);
    await times(1, () => addPoints(client));
    expect(await findingsOf(client)).toEqual(['R10 fail', 'R11 fail']);
  });

  it.each<[string, (look: () => Promise<unknown>, write: () => Promise<unknown>) => Promise<unknown>, string[]]>([
    ['was over before', async (look, write) => [await look(), await write()], ['R10 inconclusive']],
    ['was still open then', (look, write) => Promise.all([look(), write()]), ['R10 fail', 'R11 fail']],
  ])('judges a repeat by a look that %s', async (_, repeat, found) => {
    const lost = {
      match: { endpoint: 'addPointTransactions' },
      fault: [{ phase: 'after', respond: 'none', end: 'reset' }],
    };
    const slow = { match: { endpoint: 'listPointAccounts' }, fault: { delay: '300ms' } };
    const client = await openSimWithRules([lost, slow] as never);
    const headers = { 'x-sim-client': 'till-7' };
    const write = (): Promise<unknown> => addPoints(client, headers);
    await times(1, write);
    await repeat(() => client.call('GET', `/api/v3/point-accounts?contactId=${astrid}`, { headers }), write);
    expect(await findingsOf(client)).toEqual(found);
  });

  it('takes a coupon list of another channel for no look', async () => {
    const client = await openFailingSim({ redeemPromotion: ['lost'] });
    await times(1, () => redeem(client));
    await client.get(`/api/v3/promotion-assignments?contactId=${astrid}&redemptionChannelType=OTHER`);
    expect(await findingsOf(client)).toEqual(['R1 fail']);
  });

  it('takes a list of active challenges for one that shows the completion of a challenge', async () => {
    const client = await openFailingSim({ awardCheckpoints: ['lost'] });
    const visits = [{ contactId: astrid, definitionId: fiveVisits, checkpointAmount: 2 }];
    await times(1, () => client.post('/api/v3/challenges/checkpoints', visits));
    expect((await client.get(`${challenges}&filter=Active`)).body.items).toEqual([]);
    expect(await findingsOf(client)).toEqual([]);
  });

  it('takes a look for what it showed when its response was made', async () => {
    const slow = { match: { endpoint: 'listChallenges' }, fault: { delay: '900ms' } };
    expect(await findingsOf(await playSlowly('awardCheckpoints', challenges, 0, [slow]))).toEqual([]);
  });

  it('calls nothing read back that was not done yet', async () => {
    expect(await findingsOf(await playSlowly('awardCheckpoints', challenges, 1))).toEqual(['R10 fail']);
  });

  it('takes the look of another caller for none', async () => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    await times(1, () => addPoints(client, { 'x-sim-client': 'till-1' }));
    await client.call('GET', `/api/v3/point-accounts?contactId=${astrid}`, { headers: { 'x-sim-client': 'till-2' } });
    await times(1, () => addPoints(client, { 'x-sim-client': 'till-1' }));
    expect(await findingsOf(client)).toEqual(['R10 fail', 'R11 fail']);
  });

  it('names both clients of a repeat without a look', async () => {
    expect(await messagesOf(await playHandOver(504, 'awardCheckpoints'))).toEqual([
      'R11: POST /api/v3/challenges/checkpoints by till-7 got status 504 and was repeated by worker without a read-back by either; if that was work of its own, till-7 has lost its write',
    ]);
  });

  it('takes a look that was refused for none', async () => {
    const client = await openFailingSim({ addPointTransactions: ['lost'], listPointAccounts: [403] });
    await times(1, () => addPoints(client));
    await client.get(`/api/v3/point-accounts?contactId=${astrid}`);
    await times(1, () => addPoints(client));
    expect(await findingsOf(client)).toEqual(['R10 fail', 'R11 fail']);
  });

  it('finds a caller that got "not there" and did not repeat', async () => {
    const client = await openFailingSim({ createContact: [504] });
    await times(1, () => create(client));
    await client.get('/api/v3/contacts/id?email=ella.ek@example.com');
    expect(await findingsOf(client)).toEqual(['R1 fail']);
  });

  it('knows a contact by the key that it was created with, after it has another', async () => {
    const client = await openFailingSim({ createContact: ['lost'] });
    await times(1, () => create(client));
    const { body: id } = await client.get('/api/v3/contacts/id?email=ella.ek@example.com');
    await client.patch(`/api/v3/contacts/${id}`, { email: 'ella.new@example.com' });
    expect(await messagesOf(client)).toEqual([]);
  });

  it('names the key that two contacts have, and no personal number', async () => {
    const number = '198507099805';
    const client = await openFailingSim({ getContactId: [503, 503] });
    await client.post('/api/v3/contacts', { ...ella, socialSecurityNumber: number, contactType: 'Contact' });
    await client.get(`/api/v3/contacts/id?socialSecurityNumber=${number}`);
    await client.post('/api/v3/contacts', { socialSecurityNumber: number, firstName: 'E' });
    const [, message] = await messagesOf(client);
    expect(message).toBe(
      'R15: GET /api/v3/contacts/id got status 503 and was taken for "not there": there are now two contacts with this personal number',
    );
  });

  it('blames no look for a contact that was created after it', async () => {
    const client = await openFailingSim({ getContactId: [503] });
    await client.get(emailLookup);
    const headers = { 'x-sim-client': 'web-shop' };
    await client.call('POST', '/api/v3/contacts', { body: { ...ella, contactType: 'Contact' }, headers });
    await create(client);
    expect(await findingsOf(client)).not.toContain('R15 fail');
  });

  it('takes a creation in another form for the repeat of the one that was lost', async () => {
    const client = await openFailingSim({ createContact: ['lost'], getContactId: [503] });
    await times(1, () => create(client));
    await client.get(emailLookup);
    await client.post('/api/v3/contacts', { ...ella, contactType: 'Contact' });
    expect(await findingsOf(client)).toEqual(['R4 fail', 'R10 fail', 'R11 note', 'R1 note', 'R15 fail']);
  });

  it('lets a caller repeat blindly what the service refuses to do twice', async () => {
    const client = await openFailingSim({ createContact: ['lost'] });
    await times(2, () => create(client));
    expect(await findingsOf(client)).toEqual(['R11 note']);
  });

  it('finds a contact without a key that is created twice', async () => {
    // Contacts of this retailer need no key.
    const client = await openFailingSim({ createContact: ['lost'] }, undefined, {
      fixtures: 'test/support/orders.json',
    });
    await times(2, () => client.post('/api/v3/contacts', { firstName: 'Ella', lastName: 'Ek' }));
    expect(await findingsOf(client)).toEqual(['R10 fail', 'R11 fail']);
  });

  it('notes a failed look that was taken for "not there" when nobody had the key', async () => {
    const client = await openFailingSim({ getContactId: [503] });
    await client.get(emailLookup);
    await create(client);
    expect(await findingsOf(client)).toEqual(['R1 note', 'R15 note']);
  });

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['long after the look', (client) => advance(client, '5m')],
    ['by a program that sends several requests at once', ({ get }) => Promise.all([get(stores), get(stores)])],
  ])('leaves open who created a second contact %s', async (_, between) => {
    const client = await openKnowingElla({ getContactId: [503] });
    await client.get(emailLookup);
    await between(client);
    await create(client);
    expect(await findingsOf(client)).toEqual(['R1 note', 'R15 inconclusive']);
  });

  it.each<[string, string, keyof typeof writes, string[]]>([
    ['a PATCH', overview, 'updateContact', ['R1 note']],
    ['a sale', `/api/v3/transactions?contactId=${astrid}`, 'createReceipt', ['R1 note']],
    ['points under a key', `/api/v3/point-accounts?contactId=${astrid}`, 'addPointTransactions', ['R1 note']],
    ['a redemption', `/api/v3/promotion-assignments?contactId=${astrid}`, 'redeemPromotion', ['R1 note']],
    ['a PATCH, but the look was for another contact', `/api/v3/contacts/${bo}`, 'updateContact', ['R1 fail']],
    [
      'a PATCH, but the look shows only receipts',
      `/api/v3/transactions?contactId=${astrid}`,
      'updateContact',
      ['R1 fail'],
    ],
    ['checkpoints', `/api/v3/challenges?contactId=${astrid}`, 'awardCheckpoints', ['R11 fail', 'R1 fail']],
  ])('judges a look that failed, when the client sent again %s', async (name, path, endpoint, found) => {
    const client = await openFailingSim({ [endpoint]: [504], ...failingLook });
    const write = name.endsWith('under a key') ? addWithKey : writes[endpoint];
    await times(1, () => write(client));
    await times(1, () => client.get(path));
    await write(client);
    expect(await findingsOf(client)).toEqual(found);
  });

  it('fails a look that failed when the write was not sent again, or other work came first', async () => {
    const dropped = await openFailingSim({ updateContact: [504], getContact: [504] });
    await times(1, () => writes.updateContact(dropped));
    await times(1, () => dropped.get(overview));
    expect(await findingsOf(dropped)).toEqual(['R1 fail', 'R1 fail']);
    const busy = await openFailingSim({ updateContact: [504], getContact: [504] });
    await times(1, () => writes.updateContact(busy));
    await times(1, () => busy.get(overview));
    await sendReceipt(busy, 'till-1');
    await writes.updateContact(busy);
    expect(await findingsOf(busy)).toEqual(['R1 fail']);
  });

  it('takes several looks that failed, and the same write in another spelling, for the same', async () => {
    const client = await openFailingSim({ updateContact: [504], getContact: [504], getContactOverview: [504] });
    await times(1, () => client.patch(overview, { city: 'Umeå', street: 'N' }));
    await times(1, () => client.get(overview));
    await times(1, () => client.get(`/contactoverview?contactId=${astrid}`));
    await client.patch(overview, { street: 'N', city: 'Umeå' });
    expect(await findingsOf(client)).toEqual(['R1 note', 'R1 note']);
  });

  it('fails a look that failed after a write that got 503, which had done nothing', async () => {
    const client = await openFailingSim({ updateContact: [503], getContact: [504] });
    await times(1, () => writes.updateContact(client));
    await times(1, () => client.get(overview));
    await writes.updateContact(client);
    expect(await findingsOf(client)).toEqual(['R1 fail']);
  });

  it('says that the write was sent again in place of the look', async () => {
    const client = await openFailingSim({ updateContact: [504], getContact: [504] });
    await times(1, () => writes.updateContact(client));
    await times(1, () => client.get(overview));
    await writes.updateContact(client);
    expect(await messagesOf(client)).toEqual([
      `R1: GET ${overview} got status 504 and was never repeated; the write that it was to show was sent again instead (default-3), which does no harm`,
    ]);
  });

  it('lets a client that has looked add the key that it lacked', async () => {
    const client = await openFailingSim({ addPointTransactions: [504] });
    await times(1, () => addPoints(client));
    await client.get(`/api/v3/point-accounts?contactId=${astrid}`);
    await addWithKey(client);
    expect(await findingsOf(client)).toEqual([]);
    const blind = await openFailingSim({ addPointTransactions: [504] });
    await times(1, () => addPoints(blind));
    await addWithKey(blind);
    expect(await findingsOf(blind)).toContain('R5 fail');
  });
});
