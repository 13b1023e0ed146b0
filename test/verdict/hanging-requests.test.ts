/** Requests that are left without a response: what counts is when their client gave up, not when the fault began. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { findingsOf, messagesOf } from '../support/judged.ts';
import type { Client } from '../support/client.ts';
import { openSim } from '../support/open-sim.ts';
import { openSimOnPort } from '../support/open-sim-on-port.ts';
import { receiptOf } from '../support/receipt.ts';
import { astrid } from '../support/people.ts';
import { inTime } from '../support/in-time.ts';
import { on, openStage, unreached } from '../support/programs.ts';

const hung = { respond: 'none' as const, end: 'hang' as const };
const hang = { match: { endpoint: 'createReceipt' }, fault: [hung] };
const scenario = { policy: { minBackoff: '1500ms' }, rules: [hang] };

const path = '/api/v3/receipts';
const body = JSON.stringify(receiptOf(astrid, 'till-1'));

/** Sends the receipt; resolves when it is over, however it ends. */
type Send = (signal?: AbortSignal) => Promise<void>;

const sender = ({ sim, url }: Client & { readonly url?: string }): Send =>
  async function send(signal) {
    const request = new Request(`${url ?? 'http://sim'}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
      ...(signal && { signal }),
    });
    await (url === undefined ? sim.fetch(request) : fetch(request)).then((response) => response.text()).catch(() => {});
  };

/** Gives up after 1.8 s, which is longer than the pause should be, and sends the request again after a pause. */
async function retryAfter(pause: number, send: Send): Promise<void> {
  await send(AbortSignal.timeout(1800));
  await sleep(pause);
  await send();
}

/** Waits no longer than 500 ms, but keeps the connection open. */
async function forget(send: Send, { sim }: Client): Promise<void> {
  const given = new AbortController();
  const first = send(given.signal);
  // A busy machine may take as long to send it.
  await expect.poll(() => [...sim.tenants.default.journal.exchanges()].length, { interval: 1 }).toBe(1);
  await sleep(500);
  await send();
  await sleep(200);
  given.abort();
  await first;
}

const clients = [
  ['pauses as declared', (send: Send) => retryAfter(1600, send), []],
  ['does not pause', (send: Send) => retryAfter(0, send), ['R6 fail']],
  ['keeps the first request open', forget, ['R8 fail']],
] as const;

describe('the verdict on hanging requests', () => {
  it.each(clients)('finds of a client that %s', inTime, async (_, play, found) => {
    const client = await openSimOnPort({ scenario });
    await play(sender(client), client);
    expect((await findingsOf(client)).filter((one) => found.length === 0 || one === found[0])).toEqual(found);
  });

  it.each(clients)('finds of a client in process that %s', async (_, play, found) => {
    const client = await openSim({ scenario });
    await play(sender(client), client);
    expect((await findingsOf(client)).filter((one) => found.length === 0 || one === found[0])).toEqual(found);
  });

  it('finds that a client sends again what it still waits for', inTime, async () => {
    const client = await openSimOnPort({ scenario: { rules: [hang] } });
    const given = new AbortController();
    const first = sender(client)(given.signal);
    await sleep(200);
    await sender(client)();
    expect(await messagesOf(client)).toEqual([
      'R8: POST /api/v3/receipts was sent again while the previous attempt was in flight',
    ]);
    given.abort();
    await first;
  });

  it.each([
    ['over HTTP', openSimOnPort],
    ['in process', openSim],
  ])(
    'leaves open %s whether a client that still waits will come back, and fails it when it has given up',
    inTime,
    async (_, open) => {
      const client: Client = await open({ scenario: { rules: [hang] } });
      const given = new AbortController();
      const first = sender(client)(given.signal);
      await sleep(200);
      expect(await messagesOf(client)).toEqual([
        'R1: POST /api/v3/receipts is still in flight: its client still waits for the response',
      ]);
      expect(await findingsOf(client)).toEqual(['R1 inconclusive']);
      given.abort();
      await first;
      await expect.poll(() => findingsOf(client)).toEqual(['R1 fail']);
    },
  );

  it.each([
    ['in another notation', '2026-03-01T11:00:00.000+01:00', []],
    ['later by a second', '2026-03-01T10:00:01Z', ['R4 fail']],
  ])('finds of a receipt that is repeated with its date %s', async (_, createdDate, found) => {
    const client = await openSim({ scenario: { rules: [{ match: { endpoint: 'createReceipt' }, fault: ['504'] }] } });
    for (const date of ['2026-03-01T10:00:00Z', createdDate])
      await client.call('POST', path, { body: receiptOf(astrid, 'till-1', { createdDate: date }) });
    expect(await findingsOf(client)).toEqual(found);
  });

  it('does not compare a pause with one that contains the wait for a response', inTime, async () => {
    const rules = [on('createReceipt', hung, unreached, unreached)];
    const { start, wait, judge } = await openStage('over HTTP', { rules, policy: { minBackoff: '1s' } });
    const send = start({ timeout: 300 });
    for (const pause of ['3s', '1s', '2s', '0s']) {
      await send('POST', path, receiptOf(astrid, 'till-1'));
      await wait(pause);
    }
    expect((await judge()).findings).toEqual([]);
  });
});
