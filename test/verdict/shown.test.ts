/** A read-back that shows the wanted state leaves nothing to do, whoever brought it about; one that cannot show it tells nothing. */
import { describe, expect, it } from 'vitest';
import { findingsOf, messagesOf, pointsRow, sendReceipt, times } from '../support/judged.ts';
import { openFailingSim } from '../support/open-sim.ts';
import type { Client } from '../support/client.ts';
import { astrid, astridPath, bo } from '../support/people.ts';

type Call = [method: string, path: string, body?: unknown];

const usedCoupon = '9b1d0c00-aaaa-4000-8000-000000000005';
const freeCoupon = '9b1d0c00-aaaa-4000-8000-000000000001';
const fiveVisits = '9b1d0c00-cccc-4000-8000-000000000001';
const email = 'astrid.lindqvist@example.com';
const byEmail = `/api/v3/contacts/id?email=${email}`;
const emailOfJohan = 'johan.bergstrom@example.com';
const byEmailOfJohan = `/api/v3/contacts/id?email=${emailOfJohan}`;
const coupons = `/api/v3/promotion-assignments?contactId=${astrid}`;
const create: Call = ['POST', '/api/v3/contacts', { email, firstName: 'x' }];
const redeem = (id: string): Call => ['POST', `/api/v3/promotions/codes/${id}/redeem`, {}];
const assign = (id: string, contact: string): Call => [
  'POST',
  `/api/v3/challenges/definitions/${id}/assign?contactId=${contact}`,
];
const typeOf = (type: string): Call => ['POST', `${astridPath}/updateContactType?contactTypeId=${type}`];
const consent = (value: boolean, fields = {}): Call => [
  'POST',
  astridPath,
  { consents: [{ id: 'newsletter', value, ...fields }] },
];
const patch = (body: object): Call => ['PATCH', astridPath, body];
const renewed = { id: 'newsletter', value: true, source: 'ECOM', comment: 'renewed 2026' };
const knownSource = { source: 'POS', comment: 'Asked at the till' };
const renewedAsKnown = { id: 'newsletter', value: true, ...knownSource };

async function play(
  [endpoint, fault]: [string, number | 'lost'],
  [method, path, body]: Call,
  looks: readonly string[],
): Promise<Client> {
  const client = await openFailingSim({ [endpoint]: [fault] }, undefined, { mode: 'point-follower' });
  await times(1, () => client.call(method, path, { body }));
  for (const look of looks) expect((await client.get(look)).status).toBeLessThan(300);
  return client;
}

const thereBefore: [string, Call, string][] = [
  ['createContact', create, byEmail],
  ['createContact', create, astridPath],
  ['createContact', create, `/contactoverview?contactId=${astrid}`],
  ['createContacts', ['POST', '/api/v3/contacts/bulk', [{ email }]], byEmail],
  ['assignChallenge', assign(fiveVisits, astrid), `/api/v3/challenges?contactId=${astrid}`],
  ['assignChallenge', assign('1', astrid), `/api/v3/challenges?contactId=${astrid}&definitionId=1`],
  ['assignChallenge', assign(fiveVisits, astrid), '/api/v3/challenges/9b1d0c00-eeee-4000-8000-000000000001'],
  ['redeemPromotion', redeem(usedCoupon), coupons],
  ['redeemPromotion', redeem(usedCoupon.toUpperCase()), coupons],
  ['updateContact', ['PATCH', astridPath, { street: 'Götgatan 42', zipCode: '118 26' }], astridPath],
  ['updateContact', ['PATCH', astridPath, { preferences: { acceptsSms: false } }], astridPath],
  ['updateContacts', ['PATCH', '/api/v3/contacts/bulk', [{ id: astrid, street: 'Götgatan 42' }]], astridPath],
  ['setConsents', consent(true), astridPath],
  ['setConsents', consent(true, knownSource), astridPath],
  ['setConsents', ['POST', astridPath, { consents: [{ id: 'newsletter', value: false }, renewedAsKnown] }], astridPath],
  ['updateContact', patch({ email: email.toUpperCase() }), astridPath],
  ['updateContact', patch({ email }), byEmail],
  ['updateContactType', typeOf('member'), astridPath],
  [
    'setPointBalances',
    ['POST', '/api/v3/point-accounts/balances', [{ contactId: astrid, definitionId: 2, amount: 140 }]],
    `/api/v3/point-accounts?contactId=${astrid}`,
  ],
];

