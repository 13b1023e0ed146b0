/** A newer write replaces an older one, field by field: dropping the older is right, delivering it late is not. */
import { describe, expect, it } from 'vitest';
import { inTime } from '../support/in-time.ts';
import { astrid, bo } from '../support/people.ts';
import { lost, on, openStage, ways } from '../support/programs.ts';
import type { Judged, Send, Stage, Way } from '../support/programs.ts';

/** Requests that a client sends in turn. */
type Sent = readonly [method: string, path: string, body?: unknown];

const contact = (id = astrid): string => `/api/v3/contacts/${id}`;
const patch = (body: object, id = astrid): Sent => ['PATCH', contact(id), body];
const post = (body: object): Sent => ['POST', contact(), body];
const patchBulk = (...rows: object[]): Sent => ['PATCH', '/api/v3/contacts/bulk', rows];
const setType = (type: string): Sent => ['POST', `${contact()}/updateContactType?contactTypeId=${type}`];
const consent = (id: string, value: boolean): object => ({ consents: [{ id, value, source: 'POS' }] });
const row = (amount: number, fields: object = {}): object => ({
  contactId: astrid,
  definitionId: 1,
  amount,
  ...fields,
});
const balances = (...rows: object[]): Sent => ['POST', '/api/v3/point-accounts/balances', rows];
const [early, later] = [{ timeStamp: '2026-03-01T11:00:00Z' }, { timeStamp: '2026-03-01T11:00:05Z' }];
const latest = { timeStamp: '2026-03-01T11:00:09Z' };
const email = 'astrid.lindqvist@example.com';

const follower = { mode: 'point-follower' } as const;

const sendAll = async (send: Send, sent: readonly Sent[]): Promise<void> => {
  for (const [method, path, body] of sent) await send(method, path, body);
};

interface Played {
  readonly way?: Way;
  readonly faults?: readonly unknown[];
  readonly options?: object;
}

/** Judges a client whose first request fails. */
async function play(endpoint: string, sent: readonly Sent[], played: Played = {}): Promise<Judged> {
  const { way = 'in process', faults = [504], options = {} } = played;
  const { send, judge }: Stage = await openStage(way, { rules: [on(endpoint, ...faults)], ...follower, ...options });
  await sendAll(send, sent);
  return judge();
}

const found = ({ verdict, failedBy }: Judged): string => [verdict, ...failedBy].join(' ');

const dropped: readonly [string, string, readonly Sent[]][] = [
  ['balances', 'setPointBalances', [balances(row(5)), balances(row(6))]],
  ['balances of a later time', 'setPointBalances', [balances(row(5, early)), balances(row(6, later))]],
  [
    'balances, by one list for each contact',
    'setPointBalances',
    [balances(row(5), row(3, { contactId: bo })), balances(row(6)), balances(row(4, { contactId: bo }))],
  ],
  ['a contact type', 'updateContactType', [setType('Contact'), setType('Member')]],
  ['a bulk', 'updateContacts', [patchBulk({ id: astrid, street: 'a' }), patchBulk({ id: astrid, street: 'b' })]],
  ['a bulk, by a single change', 'updateContacts', [patchBulk({ id: astrid, street: 'a' }), patch({ street: 'b' })]],
  [
    'a bulk that names an e-mail address',
    'updateContacts',
    [patchBulk({ email, street: 'a' }), patch({ street: 'b' })],
  ],
  [
    'a bulk of two contacts',
    'updateContacts',
    [
      patchBulk({ id: astrid, street: 'a' }, { id: bo, street: 'a' }),
      patch({ street: 'b' }),
      patch({ street: 'b' }, bo),
    ],
  ],
  ['a change, by POST', 'updateContact', [patch({ street: 'a' }), post({ street: 'b' })]],
  ['a change, by a bulk', 'updateContact', [patch({ street: 'a' }), patchBulk({ id: astrid, street: 'b' })]],
  ['a consent, by PATCH', 'setConsents', [post(consent('newsletter', true)), patch(consent('newsletter', false))]],
  [
    'two fields, one by one',
    'updateContact',
    [patch({ street: 'a', city: 'a' }), patch({ street: 'b' }), patch({ city: 'b' })],
  ],
  [
    'all preferences by null',
    'updateContact',
    [patch({ preferences: { acceptsSms: true } }), patch({ preferences: null })],
  ],
];

