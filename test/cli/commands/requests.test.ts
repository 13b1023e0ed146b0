import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, startCommand, tidy } from '../../support/command.ts';
import type { Ended } from '../../support/command.ts';
import { ella } from '../../support/people.ts';

const children = new Set<ReturnType<typeof spawn>>();

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  tidy();
});

const now = '2026-03-01T12:00:00.000Z';

/** A simulator that was asked three things, and the command to talk to it. */
async function startAsked() {
  const { url, signal } = await startCommand(['--now', now, '--log', 'silent']);
  const ask = (path: string, init?: RequestInit): Promise<Response> => fetch(`${url}/api/v3/${path}`, init);
  const headers = { 'content-type': 'application/json', apikey: 'till' };
  await ask('contacts/count?ofset=1', { headers });
  await ask('contacts/id?socialSecurityNumber=19900101-0017', { headers });
  await ask('contacts', { method: 'POST', headers, body: JSON.stringify(ella) });
  const run = (...args: readonly string[]): Promise<Ended> => runCommand([...args, '--url', url]);
  return { url, ask, run, signal };
}

const numbersIn = ({ stdout }: Ended): number[] =>
  JSON.parse(stdout).items.map(({ number }: { number: number }) => number);

/** Follows requests in a process of its own. */
function follow(url: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, ['dist/cli.cjs', 'requests', '--follow', '--url', url, ...args]);
  children.add(child);
  const closed = once(child, 'close').then(([code]) => code);
  const written = { text: '' };
  child.stdout.on('data', (text) => (written.text += String(text)));
  const until = async (part: string): Promise<void> => {
    while (!written.text.includes(part)) await once(child.stdout, 'data');
  };
  return { child, closed, written, until };
}

describe('requests', () => {
  it('are shown with their warnings, without personal numbers', async () => {
    const { run } = await startAsked();
    const { stdout } = await run('requests');
    const lines = stdout.replaceAll(/ [\d.]+ ms/g, ' _ ms').split('\n');
    expect(lines).toEqual([
      `1  ${now}  GET /api/v3/contacts/count?ofset=1  200  _ ms`,
      expect.stringMatching(/^ {5}unknown-parameter: "ofset" /),
      `2  ${now}  GET /api/v3/contacts/id?socialSecurityNumber=(hidden)  404  _ ms`,
      `3  ${now}  POST /api/v3/contacts  201  _ ms`,
      '',
    ]);
  });

  it('are printed as JSON without personal numbers too, unless these are asked for', async () => {
    const { run } = await startAsked();
    const queryOf = async (...flags: string[]) =>
      JSON.parse((await run('requests', '--json', ...flags)).stdout).items[1].query;
    expect(await queryOf()).toBe('socialSecurityNumber=(hidden)');
    expect(await queryOf('--show-personal-data')).toBe('socialSecurityNumber=19900101-0017');
    const shown = await run('requests', '--show-personal-data');
    expect(shown.stdout).toContain('id?socialSecurityNumber=19900101-0017  404');
  });

  it.each([
    [['--method', 'post'], [3]],
    [
      ['--path', '/api/v3/contacts/*'],
      [1, 2],
    ],
    [['--status', '4xx'], [2]],
    [['--endpoint', 'countContacts'], [1]],
    [['--contains', 'Ella'], [3]],
    [['--warnings'], [1]],
    [['--no-warnings'], [2, 3]],
    [['--since', '2'], [3]],
    [
      ['--limit', '2'],
      [2, 3],
    ],
  ])('are found by %j', async (flags, numbers) => {
    const { run } = await startAsked();
    expect(numbersIn(await run('requests', '--json', ...flags))).toEqual(numbers);
  });

  it('refuse what makes no sense', async () => {
    const { run } = await startAsked();
    const endpoint = await run('requests', '--endpoint', 'countContact');
    expect([endpoint.code, endpoint.stderr]).toEqual([2, expect.stringContaining('did you mean "countContacts"?')]);
    const limit = await run('requests', '--limit', '0');
    expect(limit.stderr).toBe('error: --limit: must be a whole number from 1 to 1000, not "0"\n');
  });

  it('are followed until a signal', async () => {
    const { url, ask } = await startAsked();
    const { child, closed, until } = follow(url);
    await until('\n3  ');
    await ask('stores');
    await until('\n4  ');
    child.kill('SIGINT');
    expect(await closed).toBe(0);
  });

  it('are followed even if they take longer than later ones', async () => {
    const { url, ask } = await startAsked();
    const { until } = follow(url);
    const headers = { 'content-type': 'application/json', expect: '100-continue' };
    const slow = request(`${url}/api/v3/receipts`, { method: 'POST', headers });
    slow.flushHeaders();
    await once(slow, 'continue');
    await ask('stores');
    await until('\n5  ');
    const responded = once(slow, 'response');
    slow.end('{}');
    await until('\n4  ');
    // It must be over before the simulator is killed, which breaks off what still runs.
    const [response] = await responded;
    await once(response.resume(), 'end');
  });

  it('are followed as a line of JSON each, by a filter, after the journal was emptied too', async () => {
    const { url, ask, run } = await startAsked();
    const { written, until } = follow(url, '--json', '--path', '*/stores');
    await ask('stores');
    await until('"number":4');
    await run('reset', '--scope', 'journal');
    await ask('stores');
    await until('"number":1');
    const paths = written.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).path);
    expect(paths).toEqual(['/api/v3/stores', '/api/v3/stores']);
  });

  it('are printed as an HTTP archive, without personal numbers', async () => {
    const { run } = await startAsked();
    const { code, stdout, stderr } = await run('requests', '--har', '--path', '/api/v3/contacts/id');
    expect([code, stderr]).toEqual([0, '']);
    const { entries } = JSON.parse(stdout).log;
    expect(entries).toHaveLength(1);
    expect(entries[0].request.url).toContain('/api/v3/contacts/id?socialSecurityNumber=(hidden)');
    expect(stdout).not.toContain('19900101-0017');
  });

  it.each(['--follow', '--limit=50'])('are no archive with %s', async (flag) => {
    const { code, stderr } = await runCommand(['requests', '--har', flag]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--har: prints ')]);
  });

  it('are followed no more when the simulator has gone', async () => {
    const { url, signal } = await startAsked();
    const { closed, until } = follow(url);
    await until('\n3  ');
    await signal('SIGTERM');
    expect(await closed).toBe(4);
  });
});

describe('wait', () => {
  it('ends as soon as there are so many', async () => {
    const { ask, run } = await startAsked();
    const waiting = run('wait', '--count', '2', '--path', '/api/v3/contacts/{what}', '--status', '200');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await ask('contacts/count');
    expect(await waiting).toEqual({ code: 0, stdout: '2 of 2 requests\n', stderr: '' });
  });

  it('ends with 1 when time is up', async () => {
    const { run } = await startAsked();
    const ended = await run('wait', '--count', '4', '--timeout', '200ms');
    expect(ended).toEqual({ code: 1, stdout: 'only 3 of 4 requests; time is up\n', stderr: '' });
    const json = await run('wait', '--count', '4', '--timeout', '1ms', '--json');
    expect([json.code, JSON.parse(json.stdout)]).toEqual([1, { count: 3, wanted: 4, complete: false }]);
  });

  it.each([
    ['--count', 'two', '--count: must be a whole number, not "two"'],
    ['--timeout', 'long', '--timeout: must be a duration such as'],
    ['--timeout', 'P1M', '--timeout: must be a duration such as'],
  ])('refuses %s %s', async (flag, value, message) => {
    const { code, stderr } = await runCommand(['wait', flag, value]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
