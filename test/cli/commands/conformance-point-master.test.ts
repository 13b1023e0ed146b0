import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';
import { parseReport, schemaFaults } from '../../support/junit.ts';
import { closeAll, key, openMaster, secret } from '../../support/master.ts';
import { freePort } from '../../../src/cli/process/free-port.ts';

afterEach(async () => {
  tidy();
  await closeAll();
});

const oldKey = 'fedcba9876543210fedcba9876543210';
const keys = ['--webhook-key', key, '--webhook-secret', secret];
const atOwnPort = ['--point-master', 'http://127.0.0.1:{port}', ...keys];
const masters = resolve('test/point-master/conformance');

async function run(args: readonly string[], folder = folderWith({})) {
  const ended = await runCommand(['conformance', ...args], { folder });
  const lines = ended.stderr.split('\n').map((line) => line.trimEnd().replaceAll(/ +/g, ' '));
  return { ...ended, lines, folder };
}

const notPassed = (lines: readonly string[]): string[] => lines.filter((line) => /^[✗?–·]/.test(line));

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** A program that responds 502 to its first requests, and is then a right point master on another port. */
const gateway = `
const http = require('node:http');
const [port, folder] = process.argv.slice(1);
const own = Number(port) + (Number(port) > 40000 ? -9000 : 9000);
const start = () => require('node:child_process').spawn(process.execPath, ['${masters}/master.mjs', own, folder]);
setTimeout(start, 1500);
http.createServer((incoming, outgoing) => {
  const request = http.request({ port: own, path: incoming.url, method: incoming.method, headers: incoming.headers });
  request.on('error', () => outgoing.writeHead(502).end());
  request.on('response', (response) => response.pipe(outgoing.writeHead(response.statusCode, response.headers)));
  incoming.pipe(request);
}).listen(Number(port), '127.0.0.1');
`;

