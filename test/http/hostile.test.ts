/** Calls that nobody makes by accident: refused in the service's own form, and nothing is left of them. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSim } from '../../src/sim.ts';
import type { Sim, SimOptions } from '../../src/sim.ts';
import { openEmpty } from '../support/client.ts';

let sim: Sim | undefined;

afterEach(() => sim?.close());

/** What a sim on a port answers to bytes, until it closes the connection. */
async function exchange(bytes: string, options: SimOptions = {}): Promise<string> {
  sim = await createSim({ fixtures: 'empty', ...options });
  const { port } = await sim.listen();
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (data) => (received += String(data)));
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}

describe('values that are no text', () => {
  const odd = { toString: 1, valueOf: 1 };

  it.each([
    ['/__admin/reset', { scopes: [odd] }, 'must be one of state, journal, faults, clock, queue, webhooks'],
    ['/__admin/tenants', { name: 'a', fieldValidation: odd }, 'must be one of ignore, warn, strict'],
  ])('%s names what it takes', async (path, body, errorDescription) => {
    const { status, body: refused } = await (await openEmpty()).post(path, body);
    expect(status).toBe(400);
    expect(refused.validationErrors[0].errorDescription).toBe(errorDescription);
  });
});

it.each(['99999999999999w', `${'9'.repeat(400)}d`])('no queue waits %s', async (queueDelay) => {
  const { status, body } = await (await openEmpty()).post('/__admin/tenants', { name: 'a', queueDelay });
  expect(status).toBe(400);
  expect(body.validationErrors).toEqual([
    { field: 'queueDelay', errorDescription: 'must be a fixed length of time, at most 36525d' },
  ]);
});

it('a device is no fixture', async () => {
  const { status, body } = await (await openEmpty()).post('/__admin/tenants', { name: 'a', fixtures: '/dev/zero' });
  expect(status).toBe(400);
  expect(body.validationErrors[0].errorDescription).toContain('/dev/zero is no file or folder');
});

describe('a page of somebody else', () => {
  it('makes no tenant', async () => {
    const { call, get } = await openEmpty();
    const { status } = await call('GET', '/t/theirs/api/v3/stores', { headers: { origin: 'http://evil.example' } });
    expect(status).toBe(403);
    expect((await get('/__admin/tenants')).body.tenants).toHaveLength(1);
    expect((await get('/__admin/requests')).body.items).toMatchObject([{ path: '/api/v3/stores', status: 403 }]);
  });
});

describe('what is hardly HTTP', () => {
  it('a Host header with an impossible port is no fault', async () => {
    const answer = await exchange('GET /__admin/health HTTP/1.1\r\nhost: 127.0.0.1:99999\r\nconnection: close\r\n\r\n');
    expect(answer).toContain('HTTP/1.1 200 OK');
  });

  it('CONNECT is refused in so many words', async () => {
    const answer = await exchange('CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 405 .*"errorCode":"MethodNotAllowed".*example\.com:443 is not served/s);
  });
});

describe('the journal counts', () => {
  const journalBytes = 100_000;

  it.each([
    ['headers', { headers: { 'x-large': 'x'.repeat(10_000) } }],
    ['warnings', { body: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`unknown${i}`, 1])) }],
  ])('%s among what it holds', async (_, options) => {
    const { call, get } = await openEmpty({ journalBytes });
    for (let i = 0; i < 12; i++) await call('POST', '/api/v3/contacts', { body: {}, ...options });
    expect((await get('/__admin/requests')).body.evicted).toBeGreaterThan(0);
  });
});
