/** R6 to R9 and R12: how fast, how often, how many at once, and what became of what was given up. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { monotonicNow } from '../../src/core/time/clock.ts';
import type { ScenarioInput } from '../../src/scenario/scenario-schema.ts';
import type { Client } from '../support/client.ts';
import { advance, findingsOf, messagesOf, sendReceipt, times } from '../support/judged.ts';
import { openSim, openFailingSim } from '../support/open-sim.ts';
import { openSimOnPort } from '../support/open-sim-on-port.ts';
import { astrid } from '../support/people.ts';
import { receiptOf } from '../support/receipt.ts';
import { isComplete, openWire, rawRequest } from '../support/wire.ts';
import type { Wire } from '../support/wire.ts';
import { inTime, noteLateness } from '../support/in-time.ts';

const fail504 = (count: number): { createReceipt: number[] } => ({ createReceipt: Array<number>(count).fill(504) });

/** Tries a receipt once, and again after each of these pauses, which pass on the simulator's clock. */
async function tryWithPauses(client: Client, pauses: readonly string[], key = 'till-1'): Promise<void> {
  await sendReceipt(client, key);
  for (const pause of pauses) {
    await advance(client, pause);
    await sendReceipt(client, key);
  }
}

it.each([
  ['as long as the service is down', fail504(4), {}, ['R1 inconclusive']],
  ['before a declared fallback had its time', fail504(3), { storeAndForward: { after: '1h' } }, ['R9 inconclusive']],
  ['of calls that are throttled', { createReceipt: [429, 429, 429] }, { giveUp: 'note' as const }, ['R9 note']],
])('the verdict does not fail %s', async (_, faults, policy, found) => {
  const client = await openFailingSim(faults, policy);
  await tryWithPauses(client, ['1s', '2s']);
  expect(await findingsOf(client)).toEqual(found);
});

const till = { 'x-sim-client': 'till' };

/** Two sales that are tried so often each, and delivered after some time. */
async function deliverLate(client: Client, tries: number, after: string, order: readonly string[]): Promise<void> {
  for (const key of ['a1', 'a2']) await times(tries, () => sendReceipt(client, key, {}, till));
  if (after !== '') await advance(client, after);
  for (const key of order) await sendReceipt(client, key, {}, till);
}

/** Each fails once, and is sent again: one by one, or all at once. */
async function recover(client: Client, count: number, send: (calls: (() => Promise<unknown>)[]) => Promise<unknown>) {
  await times(count, (i) => sendReceipt(client, `till-${i}`));
  await send(Array.from({ length: count }, (_, i) => () => sendReceipt(client, `till-${i}`)));
}

const atOnce = (calls: (() => Promise<unknown>)[]) => Promise.all(calls.map((call) => call()));

/** However slow the machine is, it takes a millisecond each. */
async function oneByOne(calls: (() => Promise<unknown>)[]): Promise<void> {
  let moment = monotonicNow();
  const clock = vi
    .spyOn(process, 'hrtime')
    .mockImplementation(() => [Math.floor(moment / 1000), Math.round((moment % 1000) * 1e6)]);
  onTestFinished(() => clock.mockRestore());
  for (const call of calls) {
    await call();
    moment += 1;
  }
}

/** Sends a request, and waits for its response. */
async function sendBy(wire: Wire, request: string): Promise<void> {
  const before = wire.heard().length;
  wire.write(request);
  await wire.until((heard) => isComplete(heard.subarray(before)));
}

