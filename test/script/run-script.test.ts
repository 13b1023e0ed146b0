/** Scripts played by the built command against a simulator of their own, over real sockets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createSim } from '../../src/simulator/create-sim.ts';
import type { SimOptions } from '../../src/simulator/options.ts';
import { runCommand, tidy } from '../support/command.ts';
import { folderWith } from '../support/folders.ts';
import type { Ended } from '../support/command.ts';

afterEach(tidy);

/** Plays one script; YAML knows JSON. */
const play = (scenario: unknown, args: readonly string[] = []): Promise<Ended> =>
  runCommand(['run', 's.yaml', ...args], { folder: folderWith({ 's.yaml': scenario }) });

const steps = (...list: readonly unknown[]) => ({ fixtures: 'empty', now: '2026-03-01T12:00:00Z', steps: list });

const created = {
  request: { method: 'POST', path: '/api/v3/contacts', body: { contactType: 'Member', email: 'a@example.com' } },
  capture: { id: 'id' },
};

/** What a line of standard output has that isn't told by time. */
const plain = ({ stdout }: Ended): string[] => stdout.split('\n').map((line) => line.replace(/ {2}\d+(\.\d)? m?s/, ''));

describe('steps', () => {
  it.each<readonly [string, unknown[], string]>([
    [
      'request',
      ['GET /api/v3/contacts/count'].map((request) => ({ request })),
      '✓ 1. GET /api/v3/contacts/count  (status 200)',
    ],
    [
      'capture',
      [created, { request: 'GET /api/v3/contacts/${id}', expect: { body: { email: 'a@example.com' } } }],
      '✓ 2. GET /api/v3/contacts/${id}  (status 200)',
    ],
    ['clock', [{ clock: { advance: '30d' } }], '✓ 1. clock {"advance":"30d"}  (0 jobs done)'],
    ['note', [{ note: 'look now' }], '✓ 1. look now'],
    ['check', [{ name: 'none yet', check: { state: { count: { contacts: 0 } } } }], '✓ 1. none yet  (as expected)'],
    [
      'snapshot',
      [{ snapshot: 'empty' }, created, { restore: 'empty' }, { check: { state: { count: { contacts: 0 } } } }],
      '✓ 4. check {"state":{"count":{"contacts":0}}}  (as expected)',
    ],
    [
      'reset',
      [created, { reset: ['state'] }, { check: { get: '/api/v3/contacts/count', body: 0 } }],
      '✓ 3. check {"get":"/api/v3/contacts/count","body":0}  (as expected)',
    ],
    [
      'fault',
      [
        { fault: { fault: '503' } },
        { request: 'GET /api/v3/stores', expect: { status: 503 } },
        { clearFaults: true },
        { request: 'GET /api/v3/stores' },
      ],
      '✓ 4. GET /api/v3/stores  (status 200)',
    ],
    ['queue', [{ queue: { hold: true } }, { queue: { drain: true } }], '✓ 2. queue {"drain":true}  (0 jobs done)'],
    [
      'no answer',
      [{ fault: { fault: 'EMPTY_RESPONSE' } }, { request: 'GET /api/v3/stores', expect: { networkError: 'closed' } }],
      '✓ 2. GET /api/v3/stores  (no response (UND_ERR_SOCKET))',
    ],
    [
      'garbage',
      [
        { fault: { fault: { respond: 'garbage', end: 'close' } } },
        { request: 'GET /api/v3/stores', expect: { networkError: 'invalid' } },
        // What fetch says of it differs from Node to Node.
        { note: 'it was garbage' },
      ],
      '✓ 3. it was garbage',
    ],
    [
      'timeout',
      [
        { fault: { fault: { respond: 'none', end: 'hang' } } },
        { request: 'GET /api/v3/stores', expect: { networkError: 'timeout', within: '2s' } },
      ],
      '✓ 2. GET /api/v3/stores  (no response (timeout))',
    ],
  ])('%s goes well', async (_, list, line) => {
    const ended = await play(steps(...list));
    expect(plain(ended)).toContain(`  ${line}`);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
  });

  it.each<readonly [string, unknown[], string]>([
    [
      'a status',
      [{ request: 'GET /api/v3/contacts/x' }],
      'expected a status below 400, got 404: {"errorCode":"ContactNotFound"',
    ],
    [
      'a body',
      [{ ...created, expect: { body: { email: 'b@example.com' } } }],
      'body.email is "a@example.com", expected "b@example.com"',
    ],
    [
      'a header',
      [{ request: 'GET /api/v3/stores', expect: { headers: { 'retry-after': { exists: true } } } }],
      'header retry-after is nothing, expected a value of any kind',
    ],
    [
      'a fault',
      [{ request: 'GET /api/v3/stores', expect: { networkError: 'reset' } }],
      'expected no complete response (reset), got the status 200',
    ],
    [
      'an answer',
      [{ fault: { fault: 'EMPTY_RESPONSE' } }, { request: 'GET /api/v3/stores' }],
      'expected a response, got no response (UND_ERR_SOCKET)',
    ],
    [
      'another fault',
      [{ fault: { fault: 'EMPTY_RESPONSE' } }, { request: 'GET /api/v3/stores', expect: { networkError: 'reset' } }],
      'expected no complete response (reset), got no response (UND_ERR_SOCKET)',
    ],
    [
      'a capture',
      [{ ...created, capture: { id: 'contact.id' } }],
      'the response has no contact.id to capture, it is {"id":',
    ],
    [
      'a check',
      [{ check: { state: { contact: 'a@example.com', receipts: 1 } } }],
      'contact a@example.com: there is no contact a@example.com',
    ],
    [
      'a wait',
      [{ waitFor: { request: { endpoint: 'createReceipt' }, within: 50 } }],
      'got 0; no request arrived; waited 50 ms',
    ],
    [
      'what is refused',
      [{ trigger: { event: 'convertPoints', contactId: 'nobody', definitionId: 1 } }],
      'No point definition has the id 1; there are none.',
    ],
    [
      'a restore',
      [{ ...created, capture: { nowhere: 'email' } }, { restore: '${nowhere}' }],
      'There is no snapshot "a@example.com"',
    ],
  ])('%s that is not as expected fails, with its place', async (_, list, reason) => {
    const ended = await play(steps(...list, { note: 'never said' }));
    expect(ended.stdout).toContain(reason);
    expect(ended.stdout).toMatch(/s\.yaml:\d+:\d+\n/);
    expect(ended.stdout).not.toContain('never said');
    expect(ended.code).toBe(1);
  });
});

