/** The executable of this system, made of the Node that runs the tests; `npm run executables` takes those of npm. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, startCommand, tidy } from '../support/command.ts';
import { folderWith } from '../support/folders.ts';
import { astrid } from '../support/people.ts';

const folder = mkdtempSync(join(tmpdir(), 'loyalty-sim-executable-'));
const executable = join(folder, 'loyalty-sim-own');
const program = [executable] as const;
const bare = { env: { PATH: '', NODE_OPTIONS: '' }, program };

afterEach(tidy);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// macOS runs no program without a signature, which is made there alone.
describe.skipIf(process.platform !== 'linux')('the executable, without anything on PATH', () => {
  beforeAll(() => {
    const args = ['scripts/executables.mjs', '--out', folder, 'own'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }, 300_000);

  it('is no larger than 120 MB', () => {
    expect(statSync(executable).size).toBeLessThan(120_000_000);
  });

  it('starts with the default fixture, serves its pages, and stops', async () => {
    const { url, signal } = await startCommand(['--json', '--fixtures', 'default'], bare);
    const found = await fetch(`${url}/api/v3/contacts/id?email=astrid.lindqvist@example.com`);
    expect(await found.json()).toBe(astrid);
    const pages = await Promise.all(['ui', 'docs'].map((page) => fetch(`${url}/__admin/${page}`)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    const port = new URL(url).port;
    expect((await runCommand(['healthcheck', port], bare)).code).toBe(0);
    expect((await signal('SIGTERM')).code).toBe(0);
    const gone = await runCommand(['healthcheck'], { program, env: { ...bare.env, LOYALTY_SIM_PORT: port } });
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining(`error: port ${port}: `)]);
  });

  it('has the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect((await runCommand(['--version'], bare)).stdout).toBe(`${version}\n`);
  });

  it('serves a coding agent, and says where its documentation is', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const input = [{ ...call, id: 0, method: 'initialize', params: hello }, call].map((one) => JSON.stringify(one));
    const ended = spawnSync(executable, ['mcp'], { env: bare.env, input: `${input.join('\n')}\n`, encoding: 'utf8' });
    expect(ended.stdout).toContain('"name":"explore_client"');
    const { stdout } = await runCommand(['--help'], bare);
    expect(stdout).toContain('is in this executable: loyalty-sim unpack <folder> writes it to a folder.');
  });

  it('plays a scenario that it brings, with a pattern', async () => {
    const target = join(folderWith(), 'files');
    expect(await runCommand(['unpack', target], bare)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(target, 'docs', 'verdict.md'))).toBe(true);
    const file = join(target, 'scenarios', 'scripted', 'purchase-earns-points.yaml');
    expect(readFileSync(file, 'utf8')).toBe(readFileSync('scenarios/scripted/purchase-earns-points.yaml', 'utf8'));
    const played = await runCommand(['run', file], bare);
    expect(played.stdout + played.stderr).toContain('1 scenario: 1 PASS');
    const validated = await runCommand(['validate', join(target, 'scenarios', 'lost-*.yaml')], bare);
    expect([validated.code, validated.stdout.match(/a valid scenario/g)?.length]).toEqual([0, 3]);
  });

  it('judges a command by a built-in scenario', async () => {
    const client = [process.execPath, '-e', 'fetch(process.env.LOYALTY_SIM_URL + "/api/v3/stores")'];
    const { code, stderr } = await runCommand(['exec', '--scenario', 'lost-contact', '--', ...client], bare);
    expect(stderr).toContain('INCONCLUSIVE');
    expect(code).toBe(3);
  });

  it('generates fixtures, and loads them', async () => {
    const file = join(folderWith(), 'people.json');
    expect((await runCommand(['generate', '--contacts', '3', '--out', file], bare)).code).toBe(0);
    expect(await runCommand(['validate', file], bare)).toMatchObject({ code: 0, stdout: `${file}: a valid fixture\n` });
  });

  it('matches patterns, and takes files by SFTP and FTP', async () => {
    const rule = { match: { query: { email: { matches: 'a.+' } } }, fault: '503' };
    const scenario = join(folderWith({ 'a.json': { rules: [rule] } }), 'a.json');
    const { url, signal, line } = await startCommand(
      ['--json', '--scenario', scenario, '--import-folder', folderWith(), '--sftp-port', '0', '--ftp-port', '0'],
      bare,
    );
    expect((await fetch(`${url}/api/v3/contacts/id?email=astrid`)).status).toBe(503);
    expect(JSON.parse(line)).toMatchObject({ sftpUrl: expect.any(String), ftpUrl: expect.any(String) });
    expect((await signal('SIGTERM')).code).toBe(0);
  });

  it.each([
    { what: 'no folder', args: ['unpack'], says: 'name the folder to unpack to' },
    { what: 'a folder that has such files', args: ['unpack', resolve('.')], says: "can't be filled: EEXIST" },
  ])('says what is wrong with $what to unpack to', async ({ args, says }) => {
    const { code, stderr } = await runCommand(args, bare);
    expect([code, stderr.includes(says)]).toEqual([2, true]);
  });
});
