import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { EventStream } from '../../../src/admin/events/event-stream.ts';
import type { SimOptions } from '../../../src/simulator/options.ts';
import type { Client } from '../../support/client.ts';
import { hasCurl, startCommand, tidy } from '../../support/command.ts';
import { eventsIn, readerOf } from '../../support/events.ts';
import { adjust, listed, openFollowerSim, tidyFollowers } from '../../support/follower.ts';
import { openReceiver } from '../../support/receiver.ts';
import { openSim } from '../../support/open-sim.ts';

afterEach(tidy);

/** A sim on a port, and somebody who reads its events. */
async function open(options: SimOptions = {}, path = '/__admin/events', headers: Record<string, string> = {}) {
  const client = await openSim(options);
  onTestFinished(() => client.sim.close());
  const { url } = await client.sim.listen();
  const read = async (from = path, sent = headers) => readerOf(await fetch(`${url}${from}`, { headers: sent }));
  const reader = await read();
  await reader.next('stream.opened');
  return { ...client, url, read, reader };
}

const count = '/api/v3/contacts/count';

describe('the stream of events', () => {
  it('tells of a call when it comes in and when it is over, as the list of requests shows it', async () => {
    const { get, reader } = await open();
    await get(count);
    const [received, completed] = [await reader.next('request.received'), await reader.next('request.completed')];
    // What a list distinguishes requests by would cost every event.
    const { key: _key, contact: _contact, error: _error, ...inList } = (await get('/__admin/requests')).body.items[0];
    expect(received.data).toMatchObject({ id: 'default-1', path: count, status: null, end: null });
    expect(completed).toEqual({ id: 1, event: 'request.completed', data: inList });
  });

  it('combines the events of many requests into few, which count them', async () => {
    const { get, post, reader, read } = await open();
    await reader.leave();
    const combined = await read('/__admin/events?combine=60s');
    await combined.next('stream.opened');
    await Promise.all(Array.from({ length: 50 }, () => get(count)));
    // What is not combined sends all that was.
    await post('/__admin/clock', { advance: '1h' });
    const events = (await combined.until('clock.changed')).slice(0, -1);
    const sum = (name: string) => events.reduce((all, { data }) => all + (data[name] ?? 0), 0);
    expect([sum('request.received'), sum('request.completed')]).toEqual([50, 50]);
    expect(events.filter(({ event }) => event !== 'events.combined')).toEqual([]);
    // One at once, and one with all that came after it.
    expect(events.length).toBeLessThanOrEqual(2);
  });

  it('sends other events after the combined ones that came before them', async () => {
    const { get, post, reader, read } = await open();
    await reader.leave();
    const combined = await read('/__admin/events?combine=60s');
    await get(count);
    await combined.next('events.combined');
    await get(count);
    await post('/__admin/clock', { advance: '1h' });
    const names = (await combined.until('clock.changed')).map(({ event }) => event);
    expect(names).toEqual(['events.combined', 'clock.changed']);
  });

  it('tells of a fault while it holds the call up', async () => {
    const { get, post, reader, sim } = await open();
    await post('/__admin/faults', { id: 'silence', match: { path: count }, fault: { respond: 'none', end: 'hang' } });
    const held = get(count).catch(() => 'held up');
    const { data } = await reader.next('rule.fired');
    expect(data).toMatchObject({ rule: { id: 'silence', fired: 1 }, exchange: { id: 'default-1', status: null } });
    sim.tenants.default.releaseHeldRequests();
    expect(await held).toBe('held up');
  });

  it.each<[done: string, event: string, data: object, act: (client: Client) => Promise<unknown>]>([
    ['the clock', 'clock.changed', { frozen: false }, ({ post }) => post('/__admin/clock', { resume: true })],
    [
      'the queue',
      'queue.changed',
      { held: true, queued: 0, failed: 0 },
      ({ post }) => post('/__admin/queue', { hold: true }),
    ],
    [
      'a rule',
      'scenario.changed',
      { rules: [{ id: 'fault-1' }] },
      ({ post }) => post('/__admin/faults', { fault: '500' }),
    ],
    [
      'a webhook rule',
      'scenario.changed',
      { webhooks: [{ fired: 0 }] },
      ({ post }) => post('/__admin/webhooks/faults', { fault: 'drop' }),
    ],
    [
      'a scenario',
      'scenario.changed',
      { scenario: { name: 'calm' } },
      ({ call }) => call('PUT', '/__admin/scenario', { body: { name: 'calm' } }),
    ],
    [
      'a reset',
      'state.reset',
      { tenant: 'default', scopes: ['state'] },
      ({ post }) => post('/__admin/reset', { scopes: ['state'] }),
    ],
    ['the journal', 'journal.cleared', { cleared: 0 }, ({ call }) => call('DELETE', '/__admin/requests')],
    [
      'another tenant',
      'tenant.created',
      { name: 'shop-2' },
      ({ post }) => post('/__admin/tenants', { name: 'shop-2' }),
    ],
  ])('tells of %s', async (_, event, data, act) => {
    const client = await open();
    await act(client);
    expect((await client.reader.next(event)).data).toMatchObject(data);
  });

  it('tells of jobs that are done later, and of the request that asked for them', async () => {
    const { post, reader } = await open({ queueDelay: 60_000 });
    await post('/api/v3/contacts/bulk', [{ email: 'new@example.com' }]);
    await post('/__admin/clock', { advance: '1h' });
    // The clock may be told of before and after: the job is done in a turn of its own when the machine is slow.
    const told = await reader.until('job.completed');
    expect(told.map(({ event }) => event)).toContain('request.updated');
    expect(told.at(-1)?.data).toMatchObject({ exchange: 'default-1', error: null });
    const clocks = [await reader.next('clock.changed')];
    while (!JSON.stringify(clocks.at(-1)).includes('T13:00')) clocks.push(await reader.next('clock.changed'));
  });

  it('tells of jobs that failed', async () => {
    const { post, reader } = await open({ queueDelay: 60_000 });
    await post('/api/v3/contacts/bulk', [{ email: 'new@example.com' }]);
    const { executed } = (await post('/__admin/queue', { fail: true })).body;
    expect([(await reader.next('job.failed')).data]).toEqual(executed);
  });

  it('tells of a snapshot that was restored, and of a tenant that was deleted', async () => {
    const { call, post, reader } = await open();
    await post('/__admin/snapshots/start');
    await post('/__admin/snapshots/start/restore');
    expect((await reader.next('snapshot.restored')).data).toMatchObject({ restored: 'start', frozen: true });
    await post('/__admin/tenants', { name: 'shop-2' });
    await call('DELETE', '/__admin/tenants/shop-2');
    expect((await reader.next('tenant.deleted')).data).toEqual({ deleted: 'shop-2' });
  });

  it('tells of webhooks that were tried', async () => {
    const receiver = await openReceiver();
    const client = await openFollowerSim(receiver);
    onTestFinished(tidyFollowers);
    const reader = readerOf(await client.sim.fetch('/__admin/events'));
    await adjust(client);
    const { raw: _, ...shown } = (await listed(client, '?wait=60s')).items[0];
    expect((await reader.next('webhook.attempted')).data).toEqual(shown);
  });

  it('says to a reader who comes back too late how much is missing', async () => {
    const { get, read } = await open();
    for (let calls = 0; calls < 502; calls++) await get(count);
    const reader = await read('/__admin/events?after=0');
    expect((await reader.next('events.dropped')).data).toEqual({ dropped: 2 });
    expect((await reader.next('request.completed')).data.id).toBe('default-3');
  });

  it('counts what the journal has given up as missing', async () => {
    const { get, sim } = await openSim({ journalBytes: 5000 });
    onTestFinished(() => sim.close());
    for (let calls = 0; calls < 20; calls++) await get(count);
    const { evicted } = (await get('/__admin/requests')).body;
    const told = (await get('/__admin/events?after=0&for=0s')).body;
    expect(told[1]).toEqual({ id: 0, event: 'events.dropped', data: { dropped: evicted } });
    expect(told).toHaveLength(2 + 20 - evicted);
  });

  it('shows a reader what was under way before it came', async () => {
    const { get, post, read, reader, sim } = await open();
    await post('/__admin/faults', { match: { path: count }, fault: { respond: 'full', delay: '1h' } });
    const held = get(count).catch(() => 'held up');
    await reader.next('rule.fired');
    const later = await read();
    expect((await later.next('request.received')).data).toMatchObject({ id: 'default-1', fault: { rule: 'fault-1' } });
    sim.tenants.default.releaseHeldRequests();
    await held;
  });

  it('keeps so many events for a slow reader and no more, and says how many it dropped', async () => {
    const { sim, get } = await openSim();
    onTestFinished(() => sim.close());
    const stream = await sim.fetch('/__admin/events');
    for (let calls = 0; calls < 600; calls++) await get(count);
    const told = await readerOf(stream).until('events.dropped');
    expect(told).toHaveLength(1001);
    expect(told.at(-1)).toEqual({ id: 600, event: 'events.dropped', data: { dropped: 201 } });
  });

  it('takes 32 readers, and another when one of them has gone', async () => {
    const { get, read } = await open();
    const readers = await Promise.all(Array.from({ length: 31 }, () => read()));
    expect(await get('/__admin/events?for=0s')).toMatchObject({ status: 429, body: { errorCode: 'TooManyRequests' } });
    await readers[0]?.leave();
    await expect.poll(async () => (await get('/__admin/events?for=0s')).status).toBe(200);
  });

  it('asks for the admin key, and refuses pages of other sites', async () => {
    const { call } = await openSim({ adminKey: 'secret' });
    const key = { 'x-sim-admin-key': 'secret' };
    const path = '/__admin/events?for=0s';
    expect((await call('GET', path)).status).toBe(401);
    expect((await call('GET', path, { headers: { ...key, origin: 'http://evil.example' } })).status).toBe(403);
    expect((await call('GET', path, { headers: key })).status).toBe(200);
  });

  it('refuses what is no id of an event', async () => {
    const { call } = await openSim();
    const { status, body } = await call('GET', '/__admin/events', { headers: { 'last-event-id': 'default-7' } });
    expect(status).toBe(400);
    expect(body.validationErrors).toEqual([
      {
        field: 'Last-Event-ID',
        errorDescription: 'is "default-7"; send the id of an event of this stream, a whole number',
      },
    ]);
  });

  it('keeps no reader who only asks for the headers', async () => {
    const { sim } = await openSim();
    for (let asked = 0; asked < 40; asked++) {
      const { status } = await sim.fetch('/__admin/events', { method: 'HEAD' });
      expect(status).toBe(200);
    }
  });

  it('gives up a reader whose connection is gone', async () => {
    const { get, url } = await open();
    const { port } = new URL(url);
    const sockets = Array.from({ length: 40 }, () => connect(Number(port), '127.0.0.1'));
    for (const socket of sockets) socket.end('GET /__admin/events HTTP/1.1\r\nhost: localhost\r\n\r\n').destroySoon();
    for (const socket of sockets) socket.on('error', () => {});
    await expect.poll(async () => (await get('/__admin/events?for=0s')).status).toBe(200);
  });

  it('lets a reader know every 15 seconds that it is still there', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const stream = new EventStream(() => {});
    const reader = stream.body.getReader();
    const next = async () => new TextDecoder().decode((await reader.read()).value);
    const [first, second] = [next(), next()];
    vi.advanceTimersByTime(14_999);
    stream.send({ event: 'told', id: 7, data: () => 'in time' });
    expect(await first).toBe('id: 7\nevent: told\ndata: "in time"\n\n');
    vi.advanceTimersByTime(15_000);
    expect(await second).toBe(': still here\n\n');
    await reader.cancel();
  });
});

