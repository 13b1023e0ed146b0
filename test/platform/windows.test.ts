/** The command on Windows, as far as wine can show it: Node for Windows runs there, and is called from outside. */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { astrid } from '../support/people.ts';

/** Set by scripts/windows.mjs, which fetches Node for Windows and makes the executable. */
const {
  WINDOWS_WINE: wine = '',
  WINDOWS_WINE_SERVER: server = '',
  WINDOWS_NODE: node = '',
  WINDOWS_EXECUTABLE: executable = '',
} = process.env;

// Nothing removes it where all tests are skipped.
const folder = wine === '' ? tmpdir() : mkdtempSync(join(tmpdir(), 'loyalty-sim-windows-'));
const inWine = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;
const file = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(file(name), 'utf8');
// Wine's server keeps a folder of its own below it.
const { SHELL: _shell, ...wineEnvironment }: NodeJS.ProcessEnv = { ...process.env, TMPDIR: folder };
const running = new Set<ChildProcess>();
let count = 0;

interface WineOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: readonly string[];
}

/** Starts the command. Its three streams are files: wine passes a program of Windows no pipe of ours. */
function launch(args: readonly string[], { env = {}, program = [node, inWine(resolve('dist/cli.cjs'))] }: WineOptions) {
  const name = `streams-${count++}`;
  const [out, err] = [openSync(file(`${name}.out`), 'w'), openSync(file(`${name}.err`), 'w')];
  const path = inWine(join(node, '..'));
  const child = spawn(wine, [...program, ...args], {
    cwd: folder,
    env: { ...wineEnvironment, WINEPATH: path, PROMPT: '$P$G', ...env },
    stdio: ['ignore', out, err],
  });
  closeSync(out);
  closeSync(err);
  running.add(child);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return { child, ended, stdout: () => read(`${name}.out`), stderr: () => read(`${name}.err`) };
}

/** Runs the command to its end. */
async function run(args: readonly string[], options: WineOptions = {}) {
  const { ended, stdout, stderr } = launch(args, options);
  const code = await ended;
  return { code, stdout: stdout(), stderr: stderr() };
}

const pause = (ms: number) => new Promise((done) => void setTimeout(done, ms));

/** Starts a simulator on a free port. */
async function start(args: readonly string[], options: WineOptions = {}) {
  const started = launch(['start', '--port', '0', '--json', ...args], options);
  const isOver = () => started.child.exitCode !== null;
  while (!isOver() && !started.stdout().includes('\n')) await pause(20);
  if (isOver()) throw new Error(started.stdout() + started.stderr());
  const line = JSON.parse(started.stdout());
  const url: string = line.url;
  /** Kills it as the task manager does. */
  const kill = async () => {
    started.child.kill('SIGKILL');
    await started.ended;
  };
  return { ...started, line, url, kill };
}

const json = { 'content-type': 'application/json', 'user-agent': 'till/1' };

