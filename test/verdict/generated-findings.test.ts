/** What generated clients have shown: right clients that were failed, and defects that went unseen. */
import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../src/scenario/scenario-schema.ts';
import { advance, findingsOf, sendReceipt, times } from '../support/judged.ts';
import type { Client } from '../support/client.ts';
import { astrid, bo } from '../support/people.ts';
import { openFailingSim, openSim } from '../support/open-sim.ts';

/** Tries a receipt once, and again after each of these pauses. */
async function tryWithPauses(client: Client, pauses: readonly string[]): Promise<void> {
  await times(1, () => sendReceipt(client, 'till-1'));
  for (const pause of pauses) {
    await advance(client, pause);
    await times(1, () => sendReceipt(client, 'till-1'));
  }
}

it.each([
  ['far longer than the next', ['312s', '11s'], {}, []],
  ['far longer than the next, though shorter than its fallback', ['312s', '11s'], { after: '1h' }, ['inconclusive']],
  ['as long as the next', ['11s', '11s'], {}, ['fail']],
  ['far longer than the next, with a delivery as late', ['312s', '11s', '300s', '11s', '290s'], {}, []],
  ['far longer than the next, which are too many', ['312s', '11s', '11s'], {}, ['fail']],
])('the verdict counts the attempts of a client whose first pause is %s', async (_, pauses, fallback, levels) => {
  const client = await openFailingSim(
    { createReceipt: pauses.map(() => 504) },
    { maxAttempts: 2, ...('after' in fallback && { storeAndForward: fallback }) },
  );
  await tryWithPauses(client, pauses);
  expect(await findingsOf(client)).toEqual(levels.map((level) => `R7 ${level}`));
});

const throttled = (seconds: number) => ({ status: 429, headers: { 'Retry-After': `${seconds}` } });
const lost = { phase: 'after', respond: 'none', end: 'reset' } as const;
const unreached = { respond: 'none', end: 'reset' } as const;

it.each([
  ['requested by Retry-After', [throttled(12), throttled(7), '504'], []],
  ['after ends of several kinds', ['504', unreached, '504'], []],
  ['of its own choice', ['504', '504', '504'], ['R6 fail']],
] as const)('the verdict compares pauses that shrink %s', async (_, faults, found) => {
  const rules = [{ match: { endpoint: 'createReceipt' }, fault: [...faults] }];
  const client = await openSim({ scenario: { rules, policy: { minBackoff: '2s' } } });
  await tryWithPauses(client, ['12s', '7s', '2100ms']);
  expect(await findingsOf(client)).toEqual(found);
});

const incomplete = { storeExternalId: undefined };

const asTill = (number: number) => ({ 'x-sim-client': `till-${number}` });

const look = ({ call }: Client, till: number) =>
  call('GET', '/api/v3/contacts/id?email=guest@example.com', { headers: asTill(till) });

describe('of a lookup that got 404 and is asked again at once', () => {
  it('fails a client between whose requests another one works', async () => {
    const client = await openSim();
    for (let i = 0; i < 3; i++) {
      await look(client, 1);
      await client.call('GET', `/api/v3/contacts/${bo}`, { headers: asTill(2) });
      await advance(client, '1s');
    }
    expect(await findingsOf(client)).toEqual(['R2 fail']);
  });

  it.each([
    ['its own queue', 1, ['R2 note']],
    ['the queue of another client', 2, ['R2 fail']],
  ])('finds while writes wait in %s', async (_, till, found) => {
    const client = await openFailingSim({ updateContact: [504, 504] });
    const write = () =>
      client.call('PATCH', `/api/v3/contacts/${bo}`, { body: { city: 'Lund' }, headers: asTill(till) });
    await write();
    await advance(client, '1s');
    await write();
    for (let i = 0; i < 3; i++) {
      await advance(client, '1s');
      await look(client, 1);
    }
    await advance(client, '1m');
    await write();
    const body = { firstName: 'Gus', lastName: 'Guest', email: 'guest@example.com' };
    await client.call('POST', '/api/v3/contacts', { body, headers: asTill(1) });
    expect(await findingsOf(client)).toEqual(found);
  });
});