const notReplaced: readonly [string, string, readonly Sent[]][] = [
  ['another account', 'setPointBalances', [balances(row(5)), balances(row(6, { definitionId: 2 }))]],
  ['another contact', 'setPointBalances', [balances(row(5)), balances(row(6, { contactId: bo }))]],
  ['one contact of two', 'setPointBalances', [balances(row(5), row(3, { contactId: bo })), balances(row(6))]],
  ['an earlier time', 'setPointBalances', [balances(row(6, later)), balances(row(5, early))]],
  ['another field of a bulk', 'updateContacts', [patchBulk({ id: astrid, street: 'a' }), patch({ city: 'b' })]],
  ['another row of a bulk', 'updateContacts', [patchBulk({ id: astrid, street: 'a' }), patch({ street: 'b' }, bo)]],
  ['another consent', 'setConsents', [post(consent('newsletter', true)), patch(consent('profiling', false))]],
  ['one field of two', 'updateContact', [patch({ street: 'a', city: 'a' }), patch({ street: 'b' })]],
  [
    'a contact type that a PATCH cannot set',
    'updateContactType',
    [setType('Contact'), patch({ contactType: 'Member' })],
  ],
  ['a change that is refused', 'updateContact', [patch({ street: 'a' }), patch({ street: 'b', email: 'no address' })]],
];

describe.each(ways)('%s, an older write that failed', inTime, (way) => {
  it.each(dropped)('is dropped after a newer one: %s', async (_, endpoint, sent) => {
    expect(found(await play(endpoint, sent, { way }))).toBe('PASS');
  });

  it.each(dropped)('is dropped after a newer one, its response lost: %s', async (_, endpoint, sent) => {
    expect(found(await play(endpoint, sent, { way, faults: [lost] }))).toBe('PASS');
  });

  it.each(notReplaced)('is not replaced by %s', async (_, endpoint, sent) => {
    expect(found(await play(endpoint, sent, { way }))).toBe('FAIL R1');
  });
});

const overwriting: readonly [string, string, readonly Sent[], string][] = [
  ['balances', 'setPointBalances', [5, 6, 5].map((amount) => balances(row(amount))), 'the balance 6 of contact 100001'],
  [
    'balances with time stamps',
    'setPointBalances',
    [balances(row(5, early)), balances(row(6, later)), balances(row(5, early))],
    'the balance 6 of contact 100001',
  ],
  [
    'one balance of a list',
    'setPointBalances',
    [
      balances(row(5), row(3, { contactId: bo })),
      balances(row(4, { contactId: bo })),
      balances(row(5), row(3, { contactId: bo })),
    ],
    'the balance 4 of contact 100002',
  ],
  [
    'a street that was there already',
    'updateContact',
    ['New 1', 'Götgatan 42', 'New 1'].map((street) => patch({ street })),
    'the street "Götgatan 42" of contact 100001',
  ],
  ['a contact type', 'updateContactType', ['Contact', 'Member', 'Contact'].map(setType), 'the contactType "Member"'],
  [
    'a row of a bulk',
    'updateContacts',
    ['a', 'b', 'a'].map((street) => patchBulk({ id: astrid, street })),
    'the street "b" of contact 100001',
  ],
  [
    'a change by a late bulk',
    'updateContacts',
    [patchBulk({ email, street: 'a' }), patch({ street: 'b' }), patchBulk({ email, street: 'a' })],
    'the street "b" of contact 100001',
  ],
  [
    'a personal number, which is not told',
    'updateContact',
    [null, '850709-9821', null].map((socialSecurityNumber) => patch({ socialSecurityNumber })),
    'the socialSecurityNumber (hidden) of contact 100001',
  ],
  [
    'the source and the comment of a consent',
    'setConsents',
    ['POS', 'ECOM', 'POS'].map((source) => post({ consents: [{ id: 'sms', value: true, source, comment: 'asked' }] })),
    'the consent sms true (source "ECOM", comment "asked") of contact 100001',
  ],
  [
    'a consent by another endpoint',
    'setConsents',
    [post(consent('newsletter', true)), patch(consent('newsletter', false)), post(consent('newsletter', true))],
    'the consent newsletter false (source "POS") of contact 100001',
  ],
];

