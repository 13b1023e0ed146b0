import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, startCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';

afterEach(tidy);

const count = async (url: string, init?: RequestInit): Promise<number> =>
  (await fetch(`${url}/api/v3/contacts/count`, init)).status;

const create = (url: string, contact: object): Promise<Response> =>
  fetch(`${url}/api/v3/contacts`, {
    method: 'POST',
    headers: { apikey: 'till', 'content-type': 'application/json' },
    body: JSON.stringify(contact),
  });

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

describe('ready', () => {
  it('is printed as one line of JSON', async () => {
    const { line, pid } = await startCommand(['--json']);
    const ready = JSON.parse(line);
    const url = `http://127.0.0.1:${ready.port}`;
    expect(ready).toEqual({
      event: 'ready',
      url,
      adminUrl: `${url}/__admin`,
      port: expect.any(Number),
      pid,
      version,
      ms: expect.any(Number),
    });
    expect(await count(url)).toBe(200);
  });

  it('is shown to a person with the URL, and what to try there', async () => {
    const { line, url, signal } = await startCommand();
    const { stdout, stderr } = await signal('SIGTERM');
    expect(stdout).toBe(`${line}\n`);
    expect(line).toBe(`loyalty-sim ${version} is ready at ${url}`);
    expect(stderr).toContain(`curl ${url}/api/v3/contacts/count`);
  });

  it('is shown with what was set, and that steps are left out', async () => {
    const folder = folderWith({
      'loyalty-sim.config.json': { seed: 7 },
      's.yaml': { queueDelay: '30s', steps: [{ note: 'one' }, { note: 'two' }] },
    });
    const { signal } = await startCommand(
      ['--scenario', 's.yaml', '--now', '2026-03-01T12:00:00Z', '--mode', 'point-follower', '--assume', 'A-24=twice'],
      { folder },
    );
    const { stderr } = await signal('SIGTERM');
    const set = 'mode point-follower, clock frozen at 2026-03-01T12:00:00Z, seed 7, queue delay 30000 ms, A-24=twice';
    expect(stderr).toContain(`set       ${set}\n`);
    expect(stderr).toContain(`config    ${join(folder, 'loyalty-sim.config.json')}\n`);
    expect(stderr).toContain('steps: 2 steps of s.yaml are left out here; loyalty-sim run plays them');
  });

  it('is shown with what an earlier run has left, and with what a reset goes back to', async () => {
    const folder = folderWith();
    const first = await startCommand(['--data', 'shop.json', '--fixtures', 'default'], { folder });
    expect((await first.signal('SIGTERM')).stderr).toMatch(/^data +kept in shop\.json$/mu);
    const { url, signal } = await startCommand(['--data', 'shop.json', '--fixtures', 'empty'], { folder });
    const { stderr } = await signal('SIGTERM');
    expect(stderr).toMatch(/^fixtures +empty: empty$/mu);
    expect(stderr).toMatch(/^data +kept in shop\.json: .*40 contacts.*; a reset goes back to the fixtures$/mu);
    expect(stderr).toContain(`curl '${url}/api/v3/contacts/id?email=astrid.lindqvist@example.com'`);
  });

  it('is written to a file that is there as long as it serves', async () => {
    const folder = folderWith();
    const path = join(folder, 'ready.json');
    const { line, signal } = await startCommand(['--json', '--ready-file', path]);
    expect(readFileSync(path, 'utf8')).toBe(`${line}\n`);
    await signal('SIGTERM');
    expect(existsSync(path)).toBe(false);
  });

  it('leaves the ready file of another simulator alone', async () => {
    const path = join(folderWith(), 'ready.json');
    const { url } = await startCommand(['--json', '--ready-file', path]);
    const second = await runCommand(['start', '--port', new URL(url).port, '--ready-file', path]);
    expect([second.code, existsSync(path)]).toEqual([4, true]);
  });

  it('is not written over a file of somebody', async () => {
    const path = join(folderWith(), 'package.json');
    writeFileSync(path, '{"name":"mine"}');
    const { code, stderr } = await runCommand(['start', '--port', '0', '--ready-file', path]);
    expect([code, readFileSync(path, 'utf8')]).toEqual([2, '{"name":"mine"}']);
    expect(stderr).toContain(`The ready file ${path} exists already and is not a ready file`);
  });
});

