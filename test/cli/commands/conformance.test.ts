import { afterEach, describe, expect, it } from 'vitest';
import { withFetch } from '../../support/clients.ts';
import { runCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';
import { parseReport, schemaFaults } from '../../support/junit.ts';

afterEach(tidy);

/** Asks for the number of contacts until it is told, if it is patient. */
const client = `${withFetch}
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

describe('conformance', () => {
  it('runs a client once for each case, in silence but for the first, and passes over what it never calls', async () => {
    const cases = ['safe/500', 'safe/504', 'countContacts/504-after', 'once/50*'].flatMap((id) => ['--case', id]);
    const { code, stdout, lines } = await run([...cases, '--', ...patient.split(' ')]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'sold\n' });
    expect(lines.slice(0, 6)).toEqual([
      'loyalty-sim · client',
      '✓ plain PASS',
      '✓ countContacts/500 PASS',
      '✓ countContacts/504 PASS',
      '✓ countContacts/504-after PASS, as countContacts/504',
      '– once/504 not exercised',
    ]);
    expect(lines).toContain('PASS: 4 PASS, 6 not exercised');
  });

  it('goes on to repeats and deliveries, and names the case that stands for another', async () => {
    const cases = ['*/lost-*', '*/closed-after', '*x504', '*/lasting-*'].flatMap((id) => ['--case', id]);
    const { lines } = await run([...cases, '--', 'node', 'client.mjs'], { 'client.mjs': queueing });
    expect(lines.filter((line) => line.includes('createReceipt/')).map((line) => line.replace(/:.*/, ''))).toEqual([
      '✓ createReceipt/10x504 PASS',
      '✓ createReceipt/2x504 PASS',
      '✗ createReceipt/3x504 FAIL',
      '✓ createReceipt/closed-after PASS, as createReceipt/lost-after',
      '✓ createReceipt/lasting-504 PASS',
      '✓ createReceipt/lost-after PASS',
      '✓ createReceipt/lost-after+createReceipt#1.2/504 PASS',
      '✓ createReceipt/lost-after+createReceipt#1.2/lost-after PASS',
      '✓ createReceipt/lost-before PASS',
    ]);
  });

  it('tells of a failure what went wrong, which rule was broken and what to do', async () => {
    const { code, lines } = await run(['--case', 'countContacts/cut', '--', ...rash.split(' ')]);
    expect(code).toBe(1);
    expect(lines[2]).toMatch(/^✗ countContacts\/cut FAIL: R1 /);
    expect(lines[3]).toBe(' The 1st countContacts gets half of its response; it was done.');
    expect(lines.some((line) => line.startsWith(' → Repeat the request'))).toBe(true);
    expect(lines).toContain('FAIL: 1 PASS, 1 FAIL');
  });

  it('gives up early on a client without a time limit, and says what it lacks', async () => {
    const endless =
      "await fetch(process.env.LOYALTY_SIM_URL + '/api/v3/contacts/count').then((response) => response.text());";
    const files = { 'client.mjs': endless, 'policy.json': { policy: { timeout: '100ms' } } };
    const args = ['--case', 'safe/hang-*', '--scenario', 'policy.json', '--timeout', '10m', '--', 'node', 'client.mjs'];
    const { code, lines } = await run(args, files);
    expect(code).toBe(1);
    const told = 'the client waits without an end for a response that never comes: give every request a time limit';
    expect(lines).toContain(`✗ countContacts/hang-before FAIL: ${told}`);
  });

  it('holds several clients to it, and ends with a table', async () => {
    const { code, lines } = await run(['--case', 'safe/500', '--client', `a=${patient}`, '--client', `b=${rash}`]);
    expect(code).toBe(1);
    expect(lines.slice(-6, -2)).toEqual([' a b', 'plain ✓ PASS ✓ PASS', 'countContacts/500 ✓ PASS ✗ FAIL', '']);
  });

  it('writes known failures to a baseline, which are no failures from then on', async () => {
    const args = ['--case', 'safe/500', '--baseline', 'known.json', '--', ...rash.split(' ')];
    const first = await run([...args.slice(0, 4), '--update-baseline', ...args.slice(4)]);
    expect(first.code).toBe(0);
    const again = await runCommand(['conformance', ...args], { folder: first.folder });
    expect(again.code).toBe(0);
    expect(again.stderr).toContain('· countContacts/500');
    expect(again.stderr).toContain('PASS: 1 PASS, 1 known\n');
  });

  it.each([[], ['--update-baseline']])(
    'refuses a folder as the baseline before anything runs, with %j',
    async (...more) => {
      const { code, stderr } = await run(['--baseline', '.', ...more, '--', 'echo', 'ran']);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining("--baseline: . can't be read: it is a folder; name a file"),
      ]);
    },
  );

  it('fails entries of the baseline that are over, or name no case, and leaves alone what was not run', async () => {
    const known = {
      knownFailures: {
        client: ['countContacts/500', 'once/500', 'countContacts/50', 'flip/504', 'safe/500', 'keyed/500'],
        'other\n::error::forged': ['countContacts/500'],
      },
    };
    const args = ['--case', 'safe/500', '--case', 'once/500', '--baseline', 'known.json', '--', ...patient.split(' ')];
    const { code, lines } = await run(args, { 'known.json': known });
    expect(code).toBe(1);
    const over = 'remove it from the file, or run with --update-baseline';
    expect(lines.filter((line) => line.includes(' · '))).toEqual([
      'loyalty-sim · client',
      `✗ client · countContacts/500: the baseline lists it as a failure, and it passes: ${over}`,
      `✗ client · once/500: the baseline lists it as a failure, and it is not exercised: ${over}`,
      '✗ client · countContacts/50: the baseline names a case that does not exist; did you mean "countContacts/500"? Take it out of the file.',
      '✗ client · flip/504: the baseline names a case that does not exist; it is called "once/504" now. Take it out of the file.',
      '✗ client · safe/500: the baseline names a class, and cases have the names of endpoints now: countContacts/500. Take it out of the file.',
    ]);
    expect(lines).toContain('note: the baseline names "other\\n::error::forged", which was not run');
  });

  it('stops when the client works not even when nothing goes wrong', async () => {
    const { code, stderr } = await run(['--', 'sh', '-c', 'exit 7']);
    expect(code).toBe(7);
    expect(stderr).toContain('client exited with 7 without any fault: fix that first.');
  });

  it('ends a client that takes too long, which is a failure', async () => {
    // The run without a fault must end in time, on a busy machine too: curl starts at once.
    const waiting = 'curl --silent "$LOYALTY_SIM_URL/api/v3/contacts/count"';
    const { code, lines } = await run(['--case', 'safe/hang-before', '--timeout', '10s', '--', 'sh', '-c', waiting]);
    expect(code).toBe(1);
    expect(lines).toContain('✗ countContacts/hang-before FAIL: it had not ended after 10s');
  });

  it('passes a till that is right, whatever its responses were lost by', async () => {
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
    expect(lines).toContain('PASS: 21 PASS');
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
    expect(read('a.md')).toContain('| countContacts/500 | ✗ FAIL |');
    expect(read('a.html')).toContain('<td>countContacts/500</td><td>✗ FAIL</td>');
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
    ['unknown-field', 1, '✗ countContacts/500 FAIL: 1 warning, first at run-'],
    ['points-expired', 0, '✓ countContacts/500 PASS'],
  ])('fails a client that is warned, with --fail-on-warnings %s', async (codes, code, line) => {
    const warned = `await fetch(process.env.LOYALTY_SIM_URL + '/api/v3/contacts', { method: 'POST',
    headers: { 'content-type': 'application/json' }, body: '{"email":"ella@example.com","firstNam":"Ella"}' });`;
    const args = ['--fail-on-warnings', codes, '--case', 'safe/500', '--', ...patient.split(' ')];
    const ended = await run(args, { 'client.mjs': `${warned}\n${client}` });
    expect(ended.lines.find((one) => one.includes('countContacts/500'))).toContain(line);
    expect(ended.code).toBe(code);
  });

  it('fails a client that is still running after the timeout, whatever code it ends with then', async () => {
    const waiting = "process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000);";
    const { code, lines } = await run(['--timeout', '2s', '--', 'node', 'client.mjs'], { 'client.mjs': waiting });
    expect(lines).toContain('client was still running after 2s without any fault; set a longer --timeout.');
    expect(code).toBe(1);
  });
});

/** Sends a receipt twice at most, and once more from its queue. */
const queueing = `${withFetch}
  const receipt = { uniqueReceiptId: 'till-1', createdDate: '2026-03-01T11:00:00Z', storeExternalId: '100', currency: 'SEK', totalGrossPrice: 10,
    contact: { matchKey: '5a0e7c1e-0001-4000-8000-000000000001', matchKeyType: 'contactId' }, paymentMethods: [{ type: 'CARD', value: 10 }],
    items: [{ sku: 'a', articleNumber: 'a', articleName: 'a', taxAmount: 2, taxPercent: 25, type: 'PURCHASE', quantity: 1, grossPaidPrice: 10 }] };
  for (const pause of [60, 1200, 0]) {
    const status = await fetch(process.env.LOYALTY_SIM_URL + '/api/v3/receipts', { method: 'POST', signal: AbortSignal.timeout(4000),
      headers: { 'content-type': 'application/json' }, body: JSON.stringify(receipt) }).then((response) => response.status, () => 0);
    if (status !== 0 && status < 500 && status !== 429) break;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }`;

it('conformance is inconclusive about a client that sends no request', async () => {
  const { code, lines } = await run(['--', 'true']);
  expect(code).toBe(3);
  expect(lines).toContain('INCONCLUSIVE: 1 INCONCLUSIVE, 80 not exercised');
});
