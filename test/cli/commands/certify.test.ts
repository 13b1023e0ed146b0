import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { withFetch } from '../../support/clients.ts';
import { runCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';
import { astrid } from '../../support/people.ts';
import { receiptOf } from '../../support/receipt.ts';

afterEach(tidy);

/** Asks for the number of contacts until it is told, as often as its first argument says. */
const counting = `
  for attempt in $(seq $1); do
    status=$(curl --silent --max-time 2 --output /dev/null --write-out '%{http_code}' "$LOYALTY_SIM_URL/api/v3/contacts/count") || status=000
    case $status in 429|503) sleep 1.1 ;; 000|5*) sleep 0.1 ;; *) break ;; esac
  done
  exit 0`;

/** Looks a customer up, and gives points again and again, without a look. */
const giving = `
  curl --silent --max-time 2 --output /dev/null "$LOYALTY_SIM_URL/api/v3/contacts/id?socialSecurityNumber=19900101-1239&email=ella@example.com"
  for attempt in 1 2 3; do
    status=$(curl --silent --max-time 2 --output /dev/null --write-out '%{http_code}' --header 'apikey: till-secret-1' \
      --header 'content-type: application/json' --data '[{"contactId":"5a0e7c1e-0001-4000-8000-000000000001","definitionId":1,"amount":10,
      "timeStamp":"2026-03-01T11:00:00Z","source":"Adjustment","description":"Welcome"}]' "$LOYALTY_SIM_URL/api/v3/point-accounts/transactions") || status=000
    case $status in 429|503) sleep 1.1 ;; 000|5*) sleep 0.1 ;; *) break ;; esac
  done
  exit 0`;

const patient = ['--', 'sh', 'counting.sh', '4'];
const rash = ['--', 'sh', 'counting.sh', '1'];

const files = { 'counting.sh': counting, 'giving.sh': giving };

const certifyIn = (folder: string, ...args: readonly string[]) => runCommand(['certify', ...args], { folder });

/** Reads a document without its stamps, which are all in one place. */
function documentIn(folder: string, form: 'json' | 'md' | 'html'): string {
  const text = readFileSync(`${folder}/certificate.${form}`, 'utf8');
  const stamps = form === 'json' ? /"created": "[^"]*",\s+"seconds": \d+/g : /Created \S+ in \d+ s\./g;
  expect(text.match(stamps)).toHaveLength(1);
  return text.replace(stamps, '');
}

interface Row {
  readonly id: string;
  readonly outcome: string;
  readonly broken: readonly string[];
}

const read = (folder: string) => JSON.parse(readFileSync(`${folder}/certificate.json`, 'utf8'));

const rowsIn = (folder: string): Row[] => read(folder).rows;