async function call(url: string, method = 'GET', body?: unknown) {
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url, { method, headers: { ...json, connection: 'close' }, ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** The exit code of curl, which tells in which way a connection ended. */
const curl = (url: string): number | null =>
  spawnSync('curl', ['--silent', '--max-time', '30', '--output', '/dev/null', url]).status;

const reason = wine === '' ? ' (skipped: npm run test:windows runs it, with wine)' : '';

describe.skipIf(wine === '')(`on Windows${reason}`, () => {
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL');
    // All that runs in wine, which is of these tests alone: it has a folder of its own.
    spawnSync(server, ['-k'], { env: wineEnvironment });
    spawnSync(server, ['-w'], { env: wineEnvironment });
    rmSync(folder, { recursive: true, force: true });
  });

  describe('a simulator', () => {
    let sim: Awaited<ReturnType<typeof start>>;
    let api = '';
    let admin = '';

    beforeAll(async () => {
      writeFileSync(file('old-ready.json'), `{"event":"ready","pid":2147483646}\n`);
      sim = await start(['--data', 'saved.json', '--ready-file', 'old-ready.json', '--fixtures', 'default']);
      [api, admin] = [`${sim.url}/api/v3`, `${sim.url}/__admin`];
    });
    afterAll(() => sim.kill());

    it('says on one line that it is ready', () => {
      expect(sim.line).toMatchObject({ event: 'ready', adminUrl: admin, version: expect.any(String) });
    });

    it('writes a ready file in the place of one that was left', () => {
      expect(JSON.parse(read('old-ready.json'))).toEqual(sim.line);
    });

    it('prints curl lines for cmd.exe', () => {
      expect(sim.stderr()).toContain(`curl "${api}/contacts/id?email=astrid.lindqvist@example.com"`);
      expect(sim.stderr()).toContain('-d "{""street"":""Drottninggatan 1""}"');
    });

    it('shows the file of its data', () => {
      expect(sim.stderr()).toContain('kept in saved.json');
    });

    it.each([
      `O'Hara "Row" $HOME %PATH% \`x\` \\ & | <b> ^ ! %`,
      'a\\"b\\',
      '%%',
      '& calc > out',
      'åäö €',
      'line\nbreak\t',
      String.raw`\\server\"share"\\`,
    ])('writes a curl line that, pasted into cmd.exe, sends %j as it was sent', async (street) => {
      await call(`${api}/contacts/${astrid}`, 'PATCH', { street });
      const { items } = (await call(`${admin}/requests?last=1`)).body;
      const line: string = (await call(`${admin}/requests/${items[0].id}/curl`)).body.cmd;
      // Another program in the place of curl, which is not there, prints what it got.
      writeFileSync(file('arguments.cjs'), 'console.log(`<${JSON.stringify(process.argv.slice(2))}>`);');
      const pasted = line.replace(/^curl /, `"${node}" ${inWine(file('arguments.cjs'))} `);
      writeFileSync(file('pasted.txt'), `${pasted}\r\nexit\r\n`);
      const streams = [openSync(file('pasted.txt'), 'r'), openSync(file('printed.txt'), 'w')];
      spawnSync(wine, ['cmd'], { env: wineEnvironment, stdio: [...streams, 'ignore'] });
      for (const stream of streams) closeSync(stream);
      const [, got = '[]'] = /<(\[.*\])>/.exec(read('printed.txt')) ?? [];
      const args: string[] = JSON.parse(got);
      expect(JSON.parse(args[args.indexOf('--data-raw') + 1] ?? 'null')).toEqual({ street });
    });

    it('is healthy', async () => {
      expect((await call(`${admin}/health`)).status).toBe(200);
    });

    it('finds a contact of the default fixture', async () => {
      const { body } = await call(`${api}/contacts/id?email=astrid.lindqvist@example.com`);
      expect(body).toBe(astrid);
    });

    it('creates a contact, and warns about a misspelled field', async () => {
      const { status, headers } = await call(`${api}/contacts`, 'POST', { email: 'ny@example.com', firstNam: 'Ny' });
      expect([status, headers.get('x-sim-warnings')]).toEqual([201, expect.stringContaining('firstNam')]);
    });

    it('changes a contact', async () => {
      const path = `${api}/contacts/${astrid}`;
      expect((await call(path, 'PATCH', { street: 'Åvägen 1' })).status).toBe(200);
      expect((await call(path)).body).toMatchObject({ street: 'Åvägen 1' });
    });

    it('refuses what is not valid, and what is not there', async () => {
      const [invalid, none] = [await call(`${api}/contacts`, 'POST', { email: 7 }), await call(`${api}/no-such`)];
      expect([invalid.status, none.status]).toEqual([400, 404]);
    });

    it('takes a compressed body', () => {
      const line = `printf '{"email":"gz@example.com"}' | gzip | curl -s -o /dev/null -w '%{http_code}' --data-binary @- -H 'content-encoding: gzip' -H 'content-type: application/json' '${api}/contacts'`;
      expect(spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' }).stdout).toBe('201');
    });

    it('makes a request fail once', async () => {
      await call(`${admin}/faults`, 'POST', { match: { endpoint: 'listStores' }, fault: '503', times: 1 });
      const statuses = [await call(`${api}/stores`), await call(`${api}/stores`)].map(({ status }) => status);
      expect(statuses).toEqual([503, 200]);
    });

    it.each([
      { fault: { respond: 'none', end: 'close' }, code: 52, what: 'closes it without a response' },
      { fault: { respond: 'none', end: 'reset' }, code: 56, what: 'resets it' },
      { fault: { respond: 'partial', end: 'close' }, code: 18, what: 'cuts a response' },
    ])('meets a connection: $what', async ({ fault, code }) => {
      await call(`${admin}/faults`, 'POST', { match: { endpoint: 'listStores' }, fault, times: 1 });
      expect(curl(`${api}/stores`)).toBe(code);
    });

    it('delays a response', async () => {
      await call(`${admin}/faults`, 'POST', {
        match: { endpoint: 'listStores' },
        fault: { respond: 'full', delay: 50 },
        times: 1,
      });
      expect((await call(`${api}/stores`)).status).toBe(200);
    });

    it('keeps tenants apart', async () => {
      await call(`${sim.url}/t/shop/api/v3/contacts`, 'POST', { email: 'shop@example.com' });
      const found = await call(`${api}/contacts/id?email=shop@example.com`);
      expect(found.status).toBe(404);
    });

    it('moves the clock', async () => {
      const { body: before } = await call(`${admin}/clock`);
      await call(`${admin}/clock`, 'POST', { advance: '30d' });
      const { body: after } = await call(`${admin}/clock`);
      expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(30 * 86_400_000);
    });

    it('stores and restores a snapshot', async () => {
      await call(`${admin}/snapshots/before`, 'POST');
      await call(`${api}/contacts`, 'POST', { email: 'later@example.com' });
      expect((await call(`${admin}/snapshots/before/restore`, 'POST')).status).toBe(200);
      expect((await call(`${api}/contacts/id?email=later@example.com`)).status).toBe(404);
    });

    it('shows requests and a verdict', async () => {
      expect((await call(`${admin}/requests`)).body).not.toEqual([]);
      expect((await call(`${admin}/verdict`)).body).toHaveProperty('verdict');
    });

    it.each(['ui', 'docs', 'openapi.json'])('serves /__admin/%s', async (page) => {
      const response = await fetch(`${admin}/${page}`);
      expect([response.status, (await response.text()).length > 1000]).toEqual([200, true]);
    });

    it('resets', async () => {
      expect((await call(`${admin}/reset`, 'POST')).status).toBe(200);
      expect((await call(`${api}/contacts/count`)).body).toBe(40);
    });

    it('tells who holds the data, and does not open it twice', async () => {
      const { code, stderr } = await run(['start', '--port', '0', '--data', 'saved.json']);
      expect([code, stderr]).toEqual([4, expect.stringContaining('saved.json is in use')]);
    });

    it('tells that its port is taken', async () => {
      const { code, stderr } = await run(['start', '--port', new URL(sim.url).port]);
      expect([code, stderr]).toEqual([4, expect.stringContaining('is taken')]);
    });

    it('compacts its data in use, is killed, and has all of it again', { timeout: 200_000 }, async () => {
      const before = statSync(file('saved.json')).size;
      const street = 'Storgatan '.repeat(20);
      // The log is compacted above 8 MB.
      const [batches, size] = [6, 4000];
      for (let batch = 0; batch < batches; batch++) {
        const contacts = Array.from({ length: size }, (_, i) => ({
          email: `p${batch * size + i}@example.com`,
          street,
        }));
        expect((await call(`${api}/contacts/bulk`, 'POST', contacts)).status).toBe(202);
        await expect.poll(async () => (await call(`${api}/contacts/count`)).body).toBe(40 + (batch + 1) * size);
      }
      await expect.poll(() => statSync(file('saved.json')).size).toBeGreaterThan(4 * before);
      expect(sim.stderr()).not.toContain('grows on');
      await call(`${api}/contacts`, 'POST', { email: 'last@example.com' });
      await sim.kill();
      expect(JSON.parse(read('old-ready.json'))).toEqual(sim.line);
      const again = await start(['--data', 'saved.json', '--ready-file', 'old-ready.json']);
      expect((await call(`${again.url}/api/v3/contacts/count`)).body).toBe(41 + batches * size);
      expect(JSON.parse(read('old-ready.json'))).toEqual(again.line);
      await again.kill();
    });
  });

  describe('validate and run', () => {
    beforeAll(() => {
      writeFileSync(file('good-1.yaml'), 'name: Good\r\nrules:\r\n  - fault: "503"\r\n');
      writeFileSync(file('good-2.yaml'), '\uFEFFname: Good too\nrules:\n  - fault: "504"\n');
      writeFileSync(file('bad.yaml'), 'name: Bad\nrules:\n  - falt: "503"\n');
      copyFileSync('scenarios/scripted/purchase-earns-points.yaml', file('played.yaml'));
    });

    it.each(["'good-*.yaml'", 'good-?.yaml', '.\\good-*.yaml', `${inWine(folder)}\\good-*.yaml`])(
      'finds files by the pattern %s',
      async (pattern) => {
        const { code, stdout } = await run(['validate', pattern]);
        expect([code, stdout.match(/a valid scenario/g)?.length]).toEqual([0, 2]);
      },
    );

    it('shows the place of a mistake', async () => {
      const { code, stdout } = await run(['validate', `${inWine(folder)}\\bad.yaml`]);
      expect([code, stdout]).toEqual([2, expect.stringContaining(`${inWine(folder)}\\bad.yaml:3:5`)]);
    });

    it('generates a fixture, and starts with it', async () => {
      expect((await run(['generate', '--contacts', '7', '--out', '.\\people.json'])).code).toBe(0);
      const sim = await start(['--fixtures', '.\\people.json', '--log', 'silent']);
      expect((await call(`${sim.url}/api/v3/contacts/count`)).body).toBe(7);
      await sim.kill();
    });

    it('has built-in scenarios', async () => {
      const sim = await start(['--scenario', 'rate-limit', '--log', 'silent']);
      expect((await call(`${sim.url}/__admin/scenario`)).body).toMatchObject({ scenario: { name: 'Rate limit' } });
      await sim.kill();
    });
  });

  describe('exec', () => {
    const till = `require('node:http').get(process.env.LOYALTY_SIM_URL + '/api/v3/stores', (response) => {
  console.log(response.statusCode, JSON.stringify(process.argv.slice(2)));
  process.exitCode = Number(process.argv[2]) || 0;
  response.resume();
});`;

    beforeAll(() => {
      writeFileSync(file('till.js'), till);
      writeFileSync(file('shop.cmd'), '@echo off\r\nnode "%~dp0till.js" %*\r\n');
      writeFileSync(file('hang.js'), 'setInterval(() => {}, 1000);');
    });

    it('finds node by PATH and PATHEXT, and judges it', async () => {
      const { code, stdout, stderr } = await run([
        'exec',
        '--report',
        'junit=reports\\exec.xml',
        '--',
        'node',
        'till.js',
        'a b',
        '"c"',
      ]);
      expect([code, stdout]).toEqual([0, `200 ${JSON.stringify(['a b', '"c"'])}\n`]);
      expect(stderr).toContain('PASS');
      expect(read('reports/exec.xml')).toContain('<testsuite');
    });

    it('runs a batch file, as npx.cmd is one', async () => {
      const { code, stdout } = await run(['exec', '--', 'shop', 'a b', 'x&y', '"c"', '<d>|e']);
      expect([code, stdout]).toEqual([0, `200 ${JSON.stringify(['a b', 'x&y', '"c"', '<d>|e'])}\n`]);
    });

    it('passes on the exit code of the command', async () => {
      expect((await run(['exec', '--', 'node', 'till.js', '7'])).code).toBe(7);
    });

    it.each([
      { program: 'nod', says: 'There is no program "nod"' },
      { program: './till.js', says: 'name the program that runs it, such as node ./till.js' },
    ])('says why $program is not run', async ({ program, says }) => {
      const { code, stderr } = await run(['exec', '--', program]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
    });

    it('runs a line in cmd.exe, and ends what hangs', async () => {
      const { stderr } = await run(['conformance', '--timeout', '2s', '--client', 'till=node hang.js']);
      expect(stderr).toContain('till was still running after 2s without any fault');
    });
  });

  describe.skipIf(executable === '')('the executable', () => {
    const program = [executable];

    it('has the version of the package', async () => {
      const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
      expect(await run(['--version'], { program })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    });

    it('serves the default fixture and its pages', async () => {
      const sim = await start(['--log', 'silent'], { program });
      expect((await call(`${sim.url}/api/v3/contacts/count`)).body).toBe(40);
      expect((await fetch(`${sim.url}/__admin/ui`)).status).toBe(200);
      await sim.kill();
    });

    it('unpacks what it brings', async () => {
      expect((await run(['unpack', 'files\\of-it'], { program })).code).toBe(0);
      expect(existsSync(file('files/of-it/docs/reach.md'))).toBe(true);
      const { code } = await run(['validate', 'files\\of-it\\scenarios\\lost-*.yaml'], { program });
      expect(code).toBe(0);
    });
  });
});
