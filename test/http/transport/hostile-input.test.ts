/** Calls that nobody makes by accident: refused in the service's own form, and nothing is left of them. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { SimOptions } from '../../../src/simulator/options.ts';
import { cpuTimeOf } from '../../support/cpu-time.ts';
import { astridPath } from '../../support/people.ts';
import { openEmptySim } from '../../support/open-sim.ts';
import { openSimOnPort } from '../../support/open-sim-on-port.ts';

/** What a sim on a port answers to bytes, until it closes the connection. */
async function exchange(bytes: string, options: SimOptions = {}): Promise<string> {
  const { port } = await openSimOnPort({ fixtures: 'empty', ...options });
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (data) => (received += String(data)));
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}

describe('a body nested without end', () => {
  const deep = `${'['.repeat(100_000)}"\\ud800"${']'.repeat(100_000)}`;

  it.each([
    ['POST', '/api/v3/receipts', 'InvalidJson'],
    ['PATCH', astridPath, 'NoData'],
  ])('%s %s is refused, and can be looked at', async (method, path, errorCode) => {
    const { call, get } = await openEmptySim();
    const { status, body } = await call(method, path, { body: `{"deep":${deep}}` });
    expect([status, body]).toEqual([
      400,
      { errorCode, message: 'The body is nested deeper than 100 levels.', requestId: 'default-1' },
    ]);
    expect((await get('/__admin/requests/default-1')).body.request.json).toBeNull();
  });
});

it.each([
  [
    'TLS',
    '\u0016\u0003\u0001',
    'This is TLS, and only plain HTTP is spoken here: use http://, or see docs/reach.md#https.',
  ],
  [
    'an address that is not encoded',
    'GET /api/v3/contacts/id?email=å HTTP/1.1\r\n\r\n',
    'The address must begin with / and hold no characters but those of URLs: å is %C3%A5, a space is %20.',
  ],
])('%s gets a 400 that names its mistake, and so does the log', async (_, bytes, message) => {
  const notes: string[] = [];
  const answered = await exchange(bytes, { onWarning: (note) => notes.push(note) });
  expect(answered).toContain(`"message":"${message}"`);
  expect(notes).toEqual([`A request could not be read and got 400: ${message}`]);
});

it('a field name of megabytes is no work', async () => {
  const { post } = await openEmptySim();
  const spent = await cpuTimeOf(async () => {
    const { body } = await post('/api/v3/contacts', { ['x'.repeat(8_000_000)]: 1 });
    expect(body.message).toBe('The body holds a text of more than 1000000 characters.');
  });
  expect(spent).toBeLessThan(2000);
});

describe('values that are no text', () => {
  const odd = { toString: 1, valueOf: 1 };

  it.each([
    ['/__admin/reset', { scopes: [odd] }, 'must be one of state, journal, faults, clock, queue, webhooks'],
    ['/__admin/tenants', { name: 'a', fieldValidation: odd }, 'must be one of ignore, warn, strict'],
  ])('%s names what it takes', async (path, body, errorDescription) => {
    const { status, body: refused } = await (await openEmptySim()).post(path, body);
    expect(status).toBe(400);
    expect(refused.validationErrors[0].errorDescription).toBe(errorDescription);
  });
});

it.each(['99999999999999w', `${'9'.repeat(400)}d`])('no queue waits %s', async (queueDelay) => {
  const { status, body } = await (await openEmptySim()).post('/__admin/tenants', { name: 'a', queueDelay });
  expect(status).toBe(400);
  const errorDescription = expect.stringMatching(/^must be at most 36525d, not ".{1,60}"$/);
  expect(body.validationErrors).toEqual([{ field: 'queueDelay', errorDescription }]);
});

it('a device is no fixture', async () => {
  const { status, body } = await (await openEmptySim()).post('/__admin/tenants', { name: 'a', fixtures: '/dev/zero' });
  expect([status, body.validationErrors[0].field]).toEqual([400, 'fixtures']);
});

describe('a page of somebody else', () => {
  it('makes no tenant', async () => {
    const { call, get } = await openEmptySim();
    const { status } = await call('GET', '/t/theirs/api/v3/stores', { headers: { origin: 'http://evil.example' } });
    expect(status).toBe(403);
    expect((await get('/__admin/tenants')).body.tenants).toHaveLength(1);
    expect((await get('/__admin/requests')).body.items).toMatchObject([{ path: '/api/v3/stores', status: 403 }]);
  });
});

it("a fault's HTML runs no scripts on the origin of the control API", async () => {
  const { sim } = await openEmptySim();
  const html = {
    status: 500,
    headers: { 'Content-Type': 'text/html' },
    body: '<script>fetch("/__admin/reset")</script>',
  };
  await sim.faults.add({ fault: html });
  const { headers } = await sim.fetch('/api/v3/stores');
  expect([headers.get('content-type'), headers.get('content-security-policy')]).toEqual(['text/html', 'sandbox']);
});

describe('what is hardly HTTP', () => {
  it('a Host header with an impossible port is no fault', async () => {
    const answer = await exchange('GET /__admin/health HTTP/1.1\r\nhost: 127.0.0.1:99999\r\nconnection: close\r\n\r\n');
    expect(answer).toContain('HTTP/1.1 200 OK');
  });

  it('an expectation that nobody can meet is refused in so many words', async () => {
    const answer = await exchange(
      'POST /orders HTTP/1.1\r\nhost: localhost\r\nexpect: 200-ok\r\ncontent-length: 2\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 417 .*"errorCode":"ExpectationFailed".*200-ok is not known here/s);
  });

  it.each([
    ['bytes that are no HTTP', 'NONSENSE\r\n\r\n', 400],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n', 405],
    ['an expectation', 'POST /orders HTTP/1.1\r\nhost: localhost\r\nexpect: 200-ok\r\ncontent-length: 2\r\n\r\n', 417],
    ['a broken body', 'POST /orders HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nXX\r\n', 400],
    ['large headers', `GET /stores HTTP/1.1\r\nhost: localhost\r\nx-large: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
  ])('%s behind other requests on the connection gets its response after theirs', async (_, bad, status) => {
    const slow = 'GET /api/v3/stores HTTP/1.1\r\nhost: localhost\r\n\r\n';
    const fault = { phase: 'after', respond: 'full', delay: 50 } as const;
    const answer = await exchange(`${slow}${slow}${bad}`, { scenario: { rules: [{ fault }] } });
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', `HTTP/1.1 ${status}`]);
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
    const { call, get } = await openEmptySim({ journalBytes });
    for (let i = 0; i < 12; i++) await call('POST', '/api/v3/contacts', { body: {}, ...options });
    expect((await get('/__admin/requests')).body.evicted).toBeGreaterThan(0);
  });
});