describe.each(ways)('%s, an older write delivered late', inTime, (way) => {
  it.each(overwriting)('overwrites %s', async (_, endpoint, sent, missing) => {
    for (const faults of [[504], [lost]]) {
      const judged = await play(endpoint, sent, { way, faults });
      expect(found(judged)).toBe('FAIL R16');
      expect(judged.text).toContain(`R16: ${missing}`);
    }
  });
});

it.each<[string, string, readonly Sent[]]>([
  ['the newer one is sent once more', 'setPointBalances', [5, 6, 5, 6].map((amount) => balances(row(amount)))],
  ['a third one is newer still', 'setPointBalances', [5, 6, 5, 7].map((amount) => balances(row(amount)))],
  [
    'it is a new list with an equal balance',
    'setPointBalances',
    [balances(row(5, early)), balances(row(6, later)), balances(row(5, latest))],
  ],
  [
    'it is the newer one by its time',
    'setPointBalances',
    [balances(row(6, later)), balances(row(5, early)), balances(row(6, later))],
  ],
  [
    'it is of another account',
    'setPointBalances',
    [balances(row(5)), balances(row(6, { definitionId: 2 })), balances(row(5))],
  ],
  [
    'it is of another contact of a list',
    'setPointBalances',
    [balances(row(5)), balances(row(6, { contactId: bo })), balances(row(5))],
  ],
  [
    'it is of another contact of a bulk',
    'updateContacts',
    [
      patchBulk({ id: astrid, street: 'a' }),
      patchBulk({ id: bo, street: 'b' }),
      patchBulk({ id: astrid, street: 'a' }),
    ],
  ],
  [
    'it is another consent',
    'setConsents',
    [post(consent('newsletter', true)), post(consent('profiling', true)), post(consent('newsletter', true))],
  ],
  [
    'the newer row of a bulk was refused',
    'updateContact',
    [patch({ street: 'a' }), patchBulk({ id: astrid, street: 'b', email: 'no address' }), patch({ street: 'a' })],
  ],
  [
    'another endpoint writes the newer value once more',
    'updateContacts',
    [
      patchBulk({ id: astrid, street: 'a' }),
      patch({ street: 'b' }),
      patchBulk({ id: astrid, street: 'a' }),
      post({ street: 'b' }),
    ],
  ],
])('an older write delivered late overwrites nothing when %s', inTime, async (_, endpoint, sent) => {
  expect(found(await play(endpoint, sent, { way: 'over HTTP' }))).toBe('PASS');
});

