/** Unkeyed work that is sent again after it has succeeded: by a queue that kept it, or in a bulk that was corrected. */
import { describe, expect, it } from 'vitest';
import { advance, award, findingsOf, lookForPoints, messagesOf, pointsRow } from '../support/judged.ts';
import { openFailingSim } from '../support/open-sim.ts';
import type { Client } from '../support/client.ts';
import { bo, nobody } from '../support/people.ts';

type Step = readonly [client: string, rows: readonly object[], headers?: Readonly<Record<string, string>>];
type Faults = Parameters<typeof openFailingSim>[0];

const other = { ...pointsRow, contactId: bo };
const later = { ...pointsRow, timeStamp: '2026-03-01T11:05:00Z' };
const { source: _, ...withoutSource } = other;
const thirty = { contactId: pointsRow.contactId, amount: 30 };

const send = async (client: Client, [id, body, headers = {}]: Step): Promise<void> => {
  await client
    .call('POST', '/api/v3/point-accounts/transactions', { body, headers: { 'x-sim-client': id, ...headers } })
    .catch(() => {});
};

/** Sends the first step, and the others ten minutes later, each after a look. */
async function play(faults: Faults, [first, ...others]: readonly Step[]): Promise<Client> {
  const client = await openFailingSim(faults);
  if (first) await send(client, first);
  await advance(client, '10m');
  for (const step of others) {
    const look = { headers: { 'x-sim-client': step[0] } };
    await client.call('GET', `/api/v3/point-accounts?contactId=${pointsRow.contactId}`, look);
    await send(client, step);
  }
  return client;
}

const failsOnce: Faults = { addPointTransactions: [504] };

