/** Around the scripts: reports, running simulators, systems under test, and being stopped. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, startCommand, startProgram, tidy } from '../support/command.ts';
import { folderWith } from '../support/folders.ts';

afterEach(tidy);

const good = { name: 'Good', fixtures: 'empty', steps: [{ request: 'GET /api/v3/contacts/count' }] };
const bad = {
  name: 'Bad & <worse>',
  steps: [{ request: 'GET /api/v3/nothing' }, { note: 'not reached' }],
  rules: [{ id: 'never', match: { endpoint: 'createReceipt' }, fault: '504' }],
  expectations: [{ request: { endpoint: 'listStores' } }],
};

describe('run', () => {
  it('plays the scripts that come along', async () => {
    const { code, stdout } = await runCommand(['run', join(process.cwd(), 'scenarios/scripted')]);
    expect(stdout).toMatch(/4 scenarios: 4 PASS\n$/);
    expect(code).toBe(0);
  });

  it('plays the scenarios that come along, in the place of a till', async () => {
    const { code, stdout } = await runCommand(['run', join(process.cwd(), 'scenarios'), 'lost-redeem']);
    expect(stdout).toMatch(/flaky\.yaml: has no steps to run\n/);
    expect(stdout).toMatch(/14 scenarios: 14 PASS, 1 without steps\n$/);
    expect(code).toBe(0);
  });

  it('writes JUnit with a suite for each script and a case for each thing that was judged', async () => {
    const folder = folderWith({ 'a.yaml': good, 'b.yaml': bad });
    const { code } = await runCommand(['run', 'a.yaml', 'b.yaml', '--report', 'junit=out.xml'], { folder });
    const xml = readFileSync(join(folder, 'out.xml'), 'utf8').replaceAll(/time="[\d.]+"/g, 'time="0"');
    expect(xml).toContain('<testcase name="1. GET /api/v3/contacts/count" classname="step" time="0"/>');
    expect(xml).toMatch(
      /name="Bad &amp; &lt;worse&gt;" timestamp="20\d\d-[^"]+" hostname="localhost" tests="4" errors="1" failures="2"/,
    );
    expect([...xml.matchAll(/<(failure|error) /g)].map(([, kind]) => kind)).toEqual(['failure', 'failure', 'error']);
    expect(xml).toContain('<testcase name="2. not reached" classname="step" time="0"><skipped/></testcase>');
    expect(code).toBe(1);
  });

  it('prints JSON alone on standard output, progress on standard error', async () => {
    const folder = folderWith({ 'a.yaml': good });
    const { stdout, stderr } = await runCommand(['run', 'a.yaml', '--json'], { folder });
    const step = {
      number: 1,
      title: 'GET /api/v3/contacts/count',
      location: 'a.yaml:5:5',
      executed: true,
      verdict: 'PASS',
    };
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'PASS',
      scenarios: [{ name: 'Good', steps: [step] }],
      skipped: [],
    });
    expect(stderr).toContain('✓ 1. GET /api/v3/contacts/count');
  });

  it.each([
    [['--report', 'xml'], '--report: must be text, json, junit'],
    [['--report', 'json', '--report', 'junit'], 'json and junit would both go to standard output'],
    [['--report', 'junit=.'], "--report: . can't be written: it is a folder"],
    [
      ['--report', 'junit=a.yaml/report.xml'],
      "--report: a.yaml/report.xml can't be written: a part of its path is a file",
    ],
    [
      ['--with-point-master', '--url', 'http://127.0.0.1:1'],
      '--with-point-master: works with a fresh simulator, not with --url',
    ],
    [['--port', 'any'], '--port: must be a port number'],
    [['--port', '5000', '--url', 'http://127.0.0.1:1'], '--port: is the port of a fresh simulator'],
    [['nobody.yaml'], 'there is no file nobody.yaml'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await runCommand(['run', 'a.yaml', ...args], { folder: folderWith({ 'a.yaml': good }) });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it.each([
    [[], 'FAIL', 'There is no point master with this simulator'],
    [['--with-point-master'], 'PASS', 'standard.yaml'],
  ] as const)('brings a point master along with %j', async (args, verdict, told) => {
    const steps = [{ trigger: { event: 'syncBalances' } }];
    const folder = folderWith({
      'any.yaml': { fixtures: 'empty', steps },
      'standard.yaml': { ...good, mode: 'standard' },
    });
    const { stdout } = await runCommand(['run', 'any.yaml', 'standard.yaml', ...args], { folder });
    expect(stdout.match(/^ {2}(PASS|FAIL): /gm)).toEqual([`  ${verdict}: `, '  PASS: ']);
    expect(stdout).toContain(told);
  });

  it('plays on a tenant of a running simulator, and keeps it when it failed', async () => {
    const { url } = await startCommand();
    const folder = folderWith({ 'a.yaml': good, 'b.yaml': bad });
    const { code, stderr } = await runCommand(['run', 'a.yaml', 'b.yaml', '--url', url], { folder });
    const { tenants } = (await (await fetch(`${url}/__admin/tenants`)).json()) as { tenants: { name: string }[] };
    expect(tenants.map(({ name }) => name.replace(/-\d+-/, '-pid-'))).toEqual(['default', 'run-Bad-worse-pid-2']);
    expect(stderr).toMatch(/tenant run-Bad-worse-\d+-2 is kept for inspection: http/);
    expect(code).toBe(1);
  });

  it('waits for a system under test, and counts its calls apart from its own', async () => {
    const call = { endpoint: 'countContacts' };
    const waiting = { steps: [{ request: 'GET /api/v3/contacts/count' }, { waitFor: { request: call } }] };
    const expectations = ['client', 'script'].map((by) => ({ request: { ...call, by }, exactly: 1 }));
    const folder = folderWith({ 'a.yaml': { ...waiting, expectations } });
    const runner = await startProgram(['run', 'a.yaml'], /serving at (\S+)/, { folder });
    await fetch(`${runner.found}/api/v3/contacts/count`, { headers: { 'user-agent': 'till' } });
    const { code, stdout } = await runner.ended;
    expect(stdout).toMatch(/sent by a client exactly 1 time, got 1 \(default-[12]\)/);
    expect(code).toBe(0);
  });

  it('ends with what was played when it is stopped', async () => {
    const waiting = {
      name: 'Waiting',
      steps: [{ note: 'begun' }, { waitFor: { request: { endpoint: 'listStores' } } }],
    };
    const folder = folderWith({ 'a.yaml': waiting, 'b.yaml': good });
    const runner = await startProgram(['run', 'a.yaml', 'b.yaml', '--report', 'json=out.json'], /begun/, { folder });
    runner.signal('SIGINT');
    const { code, stdout } = await runner.ended;
    expect(stdout).toContain('INCONCLUSIVE (stopped before its end)');
    expect(JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8')).scenarios).toHaveLength(1);
    expect(code).toBe(3);
  });

  it.each([
    ['all', 1, '✗ no warning unknown-field: 1 warning, first at default-1'],
    ['points-expired', 0, '1 scenario: 1 PASS'],
  ])('fails a script whose requests are warned, with --fail-on-warnings %s', async (codes, code, line) => {
    const body = { email: 'ella.ek@example.com', firstNam: 'Ella' };
    const step = { request: { method: 'POST', path: '/api/v3/contacts', body } };
    const folder = folderWith({ 'a.yaml': { name: 'Typo', fixtures: 'empty', steps: [step] } });
    const ended = await runCommand(['run', 'a.yaml', '--fail-on-warnings', codes], { folder });
    expect(ended.stdout).toContain(line);
    expect(ended.code).toBe(code);
  });
});
