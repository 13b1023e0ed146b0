import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasCurl, runCommand, startCommand, tidy } from '../support/command.ts';
import { astrid } from '../support/people.ts';

/** A folder that has the package as npm would bring it. */
const folder = mkdtempSync(join(tmpdir(), 'loyalty-sim-packed-'));

const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], '.');
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  npm(['install', `./${tarball}`, '--prefer-offline', '--no-audit', '--no-fund'], folder);
}, 300_000);

afterEach(tidy);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package', () => {
  it('works when it is packed and installed in an empty folder', async () => {
    const program = [process.execPath, join(folder, 'node_modules/.bin/loyalty-sim')] as const;
    const { line, url, signal } = await startCommand(['--json', '--fixtures', 'default'], { folder, program });
    const found = await fetch(`${url}/api/v3/contacts/id?email=astrid.lindqvist@example.com`);
    expect(await found.json()).toBe(astrid);
    const health = await fetch(`${JSON.parse(line).adminUrl}/health`);
    expect(health.status).toBe(200);
    expect((await signal('SIGTERM')).code).toBe(0);
  });

  it('brings nothing that nobody loads', () => {
    const all = readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' });
    // The build keeps compiled code for one release of Node; the tests do so for each that they run with.
    const [, ...others] = all.filter((name) => /main\.cjs\.\d/.test(name)).toSorted();
    const installed = all.filter((name) => !others.includes(name));
    const sizes = installed.map((name) => statSync(join(folder, 'node_modules', name))).filter((file) => file.isFile());
    expect(installed.filter((name) => /^(?:@[^/]+\/)?[\w-]+\/package\.json$/.test(name)).toSorted()).toEqual([
      'loyalty-sim/package.json',
      're2js/package.json',
    ]);
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(11_000_000);
  });

  it('has types that a strict program can check', () => {
    const program = [
      "import { createSim, defineScenario } from 'loyalty-sim';",
      "import type { SimOptions, Verdict } from 'loyalty-sim';",
      "const options: SimOptions = { fixtures: 'empty', scenario: defineScenario({ rules: [{ fault: '504' }] }) };",
      'const sim = await createSim(options);',
      "const response: Response = await sim.fetch('/api/v3/contacts/count');",
      'const { verdict }: Verdict = await sim.verdict();',
      '// @ts-expect-error No fixture is a number.',
      'await createSim({ fixtures: 7 });',
      "import { useSim } from 'loyalty-sim/node-test';",
      "const test = useSim(options)(async (tenant) => void (await fetch(tenant.url)), { accept: ['PASS', 'FAIL'] });",
      'export { response, verdict, test };',
    ];
    const control = [
      "import { createControlClient, ControlError } from 'loyalty-sim/control';",
      "import type { ExchangeSummary } from 'loyalty-sim/control';",
      "const control = createControlClient({ url: 'http://127.0.0.1:4010', adminKey: 'secret', tenant: 'till' });",
      "const { count, items } = await control.get('/requests', { query: { method: 'POST', limit: 5 } });",
      'export const first: ExchangeSummary | undefined = items[0];',
      "const { now }: { now: string } = await control.post('/clock', { body: { advance: '30d' } });",
      "await control.delete('/faults/{id}', { params: { id: 'rule-1' } });",
      "const stream: Response = await control.get('/events');",
      '// @ts-expect-error There is no such path.',
      "await control.get('/clocks');",
      '// @ts-expect-error The path names a snapshot.',
      "await control.post('/snapshots/{name}');",
      '// @ts-expect-error A clock is not advanced by a number.',
      "await control.post('/clock', { body: { advance: 30 } });",
      '// @ts-expect-error No such filter.',
      "await control.get('/requests', { query: { verb: 'POST' } });",
      "export const isMissing = (e: unknown) => e instanceof ControlError && e.errorCode === 'NotFound';",
      '// @ts-expect-error No error of the simulator is called so.',
      "export const isOdd = (e: unknown) => e instanceof ControlError && e.errorCode === 'NotFund';",
      'export { count, now, stream };',
    ];
    const forJest = [
      "import { createControlClient } from 'loyalty-sim/control';",
      "export const version = createControlClient().get('/version').then((about) => about.version);",
      "import { useTenant } from 'loyalty-sim/jest';",
      "const tenant = useTenant({ fixtures: 'empty' }, { accept: ['FAIL'] });",
      'export const url: string = tenant().url;',
    ];
    writeFileSync(join(folder, 'program.mts'), program.join('\n'));
    writeFileSync(join(folder, 'control.mts'), control.join('\n'));
    writeFileSync(join(folder, 'tests.cts'), forJest.join('\n'));
    const flags = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false', '--noEmit'];
    const target = [
      '--target',
      'es2023',
      '--module',
      'nodenext',
      '--types',
      'node',
      '--typeRoots',
      resolve('node_modules/@types'),
    ];
    const compiler = resolve('node_modules/typescript/bin/tsc');
    const args = [compiler, ...flags, ...target, 'program.mts', 'control.mts', 'tests.cts'];
    expect(spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).toMatchObject({
      stdout: '',
      status: 0,
    });
  });

  it.each([
    ['mjs', "import { createControlClient, ControlError } from 'loyalty-sim/control';"],
    ['cjs', "const { createControlClient, ControlError } = require('loyalty-sim/control');"],
  ])('controls a simulator by its typed client, in .%s', async (extension, imported) => {
    const program = [process.execPath, join(folder, 'node_modules/.bin/loyalty-sim')] as const;
    const { url } = await startCommand(['--fixtures', 'default', '--admin-key', 'secret'], { folder, program });
    const lines = [
      imported,
      '(async () => {',
      `  const control = createControlClient({ url: '${url}', adminKey: 'secret', tenant: 'till' });`,
      "  await control.post('/tenants', { body: { name: 'till' } });",
      "  const { id } = await control.post('/faults', { body: { match: { method: 'GET' }, fault: '503' } });",
      `  const { status } = await fetch('${url}/t/till/api/v3/contacts/count');`,
      "  const { items } = await control.get('/requests', { query: { limit: 1 } });",
      "  await control.delete('/faults/{id}', { params: { id } });",
      "  const text = await control.get('/verdict', { query: { as: 'text' } });",
      "  const wrong = await control.post('/clock', { body: { advance: 'x' } }).catch((error) => error);",
      `  const anybody = await createControlClient({ url: '${url}/' }).get('/queue').catch((error) => error);`,
      '  const { message, errorCode, validationErrors } = wrong;',
      '  const said = [wrong instanceof ControlError, wrong.status, errorCode, message.includes(validationErrors[0].field)];',
      '  console.log(JSON.stringify([status, items[0].path, typeof text, said, anybody.status]));',
      '})();',
    ];
    writeFileSync(join(folder, `control-run.${extension}`), lines.join('\n'));
    const { stdout } = await promisify(execFile)(process.execPath, [`control-run.${extension}`], { cwd: folder });
    const said = [true, 400, 'ValidationError', true];
    expect(JSON.parse(stdout)).toEqual([503, '/api/v3/contacts/count', 'string', said, 401]);
  });

  it('has a client of the control API that works as its page shows', async () => {
    const program = [process.execPath, join(folder, 'node_modules/.bin/loyalty-sim')] as const;
    const { url } = await startCommand(['--fixtures', 'default', '--now', '2026-03-01T12:00:00Z'], { folder, program });
    const [, shown = ''] = /```js\n(\/\/ control\.mjs.*?)```/s.exec(readFileSync('docs/test-code.md', 'utf8')) ?? [];
    writeFileSync(join(folder, 'control.mjs'), shown);
    const env = { ...process.env, LOYALTY_SIM_URL: url };
    const { stdout } = await promisify(execFile)(process.execPath, ['control.mjs'], { cwd: folder, env });
    expect(stdout).toBe("{ now: '2026-03-31T12:00:00.000Z', count: 0 }\n");
  });

  it('brings whatever its README leads to', () => {
    const installed = join(folder, 'node_modules/loyalty-sim');
    const targets = [...readFileSync(join(installed, 'README.md'), 'utf8').matchAll(/\]\(([\w/.-]+)/g)].map(
      ([, target = '']) => target,
    );
    expect(targets.length).toBeGreaterThan(15);
    expect(targets.filter((target) => !existsSync(join(installed, target)))).toEqual([]);
  });

  it.skipIf(!hasCurl)('starts and stops by npx, and what it says can be tried works', async () => {
    const program = ['npx', 'loyalty-sim'] as const;
    const { url, written, signal } = await startCommand(['--fixtures', 'default'], { folder, program });
    await expect.poll(() => written.stderr.match(/curl .*/g)).toHaveLength(3);
    const tried = written.stderr.match(/curl .*/g) ?? [];
    const statuses = tried.map((line) =>
      execFileSync('sh', ['-c', `${line} -s -o /dev/null -w '%{http_code}'`]).toString(),
    );
    expect(statuses).toEqual(['200', '200', '200']);
    await signal('SIGTERM');
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  it('generates a fixture and starts with it', async () => {
    const program = [process.execPath, join(folder, 'node_modules/.bin/loyalty-sim')] as const;
    const out = join(folder, 'made.json');
    expect(await runCommand(['generate', '--contacts', '3', '--out', out], { folder, program })).toMatchObject({
      code: 0,
    });
    const { url } = await startCommand(['--fixtures', out], { folder, program });
    expect(await (await fetch(`${url}/api/v3/contacts/count`)).json()).toBe(3);
  });

  it('works as a library', async () => {
    const code =
      "const { createSim } = await import('loyalty-sim'); const sim = await createSim({ fixtures: 'empty' });";
    const call = "console.log(await (await sim.fetch(new Request('http://localhost/api/v3/contacts/count'))).text());";
    const args = ['--input-type=module', '-e', code + call];
    expect(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).toBe('0\n');
  });

  it('exports what its documentation names, and the same class of errors to each runner', () => {
    const code = `
      const named = {};
      for (const name of ['loyalty-sim', 'loyalty-sim/node-test', 'loyalty-sim/jest', 'loyalty-sim/control'])
        named[name] = await import(name);
      const namesOf = (one) => Object.keys(one).filter((name) => !['default', 'module.exports'].includes(name)).toSorted();
      const exported = Object.entries(named).map(([name, one]) => [name, namesOf(one)]);
      const errors = new Set([named['loyalty-sim/node-test'].VerdictError, named['loyalty-sim/jest'].VerdictError]);
      console.log(JSON.stringify([...exported, errors.size]));`;
    const args = ['--input-type=module', '-e', code];
    expect(JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }))).toEqual([
      ['loyalty-sim', ['createMaster', 'createPointMaster', 'createSim', 'defineScenario']],
      ['loyalty-sim/node-test', ['VerdictError', 'useSim']],
      ['loyalty-sim/jest', ['VerdictError', 'useTenant']],
      ['loyalty-sim/control', expect.any(Array)],
      1,
    ]);
  });

  it('shows little more than the message of a mistake that nobody caught', () => {
    const code = "const { createSim } = await import('loyalty-sim'); await createSim({ nw: 'x' });";
    const args = ['--input-type=module', '-e', code];
    const { stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(stderr).toContain('\nInputError: createSim: nw: is not an option; did you mean "now"?\n');
    expect(Math.max(...stderr.split('\n').map(({ length }) => length))).toBeLessThan(300);
  });
});