it.skipIf(!hasCurl)('the event stream can be read with curl, and ends when it was asked to', async () => {
  const { url } = await open();
  const { stdout } = await promisify(execFile)('curl', ['-sNi', `${url}/__admin/events?for=100ms`]);
  const [head, body = ''] = stdout.split('\r\n\r\n');
  expect(head).toMatch(/^content-type: text\/event-stream; charset=utf-8\r?$/m);
  expect(eventsIn(body)).toEqual([{ id: 0, event: 'stream.opened', data: { tenant: 'default', cursor: 0 } }]);
});

it('the event stream goes on with the tenant that takes the place of another', async () => {
  const { call, get, reader } = await open();
  await call('PUT', '/__admin/scenario', { body: { now: '2026-05-01T12:00:00Z' } });
  expect((await reader.next('tenant.replaced')).data).toMatchObject({ now: '2026-05-01T12:00:00.000Z' });
  await get(count);
  expect((await reader.next('request.completed')).data).toMatchObject({
    id: 'default-1',
    at: '2026-05-01T12:00:00.000Z',
  });
});

it('the event stream of a tenant has only its own events', async () => {
  const { get, post, read } = await open();
  await post('/__admin/tenants', { name: 'shop-2' });
  const reader = await read('/__admin/events?tenant=shop-2');
  await reader.next('stream.opened');
  await get(count);
  await get(`/t/shop-2${count}`);
  expect((await reader.next('request.received')).data.id).toBe('shop-2-1');
});

