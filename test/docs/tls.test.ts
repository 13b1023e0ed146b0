/** The program of docs/reach.md that serves HTTPS: faults arrive through it as they do without it. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { folderWith, tidyFolders } from '../support/folders.ts';
import { openSimOnPort } from '../support/open-sim-on-port.ts';

afterEach(tidyFolders);

const page = readFileSync('docs/reach.md', 'utf8');
const [, shown = ''] = /```js\n(\/\/ tls\.mjs.*?)```/s.exec(page) ?? [];
const [, certify = ''] = /```sh\n(openssl req[^`]*)```/.exec(page) ?? [];
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

interface Target {
  readonly port: number;
  /** Holds the certificate to trust, for HTTPS. */
  readonly ca?: string;
}

/** Says what a client sees of a request: its status and whether its body is whole, or how it fails. */
function seen({ port, ca }: Target): Promise<string> {
  const send = ca === undefined ? requestHttp : requestHttps;
  return new Promise((resolve) => {
    // With TLS 1.3 the server sends tickets after the handshake. A client that is so late that it finds them together
    // with a reset takes the reset for a close (libuv ends a stream that hung up after a read that was not full).
    const secure = ca !== undefined && ({ ca, maxVersion: 'TLSv1.2' } as const);
    const options = { host: '127.0.0.1', port, path: '/api/v3/stores', agent: false, ...secure };
    const outgoing = send(options, (response) => {
      response.on('error', (error) => resolve(`${response.statusCode}, then ${error.message}`));
      response.on('end', () => resolve(`${response.statusCode}, whole`));
      response.resume();
    });
    outgoing.on('error', (error) => resolve(error.message));
    outgoing.end();
  });
}

it.skipIf(!hasOpenssl)('HTTPS in front of the simulator keeps each fault on the wire as it is', async () => {
  const folder = folderWith();
  execFileSync('sh', ['-c', certify], { cwd: folder, stdio: 'ignore' });
  const { port, sim } = await openSimOnPort();
  const program = shown
    .replaceAll('4010', String(port))
    .replace(
      ".listen(4443, '127.0.0.1')",
      ".listen(0, '127.0.0.1', function () { console.log(this.address().port); })",
    );
  writeFileSync(join(folder, 'tls.mjs'), program);
  const running = spawn(process.execPath, ['tls.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    const ended = once(running, 'exit');
    running.kill();
    await ended;
  });
  const [line] = (await once(createInterface(running.stdout), 'line')) as [string];
  const secure = { port: Number(line), ca: readFileSync(join(folder, 'cert.pem'), 'utf8') };

  const results = [];
  for (const [respond, end] of [
    ['full', 'normal'],
    ['none', 'reset'],
    ['none', 'close'],
    ['partial', 'reset'],
    ['partial', 'close'],
    ['garbage', 'close'],
    ['bad-chunk', 'close'],
  ] as const) {
    await sim.faults.add({ match: { path: '/api/v3/stores' }, fault: { phase: 'after', respond, end } });
    results.push([respond, end, await seen(secure), await seen({ port })]);
    await sim.faults.clear();
  }
  for (const [respond, end, overTls, plain] of results) expect([respond, end, overTls]).toEqual([respond, end, plain]);
  expect(results.map(([, , overTls]) => overTls)).toEqual([
    '200, whole',
    'read ECONNRESET',
    'socket hang up',
    expect.any(String),
    '200, then aborted',
    expect.stringContaining('Parse Error'),
    expect.any(String),
  ]);
});
