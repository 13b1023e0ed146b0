import { statSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, tidy } from '../../support/command.ts';
import { execClient } from '../../support/exec.ts';
import { parseReport, schemaFaults } from '../../support/junit.ts';
import { hasProc } from '../../support/processes.ts';

afterEach(tidy);

const personal = { socialSecurityNumber: '198507099805', email: 'a@example.com' };
const key = 'till-key-4711';

/** Looks somebody up, and adds a new contact twice, since the first answer is lost: the second time of another type. */
const client = `
  const headers = { 'ocp-apim-subscription-key': '${key}', 'x-api-key': '${key}', 'content-type': 'application/json' };
  const send = (path, init) => fetch(base + path, { headers, ...init }).then((answer) => answer.text(), () => {});
  await send('/api/v3/contacts/id?token=${key}&code=${key}&socialSecurityNumber=${personal.socialSecurityNumber}');
  const contact = (contactType) => ({ method: 'POST', body: JSON.stringify({ ...${JSON.stringify(personal)}, contactType }) });
  await send('/api/v3/contacts?sig=${key}', contact('Contact'));
  await sleep(50);
  await send('/api/v3/contacts?sig=${key}', contact('Member'));`;

const scenario = {
  name: 'Lost & <b>found</b> ]]> "quoted"',
  description: `Somebody with ${personal.socialSecurityNumber}.`,
  rules: [
    { id: 'lost', match: { endpoint: 'createContact' }, fault: [{ phase: 'after', respond: 'none', end: 'close' }] },
    { id: 'never|fires', match: { endpoint: 'createReceipt' }, fault: '500' },
  ],
};

const report = 'out/a.xml,json=out/a.json,md=out/a.md,html=out/a.html';

const judged = (env = {}) =>
  execClient(['--scenario', 's.json', '--api-key', key, '--report', `junit=${report}`], {
    client,
    files: { 's.json': scenario },
    env,
  });

const unwritable: readonly (readonly [file: string, reason: string])[] = [
  ['/etc/passwd/report.html', 'a part of its path is a file; name a folder there'],
  ['.', 'it is a folder; name a file in it'],
  ...(hasProc
    ? ([
        ['/proc/report.html', 'there is no such folder, and none can be made; name another'],
        ['/proc/none/report.html', 'there is no such folder, and none can be made; name another'],
      ] as const)
    : []),
];

describe('exec --report', () => {
  it('writes all reports, in folders that it makes, without personal numbers and keys', async () => {
    const { code, read, stderr } = await judged();
    expect(code).toBe(1);
    for (const text of [stderr, ...['a.xml', 'a.json', 'a.md', 'a.html'].map((file) => read(`out/${file}`))]) {
      expect(text).toContain('R10');
      expect(text).not.toContain(personal.socialSecurityNumber);
      expect(text).not.toContain(key);
    }
  });

  it('writes JUnit XML that is valid by the schema, with a case for each thing judged', async () => {
    const root = parseReport((await judged()).read('out/a.xml'));
    expect(schemaFaults(root)).toEqual([]);
    const [suite] = root.children;
    expect(suite?.attributes).toMatchObject({ tests: '4', failures: '1', errors: '1' });
    expect(suite?.attributes['timestamp']).not.toMatch(/^1970/);
    const found = suite?.children.flatMap(({ attributes, children }) =>
      children.map(({ name }) => [attributes['name'], name]),
    );
    expect(found).toEqual([
      ['rule never|fires', 'error'],
      ['POST /api/v3/contacts', 'failure'],
    ]);
  });

  it('writes the same verdict as JSON', async () => {
    const shown = JSON.parse((await judged()).read('out/a.json'));
    expect(shown).toMatchObject({
      verdict: 'FAIL',
      runs: [{ name: scenario.name, verdict: { verdict: 'FAIL', requests: 3 } }],
    });
  });

  it('writes Markdown with what asks for a look in a table that holds, and its attempts in time', async () => {
    const text = (await judged()).read('out/a.md');
    expect(text).toContain(String.raw`## ✗ FAIL: Lost & \<b\>found\</b\> \]\]\> "quoted"`);
    expect(text).toContain(String.raw`| ? INCONCLUSIVE | rule never\|fires |`);
    expect(text).toMatch(
      /```text\n✗ POST \/api\/v3\/contacts\n +\+0 ms +1\. default-2: got no response · fault lost after the work/,
    );
  });

  it('writes a page that needs nothing else and runs nothing, with a bar for each attempt', async () => {
    const page = (await judged()).read('out/a.html');
    expect(page).toContain('Lost &amp; &lt;b&gt;found&lt;/b&gt; ]]&gt; &quot;quoted&quot;');
    expect(page).not.toMatch(/<script|<link|<img|src=|url\(|<b>/);
    expect(page.match(/<rect /g)).toHaveLength(2);
  });

  it('names the exit code of a command that failed in every report, whatever the verdict is', async () => {
    const failing = "await get('/api/v3/contacts/count').then((answer) => answer.text());\nprocess.exitCode = 7;";
    const { code, read } = await execClient(['--report', `junit=${report}`], { client: failing });
    expect(code).toBe(7);
    const [suite] = parseReport(read('out/a.xml')).children;
    expect(suite?.attributes).toMatchObject({ tests: '2', failures: '0', errors: '1' });
    expect(JSON.parse(read('out/a.json'))).toMatchObject({ verdict: 'PASS', runs: [{ exitCode: 7 }] });
    expect(read('out/a.md')).toContain('## ✓ PASS: no scenario, but the command ended with 7');
    for (const file of ['a.xml', 'a.html']) expect(read(`out/${file}`)).toContain('the command ended with 7');
  });

  it('tells GitHub what it found, where it is a step of a workflow', async () => {
    const { stderr, read } = await judged({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: 'summary.md' });
    expect(stderr).toMatch(/^::error title=Lost & <b>found<\/b> \]\]> "quoted"%3A POST \/api\/v3\/contacts::.*%0A/m);
    expect(stderr).toMatch(/^::warning title=.*never\|fires::never fired/m);
    expect(read('summary.md')).toBe(read('out/a.md'));
  });

  it.each(unwritable)('refuses a report that can not be written before anything runs: %s', async (file, reason) => {
    const ended = await runCommand(['exec', '--report', `html=${file}`, '--', 'echo', 'ran']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(`--report: ${file} can't be written: ${reason}\n`);
  });

  it('refuses two reports in one file', async () => {
    const ended = await runCommand(['exec', '--report', 'html=a,json=./a', '--', 'echo', 'ran']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('--report: a is named for two reports; give each a file of its own');
  });

  it('writes to what is no file of its own, and leaves it there', async () => {
    const ended = await runCommand(['exec', '--report', 'json=/dev/null', '--', 'true']);
    expect([ended.code, statSync('/dev/null').isCharacterDevice()]).toEqual([3, true]);
  });

  it('leaves no report of an earlier run next to one that came to nothing', async () => {
    const files = { 'a.html': 'of yesterday', 'bad.json': { rules: 1 } };
    const { code, read } = await execClient(['--scenario', 'bad.json', '--report', 'html=a.html'], { client, files });
    expect(code).toBe(2);
    expect(() => read('a.html')).toThrow('ENOENT');
  });
});