describe('run', () => {
  it('shows no key that it sends, gets or waits for', async () => {
    const headers = { 'set-cookie': 'planted-4711', authorization: 'planted-4711' };
    const list = [
      { fault: { match: { headers }, fault: { status: 500, headers } } },
      {
        request: { path: '/api/v3/stores?token=planted-4711', headers },
        expect: { status: 500, headers: { 'set-cookie': 'x' } },
      },
    ];
    const { stdout, stderr } = await play(steps(...list), ['--report', 'json=out.json']);
    expect(stdout).toContain('header set-cookie is not as expected (its value is not shown)');
    expect(stdout + stderr).not.toContain('planted-4711');
  });

  it('names every mistake of all files with its place, and plays nothing', async () => {
    const folder = folderWith({
      'a.yaml':
        'steps:\n  - request: GET /api/v3/stores\n    expct: {}\n  - note: "${who} is it?"\n  - check: { state: { balance: 1 } }\n',
      'b.yaml': 'steps:\n  - request: FETCH it\n  - note: x\n    clock: { advance: soon }\n  - capture: { a: b }\n',
    });
    const { code, stderr, stdout } = await runCommand(['run', 'a.yaml', 'b.yaml'], { folder });
    expect(stderr.split('\n').map((line) => line.replace('error: ', ''))).toEqual([
      expect.stringMatching(/^a\.yaml:3:5: steps\[0\]\.expct: is not a field here; did you mean "expect"\?/),
      expect.stringMatching(
        /^a\.yaml:4:5: steps\[1\]\.note: uses \$\{who\}, and no step before it captures that; known there: \$\{now\}$/,
      ),
      expect.stringMatching(/^a\.yaml:5:14: steps\[2\]\.check\.state: must name a contact/),
      expect.stringMatching(/^b\.yaml:2:5: steps\[0\]\.request: must be a method and a path/),
      expect.stringMatching(/^b\.yaml:3:5: steps\[1\]: must do one of .*; clock and note are two steps/),
      expect.stringMatching(/^b\.yaml:4:14: steps\[1\]\.clock\.advance: must be a duration/),
      expect.stringMatching(/^b\.yaml:5:5: steps\[2\]: must do one of/),
      expect.stringMatching(/^b\.yaml:5:5: steps\[2\]\.capture: goes with request/),
      '',
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('fills values in as they are, and texts into texts', async () => {
    const whole = { get: '/api/v3/contacts/${all.id}', body: '${all}' };
    const ended = await play(
      steps(
        { ...created, capture: { all: '$', email: 'email' } },
        { name: 'whole', check: whole },
        { note: 'at ${now} ${email} $${x}' },
      ),
    );
    expect(plain(ended)).toContain('  ✓ 2. whole  (as expected)');
    expect(ended.stdout).toContain('(at 2026-03-01T12:00:00.000Z a@example.com ${x})');
  });

  it('fills in what is no placeholder where nothing else is one', async () => {
    const ended = await play(steps({ note: 'costs $${price}' }));
    expect(ended.stdout).toContain('(costs ${price})');
  });
});

describe('the end of a script', () => {
  it('judges expectations with what was captured', async () => {
    const expectations = [{ state: { contact: '${id}', receipts: 2 } }];
    const { code, stdout } = await play({ ...steps(created), expectations });
    expect(stdout).toContain('number of receipts is 0, expected 2');
    expect(code).toBe(1);
  });

  it('leaves open what rests on a value that was not captured, and goes on with other files', async () => {
    const failing = { ...created, capture: { number: 'nothing', id: 'id' } };
    const dependent = { request: 'GET /api/v3/contacts/${number}' };
    const expectations = [
      { state: { contact: '${number}', receipts: 0 } },
      { request: { endpoint: 'createContact' }, exactly: 1 },
    ];
    const folder = folderWith({
      'a.yaml': { ...steps(failing, dependent, { request: 'GET /api/v3/stores' }), expectations },
      'b.yaml': steps(created),
    });
    const { code, stdout } = await runCommand(['run', 'a.yaml', 'b.yaml', '--report', 'junit=report.xml'], { folder });
    expect(stdout).toContain('✗ 1. POST /api/v3/contacts');
    expect(stdout).toMatch(/\? 2\. GET \/api\/v3\/contacts\/\$\{number\}[^\n]*\n {6}not captured: number\n/);
    expect(stdout).not.toContain('3. GET');
    expect(stdout).toContain(': not captured: number');
    expect(stdout).toMatch(/✓ .*createContact exactly 1 time/);
    expect(stdout).toContain('2 scenarios: 1 PASS, 1 FAIL\n');
    expect(code).toBe(1);
    const [suite] = readFileSync(join(folder, 'report.xml'), 'utf8').split('</testsuite>');
    expect(suite).toMatch(/tests="5" errors="2" failures="1"/);
    expect(suite).toMatch(
      /<testcase name="3\. GET \/api\/v3\/stores" classname="step" time="0"><skipped\/><\/testcase>/,
    );
  });

  it('expects the calls that its steps made', async () => {
    const expectations = [{ noUnexpectedRequests: true }];
    expect((await play({ ...steps(created), expectations })).stdout).toContain(
      '✓ no unexpected requests: none among 1 request',
    );
  });

  it('does not tell when a rule never fired, and goes on with other files', async () => {
    const rules = [{ id: 'lost', match: { endpoint: 'createReceipt' }, fault: '504' }];
    const folder = folderWith({ 'a.yaml': { ...steps(created), rules }, 'b.json': steps(created), 'c.yml': { rules } });
    const { code, stdout } = await runCommand(['run', '.'], { folder });
    expect(stdout).toContain('? rule lost: never fired: it matched no request');
    expect(stdout).toContain('c.yml: has no steps to run\n2 scenarios: 1 PASS, 1 INCONCLUSIVE, 1 without steps\n');
    expect(code).toBe(3);
  });
});

it.each<readonly [string, unknown]>([
  ['steps[0].clock.zzz', { clock: { advance: '1d', zzz: 1 } }],
  [
    'steps[0].expect.headers.etag.zzz',
    { request: 'GET /api/v3/stores', expect: { headers: { etag: { exists: true, zzz: 1 } } } },
  ],
  [
    'steps[0].expect.body.id.zzz',
    { request: 'GET /api/v3/stores', expect: { body: { id: { exists: true, zzz: 1 } } } },
  ],
  ['steps[0].check.state.balance.zzz', { check: { state: { contact: 'a', balance: { 1: 2, zzz: 1 } } } }],
  ['steps[0].check.state.receipts.zzz', { check: { state: { contact: 'a', receipts: { zzz: 1 } } } }],
  ['steps[0].check.get', { check: { get: '/api/v3/zzz' } }],
  ['steps[0].waitFor.request.zzz', { waitFor: { request: { zzz: 1 } } }],
  ['steps[0].fault.match.endpoint', { fault: { match: { endpoint: 'zzz' }, fault: 500 } }],
  ['steps[0].capture.now', { request: 'GET /api/v3/stores', capture: { now: '$' } }],
  ['steps[0].capture.id', { request: 'GET /api/v3/stores', capture: { id: '[[' } }],
])('%s is refused', async (place, step) => {
  // Written by a test that doesn't keep to the type.
  const scenario = { steps: [step] } as NonNullable<SimOptions['scenario']>;
  await expect(createSim({ scenario })).rejects.toThrow(`scenario: ${place}: `);
});