describe('the verdict on work that is sent again', () => {
  it.each<[string, Faults, readonly Step[]]>([
    [
      'two workers deliver what a till has queued',
      failsOnce,
      [
        ['till-7', [pointsRow]],
        ['w1', [pointsRow]],
        ['w2', [pointsRow]],
      ],
    ],
    [
      'a worker delivers it twice',
      failsOnce,
      [
        ['till-7', [pointsRow]],
        ['w1', [pointsRow]],
        ['w1', [pointsRow]],
      ],
    ],
    [
      'a till delivers it twice',
      failsOnce,
      [
        ['till-7', [pointsRow]],
        ['till-7', [pointsRow]],
        ['till-7', [pointsRow]],
      ],
    ],
    [
      'a till sends it too after a worker that had looked',
      failsOnce,
      [
        ['till-7', [pointsRow]],
        ['w1', [pointsRow]],
        ['till-7', [pointsRow]],
      ],
    ],
    [
      'a bulk comes again after its parts',
      failsOnce,
      [
        ['till-7', [pointsRow, other]],
        ['till-7', [pointsRow]],
        ['till-7', [pointsRow, other]],
      ],
    ],
    [
      'a part of a bulk comes twice',
      failsOnce,
      [
        ['till-7', [pointsRow, other]],
        ['till-7', [pointsRow]],
        ['till-7', [other]],
        ['till-7', [pointsRow]],
      ],
    ],
    [
      'a worker delivers it again among others',
      failsOnce,
      [
        ['till-7', [pointsRow]],
        ['w1', [pointsRow]],
        ['w1', [other, pointsRow]],
      ],
    ],
    [
      'a worker delivers the first of two equal rows again',
      { addPointTransactions: [504, 504] },
      [
        ['till-7', [pointsRow]],
        ['till-7', [later]],
        ['till-7', [pointsRow]],
        ['till-7', [later]],
        ['till-7', [pointsRow]],
      ],
    ],
    [
      'a worker delivers it again beside another row of the contact',
      failsOnce,
      [
        ['till-7', [pointsRow]],
        ['w1', [pointsRow]],
        ['w1', [{ ...later, amount: 30 }, pointsRow]],
      ],
    ],
    [
      'a bulk is sent whole with a corrected row of the same contact',
      {},
      [
        ['till-7', [pointsRow, { ...withoutSource, ...thirty }]],
        ['till-7', [pointsRow, { ...other, ...thirty }]],
      ],
    ],
    [
      'a bulk is sent whole with a corrected contact',
      {},
      [
        ['till-7', [pointsRow, { ...pointsRow, contactId: nobody }]],
        ['till-7', [pointsRow, other]],
      ],
    ],
    [
      'a bulk is sent whole with a corrected row',
      {},
      [
        ['till-7', [pointsRow, withoutSource]],
        ['till-7', [pointsRow, other]],
      ],
    ],
    [
      'the corrected bulk has another key',
      {},
      [
        ['till-7', [pointsRow, withoutSource], { 'idempotency-key': 'i1' }],
        ['till-7', [pointsRow, other], { 'idempotency-key': 'i2' }],
      ],
    ],
    [
      'a bulk that was done in part is sent again',
      {},
      [
        ['till-7', [pointsRow, { ...pointsRow, contactId: nobody }]],
        ['till-7', [pointsRow, { ...pointsRow, contactId: nobody }]],
      ],
    ],
    [
      'another client corrects a bulk that was done in part, and sends all of it',
      {},
      [
        ['till-7', [pointsRow, withoutSource]],
        ['w1', [pointsRow, other]],
      ],
    ],
  ])('leaves points open that come twice when %s', async (_name, faults, steps) => {
    expect(await findingsOf(await play(faults, steps))).toEqual(['R10 inconclusive']);
  });

  it('says how often, and what to do', async () => {
    const delivered = await play(failsOnce, [
      ['till-7', [pointsRow]],
      ['w1', [pointsRow]],
      ['w1', [pointsRow]],
    ]);
    expect(await messagesOf(delivered)).toEqual([
      'R10: contact 100001 has 120 points too many: POST /api/v3/point-accounts/transactions had failed (default-1), took effect (default-3), and was sent again (default-5); ' +
        'unless it was meant as a new operation: its own time stamp, or an x-sim-test-id for each, would tell',
    ]);
    const corrected = await play({}, [
      ['till-7', [pointsRow, withoutSource]],
      ['till-7', [pointsRow, other]],
    ]);
    expect(await messagesOf(corrected)).toEqual([
      'R10: contact 100001 has 120 points too many: POST /api/v3/point-accounts/transactions was refused in part (default-1), and what it had done was sent again (default-3); ' +
        'unless it was meant as a new operation: its own time stamp, or an x-sim-test-id for each, would tell',
    ]);
  });

  it.each<[string, Faults, readonly Step[]]>([
    [
      'new points with a time of their own',
      failsOnce,
      [
        ['till-7', [pointsRow]],
        ['till-7', [pointsRow]],
        ['till-7', [later]],
      ],
    ],
    [
      'equal points that never failed',
      {},
      [
        ['till-7', [pointsRow]],
        ['till-7', [pointsRow]],
      ],
    ],
    [
      'the corrected row alone',
      {},
      [
        ['till-7', [pointsRow, withoutSource]],
        ['till-7', [other]],
      ],
    ],
    [
      'equal points of two tests',
      failsOnce,
      [
        ['till-7', [pointsRow], { 'x-sim-test-id': 'a' }],
        ['till-7', [pointsRow], { 'x-sim-test-id': 'a' }],
        ['till-7', [pointsRow], { 'x-sim-test-id': 'b' }],
      ],
    ],
  ])('passes %s', async (_name, faults, steps) => {
    expect(await findingsOf(await play(faults, steps))).toEqual([]);
  });

  it.each<[string, Faults, readonly Step[]]>([
    [
      'equal points of another till',
      failsOnce,
      [
        ['till-7', [pointsRow]],
        ['till-7', [pointsRow]],
        ['till-8', [pointsRow]],
      ],
    ],
    [
      'other rows of another client, with one that is equal',
      {},
      [
        ['till-7', [pointsRow, withoutSource]],
        ['w1', [pointsRow, other, later]],
      ],
    ],
  ])('notes %s', async (_name, faults, steps) => {
    const client = await play(faults, steps);
    expect(await findingsOf(client)).toEqual(['R10 note']);
    const [message] = await messagesOf(client);
    expect(message).toContain('was sent again by another client (');
  });

  it('tells once of points that came again after another request had failed as well', async () => {
    const client = await openFailingSim({ addPointTransactions: [504], updateContact: [504] });
    for (let i = 0; i < 3; i++) {
      if (i === 1) await lookForPoints(client);
      await send(client, ['till-7', [pointsRow]]);
      const street = { body: { street: 'N' }, headers: { 'x-sim-client': 'till-7' } };
      if (i === 1) await client.call('PATCH', `/api/v3/contacts/${pointsRow.contactId}`, street).catch(() => {});
    }
    const found = await findingsOf(client);
    expect(found.filter((one) => one.startsWith('R10'))).toEqual(['R10 fail']);
  });

  it('passes equal checkpoints, which have no time stamps', async () => {
    const client = await openFailingSim({ awardCheckpoints: [504] });
    await award(client).catch(() => {});
    await client.get(`/api/v3/challenges?contactId=${pointsRow.contactId}`);
    await award(client);
    await award(client);
    expect(await findingsOf(client)).toEqual([]);
  });

  it('passes what was set back in between', async () => {
    const client = await play(failsOnce, [
      ['till-7', [pointsRow]],
      ['till-7', [pointsRow]],
    ]);
    await client.post('/__admin/reset', { scopes: ['state'] });
    await lookForPoints(client);
    await send(client, ['till-7', [pointsRow]]);
    expect(await findingsOf(client)).toEqual([]);
  });
});
