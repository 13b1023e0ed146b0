/** One request in two spellings: the service does the same, and it is the same operation. */
import { describe, expect, it } from 'vitest';
import { findingsOf, times } from '../support/judged.ts';
import { openSim, openSimWithRules } from '../support/open-sim.ts';
import { astrid, astridPath, bo } from '../support/people.ts';

const upper = astrid.toUpperCase();
const coupon = '9b1d0c00-aaaa-4000-8000-000000000001';
const redeemed = (id: string): string => `/api/v3/promotions/codes/${id}/redeem`;
const assigned = (query: string): string => `/api/v3/challenges/definitions/1/assign?${query}`;
const listed = '/api/v3/transactions';

const spellings: [string, string, string, string, object?][] = [
  ['another order', 'GET', `${listed}?contactId=${astrid}&count=2`, `${listed}?count=2&contactId=${astrid}`],
  [
    'an escape',
    'GET',
    '/api/v3/contacts/id?email=astrid.lindqvist@example.com',
    '/api/v3/contacts/id?email=astrid.lindqvist%40example.com',
  ],
  ['a space as +', 'GET', '/api/v3/contacts/id?email=a%20b', '/api/v3/contacts/id?email=a+b'],
  ['an upper-case id in the query', 'GET', `${listed}?contactId=${astrid}`, `${listed}?contactId=${upper}`],
  [
    'an upper-case id with escapes',
    'GET',
    `${listed}?contactId=${astrid}`,
    `${listed}?contactId=${upper.replaceAll('-', '%2D')}`,
  ],
  ['an upper-case id in the path', 'GET', astridPath, `/api/v3/contacts/${upper}`],
  ['an escape in the path', 'GET', astridPath, astridPath.replace('5a0e', '%35a0e')],
  ['an upper-case id in the path', 'PATCH', astridPath, `/api/v3/contacts/${upper}`, { city: 'Umeå' }],
  ['an upper-case id in the path', 'POST', redeemed(coupon), redeemed(coupon.toUpperCase()), {}],
  ['the other path', 'GET', `/contactoverview?contactId=${astrid}`, `/api/v3/contactoverview?contactId=${astrid}`],
  ['the other path', 'GET', '/orders/jobs/x', '/api/v3/orders/jobs/x'],
  ['an ampersand at the end', 'POST', assigned(`contactId=${bo}`), assigned(`contactId=${bo}&`)],
  ['a parameter without a value', 'GET', `${listed}?contactId=${astrid}`, `${listed}?contactId=${astrid}&count=`],
  ['a slash at the end', 'GET', astridPath, `${astridPath}/`],
];

describe('the verdict on spellings', () => {
  it.each(spellings)('takes %s for the same (%s %s)', async (_, method, first, second, body) => {
    const { call, ...client } = await openSimWithRules([{ fault: [500] }]);
    for (const path of [first, second]) await call(method, path, { body });
    expect(await findingsOf({ call, ...client })).toEqual([]);
    const { operations } = (await client.get('/__admin/verdict?clientEnded=true')).body;
    expect(operations).toMatchObject([{ attempts: [{}, {}] }]);
  });

  it.each([
    ['another value', `${listed}?contactId=${astrid}&count=2`, `${listed}?contactId=${astrid}&count=3`],
    ['another contact', astridPath, `/api/v3/contacts/${bo}`],
    ['an escaped ampersand', '/api/v3/contacts/id?email=a&any=b', '/api/v3/contacts/id?email=a%26any=b'],
    ['another key with equal parts', '/api/v3/contacts/id?email=a', '/api/v3/contacts/id?any=a'],
  ])('does not take %s for the same', async (_, first, second) => {
    const { get, ...client } = await openSimWithRules([{ fault: [500] }]);
    for (const path of [first, second]) await get(path);
    expect((await findingsOf({ get, ...client }))[0]).toBe('R1 fail');
  });

  it('still fails a body that changes with the spelling of the path', async () => {
    const { patch, ...client } = await openSimWithRules([{ fault: [500] }]);
    await patch(astridPath, { city: 'Umeå' });
    await patch(`/api/v3/contacts/${upper}`, { street: 'Storgatan 1' });
    expect(await findingsOf({ patch, ...client })).toEqual(['R1 fail']);
  });

  it('fails a request that comes again unchanged after 400, in whatever spelling', async () => {
    const { get, ...client } = await openSim();
    await get(`${listed}?contactId=${astrid}&count=x`);
    await get(`${listed}?count=x&contactId=${astrid}`);
    expect(await findingsOf({ get, ...client })).toEqual(['R3 fail']);
  });

  it('shows each request as it was sent', async () => {
    const { get } = await openSim();
    const sent = `${listed}?count=2&contactId=${upper}`;
    await get(sent);
    const [{ path, query }] = (await get('/__admin/requests')).body.items;
    expect(`${path}?${query}`).toBe(sent);
  });

  it('counts the attempts of a fault rule over all spellings', async () => {
    const { get } = await openSimWithRules([{ match: { method: 'GET' }, fault: { status: 504 }, attempt: 2 }]);
    const statuses: number[] = [];
    await times(2, async (i) => {
      const pair = [`contactId=${astrid}`, 'count=2'];
      statuses.push((await get(`${listed}?${(i === 0 ? pair : pair.toReversed()).join('&')}`)).status);
    });
    expect(statuses).toEqual([200, 504]);
  });
});