describe('conformance --point-master', () => {
  it.runIf(hasPython)('passes a point master in Python that was written from the documentation', async () => {
    const program = ['python3', `${masters}/master.py`, '{port}', '{folder}'];
    const { code, lines } = await run([...atOwnPort, '--old-key', oldKey, '--', ...program]);
    expect([code, notPassed(lines)]).toEqual([0, []]);
    expect(lines).toContain('PASS: 35 PASS');
  });

  it('passes the fake point master, which goes on after a restart with --data', async () => {
    const own = ['--port', '{port}', '--key', key, '--key', oldKey, '--sync-every', '50ms', '--log', 'silent'];
    const program = ['node', resolve('dist/cli.cjs'), 'point-master', ...own, '--data', '{folder}/ledger.jsonl'];
    const { code, lines } = await run([...atOwnPort, '--old-key', oldKey, '--', ...program]);
    expect([code, notPassed(lines)]).toEqual([0, []]);
  });

  it('tests a point master that runs already, and says which cases that leaves out', async () => {
    const port = await freePort();
    const { url } = await openMaster({ serviceUrl: `http://127.0.0.1:${port}`, syncEvery: 50 });
    const { code, lines } = await run(['--point-master', url, ...keys, '--port', String(port)]);
    expect(notPassed(lines)).toEqual([
      '– webhook/old-key not exercised: it takes --old-key, a second key of the point master',
      '– program/restart not exercised: it takes the command that starts the point master, after --',
    ]);
    expect(code).toBe(0);
    expect(lines.slice(0, 2)).toEqual([
      'loyalty-sim · point-master',
      `note: send balances to http://127.0.0.1:${port}, as the service has them.`,
    ]);
  });

  it('is inconclusive about a point master that sends no balances', async () => {
    const { url } = await openMaster();
    const args = ['--point-master', url, ...keys, '--port', '0', '--case', 'webhook/negative', '--timeout', '2s'];
    const { code, lines } = await run(args, folderWith({ 'loyalty-sim.config.json': { data: 'state.json' } }));
    expect(code).toBe(3);
    expect(lines).toContain('note: data is left out: the suite starts from the fixtures.');
    expect(notPassed(lines)).toEqual([
      expect.stringMatching(
        /^\? plain INCONCLUSIVE: no balance of contact \S+ has come, expected 25: set a longer --timeout$/,
      ),
      '– webhook/negative not exercised: the case plain is inconclusive: see to that first',
    ]);
  });

  it('says that the service refused the balances for want of a key', async () => {
    const program = ['node', `${masters}/master.mjs`, '{port}', '{folder}', 'right'];
    // The program starts within this time as well.
    const args = ['--timeout', '5s', '--tenants', 'by-key', '--api-key', 'k1', '--case', 'plain'];
    const { code, lines } = await run([...atOwnPort, ...args, '--', ...program]);
    expect([code, notPassed(lines)]).toEqual([
      3,
      [expect.stringMatching(/got status 401 \(There is no key: send one in the header apikey/)],
    ]);
  });

  it('compares point masters in a table, says what a case rests on, and writes all reports', async () => {
    const named = ['right', 'books-twice'].flatMap((defect) => [
      '--client',
      `${defect}=node '${masters}/master.mjs' {port} {folder} ${defect}`,
    ]);
    const report = 'junit=out/a.xml,json=out/a.json,md=out/a.md,html=out/a.html';
    const { code, lines, folder } = await run([...atOwnPort, '--case', 'webhook/twice', '--report', report, ...named]);
    expect(code).toBe(1);
    expect(lines.slice(-6, -1)).toEqual([
      ' right books-twice',
      'plain ✓ PASS ✓ PASS',
      'webhook/twice ✓ PASS ✗ FAIL',
      '',
      'FAIL: 3 PASS, 1 FAIL',
    ]);
    const failed = lines.findIndex((line) => line.startsWith('✗ webhook/twice'));
    expect(lines.slice(failed, failed + 3)).toEqual([
      expect.stringMatching(/^✗ webhook\/twice FAIL: the history of contact \S+ adds up to 50 points, expected 25$/),
      ' A webhook is delivered twice.',
      ' assumption: A-49: a webhook without a 2xx response within 15 s is sent again, with the same id and body.',
    ]);
    const read = (file: string): string => readFileSync(`${folder}/out/${file}`, 'utf8');
    const root = parseReport(read('a.xml'));
    expect(schemaFaults(root)).toEqual([]);
    expect(root.children.map(({ attributes }) => [attributes['name'], attributes['failures']])).toEqual([
      ['right', '0'],
      ['books-twice', '1'],
    ]);
    expect(JSON.parse(read('a.json'))).toMatchObject({ verdict: 'FAIL', clients: { right: [{ id: 'plain' }, {}] } });
    expect(read('a.md')).toContain('| webhook/twice | ✓ PASS | ✗ FAIL |');
    expect(read('a.html')).toContain('<td>webhook/twice</td>');
  });

  it('accepts a known failure of a point master, and tries nothing else where plain fails', async () => {
    const known = { knownFailures: { 'point-master': ['webhook/twice', 'webhook/twic'] } };
    const folder = folderWith({ 'known.json': known });
    const program = ['node', `${masters}/master.mjs`, '{port}', '{folder}', 'books-twice'];
    const args = [...atOwnPort, '--case', 'webhook/twice', '--baseline', 'known.json', '--', ...program];
    const { code, lines } = await run(args, folder);
    expect(code).toBe(1);
    expect(notPassed(lines)).toEqual([
      '· webhook/twice known',
      '✗ point-master · webhook/twic: the baseline names a case that does not exist; did you mean "webhook/twice"? Take it out of the file.',
    ]);
    const { url } = await openMaster({ key: oldKey });
    const other = await run(['--point-master', url, ...keys, '--port', '0', '--case', 'webhook/twice']);
    expect([other.code, notPassed(other.lines)]).toEqual([
      1,
      [
        expect.stringMatching(
          /^✗ plain FAIL: an adjustment of 25 points got status 400 \(“\{.*”\), expected 2xx: check that it has --webhook-key and the cipher AES-256-CBC \(A-48\), and --webhook-secret \(A-49\)$/,
        ),
        '– webhook/twice not exercised: the case plain failed: fix that first',
      ],
    ]);
  });

  it.each([
    {
      what: 'a case of clients',
      args: [...atOwnPort, '--case', 'webhook/twic'],
      says: '--case: there is no case "webhook/twic"; did you mean "webhook/twice"?',
    },
    { what: '--jobs', args: [...atOwnPort, '--jobs', '2'], says: '--jobs: means nothing with --point-master' },
    { what: 'another mode', args: [...atOwnPort, '--mode', 'standard'], says: '--mode: must be point-follower' },
    {
      what: '--old-key alone',
      args: ['--old-key', oldKey, '--', 'true'],
      says: 'name its address with --point-master',
    },
    { what: 'no key', args: ['--point-master', 'http://127.0.0.1:1'], says: 'give the 32-character webhookKey' },
    {
      what: 'no address',
      args: ['--point-master', 'master', ...keys],
      says: '--point-master: must be an address that begins with',
    },
    {
      what: 'a host in place of an address',
      args: ['--point-master', '127.0.0.1:{port}', ...keys, '--', 'true'],
      says: 'error: --point-master: must be an address that begins with',
    },
    {
      what: 'a secret that is not base64',
      args: ['--point-master', 'http://127.0.0.1:1', '--webhook-key', key, '--webhook-secret', 'not base64!!'],
      says: '--webhook-secret: must be whsec_ and base64 with its padding',
    },
    {
      what: 'a point master that does not run',
      args: ['--point-master', 'http://127.0.0.1:1', ...keys, '--port', '0'],
      says: '--point-master: nobody responds at http://127.0.0.1:1/; start the point master first',
    },
  ])('refuses $what for a point master', async ({ args, says }) => {
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });

  it('says that a point master has ended before it responded', async () => {
    const { code, stderr } = await run([...atOwnPort, '--', 'sh', '-c', 'exit 7']);
    expect(code).toBe(7);
    expect(stderr).toMatch(
      /point-master exited with 7 before it responded at http:\/\/127\.0\.0\.1:\d+\/: fix that first\./,
    );
  });

  it('waits for a point master whose gateway is up before it', async () => {
    const { code, lines } = await run([
      ...atOwnPort,
      '--case',
      'plain',
      '--',
      'node',
      '-e',
      gateway,
      '{port}',
      '{folder}',
    ]);
    expect([code, notPassed(lines)]).toEqual([0, []]);
  });

  it.each([
    // The program starts within this time as well.
    {
      history: 'a status of a gateway',
      respond: 'outgoing.writeHead(502).end()',
      wait: '5s',
      says: 'still got status 502',
    },
    { history: 'no response', respond: '0', wait: '1s', says: 'got no response' },
  ])('is inconclusive about a point master whose history gets $history', async ({ respond, wait, says }) => {
    const server = `require('node:http').createServer((_, outgoing) => ${respond}).listen(process.argv[1])`;
    const { code, stderr } = await run([...atOwnPort, '--timeout', wait, '--', 'node', '-e', server, '{port}']);
    expect(code).toBe(3);
    expect(stderr).toMatch(new RegExp(`/fetchPointHistory ${says} after ${wait}; set a longer --timeout\\.`));
  });
});
