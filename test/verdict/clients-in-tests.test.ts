/** Right clients as tests play them, with ids, snapshots, clocks and declarations; what is expected of them was written down before they ran. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import {
  addPoints,
  advance,
  award,
  findingsOf,
  lookForPoints,
  pointsRow,
  sendReceipt,
  times,
} from '../support/judged.ts';
import { openFailingSim, openSim, startSim } from '../support/open-sim.ts';
import { astrid, bo } from '../support/people.ts';
import { receiptOf } from '../support/receipt.ts';
import type { Sim } from '../../src/simulator/sim.ts';

const transactions = '/api/v3/point-accounts/transactions';
const ofJson = { 'content-type': 'application/json' };

const sendPoints = ({ call }: Client, rows: readonly object[], headers = {}): Promise<unknown> =>
  call('POST', transactions, { body: rows, headers });

const taken = { contactType: 'Member', email: 'astrid.lindqvist@example.com' };

const byReference = async (sim: Sim) => {
  const { verdict, checks } = await sim.verdict({ tenant: 'a', reference: 'b' });
  return [verdict, checks.at(-1)?.reason];
};

describe('the verdict on clients in tests', () => {
  it.each([
    [{ 'idempotency-key': 'k', 'x-sim-test-id': 'bonus' }, []],
    [{ 'x-sim-test-id': 'bonus' }, ['R10 fail', 'R11 fail']],
  ])('takes an Idempotency-Key for one next to a test id: %o', async (headers, found) => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    await times(2, () => addPoints(client, headers));
    expect(await findingsOf(client)).toEqual(found);
  });

  it('takes an empty Idempotency-Key for none, as the service does', async () => {
    const empty = { 'idempotency-key': '' };
    const right = await openSim();
    for (const contactId of [astrid, bo]) await sendPoints(right, [{ ...pointsRow, contactId }], empty);
    expect(await findingsOf(right)).toEqual([]);
    const wrong = await openFailingSim({ addPointTransactions: [504] });
    await times(2, () => addPoints(wrong, empty));
    expect(await findingsOf(wrong)).toEqual(['R11 fail']);
  });

  it.each<readonly [string, (client: Client) => Promise<unknown>, string]>([
    ['409', ({ post }) => post('/api/v3/contacts', taken), 'R2 fail'],
    ['400', (client) => sendReceipt(client, 'x', { currency: undefined }), 'R3 fail'],
    ['404', ({ get }) => get('/api/v3/contacts/id?email=nobody@example.com'), 'R2 fail'],
  ])('lets what got %s be sent again after a snapshot was restored, and only then', async (_, send, found) => {
    const [restored, left] = [await openSim(), await openSim()];
    await restored.post('/__admin/snapshots/start');
    for (let i = 0; i < 3; i++) {
      await send(restored);
      await restored.post('/__admin/snapshots/start/restore');
    }
    await times(2, () => send(left));
    expect([await findingsOf(restored), await findingsOf(left)]).toEqual([[], [found]]);
  });

  it.each<readonly [string, (client: Client) => Promise<unknown>]>([
    ['set back', ({ post }) => post('/__admin/clock', { set: '2026-03-01T12:00:00Z' })],
    ['reset', ({ post }) => post('/__admin/reset', { scopes: ['clock'] })],
    ['put back with a snapshot', ({ post }) => post('/__admin/snapshots/start/restore')],
  ])('counts a moved clock as a pause also if it is %s before the repeat', async (_, putBack) => {
    const client = await openFailingSim(
      { createReceipt: [504] },
      { minBackoff: '1s' },
      { now: '2026-03-01T12:00:00Z' },
    );
    await client.post('/__admin/snapshots/start');
    await sendReceipt(client, 'till-1');
    await advance(client, '10s');
    await putBack(client);
    await sendReceipt(client, 'till-1');
    expect(await findingsOf(client)).toEqual([]);
  });

  it.each([
    ['9999ms', ['R2 fail', 'R10 fail']],
    ['10s', []],
  ])('ends a window of 10 s once the clock has moved by it: %s', async (length, found) => {
    const client = await openFailingSim({}, { deduplicationWindow: '10s' }, { now: '2026-03-01T12:00:00Z' });
    await addPoints(client);
    await advance(client, length);
    await addPoints(client);
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each([
    [['items[*].extraData'], []],
    [['items'], []],
    [['$.items[0].extraData[*].value'], []],
    [['items[1]'], ['R4 fail']],
    [['items[*].extra'], ['R4 fail']],
    [['tem'], ['R4 fail']],
  ])('ignores fields with all that they hold: %s', async (ignoreFields, found) => {
    const client = await openFailingSim({ createReceipt: [504] }, { ignoreFields });
    const { items } = receiptOf(astrid, 'till-1') as { readonly items: readonly object[] };
    await times(2, (i) =>
      sendReceipt(client, 'till-1', { items: [{ ...items[0], extraData: [{ name: 'scannedAt', value: `${i}` }] }] }),
    );
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each(['items[*', '', '$', 'a..b', 'items[x]'])('refuses "%s" as the path of a field', async (path) => {
    await expect(openFailingSim({}, { ignoreFields: [path] })).rejects.toThrow('policy.ignoreFields[0]: must');
  });

  it.each([
    ['58s', []],
    ['54s', ['R7 fail']],
  ])('lets a stored request be forwarded earlier than declared by the tolerance: %s', async (pause, found) => {
    const policy = { maxAttempts: 1, tolerance: '5s', storeAndForward: { after: '1m' } };
    const client = await openFailingSim({ createReceipt: [504] }, policy, { now: '2026-03-01T12:00:00Z' });
    await sendReceipt(client, 'till-1');
    await advance(client, pause);
    await sendReceipt(client, 'till-1');
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each<readonly [string, (client: Client) => Promise<unknown>, (client: Client) => Promise<unknown>, string]>([
    ['points', addPoints, lookForPoints, 'addPointTransactions'],
    ['checkpoint', award, ({ get }) => get(`/api/v3/challenges?contactId=${astrid}`), 'awardCheckpoints'],
  ])('asks for no pause before equal %s of new work, once the lost one was seen', async (_, send, look, endpoint) => {
    const client = await openFailingSim({ [endpoint]: ['lost'] }, { minBackoff: '1s', maxAttempts: 1 });
    await times(1, () => send(client));
    await look(client);
    await send(client);
    expect(await findingsOf(client)).toEqual(['R10 inconclusive']);
  });

  it('holds a tenant against another unless its journal was deleted, and what was done stayed', async () => {
    await using sim = await startSim();
    const [a, b] = [sim.tenant('a'), sim.tenant('b')];
    for (const { fetch } of [a, b])
      await fetch(transactions, { method: 'POST', headers: ofJson, body: JSON.stringify([pointsRow]) });
    a.reset('journal');
    await a.fetch('/api/v3/contacts/count', { headers: ofJson });
    expect(await byReference(sim)).toEqual([
      'INCONCLUSIVE',
      '1 request of "a" was deleted, and not what was done: reset the state with the journal',
    ]);
    for (const tenant of [a, b]) tenant.reset();
    for (const { fetch } of [a, b])
      await fetch(transactions, { method: 'POST', headers: ofJson, body: JSON.stringify([pointsRow]) });
    expect(await byReference(sim)).toEqual(['PASS', 'as expected']);
  });

  it('holds against a reference only what a restored snapshot has not taken back', async () => {
    await using sim = await startSim();
    const [a, b] = [sim.tenant('a'), sim.tenant('b')];
    const snapshot = (then: string) => sim.fetch(`/__admin/snapshots/start${then}?tenant=a`, { method: 'POST' });
    await snapshot('');
    await a.fetch(transactions, { method: 'POST', headers: ofJson, body: JSON.stringify([pointsRow]) });
    await snapshot('/restore');
    await b.fetch(transactions, { method: 'POST', headers: ofJson, body: JSON.stringify([pointsRow]) });
    expect(await byReference(sim)).toEqual(['FAIL', expect.stringContaining('120 points')]);
  });
});
