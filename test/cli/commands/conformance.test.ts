import { afterEach, expect, it } from 'vitest';
import { runCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';
import { parseReport, schemaFaults } from '../../support/junit.ts';

afterEach(tidy);

/** Asks for the number of contacts until it is told, if it is patient. */
const client = `
  const isPatient = process.argv[2] === 'patient';
  for (let attempt = 1; attempt <= 3; attempt++) {
    const answer = await fetch(process.env.LOYALTY_SIM_URL + '/api/v3/contacts/count', { signal: AbortSignal.timeout(5000) })
      .then(async (response) => ({ status: response.status, text: await response.text() }), () => ({ status: 0 }));
    const isToRepeat = answer.status === 0 || answer.status >= 500;
    if (!isToRepeat || !isPatient) break;
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  console.log('sold');`;

const patient = 'node client.mjs patient';
const rash = 'node client.mjs rash';

async function run(args: readonly string[], files: Readonly<Record<string, unknown>> = {}) {
  const folder = folderWith({ 'client.mjs': client, ...files });
  const ended = await runCommand(['conformance', ...args], { folder });
  const lines = ended.stderr.split('\n').map((line) => line.trimEnd().replaceAll(/ +/g, ' '));
  return { ...ended, lines, folder };
}

it('runs a client once for each case, in silence but for the first, and passes over what it never calls', async () => {
  const { code, stdout, lines } = await run(['--case', 'safe/50*', '--case', 'once/*', '--', ...patient.split(' ')]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'sold\n' });
  expect(lines.slice(0, 6)).toEqual([
    'loyalty-sim · client: 15 cases',
    '✓ plain PASS',
    '✓ safe/500 PASS',
    '✓ safe/504 PASS',
    '✓ safe/504-after PASS',
    '– once/500 not exercised',
  ]);
  expect(lines).toContain('PASS: 4 PASS, 11 not exercised');
});

it('tells of a failure what went wrong, which rule was broken and what to do', async () => {
  const { code, lines } = await run(['--case', 'safe/lost-after', '--', ...rash.split(' ')]);
  expect(code).toBe(1);
  expect(lines[2]).toMatch(/^✗ safe\/lost-after FAIL: R1 /);
  expect(lines[3]).toBe(' A read is reset; it was done.');
  expect(lines.some((line) => line.startsWith(' → Repeat the request'))).toBe(true);
  expect(lines).toContain('FAIL: 1 PASS, 1 FAIL');
});

it('holds several clients to it, and ends with a table', async () => {
  const { code, lines } = await run(['--case', 'safe/500', '--client', `a=${patient}`, '--client', `b=${rash}`]);
  expect(code).toBe(1);
  expect(lines.slice(-6, -2)).toEqual([' a b', 'plain ✓ PASS ✓ PASS', 'safe/500 ✓ PASS ✗ FAIL', '']);
});

it('writes known failures to a baseline, which are no failures from then on', async () => {
  const args = ['--case', 'safe/500', '--baseline', 'known.json', '--', ...rash.split(' ')];
  const first = await run([...args.slice(0, 4), '--update-baseline', ...args.slice(4)]);
  expect(first.code).toBe(0);
  const again = await runCommand(['conformance', ...args], { folder: first.folder });
  expect(again.code).toBe(0);
  expect(again.stderr).toContain('· safe/500');
  expect(again.stderr).toContain('PASS: 1 PASS, 1 known\n');
});

it.each([[], ['--update-baseline']])(
  'refuses a folder as the baseline before anything runs, with %j',
  async (...more) => {
    const { code, stderr } = await run(['--baseline', '.', ...more, '--', 'echo', 'ran']);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--baseline: . can't be read: EISDIR")]);
  },
);

it('fails entries of the baseline that are over, or name no case, and leaves alone what was not run', async () => {
  const known = {
    knownFailures: { client: ['safe/500', 'once/500', 'safe/50', 'flip/504', 'keyed/500'], other: ['safe/500'] },
  };
  const args = ['--case', 'safe/500', '--case', 'once/500', '--baseline', 'known.json', '--', ...patient.split(' ')];
  const { code, lines } = await run(args, { 'known.json': known });
  expect(code).toBe(1);
  const over = 'remove it from the file, or run with --update-baseline';
  expect(lines.filter((line) => line.includes(' · '))).toEqual([
    'loyalty-sim · client: 3 cases',
    `✗ client · safe/500: the baseline lists it as a failure, and it passes: ${over}`,
    `✗ client · once/500: the baseline lists it as a failure, and it is not exercised: ${over}`,
    '✗ client · safe/50: the baseline names a case that does not exist; did you mean "safe/500"? Take it out of the file.',
    '✗ client · flip/504: the baseline names a case that does not exist; it is called "once/504" now. Take it out of the file.',
  ]);
  expect(lines).toContain('note: the baseline names "other", which was not run');
});

