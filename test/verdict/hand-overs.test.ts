/** Hand-overs: work that one client gives up and another tries, drops, or gives back. */
import { describe, expect, it } from 'vitest';
import { addPoints, advance, award, findingsOf, lookForPoints, pointsRow, sendReceipt } from '../support/judged.ts';
import { openFailingSim } from '../support/open-sim.ts';
import type { Client } from '../support/client.ts';
import { astrid, bo, nils } from '../support/people.ts';

const coupon = '9b1d0c00-aaaa-4000-8000-000000000001';

/** A client that declares this id in each request, or names itself by `User-Agent` alone: `user-agent till`. */
function by(client: Client, id: string): Client {
  const [header, value] = id.startsWith('user-agent ') ? id.split(' ') : ['x-sim-client', id];
  const headers = { [header ?? '']: value ?? '' };
  const call: Client['call'] = (method, path, options) =>
    client.call(method, path, { ...options, headers: { ...options?.headers, ...headers } });
  return {
    ...client,
    call,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, { body }),
    patch: (path, body) => call('PATCH', path, { body }),
  };
}

type Step = (client: Client) => Promise<unknown>;

const street =
  (name: string): Step =>
  ({ patch }) =>
    patch(`/api/v3/contacts/${astrid}`, { street: name });
const consent =
  (value: boolean): Step =>
  ({ post }) =>
    post(`/api/v3/contacts/${astrid}`, { consents: [{ id: 'newsletter', value, comment: 'asked', source: 'POS' }] });
const redeem: Step = ({ post }) => post(`/api/v3/promotions/codes/${coupon}/redeem`);
const lookAndAdd: Step = async (client) => {
  await lookForPoints(client);
  await addPoints(client);
};
const wait: Step = (client) => advance(client, '10m');

const addPointsOf =
  (contactId: string): Step =>
  ({ post }) =>
    post('/api/v3/point-accounts/transactions', [{ ...pointsRow, contactId }]);
const lookAt =
  (contactId: string): Step =>
  ({ get }) =>
    get(`/api/v3/point-accounts?contactId=${contactId}`);
const setBalance =
  (amount: number, minute: number): Step =>
  ({ post }) =>
    post('/api/v3/point-accounts/balances', [
      { contactId: astrid, amount, definitionId: 1, timeStamp: `2026-03-01T12:0${minute}:00Z` },
    ]);
const lookAndCreate: Step = async ({ get, post }) => {
  await get(`/api/v3/contacts/id?email=${nils.email}`);
  await post('/api/v3/contacts', nils);
};
const follower = { mode: 'point-follower' } as const;

/** Does steps one after another, also when one fails. */
const inTurn =
  (...steps: readonly Step[]): Step =>
  async (client) => {
    for (const step of steps) await step(client).catch(() => {});
  };

/** Plays steps of clients, ten minutes apart: `till-7`, `w1`. */
async function play(client: Client, steps: readonly (readonly [string, Step])[]): Promise<string[]> {
  for (const [id, step] of steps) {
    await step(by(client, id)).catch(() => {});
    await wait(client);
  }
  return findingsOf(client);
}

const turns = (step: Step, ...ids: string[]): [string, Step][] => ids.map((id) => [id, step]);

const look: Step = lookForPoints;
const lookAtContact: Step = ({ get }) => get(`/api/v3/contacts/${astrid}`);
const lookAtReceipts: Step = ({ get }) => get(`/api/v3/transactions?contactId=${astrid}`);
const sell: Step = (client) => sendReceipt(client, 'k1');

const unkeyedRow = { ...pointsRow, contactId: bo };
const addRows =
  (rows: readonly object[], headers: Readonly<Record<string, string>> = {}): Step =>
  ({ call }) =>
    call('POST', '/api/v3/point-accounts/transactions', { body: rows, headers });
const patchBulk: Step = ({ call }) =>
  call('PATCH', '/api/v3/contacts/bulk?contactType=Member', {
    body: [
      { id: astrid, street: 'N' },
      { id: bo, street: 'N' },
    ],
  });