describe('start', () => {
  it('stops when standard input ends, with --stop-with-stdin', async () => {
    // Standard input is empty here.
    const { code, stdout } = await runCommand(['start', '--port', '0', '--fixtures', 'empty', '--stop-with-stdin']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('is ready at')]);
  });

  it('warns that the control API is off when others can reach it', async () => {
    const { url, signal } = await startCommand(['--host', '0.0.0.0']);
    expect((await fetch(`${url}/__admin/health`)).status).toBe(403);
    const { stderr } = await signal('SIGTERM');
    expect(stderr).toContain('the control API is off, because others can reach 0.0.0.0');
    expect(stderr).not.toContain('/__admin');
  });
});

it.each(['.', '/dev/null'])('what is no file can be no ready file: %s', async (path) => {
  const { code, stderr } = await runCommand(['start', '--port', '0', '--ready-file', path]);
  const told = `The ready file ${path} can't be written: the path exists and is not a regular file; name another.`;
  expect([code, stderr, statSync('/dev/null').isFile()]).toEqual([2, `error: ${told}\n`, false]);
});

describe('a port', () => {
  it('that is taken is refused with who has it and the way out', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, stdout, stderr } = await runCommand(['start', '--port', String(port)]);
    server.close();
    const by = process.platform === 'linux' ? `process ${process.pid} ` : '';
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is taken by ${by}`);
    expect(stderr).toContain('--port 0');
  });

  it('is served on IPv6 too', async () => {
    const { url } = await startCommand(['--host', '::1']);
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(await count(url)).toBe(200);
  });

  it('of a host that is not here is refused', async () => {
    const { code, stderr } = await runCommand(['start', '--host', '192.0.2.1', '--port', '0']);
    expect(code).toBe(4);
    expect(stderr).toContain('"192.0.2.1" is no address of this machine');
  });
});

describe('the end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('comes at %s, whatever hangs', async (name) => {
    const { url, signal } = await startCommand();
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    socket.write('POST /api/v3/contacts HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{');
    await count(url);
    const { code } = await signal(name);
    expect(code).toBe(0);
    socket.destroy();
  });

  it('sums up the run', async () => {
    const { url, signal } = await startCommand(['--log', 'json']);
    await fetch(`${url}/api/v3/contacts/count?offfset=1`, { headers: { apikey: 'till' } });
    for (const id of ['17', '18'])
      await fetch(`${url}/api/v2/contacts/${id}/promotions`, { headers: { apikey: 'till' } });
    await create(url, { email: 'no' });
    const { stderr } = await signal('SIGTERM');
    const lines = stderr.trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      event: 'summary',
      requests: 4,
      rejected: 3,
      rejections: [
        {
          error: 'ValidationError email',
          count: 1,
          example: 'POST /api/v3/contacts: ValidationError, email must be an e-mail address',
        },
      ],
      unserved: [
        {
          request: 'GET /api/v2/contacts/*/promotions',
          count: 2,
          example: '/api/v2/contacts/17/promotions, nearest: GET /api/v3/promotion-assignments',
        },
      ],
      warnings: [{ code: 'unknown-parameter', count: 1, example: expect.stringContaining('"offfset"') }],
    });
  });
});

it('a request that got no response is lost, not rejected', async () => {
  const { url, signal } = await startCommand(['--log', 'pretty']);
  const body = '{"fault":"EMPTY_RESPONSE","times":1}';
  await fetch(`${url}/__admin/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await expect(fetch(`${url}/api/v3/contacts/count`)).rejects.toThrow('fetch failed');
  await fetch(`${url}/api/v3/nowhere`);
  const { stderr } = await signal('SIGTERM');
  expect(stderr).toContain('\n2 requests, 1 rejected, 1 lost\n');
});