it.each([
  ['where it left off', '1', ['default-2', 'default-3']],
  ['with all, when the sim was started anew', '70', ['default-1', 'default-2', 'default-3']],
])('the event stream begins, for a reader who comes back, %s', async (_, id, missed) => {
  const { get, read } = await open();
  for (let calls = 0; calls < 3; calls++) await get(count);
  const reader = await read('/__admin/events', { 'last-event-id': id });
  await reader.next('stream.opened');
  for (const expected of missed) {
    const { id: cursor, data } = await reader.next('request.completed');
    expect(data.id).toBe(expected);
    expect(expected).toBe(`default-${cursor}`);
  }
});

it('the event stream ends with the sim', async () => {
  const { url, signal } = await startCommand();
  const reader = readerOf(await fetch(`${url}/__admin/events`));
  await reader.next('stream.opened');
  expect((await signal('SIGTERM')).code).toBe(0);
  await expect(reader.next('anything')).rejects.toThrow();
});

it('the event stream may be ended when its reader has gone', async () => {
  let ends = 0;
  const stream = new EventStream(() => ends++);
  const reader = stream.body.getReader();
  stream.send({ event: 'told', id: 1, data: () => 'in time' });
  await reader.read();
  const reading = reader.read();
  // Now the stream knows that more is wanted.
  await new Promise(setImmediate);
  await reader.cancel();
  expect((await reading).done).toBe(true);
  stream.send({ event: 'told', id: 2, data: () => 'too late' });
  stream.end();
  expect(ends).toBe(1);
});
