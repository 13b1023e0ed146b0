import { createServer } from 'node:http';
import { createServer as createRawServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, startCommand, tidy } from '../support/command.ts';
import type { Ended } from '../support/command.ts';
import { astrid, astridPath } from '../support/people.ts';

afterEach(tidy);

const now = '2026-03-01T12:00:00.000Z';

/** A simulator with its clock frozen, and the command to talk to it. */
async function startSim(...args: readonly string[]) {
  const { url } = await startCommand(['--now', now, '--log', 'silent', ...args]);
  const run = (verb: string, ...more: readonly string[]): Promise<Ended> =>
    runCommand([...verb.split(' '), ...more, '--url', url]);
  return { url, run };
}

const told = (stdout: string): Ended => ({ code: 0, stdout, stderr: '' });
const refused = (stderr: string): Ended => ({ code: 2, stdout: '', stderr: `error: ${stderr}\n` });

const json = ({ stdout }: Ended) => JSON.parse(stdout);

/** Returns the head of a response that says how long its body is. */
const head = (status: string, length: number, more = ''): string =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${length}\r\n${more}\r\n`;

describe('clock', () => {
  it('shows the time and turns it', async () => {
    const { run } = await startSim();
    expect(await run('clock')).toEqual(told(`${now}, frozen\n`));
    expect(await run('clock --advance 30d')).toEqual(told('2026-03-31T12:00:00.000Z, frozen\n'));
    expect(await run('clock --set 2027-01-01T00:00:00Z')).toEqual(told('2027-01-01T00:00:00.000Z, frozen\n'));
    expect((await run('clock --resume')).stdout).toMatch(/, running\n$/);
    expect((await run('clock --freeze')).stdout).toMatch(/, frozen\n$/);
  });

  it('tells what going back does not undo', async () => {
    const { run } = await startSim();
    const { stdout } = await run('clock --set 2026-01-01T00:00:00Z');
    expect(stdout).toMatch(/^2026-01-01T00:00:00.000Z, frozen\n {2}clock-went-back: the clock went back from .+\n$/);
    const [warning] = json(await run('clock --json --set 2025-01-01T00:00:00Z')).warnings;
    expect(warning.code).toBe('clock-went-back');
  });

  it('tells what happened meanwhile', async () => {
    const { url, run } = await startSim('--queue-delay', '1h');
    const body = JSON.stringify([{ firstName: 'Nils' }]);
    const headers = { 'content-type': 'application/json' };
    await fetch(`${url}/api/v3/contacts/bulk`, { method: 'POST', headers, body });
    const { stdout } = await run('clock --advance 1d');
    expect(stdout).toBe('2026-03-02T12:00:00.000Z, frozen\n  2026-03-01T13:00:00.000Z contacts.bulk: 1 effect\n');
  });

  it('prints JSON, of the tenant that is named', async () => {
    const { run } = await startSim();
    await run('clock --advance 1d --tenant oslo');
    expect(json(await run('clock --tenant oslo --json'))).toEqual({ now: '2026-03-02T12:00:00.000Z', frozen: true });
    expect(json(await run('clock --json'))).toEqual({ now, frozen: true });
  });

  it('refuses what makes no sense', async () => {
    const { run } = await startSim();
    expect(await run('clock --freeze --resume')).toEqual(refused('--freeze and --resume: name one of them at a time'));
    expect((await run('clock --advance soon')).stderr).toContain('advance: must be a duration such as 500ms');
  });
});

describe('snapshot', () => {
  it('takes, lists, compares, restores and deletes', async () => {
    const { run } = await startSim();
    expect(await run('snapshot take before')).toEqual(told(`before holds the state of ${now}\n`));
    expect(await run('snapshot list')).toEqual(told(`before  ${now}\n`));
    expect(await run('snapshot diff --from before')).toEqual(told('nothing differs between before and current\n'));
    await run('clock --advance 1d');
    expect(await run('snapshot restore before')).toEqual(told(`before is restored: it is ${now}, frozen\n`));
    expect(await run('snapshot delete before')).toEqual(told('before is deleted\n'));
    expect((await run('snapshot list')).stdout).toContain('no snapshots');
  });

  it('tells what differs, row by row', async () => {
    const { url, run } = await startSim('--fixtures', 'default');
    const init = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"street":"Ny 1"}' };
    await fetch(`${url}${astridPath}`, init);
    const { stdout } = await run('snapshot diff');
    expect(stdout).toContain(`from seed to current\n  contacts: 1 updated\n  updated contacts ${astrid}\n`);
    expect(stdout).toMatch(/attributes\.street: ".+" → "Ny 1"/);
    expect(json(await run('snapshot diff --json')).counts).toEqual({
      contacts: { created: 0, updated: 1, deleted: 0 },
    });
  });

  it('prints no personal numbers unless they are asked for', async () => {
    const { url, run } = await startSim();
    const body = JSON.stringify({ email: 'x@example.com', socialSecurityNumber: '19850709-9805' });
    await fetch(`${url}/api/v3/contacts`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const forms = [[], ['--json']];
    for (const form of forms) expect((await run('snapshot diff', ...form)).stdout).not.toContain('19850709');
    const shown = await run('snapshot diff', '--show-personal-data');
    expect(shown.stdout).toContain('attributes.socialSecurityNumber: "19850709-9805"');
  });

  it('refuses a name that there is not', async () => {
    const { run } = await startSim();
    await run('snapshot take before');
    const message = 'There is no snapshot "befor"; did you mean "before"? GET /__admin/snapshots lists them.';
    expect(await run('snapshot restore befor')).toEqual(refused(message));
  });
});

describe('reset', () => {
  it('puts back all, or the scopes that are named', async () => {
    const { url, run } = await startSim();
    await run('clock --advance 1d');
    await fetch(`${url}/api/v3/contacts/count`);
    expect(await run('reset --scope journal')).toEqual(told('tenant default is reset: journal\n'));
    expect(json(await run('requests --json')).count).toBe(0);
    expect((await run('clock')).stdout).toContain('2026-03-02');
    expect(json(await run('reset --json')).scopes).toContain('clock');
    expect((await run('clock')).stdout).toContain(now);
  });

  it('refuses a scope that there is not', async () => {
    const { run } = await startSim();
    const { code, stderr } = await run('reset --scope jurnal');
    expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean "journal"?')]);
  });
});

describe('openapi', () => {
  it('prints the document of the code, as the simulator would serve it', async () => {
    const { url, run } = await startSim();
    const own = json(await runCommand(['openapi']));
    const served = json(await run('openapi --json'));
    expect([own.servers[0].url, served.servers[0].url]).toEqual(['http://127.0.0.1:4010', url]);
    expect(served.paths).toEqual(own.paths);
  });

  it('names the tenant that it is asked for, which only a simulator has', async () => {
    const { url, run } = await startSim();
    await fetch(`${url}/t/oslo/api/v3/consents`);
    const { servers } = json(await run('openapi --tenant oslo'));
    expect(servers[1]).toMatchObject({ url: `${url}/t/{tenant}`, variables: { tenant: { default: 'oslo' } } });
    const message = '--tenant oslo: goes with --url, which names the simulator';
    expect(await runCommand(['openapi', '--tenant', 'oslo'])).toEqual(refused(message));
  });
});

describe('a simulator', () => {
  it('that does not respond is shown with the way out, as JSON too', async () => {
    const ended = await runCommand(['clock', '--url', 'http://127.0.0.1:9', '--json']);
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain('No simulator responds at http://127.0.0.1:9');
    expect(ended.stderr).toContain('Start one with "loyalty-sim start", or name another with --url.');
    expect(json(ended)).toMatchObject({ event: 'error', exitCode: 4 });
  });

  it('is not taken for another program', async () => {
    const server = createServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await runCommand(['reset', '--url', url]);
    server.close();
    expect([code, stderr]).toEqual([4, expect.stringContaining(`The server at ${url} is not a simulator`)]);
  });

  it.each<[what: string, respond: (socket: Socket) => void, says: string]>([
    ['breaks off', (socket) => socket.write(head('200 OK', 500), () => socket.resetAndDestroy()), 'is not a simulator'],
    ['says too much', (socket) => socket.end(`${head('200 OK', 2)}{}{}`), 'is not a simulator'],
    [
      'wants another protocol',
      (socket) => socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n'),
      'is not a simulator',
    ],
    [
      'sends on',
      (socket) => socket.end(head('308 Moved', 0, 'Location: http://x/\r\n')),
      'redirects to http://x/: name that',
    ],
    ['closes', (socket) => socket.end(), 'No simulator responds at'],
  ])('is not where a server %s', async (_, respond, says) => {
    const server = createRawServer((socket) => socket.on('error', () => {}).once('data', () => respond(socket)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await runCommand(['clock', '--url', url.replace('//', '//till:password@')]);
    server.close();
    expect([code, stderr]).toEqual([4, expect.stringContaining(says)]);
    expect(stderr).not.toContain('password');
  });

  it('that takes a call and never responds is not waited for without an end', async () => {
    const server = createRawServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await runCommand(['wait', '--timeout', '100ms', '--url', url]);
    server.close();
    expect([code, stderr]).toEqual([4, `error: The simulator at ${url} has not responded for 10.1 s.\n`]);
  });

  it('refuses a key that no header can hold', async () => {
    const { code, stderr } = await runCommand(['clock', '--url', 'http://127.0.0.1:9', '--admin-key', 'a\u263a']);
    expect([code, stderr]).toEqual([2, 'error: --admin-key: must be text that a header can hold\n']);
  });

  it.each(['LOYALTY_SIM_URL', 'LOYALTY_SIM_ADMIN_URL'])('is found by %s', async (name) => {
    const { url } = await startSim();
    const address = name === 'LOYALTY_SIM_URL' ? `${url}/t/oslo` : `${url}/__admin`;
    expect(await runCommand(['clock', '--advance', '1h'], { env: { [name]: address } })).toMatchObject({ code: 0 });
    const other = await runCommand(['clock', '--url', `${url}/t/oslo/`]);
    expect(other.stdout).toBe(name === 'LOYALTY_SIM_URL' ? '2026-03-01T13:00:00.000Z, frozen\n' : '');
  });

  it('that asks for a key gets it', async () => {
    const { url, run } = await startSim('--admin-key', 'secret');
    expect(await run('clock')).toEqual(refused(`The simulator at ${url} requires a key: set it with --admin-key.`));
    const other = `The simulator at ${url} rejected the key: set it with --admin-key.`;
    expect(await run('clock --admin-key sesame')).toEqual(refused(other));
    expect((await run('clock --admin-key secret')).code).toBe(0);
    const env = { LOYALTY_SIM_ADMIN_KEY: 'secret', LOYALTY_SIM_URL: url };
    expect((await runCommand(['clock'], { env })).code).toBe(0);
  });

  it.each(['localhost', 'ftp://127.0.0.1', 'http://127.0.0.1/api'])('is no %s', async (url) => {
    const message = `--url: must be the address of a simulator, such as http://127.0.0.1:4010, not "${url}"`;
    expect(await runCommand(['clock', '--url', url])).toEqual(refused(message));
  });
});