const guest = { firstName: 'Gus', lastName: 'Guest', email: 'guest@example.com' };
const points = (contactId: string) => ({
  contactId,
  definitionId: 1,
  amount: 20,
  timeStamp: '2026-03-01T11:00:00Z',
  source: 'Adjustment',
  description: 'welcome',
});

/** Reads the same again after each pause, with a read of somebody else in between. */
async function readWithPauses(faults: readonly unknown[], pauses: readonly string[]): Promise<string[]> {
  const rules = [{ match: { path: `/api/v3/contacts/${bo}` }, fault: faults }];
  const client = await openSim({ scenario: { rules, policy: { minBackoff: '1s' } } as ScenarioInput });
  await times(1, () => client.get(`/api/v3/contacts/${bo}`));
  for (const pause of pauses) {
    await client.get(`/api/v3/contacts/${astrid}`);
    await advance(client, pause);
    await times(1, () => client.get(`/api/v3/contacts/${bo}`));
  }
  return findingsOf(client);
}

describe('the verdict on generated clients', () => {
  it.each([
    ['one customer', [astrid, astrid], {}, ['R9 inconclusive']],
    ['one customer by one declared client', [astrid, astrid], { 'x-sim-client': 'till-1' }, ['R9 fail']],
    ['two customers', [astrid, bo], {}, ['R9 inconclusive']],
    ['two customers by one declared client', [astrid, bo], { 'x-sim-client': 'till-1' }, ['R9 fail']],
  ])('finds of receipts of %s that are delivered newest first', async (_, people, headers, found) => {
    const client = await openFailingSim({ createReceipt: [504, 504, 504, 504] }, { storeAndForward: { after: '10s' } });
    const send = (i: number) =>
      sendReceipt(client, `till-${i}`, { contact: { matchKey: people[i], matchKeyType: 'contactId' } }, headers);
    for (const i of [0, 1]) {
      await send(i);
      await advance(client, '1s');
      await send(i);
    }
    await advance(client, '1m');
    for (const i of [1, 0]) await send(i);
    expect(await findingsOf(client)).toEqual(found);
  });

  it('lets a client sell the same twice when only the second sale failed at first', async () => {
    const rules = [{ match: { endpoint: 'createReceipt' }, skip: 1, fault: ['500' as const, lost] }];
    const client = await openSim({ scenario: { rules } });
    await sendReceipt(client, 'till-1');
    await advance(client, '10s');
    for (let i = 0; i < 3; i++) {
      await times(1, () => sendReceipt(client, 'till-2'));
      await advance(client, '1s');
    }
    expect(await findingsOf(client)).toEqual([]);
  });

  it.each([
    ['unchanged, and then corrected', [incomplete, incomplete, {}], {}, ['R3 fail']],
    ['corrected', [incomplete, {}], {}, []],
    ['corrected, which is no third attempt', ['504', incomplete, {}], { maxAttempts: 2 }, []],
  ] as const)('finds of a receipt that is refused with 400 and sent again %s', async (_, sent, policy, found) => {
    const client = await openFailingSim(sent[0] === '504' ? { createReceipt: [504] } : {}, policy);
    for (const [i, fields] of sent.entries()) {
      await sendReceipt(client, 'till-1', fields === '504' ? incomplete : fields);
      await advance(client, i === 0 ? '5s' : '4s');
    }
    expect(await findingsOf(client)).toEqual(found);
  });

  it('counts the pauses of a receipt from the attempt that was corrected after a 400', async () => {
    const rules = [{ match: { endpoint: 'createReceipt' }, skip: 1, fault: [504, 504, 504] }];
    const client = await openSim({
      scenario: { rules, policy: { minBackoff: ['400ms', '600ms', '900ms'] } } as ScenarioInput,
    });
    await sendReceipt(client, 'till-1', incomplete);
    await tryWithPauses(client, ['450ms', '650ms', '950ms']);
    expect(await findingsOf(client)).toEqual([]);
  });

  it('counts the attempts on after a pause that Retry-After asked for', async () => {
    const rules = [{ match: { endpoint: 'createReceipt' }, fault: ['504', throttled(8), '504'] }];
    const client = await openSim({ scenario: { rules, policy: { maxAttempts: 2 } } as ScenarioInput });
    await tryWithPauses(client, ['500ms', '8s', '500ms']);
    expect(await findingsOf(client)).toEqual(['R7 fail']);
  });

  it('compares the order of delivery within the queue of each client', async () => {
    const client = await openFailingSim({ createReceipt: Array(6).fill(504) }, { storeAndForward: { after: '10s' } });
    const send = (till: number, key: string) => sendReceipt(client, key, {}, asTill(till));
    const sent = [
      [1, 'a'],
      [2, 'b'],
      [1, 'c'],
    ] as const;
    for (const [till, key] of sent) {
      await send(till, key);
      await advance(client, '1s');
      await send(till, key);
    }
    await advance(client, '1m');
    for (const [till, key] of [sent[2], sent[0], sent[1]]) await send(till, key);
    expect(await findingsOf(client)).toEqual(['R9 fail']);
  });

  it('takes a success for a recovery, though a fault rule has let it through', async () => {
    const rules = [{ match: { endpoint: 'createReceipt' }, fault: ['504', '504', 'ok', '504'] }];
    const client = await openSim({ scenario: { rules } as ScenarioInput });
    for (const key of ['lost', 'lost', 'done']) {
      await sendReceipt(client, key, { totalGrossPrice: key === 'done' ? 99 : 249 });
      await advance(client, '1s');
    }
    expect(await findingsOf(client)).toEqual(['R9 fail']);
  });

  it.each([
    ['twice more', 2, ['R2 fail']],
    ['once more', 1, ['R2 note']],
  ])(
    'finds of a lookup that got 404 and is made %s after another client has changed something',
    async (_, count, found) => {
      const client = await openSim();
      await look(client, 1);
      await client.call('PATCH', `/api/v3/contacts/${bo}`, { body: { city: 'Lund' }, headers: asTill(2) });
      for (let i = 0; i < count; i++) {
        await advance(client, '1s');
        await look(client, 1);
      }
      expect(await findingsOf(client)).toEqual(found);
    },
  );

  it('lets a lookup be retried that got 404, and 500 after another client had changed something', async () => {
    const rules = [{ match: { endpoint: 'getContactId' }, skip: 1, fault: [500] }];
    const client = await openSim({ scenario: { rules } as ScenarioInput });
    await look(client, 1);
    await client.call('PATCH', `/api/v3/contacts/${bo}`, { body: { city: 'Lund' }, headers: asTill(2) });
    for (let i = 0; i < 2; i++) {
      await advance(client, '1s');
      await look(client, 1);
    }
    expect(await findingsOf(client)).toEqual(['R2 note']);
  });

  it.each([
    ['has been read back', [astrid], ['R2 fail']],
    ['has not been read back', [], ['R2 note']],
  ])('finds of a lookup that got 404 and is made again while a lost bulk %s', async (_, read, found) => {
    const client = await openSim({
      scenario: { rules: [{ match: { endpoint: 'addPointTransactions' }, fault: [lost] }] },
    });
    await times(1, () => client.post('/api/v3/point-accounts/transactions', [points(astrid)]));
    for (const id of read) await client.get(`/api/v3/point-accounts?contactId=${id}`);
    for (let i = 0; i < 2; i++) {
      await advance(client, '1s');
      await client.get('/api/v3/contacts/id?email=guest@example.com');
    }
    await client.post('/api/v3/contacts', guest);
    // A later look does not prolong the wait.
    await client.get(`/api/v3/point-accounts?contactId=${read[0] ?? bo}`);
    expect((await findingsOf(client)).filter((one) => one.startsWith('R2'))).toEqual(found);
  });

  it.each([
    ['after the pause that Retry-After asked for', ['504', throttled(7)], ['500ms', '7500ms'], ['R7 fail']],
    ['long after the pause that Retry-After asked for', ['504', throttled(7)], ['500ms', '20s'], ['R1 note']],
    ['before that pause is over', ['504', throttled(7)], ['500ms', '4s'], ['R1 note']],
    [
      'at its own pace after a longer pause',
      ['504', '504', throttled(7), '504'],
      ['500ms', '500ms', '7500ms', '600ms'],
      ['R7 fail'],
    ],
  ])('finds of a read that is made once more than declared, %s', async (_, faults, pauses, found) => {
    const rules = [{ match: { endpoint: 'getContact' }, fault: faults }];
    const client = await openSim({ scenario: { rules, policy: { maxAttempts: pauses.length } } as ScenarioInput });
    for (const pause of [...pauses, '1m']) {
      await times(1, () => client.get(`/api/v3/contacts/${bo}`));
      await advance(client, pause);
    }
    expect((await findingsOf(client)).toSorted()).toEqual(found);
  });

  it('takes a read for a retry after the pause that Retry-After asked for', async () => {
    expect(await readWithPauses([throttled(7), 504], ['8s', '1100ms'])).toEqual([]);
  });

  it('leaves open whether a failed read was the last retry of one before it', async () => {
    expect(await readWithPauses([504, 504], ['13s'])).toEqual(['R1 inconclusive', 'R1 inconclusive']);
  });
});

