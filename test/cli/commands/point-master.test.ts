import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, startCommand, startMaster, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';
import { call, key, post, seal, secret, send } from '../../support/master.ts';
import { astrid } from '../../support/people.ts';

afterEach(tidy);

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const keys = ['--key', key, '--secret', secret];

describe('ready', () => {
  it('is printed as one line of JSON, and stands in a file as long as it serves', async () => {
    const path = join(folderWith(), 'ready.json');
    const { line, pid, url, signal } = await startMaster([...keys, '--json', '--ready-file', path]);
    const port = Number(new URL(url).port);
    const ready = { event: 'ready', url, adminUrl: `${url}/__master`, port, pid, version, ms: expect.any(Number) };
    expect(JSON.parse(line)).toEqual(ready);
    expect(readFileSync(path, 'utf8')).toBe(`${line}\n`);
    await signal('SIGTERM');
    expect(existsSync(path)).toBe(false);
  });

  it('is shown to a person, with what it does', async () => {
    const { url, signal } = await startMaster(['--key', key]);
    const { stdout, stderr } = await signal('SIGTERM');
    expect(stdout).toBe(`loyalty-sim point-master ${version} is ready at ${url}\n`);
    expect(stderr).toContain('signatures are not checked: start with --secret');
  });
});

describe('a mistake', () => {
  it('ends with 2, all of them named and no key shown', async () => {
    const flags = ['--port', '70000', '--log', 'loud', '--sync-every', '1y', '--timestamp-tolerance', 'never'];
    const { code, stdout, stderr } = await runCommand(['point-master', ...flags]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--port: must be a port number from 0 to 65535, not "70000"');
    expect(stderr).toContain('--log: must be one of pretty, json, silent, not "loud"');
    expect(stderr).toMatch(/--sync-every: must be a duration .*, not "1y"/);
    expect(stderr).toMatch(/--timestamp-tolerance: must be a duration .*, or off, not "never"/);
  });

  it.each([
    { flags: [], told: '--key: must be the 32 characters' },
    { flags: ['--key', 'hush-hush'], told: '--key: must have 32 characters, not 9' },
    { flags: [...keys, '--service-url', 'x'], told: '--service-url: must be the address of the service' },
    { flags: [...keys, '--sync-every', '1s'], told: '--sync-every: needs --service-url' },
    { flags: [...keys, '--fault', 'donw'], told: '--fault: must be one of' },
    { flags: [...keys, '--opening', 'none.json'], told: "--opening: none.json can't be read" },
    { flags: [...keys, '--data', 'no/where'], told: "--data: no/where can't be written" },
    { flags: [...keys, '--log-file', 'no/where.log'], told: "--log-file: no/where.log can't be written" },
  ])('ends with 2: $told', async ({ flags, told }) => {
    const { code, stderr } = await runCommand(['point-master', '--port', '0', ...flags]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(told)]);
    expect(stderr).not.toMatch(/hush| at /);
  });

  it('of an opening balance is named with its place', async () => {
    const folder = folderWith({ 'opening.json': [{ contactId: astrid, definitionId: 1, amount: '5' }] });
    const { code, stderr } = await runCommand(['point-master', ...keys, '--opening', 'opening.json'], { folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--opening: [0].amount: must be a number')]);
  });
});

describe('point-master', () => {
  it('says who has the port, and ends with 4', async () => {
    const { url } = await startCommand();
    const { port } = new URL(url);
    const { code, stderr } = await runCommand(['point-master', ...keys, '--port', port]);
    expect([code, stderr]).toEqual([4, expect.stringContaining(`Port ${port} on 127.0.0.1 is taken by`)]);
  });

  it('takes from the environment what a simulator takes, too', async () => {
    const { url: LOYALTY_SIM_URL } = await startCommand(['--mode', 'point-follower', '--fixtures', 'default']);
    const env = { LOYALTY_SIM_URL, LOYALTY_SIM_WEBHOOK_KEY: key, LOYALTY_SIM_WEBHOOK_SECRET: secret };
    const { url } = await startMaster([], { env });
    await send(url, seal());
    expect((await post(`${url}/sync`)).body).toMatchObject({ complete: true, items: 1 });
    expect((await send(url, seal({ key: 'x'.repeat(32) }))).status).toBe(400);
  });
});

it.each(['SIGTERM', 'SIGINT'] as const)('the point master ends at %s, whatever hangs', async (name) => {
  const { url, signal } = await startMaster([...keys, '--fault', 'slow=1h']);
  const hung = send(url, seal()).catch(() => {});
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{');
  await call(`${url}/__master/log?wait=60s`);
  expect((await signal(name)).code).toBe(0);
  await hung;
});

describe('the log', () => {
  const id = 'c1111111-1111-4111-8111-111111111111';
  const applied = `+25 for ${astrid}, definition 1 ("For the long wait", Manual): applied, now 25 [event ${id}, tenant default]`;

  it('has a line for each webhook, and a sum at the end', async () => {
    const { url, signal } = await startMaster(keys);
    await send(url, seal({ id }));
    await send(url, seal({ secret: 'whsec_YW5vdGhlci1zZWNyZXQtYW5vdGhlcg==' }));
    const { stderr } = await signal('SIGTERM');
    expect(stderr).toContain(` loyalty.addPoints ${applied}\n`);
    expect(stderr).toContain(' rejected with 401 InvalidSignature: ');
    expect(stderr).toContain('webhooks: 1 applied, 0 repeated, 0 noted, 1 rejected; syncs: 0 sent, 0 failed\n');
    expect(stderr).not.toMatch(/Kim|whsec|0123456789abcdef/);
  });

  it('is JSON in a file, for its owner alone, and added to what is there', async () => {
    const folder = folderWith();
    for (const eventType of ['loyalty.addPoints', 'contact.created']) {
      const { url, signal } = await startMaster([...keys, '--log', 'silent', '--log-file', 'master.log'], { folder });
      await send(url, seal({ id, eventType }));
      expect((await signal('SIGTERM')).stderr).toBe('');
    }
    const lines = readFileSync(join(folder, 'master.log'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).outcome)).toEqual(['applied', 'noted']);
    expect(statSync(join(folder, 'master.log')).mode & 0o777).toBe(0o600);
  });
});