describe('the log', () => {
  it('hides personal numbers and keys', async () => {
    const { url, signal } = await startCommand(['--api-key', 'till-secret']);
    const path = `${url}/api/v3/contacts/id`;
    await fetch(`${path}?socialSecurityNumber=19900101-0017`, { headers: { apikey: 'till-secret' } });
    await fetch(`${path}?any=199001010017&apikey=till-secret`, { headers: { apikey: 'wrong' } });
    await fetch(`${path}?any=1&token=till-secret&Code=till-secret`, { headers: { apikey: 'wrong' } });
    await fetch(`${path}?any=%20%31990%30101-0017&customKey=%C3%A5`, { headers: { apikey: 'wrong' } });
    const { stderr } = await signal('SIGTERM');
    const log = stderr.split('\n').filter((line) => /^\d{4}-/.test(line));
    expect(log.map((line) => /id\?\S+ \d+/.exec(line)?.[0])).toEqual([
      'id?socialSecurityNumber=(hidden) 404',
      'id?any=(hidden)&apikey=(hidden) 401',
      'id?any=1&token=(hidden)&Code=(hidden) 401',
      'id?any=(hidden)&customKey=%C3%A5 401',
    ]);
  });

  it('hides the API keys that it was started with, and shows where one goes', async () => {
    const { signal } = await startCommand(['--api-key', 'till-secret', '--api-key', 'shop-secret']);
    const { stdout, stderr } = await signal('SIGTERM');
    expect(stdout + stderr).not.toMatch(/till-secret|shop-secret/);
    expect(stderr).toContain('send "apikey: <key>"; --api-key set it');
    expect(stderr).toMatch(/curl -H .apikey: <key>. /);
  });

  it('shows as one line what a client sent with line breaks, also in the sum at the end', async () => {
    const { url, signal } = await startCommand();
    const forged = '\n::error::forged\n##[error]forged\r::error::forged\u2028::error::forged';
    await create(url, { [`a${forged}`]: 1, email: 'line@example.com' });
    await create(url, { email: `no${forged}` });
    await create(url, { email: 'b@example.com', [`x.${forged}`]: { y: 1 }, contactType: `c${forged}` });
    const { stderr } = await signal('SIGTERM');
    expect(stderr).toContain('forged');
    expect(stderr.split(/[\n\r\u2028]/).filter((line) => /^\s*(::|##)/.test(line))).toEqual([]);
  });

  it('is one object a line with --log json', async () => {
    const { url, signal } = await startCommand(['--log', 'json', '--now', '2026-03-01T12:00:00Z']);
    await count(url, { headers: { 'x-sim-tenant': 'oslo', apikey: 'till' } });
    const [first = ''] = (await signal('SIGTERM')).stderr.split('\n');
    expect(JSON.parse(first)).toEqual({
      event: 'request',
      at: '2026-03-01T12:00:00.000Z',
      tenant: 'oslo',
      id: 'oslo-1',
      method: 'GET',
      path: '/api/v3/contacts/count',
      endpoint: 'countContacts',
      status: 200,
      ms: expect.any(Number),
    });
  });

  it.each([
    ['pretty', / 400 ValidationError, email must be an e-mail address .* ms\n/],
    ['json', /"status":400,"errorCode":"ValidationError","field":"email"/],
  ])('says with --log %s why a request was rejected', async (form, line) => {
    const { url, signal } = await startCommand(['--log', form]);
    await create(url, { email: 'no' });
    expect((await signal('SIGTERM')).stderr).toMatch(line);
  });

  it('is empty with --log silent', async () => {
    const { url, signal } = await startCommand(['--log', 'silent']);
    await count(url);
    expect((await signal('SIGTERM')).stderr).toBe('');
  });
});