const streetOf =
  (contact: string, name: string): Step =>
  ({ patch }) =>
    patch(`/api/v3/contacts/${contact}`, { street: name });

describe('the verdict on hand-overs', () => {
  it.each<[string, Parameters<typeof openFailingSim>[0], [string, Step][]]>([
    ['a PATCH', { updateContact: [504, 504] }, turns(street('N'), 'till-7', 'w1', 'till-7')],
    [
      'points, each time after a look',
      { addPointTransactions: [504, 504] },
      turns(lookAndAdd, 'till-7', 'w1', 'till-7'),
    ],
    ['a redemption', { redeemPromotion: [504, 504] }, turns(redeem, 'till-7', 'w1', 'till-7')],
    ['consents', { setConsents: [504, 504] }, turns(consent(false), 'till-7', 'w1', 'till-7')],
    ['a PATCH, to and fro', { updateContact: [504, 504, 504, 504] }, turns(street('N'), 'a', 'b', 'a', 'b', 'a')],
    [
      'a PATCH, delivered by the other',
      { updateContact: [504, 504, 504] },
      turns(street('N'), 'till-7', 'w1', 'till-7', 'w1'),
    ],
    [
      'points, delivered by the other',
      { addPointTransactions: [504, 504, 504] },
      turns(lookAndAdd, 'till-7', 'w1', 'till-7', 'w1'),
    ],
    [
      'a redemption, delivered by the other',
      { redeemPromotion: [504, 504, 504] },
      turns(redeem, 'till-7', 'w1', 'till-7', 'w1'),
    ],
    ['a PATCH, handed on twice', { updateContact: [504, 504] }, turns(street('N'), 'till-7', 'w1', 'w2')],
    ['a PATCH, among three', { updateContact: [504, 504, 504] }, turns(street('N'), 'till-7', 'w1', 'w2', 'till-7')],
  ])('passes %s, handed over and handed back', async (_, faults, steps) => {
    expect(await play(await openFailingSim(faults), steps)).toEqual([]);
  });

  it.each<[string, Parameters<typeof openFailingSim>[0], [string, Step][], string[]]>([
    ['nobody delivered', { updateContact: [504, 504] }, turns(street('N'), 'till-7', 'w1'), ['R9 fail']],
    [
      'nobody delivered, after two turns',
      { updateContact: [504, 504, 504] },
      turns(street('N'), 'till-7', 'w1', 'till-7'),
      ['R9 fail'],
    ],
    [
      'another gave up after the delivery',
      { updateContact: [504, 200, 504] },
      turns(street('N'), 'till-7', 'till-7', 'w1'),
      ['R1 fail'],
    ],
    [
      'nobody looked first',
      { awardCheckpoints: [504, 504] },
      turns(award, 'till-7', 'w1', 'till-7'),
      ['R11 inconclusive', 'R11 fail'],
    ],
  ])('fails what was handed over and back when %s', async (_, faults, steps, found) => {
    const client = await openFailingSim(faults);
    await play(client, steps);
    await street('other')(by(client, 'web'));
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each<[string, Parameters<typeof openFailingSim>[0], [string, Step][], string[]]>([
    [
      'points',
      { addPointTransactions: ['lost'] },
      [
        ['till-7', addPoints],
        ['w1', look],
      ],
      ['R1 inconclusive'],
    ],
    [
      'a PATCH',
      { updateContact: ['lost'] },
      [
        ['till-7', street('N')],
        ['w1', lookAtContact],
      ],
      ['R1 inconclusive'],
    ],
    [
      'a receipt',
      { createReceipt: ['lost'] },
      [
        ['till-7', sell],
        ['w1', lookAtReceipts],
      ],
      ['R1 inconclusive'],
    ],
    [
      'points that a second worker sees',
      { addPointTransactions: [504, 'lost'] },
      [
        ['till-7', addPoints],
        ['w1', lookAndAdd],
        ['w2', look],
      ],
      ['R1 inconclusive'],
    ],
    [
      'points, by a worker that delivers the rest',
      { addPointTransactions: ['lost'], updateContact: [504] },
      [
        ['till-7', addPoints],
        ['till-7', street('N')],
        ['w1', look],
        ['w1', street('N')],
      ],
      ['R1 note'],
    ],
    [
      'points, by the client itself',
      { addPointTransactions: ['lost'] },
      [
        ['till-7', addPoints],
        ['till-7', look],
      ],
      [],
    ],
    [
      'points that are not there',
      { addPointTransactions: [504] },
      [
        ['till-7', addPoints],
        ['w1', look],
      ],
      ['R1 fail'],
    ],
    [
      'points, by a look at something else',
      { addPointTransactions: ['lost'] },
      [
        ['till-7', addPoints],
        ['w1', lookAtReceipts],
      ],
      ['R1 fail'],
    ],
  ])('judges a look at %s by another client', async (_, faults, steps, found) => {
    expect(await play(await openFailingSim(faults), steps)).toEqual(found);
  });

  it.each<[string, Parameters<typeof openFailingSim>[0], [string, Step][], string[]]>([
    [
      'a street',
      { updateContact: [504] },
      [
        ['till-7', street('Old')],
        ['till-7', street('New')],
        ['w1', street('Old')],
      ],
      ['R16 inconclusive'],
    ],
    [
      'a withdrawn consent',
      { setConsents: [504] },
      [
        ['till-7', consent(true)],
        ['till-7', consent(false)],
        ['w1', consent(true)],
      ],
      ['R16 inconclusive'],
    ],
    [
      'a street, tried by both before',
      { updateContact: [504, 504] },
      [
        ['till-7', street('Old')],
        ['w1', street('Old')],
        ['till-7', street('New')],
        ['w1', street('Old')],
      ],
      ['R16 inconclusive'],
    ],
    [
      'a street, by one client',
      { updateContact: [504] },
      [
        ['till-7', street('Old')],
        ['till-7', street('New')],
        ['till-7', street('Old')],
      ],
      ['R16 fail'],
    ],
    [
      'a street, by the worker',
      { updateContact: [504, 504] },
      [
        ['till-7', street('Old')],
        ['till-7', street('New')],
        ['w1', street('New')],
        ['w1', street('Old')],
      ],
      ['R16 fail'],
    ],
    [
      'a newer street of a third client',
      { updateContact: [504] },
      [
        ['till-7', street('Old')],
        ['web', street('New')],
        ['w1', street('Old')],
      ],
      [],
    ],
    [
      'a newer street, written again',
      { updateContact: [504] },
      [
        ['till-7', street('Old')],
        ['till-7', street('New')],
        ['w1', street('Old')],
        ['till-7', street('New')],
      ],
      [],
    ],
  ])('judges a late older write over %s', async (_, faults, steps, found) => {
    const client = await openFailingSim(faults);
    expect((await play(client, steps)).filter((one) => one.startsWith('R16'))).toEqual(found);
  });

  it.each<[string, Parameters<typeof openFailingSim>[0], [string, Step][], string[]]>([
    [
      'a PATCH comes back to a client that is known by its User-Agent',
      { updateContact: [504, 504] },
      turns(street('N'), 'user-agent till', 'user-agent worker', 'user-agent till'),
      [],
    ],
    ['a balance comes back', { setPointBalances: [504, 504] }, turns(setBalance(100, 0), 'm1', 'm2', 'm1'), []],
    [
      'each had tried a PATCH twice',
      { updateContact: [504, 504, 504, 504] },
      [
        ['till-7', inTurn(street('N'), street('N'))],
        ['w1', inTurn(street('N'), street('N'))],
        ['till-7', street('N')],
      ],
      [],
    ],
    [
      'each looks for a contact before it creates it',
      { createContact: [504, 504] },
      turns(lookAndCreate, 'till-7', 'w1', 'till-7'),
      [],
    ],
    [
      'a worker sees that a coupon is used',
      { redeemPromotion: ['lost'] },
      [
        ['till-7', redeem],
        ['w1', ({ get }) => get(`/api/v3/promotion-assignments?contactId=${astrid}`)],
      ],
      ['R1 inconclusive'],
    ],
    [
      'a worker looks at two customers, and delivers what is missing',
      { addPointTransactions: ['lost', 504] },
      [
        ['till-7', inTurn(addPointsOf(astrid), addPointsOf(bo))],
        ['w1', inTurn(lookAt(astrid), lookAt(bo), addPointsOf(bo))],
      ],
      ['R1 note'],
    ],
    [
      'a worker looks at one customer, and then at the next, whom it delivers',
      { addPointTransactions: ['lost', 504] },
      [
        ['till-7', inTurn(addPointsOf(astrid), addPointsOf(bo))],
        ['w1', lookAt(astrid)],
        ['w1', inTurn(lookAt(bo), addPointsOf(bo))],
      ],
      ['R1 note'],
    ],
    [
      'a worker delivers an older total after the newer',
      { setPointBalances: [504] },
      [
        ['m1', setBalance(100, 0)],
        ['m1', setBalance(120, 1)],
        ['w1', setBalance(100, 0)],
      ],
      ['R16 inconclusive'],
    ],
  ])('judges work that is handed over: %s', async (_, faults, steps, found) => {
    const options = 'setPointBalances' in faults ? follower : {};
    const client = await openFailingSim(faults, undefined, options);
    expect(await play(client, steps)).toEqual(found);
  });

  it.each<[string, Parameters<typeof openFailingSim>[0], [string, Step][], string[]]>([
    [
      'in parts, each after a look',
      { addPointTransactions: [504] },
      [
        ['till-7', addRows([pointsRow, unkeyedRow])],
        ['w1', inTurn(lookAt(astrid), addRows([pointsRow]))],
        ['w1', inTurn(lookAt(bo), addRows([unkeyedRow]))],
      ],
      ['R1 inconclusive'],
    ],
    [
      'under a key, after a look',
      { addPointTransactions: [504] },
      [
        ['till-7', addRows([pointsRow])],
        ['w1', inTurn(lookAt(astrid), addRows([pointsRow], { 'idempotency-key': 'i1' }))],
      ],
      ['R1 inconclusive'],
    ],
    [
      'under a key, without a look',
      { addPointTransactions: [504] },
      [
        ['till-7', addRows([pointsRow])],
        ['w1', addRows([pointsRow], { 'idempotency-key': 'i1' })],
      ],
      ['R1 fail'],
    ],
    [
      'under a key, after a look, though it had taken effect',
      { addPointTransactions: ['lost'] },
      [
        ['till-7', addRows([pointsRow])],
        ['w1', inTurn(lookAt(bo), addRows([pointsRow], { 'idempotency-key': 'i1' }))],
      ],
      ['R1 fail'],
    ],
    [
      'contact by contact',
      { updateContacts: [504] },
      [
        ['till-7', patchBulk],
        ['w1', inTurn(streetOf(astrid, 'N'), streetOf(bo, 'N'))],
      ],
      ['R1 inconclusive'],
    ],
    [
      'with a value that differs at its end',
      { updateContact: [504] },
      [
        ['till-7', street(`${'long '.repeat(15)}a`)],
        ['w1', street(`${'long '.repeat(15)}b`)],
      ],
      ['R1 fail'],
    ],
    [
      'for one of two contacts',
      { updateContacts: [504] },
      [
        ['till-7', patchBulk],
        ['w1', streetOf(astrid, 'N')],
      ],
      ['R1 fail'],
    ],
    [
      'together with what else was lost, by the same client',
      { addPointTransactions: [504, 504] },
      [
        ['till-7', addRows([pointsRow])],
        ['till-7', addRows([unkeyedRow])],
        ['till-7', inTurn(lookAt(astrid), lookAt(bo), addRows([pointsRow, unkeyedRow]))],
      ],
      ['R1 inconclusive', 'R1 inconclusive'],
    ],
  ])('judges work that was given up, and done %s', async (_, faults, steps, found) => {
    expect(await play(await openFailingSim(faults), steps)).toEqual(found);
  });
});
