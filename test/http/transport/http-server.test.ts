import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { createSim } from '../../../src/simulator/create-sim.ts';
import type { Sim } from '../../../src/simulator/sim.ts';
import { hasCurl } from '../../support/command.ts';
import { openEmptySim } from '../../support/open-sim.ts';
import { passTime, stopTimers } from '../../support/own-time.ts';
import { openWire, rawRequest } from '../../support/wire.ts';

const megabyte = 'a'.repeat(1024 * 1024);
let sim: Sim | undefined;

afterEach(() => sim?.close());

async function serve(): Promise<{ readonly url: string; readonly port: number }> {
  ({ sim } = await openEmptySim());
  return sim.listen();
}

/** What a server answers to bytes, until it closes the connection. */
async function exchange(port: number, ...sent: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (data) => (received += String(data)));
  for (const part of sent) {
    if (!socket.write(part)) await once(socket, 'drain');
  }
  await once(socket, 'close');
  return received;
}

const post = (...headers: readonly string[]): string =>
  ['POST /api/v3/contacts HTTP/1.1', 'host: localhost', 'content-type: application/json', ...headers, '', ''].join(
    '\r\n',
  );

const times = (part: string): string[] => Array.from({ length: 100 }, () => part);
const lastCall = 'GET /api/v3/contacts/count HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';

describe('a body of 100 MB', () => {
  const length = `content-length: ${100 * megabyte.length}`;
  const chunk = `100000\r\n${megabyte}\r\n`;

  it.each([
    ['of known length', [post(length), ...times(megabyte), lastCall], ['HTTP/1.1 413', 'HTTP/1.1 200']],
    [
      'in chunks',
      [post('transfer-encoding: chunked'), ...times(chunk), '0\r\n\r\n', lastCall],
      ['HTTP/1.1 413', 'HTTP/1.1 200'],
    ],
    ['before a close', [post(length, 'connection: close'), ...times(megabyte)], ['HTTP/1.1 413']],
  ])('%s is refused, and the connection stays as it was', async (_, sent, statuses) => {
    const { port } = await serve();
    const answer = await exchange(port, ...sent);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(statuses);
    expect(answer).toContain('"errorCode":"PayloadTooLarge"');
  });

  it.skipIf(!hasCurl)('is refused so that curl sees it', async () => {
    const { url } = await serve();
    const curl = spawn('curl', ['-s', '-w', ' %{http_code}', '--data-binary', '@-', `${url}/api/v3/contacts`]);
    curl.stdin.on('error', () => {}).end(megabyte.repeat(100));
    expect(await text(curl.stdout)).toMatch(/"errorCode":"PayloadTooLarge".* 413$/);
  });

  it('is refused so that fetch sees it', async () => {
    const { url } = await serve();
    const body = megabyte.repeat(100);
    const response = await fetch(`${url}/api/v3/contacts`, { method: 'POST', body });
    expect([response.status, await response.json()]).toEqual([
      413,
      expect.objectContaining({ errorCode: 'PayloadTooLarge' }),
    ]);
  });
});

describe('a connection', () => {
  it('that ends in the middle of a request harms nothing', async () => {
    const { url, port } = await serve();
    const socket = connect(port, '127.0.0.1').resume();
    socket.end(`${post('content-length: 1000')}{"a`);
    await once(socket, 'close');
    expect((await fetch(`${url}/api/v3/contacts/count`)).status).toBe(200);
  });

  it('with headers too large is refused in the form of the service', async () => {
    const { port } = await serve();
    const answer = await exchange(port, `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 [^]*"errorCode":"RequestHeaderFieldsTooLarge"/);
  });

  it('that speaks no HTTP is refused in the form of the service', async () => {
    const { port } = await serve();
    expect(await exchange(port, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*"errorCode":"BadRequest"/);
  });

  it('gets the response to HEAD without a body', async () => {
    const { url } = await serve();
    const response = await fetch(`${url}/api/v3/contacts/count`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('a simulator in process', () => {
  it('knows where it is served, and is not served twice', async () => {
    const { url } = await serve();
    expect(sim?.url).toBe(url);
    await expect(sim?.listen()).rejects.toThrow(`This sim is served already, at ${url}.`);
  });

  it('leaves the classes of the web as they are', async () => {
    const before = [globalThis.Request, globalThis.Response];
    await serve();
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
  });

  it('refuses assumptions that there are not', async () => {
    await expect(createSim({ fixtures: 'empty', assumptions: { 'A-24': 'x' } })).rejects.toThrow('A-24');
  });
});

describe('the HTTP server', () => {
  it('closes within a second, whatever hangs', async () => {
    const { port } = await serve();
    const own = sim?.tenants.default;
    await sim?.faults.add({ fault: { respond: 'none', end: 'hang' }, match: { path: '/api/v3/stores' } });
    const wires = [rawRequest('GET', '/api/v3/stores'), `${post('content-length: 9')}{`].map((bytes) => {
      const wire = openWire(port);
      wire.write(bytes);
      return wire;
    });
    while ((own?.journal.size ?? 0) < wires.length) await new Promise(setImmediate);
    stopTimers();
    const closed = sim?.close();
    await passTime(1000);
    await Promise.all([closed, ...wires.map(({ ended }) => ended)]);
    expect(wires.map(({ heard }) => heard().length)).toEqual([0, 0]);
  });
});