it.each(thereBefore)('%s: what was there before need not be done again', async (endpoint, write, look) => {
  expect(await findingsOf(await play([endpoint, 504], write, [look]))).toEqual(['R1 note']);
});

it.each([
  ['createContact', create, byEmail],
  ['assignChallenge', assign(fiveVisits, astrid), `/api/v3/challenges?contactId=${astrid}`],
  ['redeemPromotion', redeem(usedCoupon), coupons],
] as [string, Call, string][])('%s: nor when its response was lost', async (endpoint, write, look) => {
  expect(await findingsOf(await play([endpoint, 'lost'], write, [look]))).toEqual(['R1 note']);
});

it.each<[string, Call, string, string[]]>([
  ['the new e-mail address', patch({ email: 'new.astrid@ex.com' }), '/api/v3/contacts/id?email=new.astrid@ex.com', []],
  ['any of its keys', patch({ email: 'new.astrid@ex.com' }), '/api/v3/contacts/id?any=new.astrid@ex.com', []],
  ['a key that stayed', patch({ memberNumber: '777' }), byEmail, ['R1 fail']],
  ['a key, which shows no street', patch({ street: 'S 1' }), byEmail, ['R1 fail']],
])('a lost change, and a look by %s', async (_, write, look, found) => {
  expect(await findingsOf(await play(['updateContact', 'lost'], write, [look]))).toEqual(found);
});

it('also after 503, when the service had refused to do it', async () => {
  const write: Call = ['PATCH', astridPath, { street: 'Götgatan 42' }];
  expect(await findingsOf(await play(['updateContact', 503], write, [astridPath]))).toEqual(['R1 note']);
});

const notThere: [string, Call, string][] = [
  ['createContact', ['POST', '/api/v3/contacts', { email, contactType: 'Contact' }], byEmail],
  ['createContact', create, '/api/v3/contacts/count'],
  ['assignChallenge', assign('3', astrid), `/api/v3/challenges?contactId=${astrid}`],
  ['assignChallenge', assign(fiveVisits, astrid), `/api/v3/challenges?contactId=${astrid}&offset=5`],
  ['redeemPromotion', redeem(freeCoupon), coupons],
  ['redeemPromotion', redeem(usedCoupon), `${coupons}&count=1`],
  ['updateContact', ['PATCH', astridPath, { street: 'Götgatan 42', city: 'Umeå' }], astridPath],
  ['updateContact', ['PATCH', astridPath, { street: 'Götgatan 42' }], `/api/v3/contacts/${bo}`],
  ['updateContact', ['PATCH', astridPath, { preferences: { acceptsSms: true } }], astridPath],
  ['setConsents', consent(false), astridPath],
  ['updateContact', patch({ consents: [renewed] }), astridPath],
  ['setConsents', ['POST', astridPath, { consents: [renewed] }], astridPath],
  ['setConsents', consent(true, { comment: 'new text', source: 'ECOM' }), astridPath],
  ['updateContacts', ['PATCH', '/api/v3/contacts/bulk', [{ id: astrid, email: emailOfJohan }]], byEmailOfJohan],
  ['updateContact', patch({ street: 'Götgatan 42' }), byEmail],
  ['updateContact', patch({ email: 'new.astrid@example.com' }), byEmail],
  ['updateContactType', typeOf('Contact'), astridPath],
  [
    'setPointBalances',
    ['POST', '/api/v3/point-accounts/balances', [{ contactId: astrid, definitionId: 2, amount: 5 }]],
    `/api/v3/point-accounts?contactId=${astrid}`,
  ],
];

it.each(notThere)('%s: what a look does not show is still to be done', async (endpoint, write, look) => {
  expect(await findingsOf(await play([endpoint, 504], write, [look]))).toEqual(['R1 fail']);
});

const purchases = `/api/v3/transactions?contactId=${astrid}`;