describe('an older write', () => {
  it('is delivered before a newer one, and dropped by neither', async () => {
    const sent = [balances(row(5)), balances(row(5)), balances(row(6))];
    expect(found(await play('setPointBalances', sent))).toBe('PASS');
  });

  it.each<[string, string, readonly Sent[]]>([
    ['a later moment, which is a new reading', 'PASS', [balances(row(5, early)), balances(row(5, later))]],
    ['an earlier moment', 'FAIL R4', [balances(row(5, later)), balances(row(5, early))]],
    ['no moment', 'FAIL R4', [balances(row(5, early)), balances(row(5))]],
  ])('may be delivered as of %s: %s', async (_, verdict, sent) => {
    expect(found(await play('setPointBalances', sent))).toBe(verdict);
  });

  it.each<[string, string, Sent, Sent]>([
    ['a street', 'updateContact', patch({ street: 'a' }), patch({ street: 'b' })],
    ['a consent', 'setConsents', post(consent('newsletter', true)), post(consent('newsletter', false))],
    ['a contact type', 'updateContactType', setType('Contact'), setType('Member')],
  ])('is no newer one because it is repeated after a look that shows it: %s', async (_, endpoint, first, second) => {
    const look: Sent = ['GET', contact()];
    const faults = [{ phase: 'after', status: 504 }, 504];
    const sent = [first, look, second, look, first, second];
    expect(found(await play(endpoint, sent, { faults }))).toBe('PASS');
    // The other one is meant again where nothing says that it was lost.
    expect(found(await play(endpoint, sent, { faults: ['ok', 504] }))).toBe('FAIL R16');
  });

  it('names all changes that have replaced it', async () => {
    const { text } = await play('updateContact', [
      patch({ street: 'a', city: 'a' }),
      patch({ street: 'b' }),
      patch({ city: 'b' }),
    ]);
    expect(text).toContain('default-2, default-3 have replaced what it would have changed');
  });

  it('is replaced although it was tried again in vain after the newer one', async () => {
    const sent = [post({ street: 'a' }), patch({ street: 'b' }), post({ street: 'a' })];
    expect(found(await play('setConsents', sent, { faults: [504, 504] }))).toBe('PASS');
  });

  it('is not replaced by one that is older still, and delivered late', async () => {
    const sent = [patch({ street: 'a' }), patch({ street: 'b' }), patch({ street: 'a' })];
    expect(found(await play('updateContact', sent, { faults: [504, 504] }))).toBe('FAIL R1');
  });

  it.each<[string, string, readonly Sent[], unknown]>([
    [
      'a bulk',
      'updateContacts',
      [patchBulk({ id: astrid, street: 'a' }), patch({ street: 'b' }), patch({ street: 'a' })],
      504,
    ],
    [
      'a change',
      'updateContact',
      [patch({ street: 'a' }), patch({ street: 'b' }), patchBulk({ id: astrid, street: 'a' })],
      504,
    ],
    [
      'balances',
      'setPointBalances',
      [
        balances(row(5), row(3, { contactId: bo })),
        balances(row(6)),
        balances(row(4, { contactId: bo })),
        balances(row(5)),
      ],
      504,
    ],
    [
      'a bulk whose job failed',
      'updateContacts',
      [patchBulk({ id: astrid, street: 'a' }), patch({ street: 'b' }), patch({ street: 'a' })],
      { job: 'fail' },
    ],
  ])('leaves open whether %s was delivered late, in another form', async (_, endpoint, sent, fault) => {
    const { verdict, text } = await play(endpoint, sent, { faults: [fault] });
    expect(verdict).toBe('INCONCLUSIVE');
    expect(text).toMatch(/replaced what it would have changed, and default-\d set it back/);
  });

  it('overwrites no balance when the service passes over an older one', async () => {
    const sent = [balances(row(5, early)), balances(row(6, later)), balances(row(5, early))];
    const options = { assumptions: { 'A-46': 'newest-wins' } };
    expect(found(await play('setPointBalances', sent, { options }))).toBe('PASS');
  });
});

it.each<[string, number[], string]>([
  ['an older balance may overwrite a newer one', [5, 6, 5], 'INCONCLUSIVE'],
  ['the balances wait in their order', [5, 5, 6], 'PASS'],
])('while the queue is held, %s', async (_, amounts, expected) => {
  const { send, judge } = await openStage('in process', { rules: [on('setPointBalances', 504)], ...follower });
  await send('POST', '/__admin/queue', { hold: true });
  await sendAll(
    send,
    amounts.map((amount) => balances(row(amount))),
  );
  expect(found(await judge())).toBe(expected);
});

it.each([
  ['one client', 'till-1', 'FAIL R16'],
  ['two clients', 'till-2', 'PASS'],
])('an older balance over a newer one of %s', inTime, async (_, newer, expected) => {
  const { start, judge } = await openStage('over HTTP', { rules: [on('setPointBalances', 504)], ...follower });
  const [one, other] = ['till-1', newer].map((id) => start({ headers: { 'x-sim-client': id } }));
  await sendAll(one as Send, [balances(row(5))]);
  await sendAll(other as Send, [balances(row(6))]);
  await sendAll(one as Send, [balances(row(5))]);
  expect(found(await judge())).toBe(expected);
});

it('a balance of another client replaces none', inTime, async () => {
  const { start, judge } = await openStage('over HTTP', { rules: [on('setPointBalances', 504)], ...follower });
  await sendAll(start({ headers: { 'x-sim-client': 'till-1' } }), [balances(row(5))]);
  await sendAll(start({ headers: { 'x-sim-client': 'till-2' } }), [balances(row(6))]);
  expect(found(await judge())).toBe('FAIL R1');
});