it.each([
  ['as soon as a retry would', '2100ms', ['R7 inconclusive', 'R1 note']],
  ['much later than a retry would', '5s', ['R1 note']],
  ['much sooner than a retry would', '1s', ['R1 note']],
])(
  'the verdict on a read that is given up as declared, and comes again after other work %s',
  async (_, pause, found) => {
    const client = await openSim({
      scenario: {
        rules: [{ match: { endpoint: 'getContact' }, fault: ['504', '504', '504', '504'] }],
        policy: { maxAttempts: 3, minBackoff: ['2s'] },
      },
    });
    const read = (): Promise<unknown> => times(1, () => client.get(`/api/v3/contacts/${astrid}`));
    await read();
    for (const between of ['2s', '2s']) {
      await advance(client, between);
      await read();
    }
    await advance(client, pause);
    await sendReceipt(client, 'till-1');
    await read();
    await advance(client, '2s');
    await read();
    expect((await findingsOf(client)).toSorted()).toEqual(found.toSorted());
  },
);

it.each([
  ['9, 50 and 9 s', [9, 50, 9], ['R7 inconclusive']],
  ['30, 60 and 30 s', [30, 60, 30], ['R7 inconclusive']],
  ['30, 60 and 10 s', [30, 60, 10], []],
  ['30, 60 and 0 s', [30, 60, 0], []],
  ['9, 9 and 9 s', [9, 9, 9], ['R7 fail']],
])('the verdict on a read that comes a fourth time, after pauses of %s', async (_, pauses, found) => {
  const client = await openSim({
    scenario: {
      rules: [{ match: { endpoint: 'getContact' }, fault: ['504', '504', '504'] }],
      policy: { maxAttempts: 3 },
    },
  });
  const read = (): Promise<unknown> => times(1, () => client.get(`/api/v3/contacts/${astrid}`));
  await read();
  for (const pause of pauses) {
    await advance(client, `${pause}s`);
    await read();
  }
  expect((await findingsOf(client)).filter((one) => one.startsWith('R7'))).toEqual(found);
});