it('stops when the client works not even when nothing goes wrong', async () => {
  const { code, stderr } = await run(['--', 'sh', '-c', 'exit 7']);
  expect(code).toBe(7);
  expect(stderr).toContain('client exited with 7 without any fault: fix that first.');
});

it('ends a client that takes too long, which is a failure', async () => {
  // The run without a fault must end in time, on a busy machine too: curl starts at once.
  const waiting = 'curl --silent "$LOYALTY_SIM_URL/api/v3/contacts/count"';
  const { code, lines } = await run(['--case', 'safe/hang', '--timeout', '10s', '--', 'sh', '-c', waiting]);
  expect(code).toBe(1);
  expect(lines).toContain('✗ safe/hang FAIL: it had not ended after 10s');
});

it('passes a till that is right, whatever its answers were lost by', async () => {
  const till = new URL('../../clients/till.mjs', import.meta.url).href;
  const day = `
    const { Till } = await import('${till}');
    const sale = { firstName: 'Astrid', lines: [{ sku: 'A-1', price: 400 }], definitionId: 1 };
    const till = new Till({ url: process.env.LOYALTY_SIM_URL });
    await till.checkout({ ...sale, email: 'astrid.lindqvist@example.com', challengeId: '9b1d0c00-cccc-4000-8000-000000000001' });
    await till.deliverQueue();`;
  const { lines } = await run(['--case', '*/504-after', '--case', '*/cut', '--', 'node', 'day.mjs'], {
    'day.mjs': day,
  });
  expect(lines).toContain('PASS: 11 PASS');
});

it('conformance is inconclusive about a client that sends no request', async () => {
  const { code, lines } = await run(['--', 'true']);
  expect(code).toBe(3);
  expect(lines).toContain('INCONCLUSIVE: 1 INCONCLUSIVE, 55 not exercised');
});

it('writes its table to all reports', async () => {
  const report = 'junit=out/a.xml,json=out/a.json,md=out/a.md,html=out/a.html';
  const { folder } = await run(['--case', 'safe/500', '--report', report, '--client', `a=${rash}`]);
  const { readFileSync } = await import('node:fs');
  const read = (file: string): string => readFileSync(`${folder}/out/${file}`, 'utf8');
  const root = parseReport(read('a.xml'));
  expect(schemaFaults(root)).toEqual([]);
  expect(root.children[0]?.attributes).toMatchObject({ name: 'a', tests: '2', failures: '1' });
  expect(JSON.parse(read('a.json'))).toMatchObject({
    verdict: 'FAIL',
    clients: { a: [{ id: 'plain' }, { outcome: 'FAIL' }] },
  });
  expect(read('a.md')).toContain('| safe/500 | ✗ FAIL |');
  expect(read('a.html')).toContain('<td>safe/500</td><td>✗ FAIL</td>');
});

it.each([
  { what: 'no client', args: [], says: 'Name the command to run after --' },
  { what: 'a client without a command', args: ['--client', 'till'], says: 'as till=\'node till.js\', not "till"' },
  { what: 'a name twice', args: ['--client', 'a=x', '--client', 'a=y'], says: '"a" is named twice' },
  { what: 'the old name of a case', args: ['--case', 'flip/500', '--', 'true'], says: 'it is called "once/500" now' },
  { what: 'the old name of a class', args: ['--case', 'read/*', '--', 'true'], says: 'it is called "safe/*" now' },
  { what: 'an unknown case', args: ['--case', 'keyd/500', '--', 'true'], says: 'did you mean "keyed/500"?' },
  { what: 'no timeout', args: ['--timeout', 'long', '--', 'true'], says: '--timeout: must be a length of time' },
  { what: 'an absent baseline', args: ['--baseline', 'no.json', '--', 'true'], says: 'there is no file no.json' },
  { what: 'an update of nothing', args: ['--update-baseline', '--', 'true'], says: 'name the file with --baseline' },
  {
    what: 'a wrong baseline',
    args: ['--baseline', 'b.json', '--', 'true'],
    says: 'b.json:1:25: knownFailures.a: must be',
  },
])('refuses $what', async ({ args, says }) => {
  const { code, stderr } = await run(args, { 'b.json': '{"knownFailures":    {  "a": 1 } }' });
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});

it.each([
  ['unknown-field', 1, '✗ safe/500 FAIL: 1 warning, first at default-1: "firstNam" is not a field'],
  ['points-expired', 0, '✓ safe/500 PASS'],
])('fails a client that is warned, with --fail-on-warnings %s', async (codes, code, line) => {
  const warned = `await fetch(process.env.LOYALTY_SIM_URL + '/api/v3/contacts', { method: 'POST',
    headers: { 'content-type': 'application/json' }, body: '{"email":"ella@example.com","firstNam":"Ella"}' });`;
  const args = ['--fail-on-warnings', codes, '--case', 'safe/500', '--', ...patient.split(' ')];
  const ended = await run(args, { 'client.mjs': `${warned}\n${client}` });
  expect(ended.lines.find((one) => one.includes('safe/500'))).toContain(line);
  expect(ended.code).toBe(code);
});