describe('certify', () => {
  it('writes the same document whenever the same client is certified, and confirms it', async () => {
    const folder = folderWith(files);
    const first = await certifyIn(folder, '--out', 'one', '--name', 'counter 1.0', '--jobs', '8', ...patient);
    const second = await certifyIn(folder, '--out', 'two', '--name', 'counter 1.0', '--jobs', '2', ...patient);
    expect([first.code, second.code], first.stderr).toEqual([0, 0]);
    for (const form of ['json', 'md', 'html'] as const)
      expect(documentIn(`${folder}/two`, form)).toBe(documentIn(`${folder}/one`, form));
    const { verdict, client, trace, notTested } = read(`${folder}/one`);
    expect({ verdict, client, requests: trace.requests }).toEqual({
      verdict: 'PASSED',
      client: 'counter 1.0',
      requests: 1,
    });
    expect(rowsIn(`${folder}/one`).map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'plain',
        'countContacts#1.1/504',
        'countContacts for good/504',
        'countContacts#1.1/504 then countContacts#1.2/504',
        'countContacts#1.1/killed-before',
      ]),
    );
    expect(notTested.equivalent[0]).toMatchObject({
      id: 'countContacts#1.1/500-after',
      witness: 'countContacts#1.1/500',
    });
    expect(notTested.endpoints).toContain('createReceipt');
    const again = await certifyIn(folder, '--verify', 'one/certificate.json', ...patient);
    expect(again.stderr).toContain('✓ The certificate is confirmed.');
    expect(again.code).toBe(0);
  });

  it('says what depends on which assumption, and confirms that too', async () => {
    const folder = folderWith({ 'till.mjs': selling });
    const client = ['--', 'node', 'till.mjs'];
    const { code, stderr } = await certifyIn(folder, '--level', '1', '--no-kill', '--vary', ...client);
    expect(code, stderr).toBe(0);
    const told =
      'what passed depends on A-24 (same uniqueReceiptId again): passes by default, fails when twice (createReceipt';
    expect(stderr).toContain(`assumptions: ${told}`);
    const { variants, settings } = read(`${folder}/certificate`);
    expect(settings.vary).toBe(true);
    expect(variants).toEqual([{ subject: null, runs: expect.any(Array) }]);
    expect(variants[0].runs).toContainEqual(
      expect.objectContaining({ assumption: 'A-24', inForce: 'default', variant: 'twice', outcome: 'fails' }),
    );
    for (const form of ['md', 'html'] as const)
      expect(documentIn(`${folder}/certificate`, form)).toContain('What depends on assumptions');
    const again = await certifyIn(folder, '--verify', 'certificate/certificate.json', ...client);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('✓ The certificate is confirmed.')]);
  }, 180_000);

  it('says row by row what differs when the client has changed', async () => {
    const folder = folderWith(files);
    await certifyIn(folder, '--level', '1', '--no-kill', ...patient);
    const { code, stderr } = await certifyIn(folder, '--verify', 'certificate/certificate.json', ...rash);
    expect(code).toBe(1);
    const lines = stderr.split('\n').filter((line) => line.startsWith('✗ countContacts#1.1/504:'));
    expect(lines).toEqual([
      '✗ countContacts#1.1/504: outcome: PASS → FAIL',
      '✗ countContacts#1.1/504: broken: [] → ["R1"]',
      expect.stringMatching(/: actual: countContacts#1: status 504, then status 200\. → R1 retried after no response/),
      expect.stringContaining(': notes: '),
    ]);
    expect(stderr).toContain('✗ verdict: PASSED → NOT PASSED');
  });

  it('does not pass a client that is wrong, names the rule, and holds no key and no personal number', async () => {
    const folder = folderWith(files);
    const { code, stderr } = await certifyIn(folder, '--level', '1', '--no-kill', '--', 'sh', 'giving.sh');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^NOT PASSED: \d+ of \d+ tests failed, by R1, R10, R11/m);
    const page = documentIn(`${folder}/certificate`, 'html');
    expect(page).toMatch(/<p class="FAIL"><strong>NOT PASSED: .*R11/);
    expect(rowsIn(`${folder}/certificate`).find(({ id }) => id === 'addPointTransactions#1.1/504')?.broken).toContain(
      'R11',
    );
    for (const form of ['json', 'md', 'html'] as const)
      expect(documentIn(`${folder}/certificate`, form)).not.toMatch(/till-secret|1239|ella@/);
  });

  it('does not pass what the budget left out', async () => {
    const folder = folderWith(files);
    const { code, stderr } = await certifyIn(folder, '--budget', '1ms', '--level', '1', '--no-kill', ...patient);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^INCONCLUSIVE: the budget was over with \d+ tests left$/m);
    // Which faults were tried within a millisecond depends on the machine.
    const left = read(`${folder}/certificate`).notTested.budget;
    expect(left).toHaveLength(Number(/\d+/.exec(stderr)));
    for (const id of left) expect(id).toMatch(/^countContacts#1\.1\//);
  });

  it.each([
    {
      what: 'a client that fails without faults',
      args: ['--', 'sh', '-c', 'exit 7'],
      code: 7,
      says: 'it exited with 7',
    },
    { what: 'a client without requests', args: ['--', 'true'], code: 3, says: 'the client sent no request' },
    { what: 'another file', args: ['--verify', 'counting.sh', ...patient], code: 2, says: "can't be read as JSON" },
    {
      what: 'no certificate',
      args: ['--verify', 'other.json', ...patient],
      code: 2,
      says: 'is not the certificate.json',
    },
    {
      what: 'other tests',
      args: ['--verify', 'other.json', '--level', '2', ...patient],
      code: 2,
      says: "--level: can't be used with --verify",
    },
    { what: 'an unknown level', args: ['--level', '9', ...patient], code: 2, says: '--level: must be 1, 2, 3, 4 or 5' },
    {
      what: 'no folder',
      args: ['--out', 'other.json', ...patient],
      code: 2,
      says: "--out: other.json can't be written",
    },
  ])('refuses $what', async ({ args, code, says }) => {
    const ended = await certifyIn(folderWith({ ...files, 'other.json': '{}' }), ...args);
    expect(ended.stderr).toContain(says);
    expect(ended.code).toBe(code);
  });
});

/** Sends a receipt with its key until it is told how that ended. */
const selling = `${withFetch}
  for (let attempt = 1; attempt <= 4; attempt++) {
    const response = await fetch(process.env.LOYALTY_SIM_URL + '/api/v3/receipts', { method: 'POST', signal: AbortSignal.timeout(4000),
      headers: { 'content-type': 'application/json' }, body: JSON.stringify(${JSON.stringify(receiptOf(astrid, 'till-1'))}) })
      .then(async (one) => ({ status: one.status, after: one.headers.get('retry-after'), text: await one.text() }), () => undefined);
    if (response && response.status < 500 && response.status !== 429) break;
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response?.after ?? 0) + 60 * attempt));
  }`;