it.each([
  ['a page that does not hold it', ['&offset=10&count=2'], ['R1 fail']],
  ['the first page', ['&count=2'], []],
  ['all of them', [''], []],
  ['the first page, and another after it', ['&count=2', '&offset=2&count=2'], []],
  ['a page that does not hold it, and then the first', ['&offset=2&count=2', '&count=2'], []],
])('a lost receipt, and a look at %s', async (_, pages, found) => {
  const client = await openFailingSim({ createReceipt: ['lost'] });
  await times(1, () => sendReceipt(client, 'a1'));
  for (const page of pages) await client.get(`${purchases}${page}`);
  expect(await findingsOf(client)).toEqual(found);
});

describe('the verdict on read-backs', () => {
  it.each<[string, string, Call, string, string]>([
    ['a used coupon', 'redeemPromotion', redeem(usedCoupon), coupons, 'the used coupon'],
    ['a contact, not its fields', 'createContact', create, byEmail, 'a contact with its key and type'],
    ['a field', 'updateContact', patch({ street: 'Götgatan 42' }), astridPath, 'street "Götgatan 42"'],
    [
      'a preference',
      'updateContact',
      patch({ preferences: { acceptsSms: false } }),
      astridPath,
      'preferences.acceptsSms false',
    ],
    [
      'a consent',
      'setConsents',
      consent(true, knownSource),
      astridPath,
      'consent newsletter true (source "POS", comment "Asked at the till")',
    ],
    [
      'a personal number, hidden',
      'updateContact',
      patch({ socialSecurityNumber: '850709-9821' }),
      astridPath,
      'socialSecurityNumber (hidden)',
    ],
    [
      'some of many fields',
      'updateContact',
      patch({ street: 'Götgatan 42', zipCode: '118 26', countryCode: 'SE', firstName: 'Astrid' }),
      astridPath,
      'street "Götgatan 42", zipCode "118 26", countryCode "SE" and 1 more',
    ],
  ])('tells what was there before: %s', async (_, endpoint, write, look, wanted) => {
    const [method, path] = write;
    expect(await messagesOf(await play([endpoint, 504], write, [look]))).toEqual([
      `R1: ${method} ${path} got status 504; default-2 shows that what it asks for is there (${wanted}), though no attempt of it did that`,
    ]);
  });

  it('takes no look of another client', async () => {
    const client = await openFailingSim({ updateContact: [504] });
    const headers = { 'x-sim-client': 'till-1' };
    await client.call('PATCH', astridPath, { body: { street: 'Götgatan 42' }, headers });
    await client.call('GET', astridPath, { headers: { 'x-sim-client': 'till-2' } });
    expect(await findingsOf(client)).toEqual(['R1 fail']);
  });

  it('lets a client repeat a receipt that its page did not show', async () => {
    const client = await openFailingSim({ createReceipt: ['lost'] });
    await times(1, () => sendReceipt(client, 'a1'));
    await client.get(`${purchases}&offset=10&count=2`);
    await sendReceipt(client, 'a1');
    expect(await findingsOf(client)).toEqual([]);
  });
});

it.each([
  ['/api/v3/point-transactions?id=1&count=1', []],
  ['/api/v3/point-transactions?id=1&count=1&offset=1', ['R1 fail']],
  ['/api/v3/point-accounts/transactions?accountId=1&count=1&offset=1', ['R1 fail']],
  [`/api/v3/point-accounts?contactId=${astrid}&count=1`, []],
  [`/api/v3/point-accounts?contactId=${astrid}&offset=1`, ['R1 fail']],
])('lost points, and a look at %s', async (look, found) => {
  const client = await openFailingSim({ addPointTransactions: ['lost'] });
  await times(1, () => client.post('/api/v3/point-accounts/transactions', [{ ...pointsRow, definitionId: 2 }]));
  await client.get(look);
  expect(await findingsOf(client)).toEqual(found);
});

it.each([
  ['', []],
  ['&count=1', []],
  ['&offset=1&count=1', ['R1 fail']],
])('a lost redemption, and a look at the coupons%s', async (page, found) => {
  const client = await play(['redeemPromotion', 'lost'], redeem(freeCoupon), [`${coupons}${page}`]);
  expect(await findingsOf(client)).toEqual(found);
});