describe('the verdict on pacing', () => {
  it.each([
    ['as declared', ['1s', '2s'], []],
    ['longer than declared', ['20s', '60s'], []],
    ['shorter than declared', ['1s', '1s'], ['R6 fail']],
    ['as good as declared', ['1s', '1960ms'], []],
  ])('finds of pauses %s', async (_, pauses, found) => {
    const client = await openFailingSim(fail504(2), { minBackoff: ['1s', '2s'] });
    await tryWithPauses(client, pauses);
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each([
    ['declares none', {}, ['8s', '4s', '2s'], ['R6 note']],
    ['declares less', { minBackoff: '1s' }, ['8s', '4s', '2s'], ['R6 fail']],
    ['was late once', { minBackoff: '1s' }, ['8s', '4s', '4s'], ['R6 note']],
  ])('finds of a client whose pauses shrink, and who %s', async (_, policy, pauses, found) => {
    const client = await openFailingSim(fail504(3), policy);
    await tryWithPauses(client, pauses);
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each([
    ['within a retry loop', ['1s', '1s', '1s'], ['R7 fail']],
    ['with a fallback much later', ['1s', '1s', '30s'], []],
  ])('finds of more attempts than declared %s', async (_, pauses, found) => {
    const client = await openFailingSim(fail504(3), { maxAttempts: 3 });
    await tryWithPauses(client, pauses);
    expect(await findingsOf(client)).toEqual(found);
  });

  it('takes a pause on a clock that stands still for as long as it was moved', async () => {
    const rule = { match: { endpoint: 'createReceipt' }, fault: [{ status: 504, delay: 150 }] };
    const client = await openSim({ scenario: { rules: [rule], policy: { minBackoff: '1s' } } });
    await tryWithPauses(client, ['1s']);
    expect(await findingsOf(client)).toEqual([]);
  });

  it.each([
    ['sooner', '2s', ['R6 fail']],
    ['as told', '3s', []],
  ])('finds of a client that gets a Retry-After of 3 s, and repeats %s', async (_, pause, found) => {
    const rule = { match: { endpoint: 'createReceipt' }, fault: [{ status: 429, headers: { 'retry-after': '3' } }] };
    const client = await openSim({ scenario: { rules: [rule] } });
    await tryWithPauses(client, [pause]);
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each([
    ['sooner', '20s', ['R6 fail']],
    ['as told', '30s', []],
  ])('finds of a client that gets a Retry-After of 30 s, and delivers from its queue %s', async (_, pause, found) => {
    const rule = { match: { endpoint: 'createReceipt' }, fault: [{ status: 503, headers: { 'retry-after': '30' } }] };
    const policy = { minBackoff: '1s', storeAndForward: { after: '10s' } };
    const client = await openSim({ scenario: { rules: [rule], policy } });
    await tryWithPauses(client, [pause]);
    expect(await findingsOf(client)).toEqual(found);
  });

  it('finds attempts that overlap', async () => {
    const client = await openFailingSim({}, { tolerance: 600_000 });
    await Promise.all([sendReceipt(client, 'till-1'), sendReceipt(client, 'till-1')]);
    expect(await findingsOf(client)).toEqual(['R8 fail']);
  });

  it('lets several tills work at once', async () => {
    const client = await openFailingSim({});
    await Promise.all(Array.from({ length: 20 }, (_, i) => sendReceipt(client, `till-${i}`)));
    expect(await findingsOf(client)).toEqual([]);
  });

  it('finds that nothing was delivered though the service recovered', async () => {
    const client = await openFailingSim(fail504(3));
    await tryWithPauses(client, ['1s', '2s']);
    expect(await messagesOf(client)).toEqual([
      'R9: POST /api/v3/receipts was given up after 3 attempts and never delivered, though the service recovered',
    ]);
  });

  it('fails what was never delivered when the clock was moved by the time of a declared fallback', async () => {
    const client = await openFailingSim(fail504(3), { storeAndForward: { after: '1h' } });
    await tryWithPauses(client, ['1s', '2s']);
    await advance(client, '1h');
    expect(await findingsOf(client)).toEqual(['R9 fail']);
  });

  it('finds that a fallback delivered twice', async () => {
    const client = await openFailingSim(fail504(2), { storeAndForward: { after: '10s' } });
    await tryWithPauses(client, ['1s', '1m', '1m']);
    expect(await findingsOf(client)).toEqual(['R2 note', 'R9 fail']);
  });

  it.each([
    ['oldest', ['till-1', 'till-2'], []],
    ['newest', ['till-2', 'till-1'], ['R9 fail']],
  ])('finds of a fallback that delivers the %s first', async (_, order, found) => {
    const client = await openFailingSim(fail504(4), { storeAndForward: { after: '10s' } });
    for (const key of ['till-1', 'till-2']) await times(2, () => sendReceipt(client, key, {}, till));
    await advance(client, '1m');
    for (const key of order) await sendReceipt(client, key, {}, till);
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each<[string, number, number, string, readonly string[], string[]]>([
    ['504, tried once, the newest after 10 minutes', 504, 1, '10m', ['a2', 'a1'], ['R9 fail']],
    ['503, tried once, the newest after 10 minutes', 503, 1, '10m', ['a2', 'a1'], ['R9 fail']],
    ['504, tried twice, the newest after 10 minutes', 504, 2, '10m', ['a2', 'a1'], ['R9 fail']],
    ['504, tried once, the oldest after 10 minutes', 504, 1, '10m', ['a1', 'a2'], []],
    ['504, tried once, the newest after a pause as of a retry', 504, 1, '50s', ['a2', 'a1'], []],
    ['504, tried once, the newest at once', 504, 1, '', ['a2', 'a1'], []],
    ['504, tried twice, the newest at once', 504, 2, '', ['a2', 'a1'], []],
  ])('judges the order in which two sales are delivered after %s', async (_, status, tries, after, order, found) => {
    const client = await openFailingSim({ createReceipt: Array<number>(2 * tries).fill(status) });
    await deliverLate(client, tries, after, order);
    expect(await findingsOf(client)).toEqual(found);
  });

  it('leaves the order of attempts alone that come every 10 minutes', async () => {
    const client = await openFailingSim(fail504(4));
    await deliverLate(client, 1, '10m', ['a2', 'a1']);
    await advance(client, '10m');
    for (const key of ['a2', 'a1']) await sendReceipt(client, key, {}, till);
    expect(await findingsOf(client)).toEqual([]);
  });

  it.each<[string, string[], ScenarioInput['policy'], string[]]>([
    ['once, and delivers 10 minutes later', ['10m'], { maxAttempts: 1 }, []],
    ['once, and repeats after 50 s', ['50s'], { maxAttempts: 1 }, ['R7 fail']],
    ['every 10 minutes', ['10m', '10m', '10m'], { maxAttempts: 3 }, ['R7 fail']],
    ['every 2 minutes, as declared', ['2m', '2m'], { maxAttempts: 2, minBackoff: '2m' }, ['R7 fail']],
    ['with pauses that shrink from 2 minutes', ['2m', '80s', '30s'], { minBackoff: '1s' }, ['R6 fail']],
  ])('counts the attempts of a client that tries %s', async (_, pauses, policy, found) => {
    const client = await openFailingSim(fail504(pauses.length), policy);
    await tryWithPauses(client, pauses);
    expect(await findingsOf(client)).toEqual(found);
  });

  it('lets a client fall back in several rounds', async () => {
    const client = await openFailingSim(fail504(6), {
      maxAttempts: 2,
      minBackoff: '1s',
      storeAndForward: { after: '10s' },
    });
    await tryWithPauses(client, ['1s', '1m', '1s', '1m', '1s', '1m']);
    expect(await findingsOf(client)).toEqual([]);
  });

  it.each([
    ['ten at once', 10, atOnce, undefined, []],
    ['eleven at once', 11, atOnce, undefined, ['R12 fail']],
    ['sixty one by one', 60, oneByOne, undefined, ['R12 note']],
    ['sixty one by one, who declares ten a second', 60, oneByOne, { retryStorm: { maxPerSecond: 10 } }, ['R12 fail']],
  ] as [string, number, typeof atOnce, ScenarioInput['policy'], string[]][])(
    'finds of a client that delivers %s after recovery',
    async (_, count, send, policy, found) => {
      // No hiccup of a busy machine leaves it in doubt.
      const client = await openFailingSim(fail504(count), { tolerance: 600_000, ...policy });
      await recover(client, count, send);
      expect(await findingsOf(client)).toEqual(found);
    },
  );

  it.each([
    ['by connections that it had kept', 'all', 30, ['R12 fail']],
    ['by connections that it had kept, ten at a time', 'all', 10, []],
    ['by new connections', 'one', 30, ['R12 fail']],
    ['by new connections, ten at a time', 'one', 10, []],
    ['by a connection for each request', 'none', 30, ['R12 inconclusive']],
  ])('finds of a client that delivers its backlog over HTTP %s', inTime, async (_, kept, count, found) => {
    const rules = [{ match: { endpoint: 'createReceipt' }, fault: Array<'504'>(30).fill('504') }];
    const client = await openSimOnPort({ scenario: { rules, policy: { tolerance: '600s' } } });
    const open = (): Wire => openWire(client.port);
    const requests = Array.from({ length: 30 }, (__, i) =>
      rawRequest('POST', '/api/v3/receipts', receiptOf(astrid, `till-${i}`, { totalGrossPrice: i })),
    );
    const wires = requests.map((__, i) => (kept === 'one' && i > 0 ? undefined : open()));
    for (const [i, request] of requests.entries()) await sendBy(wires[i] ?? wires[0] ?? open(), request);
    for (let from = 0; from < requests.length; from += count) {
      const batch = requests.slice(from, from + count);
      await Promise.all(batch.map((request, i) => sendBy((kept === 'all' && wires[i]) || open(), request)));
    }
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each([
    ['a connection for each request', 'close', 'INCONCLUSIVE'],
    ['one connection', 'keep-alive', 'FAIL'],
  ])('judges the order of a backlog that was delivered newest first by %s', inTime, async (_, connection, expected) => {
    const rules = [{ match: { endpoint: 'createReceipt' }, fault: Array<'504'>(4).fill('504') }];
    const client = await openSimOnPort({ scenario: { rules, policy: { storeAndForward: { after: '10s' } } } });
    const kept = openWire(client.port);
    const send = (key: string) => {
      const wire = connection === 'close' ? openWire(client.port) : kept;
      return sendBy(wire, rawRequest('POST', '/api/v3/receipts', receiptOf(astrid, key), `connection: ${connection}`));
    };
    for (const key of ['old', 'old', 'new', 'new']) await send(key);
    await advance(client, '1m');
    for (const key of ['new', 'old']) await send(key);
    const { verdict, reason } = noteLateness(await client.sim.verdict({ clientEnded: true }));
    expect({ verdict, reason }).toEqual({
      verdict: expected,
      reason: expect.stringMatching(/R9: .* was delivered before/),
    });
  });

  it('keeps tenants apart', async () => {
    const client = await openFailingSim(fail504(1));
    await sendReceipt(client, 'till-1');
    await client.post('/t/other/api/v3/receipts', {});
    expect(await findingsOf(client)).toEqual(['R1 fail']);
    expect((await client.get('/__admin/verdict?tenant=other')).body.operations).toHaveLength(1);
  });

  it('notes a read that is repeated too early while several requests are sent at once', async () => {
    const client = await openFailingSim({ getContact: [504] }, { minBackoff: '1s' });
    await Promise.all([0, 1].map(() => client.get('/api/v3/stores')));
    await times(2, () => client.get(`/api/v3/contacts/${astrid}`));
    expect(await findingsOf(client)).toEqual(['R6 note']);
  });
});
