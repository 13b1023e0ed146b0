import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { explorationJsonSchema } from '../../../src/explore/report/exploration-json.ts';
import { withFetch } from '../../support/clients.ts';
import { runCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';
import { parseReport, schemaFaults } from '../../support/junit.ts';
import { astrid } from '../../support/people.ts';
import { hasProc, processesWith } from '../../support/processes.ts';
import { receiptOf } from '../../support/receipt.ts';

afterEach(tidy);

const points = {
  contactId: astrid,
  definitionId: 1,
  amount: 10,
  timeStamp: '2026-03-01T11:00:00Z',
  source: 'Adjustment',
  description: 'bonus',
};

/** Sends one request, and sends it again until there is a response that says how it ended. */
const till = `${withFetch}
  const [path, body] = process.argv[2] === 'points'
    ? ['/api/v3/point-accounts/transactions', ${JSON.stringify([points])}]
    : ['/api/v3/receipts', ${JSON.stringify(receiptOf(astrid, 'till-1'))}];
  for (let attempt = 1; attempt <= 4; attempt++) {
    if (attempt > 1) await new Promise((resolve) => setTimeout(resolve, 60 * attempt));
    const response = await fetch(process.env.LOYALTY_SIM_URL + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(4000),
    }).then(async (one) => ({ status: one.status, after: one.headers.get('retry-after'), text: await one.text() }), () => undefined);
    if (response && response.status < 500 && response.status !== 429) break;
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response?.after ?? 0)));
  }
  console.log('sold');`;

const sellPoints = ['node', 'till.mjs', 'points'];
const sellReceipt = ['node', 'till.mjs', 'receipt'];

async function explore(args: readonly string[], command: readonly string[], folder = folderWith({ 'till.mjs': till })) {
  const ended = await runCommand(['explore', ...args, '--', ...command], { folder });
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  return { ...ended, folder, read, lines: ended.stderr.split('\n').map((line) => line.trim()) };
}

describe('explore', () => {
  it('finds where a till breaks, and writes a scenario that shows it', async () => {
    const { code, stdout, lines, folder, read } = await explore(['--level', '1', '--max-runs', '4'], sellPoints);
    expect([code, stdout]).toEqual([1, 'sold\n']);
    expect(lines.find((line) => line.startsWith('✗ R10 addPointTransactions'))).toContain('took effect twice');
    const file = 'explore/R10-addPointTransactions.yaml';
    expect(read(file).split('\n').length).toBeLessThanOrEqual(15);
    expect(read(file)).toContain('  - match: { endpoint: addPointTransactions }\n    operation: 1\n');
    const played = await runCommand(['exec', '--scenario', file, '--', ...sellPoints], { folder });
    expect([played.code, played.stderr]).toEqual([1, expect.stringContaining('✗ R10: contact')]);
    const checked = await runCommand(['validate', file], { folder });
    expect([checked.code, checked.stdout]).toEqual([0, `${file}: a valid scenario\n`]);
  });

  it('finds nothing at a till that repeats with the same key, and says what became of every point', async () => {
    const { code, lines, folder } = await explore(['--level', '1', '--timeout', '30s'], sellReceipt);
    expect(code).toBe(0);
    expect(lines).toContain('1 request without faults, 16 points to try');
    expect(lines).toContain('PASS: no run broke a rule');
    expect(lines.filter((line) => /^by \w+$/.test(line))).toEqual(['by fault', 'by phase', 'by level', 'by endpoint']);
    expect(readdirSync(join(folder, 'explore'))).toEqual(['explore.json']);
  });

  it('keeps what the last exploration in the folder has tried', async () => {
    const { folder, lines } = await explore(['--level', '1', '--since', 'last'], sellReceipt);
    expect(lines).toContain(`note: there is no ${join('explore', 'explore.json')} yet: everything is tried.`);
    const again = await explore(['--level', '1', '--since', 'last'], sellReceipt, folder);
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringMatching(/note: \d+ points are not tried again: the last/),
    ]);
    expect(again.stderr).toContain('tried last time');
  });

  it('refuses to go on from what is no exploration', async () => {
    const folder = folderWith({ 'till.mjs': till, 'a.json': '{}', 'b.json': '{' });
    const other = await explore(['--since', 'a.json'], sellReceipt, folder);
    expect([other.code, other.lines]).toEqual([
      2,
      expect.arrayContaining(['error: --since: a.json is not the explore.json of an exploration of this version']),
    ]);
    expect((await explore(['--since', 'b.json'], sellReceipt, folder)).stderr).toContain(
      "b.json can't be read as JSON",
    );
    expect((await explore(['--since', 'c.json'], sellReceipt, folder)).stderr).toContain("c.json can't be read");
  });

  it('writes what became of every point to all reports', async () => {
    const report = 'json=out/a.json,junit=out/a.xml,md=out/a.md,html=out/a.html';
    const { code, read } = await explore(['--level', '1', '--max-runs', '2', '--report', report], sellPoints);
    expect(code).toBe(1);
    const parsed = explorationJsonSchema.parse(JSON.parse(read('out/a.json')));
    expect(read('explore/explore.json')).toBe(read('out/a.json'));
    expect(parsed).toMatchObject({ verdict: 'FAIL', requests: 1 });
    const found = { rule: 'R10', file: 'explore/R10-addPointTransactions.yaml', flaky: false };
    expect(parsed.findings).toEqual(expect.arrayContaining([expect.objectContaining(found)]));
    expect(parsed.points).toHaveLength(16);
    const root = parseReport(read('out/a.xml'));
    expect(schemaFaults(root)).toEqual([]);
    expect(root.children[0]?.attributes).toMatchObject({ name: 'explore', failures: String(parsed.findings.length) });
    expect(read('out/a.md')).toContain('| by endpoint |');
    expect(read('out/a.html')).toContain('<svg');
  });

  it('is inconclusive about what it can not show again, and names it in all reports', async () => {
    const report = 'json=out.json,junit=out.xml,md=out.md,html=out.html';
    const args = ['--level', '1', '--max-runs', '1', '--report', report];
    const folder = folderWith({ 'till.mjs': givesUpOnce });
    const { code, lines, read } = await explore(args, ['node', 'till.mjs'], folder);
    expect([code, lines.at(-2)]).toEqual([3, expect.stringMatching(/^INCONCLUSIVE: 1 finding did not show again/)]);
    expect(lines.find((line) => line.startsWith('? R1 createReceipt'))).toContain('was never repeated');
    expect(lines.join()).toContain('found in run 3, shrunk in 1 run, shown again 0 of 3 times: its cause is unknown');
    expect(explorationJsonSchema.parse(JSON.parse(read('out.json')))).toMatchObject({
      verdict: 'INCONCLUSIVE',
      findings: [],
      unconfirmed: [{ rule: 'R1', endpoint: 'createReceipt', firstRun: 3, reproduced: { shown: 0, of: 3 } }],
    });
    const root = parseReport(read('out.xml'));
    expect(schemaFaults(root)).toEqual([]);
    expect(root.children[0]?.attributes).toMatchObject({ failures: '0', errors: '2' });
    for (const file of ['out.md', 'out.html']) expect(read(file)).toContain('shown again 0 of 3 times');
  });

  it('says which assumption what it found, and what passed, depends on', async () => {
    const args = ['--level', '1', '--vary', '--max-runs', '60', '--report', 'junit=out.xml,md=out.md,html=out.html'];
    const { code, lines, read } = await explore(args, sellReceipt);
    expect(code).toBe(0);
    expect(lines.some((line) => /^Varying assumptions: \d+ runs, and one more/.test(line))).toBe(true);
    const told = 'what passed depends on A-24 (same uniqueReceiptId again): passes by default, fails when twice (';
    expect(lines.find((line) => line.includes('A-24'))).toContain(`assumptions: ${told}`);
    const { variants } = explorationJsonSchema.parse(JSON.parse(read('explore/explore.json')));
    expect(variants).toEqual(expect.arrayContaining([expect.objectContaining({ variant: 'twice', outcome: 'fails' })]));
    for (const file of ['out.xml', 'out.md', 'out.html']) expect(read(file)).toContain('passes by default, fails when');
    expect(schemaFaults(parseReport(read('out.xml')))).toEqual([]);
  }, 120_000);

  it('delivers webhooks to the port of each run, and writes a scenario about them', async () => {
    const folder = folderWith({ 'master.mjs': master });
    const key = '0123456789abcdef0123456789abcdef';
    const follower = ['--mode', 'point-follower', '--webhook-key', key, '--assume', 'A-48=plain', '--webhook-url'];
    const flags = [...follower, 'http://127.0.0.1:{port}', '--jobs', '4', '--timeout', '20s'];
    // Requests are tried first: the budget is large enough for what finds the schedule.
    const { code, lines, read } = await explore(
      ['--level', '5', '--max-runs', '24', ...flags],
      ['node', 'master.mjs', '{port}'],
      folder,
    );
    expect(code).toBe(1);
    expect(lines.find((line) => line.startsWith('✗ applied-twice loyalty.addPoints'))).toContain('as if applied twice');
    expect(lines.some((line) => /^the (1st|2nd) loyalty.addPoints is delivered twice$/.test(line))).toBe(true);
    const file = 'explore/applied-twice-loyalty.addPoints.yaml';
    expect(read(file)).toContain('webhooks:\n  - match: { eventType: loyalty.addPoints }\n');
    const [head = ''] = read(file).split('\n');
    expect(head).toContain(`# loyalty-sim explore --replay ${file} --mode point-follower `);
    expect(head).not.toContain(key);
    const checked = await runCommand(['validate', file], { folder });
    expect([checked.code, checked.stdout]).toEqual([0, `${file}: a valid scenario\n`]);
    // As it is printed, with the words of a shell.
    const printed = head.slice('# loyalty-sim explore '.length, -' -- <your command>'.length);
    const words = printed.replace('<webhook key>', key).replaceAll("'", '').split(' ');
    const replayed = await explore(words, ['node', 'master.mjs', '{port}'], folder);
    expect([replayed.code, replayed.stderr]).toEqual([
      1,
      expect.stringContaining('FAIL: shown in 3 of 3 runs, 3 hits'),
    ]);
  }, 180_000);

  it('says what is left when its runs are used up', async () => {
    const { code, lines } = await explore(['--level', '1', '--max-runs', '1'], sellReceipt);
    expect(code).toBe(0);
    expect(lines.at(-2)).toMatch(/^PASS: no run broke a rule; the budget was over with \d+ points not tried$/);
  });

  it('gives each run its number, and the control API, where its tenant is called after it', async () => {
    const client = `${withFetch}
    const { writeFileSync } = await import('node:fs');
    const { LOYALTY_SIM_URL: url, LOYALTY_SIM_ADMIN_URL: admin, LOYALTY_SIM_RUN: run } = process.env;
    await fetch(url + '/api/v3/contacts/count').then((response) => response.text(), () => {});
    const { items } = await (await fetch(admin + '/requests?tenant=run-' + run)).json();
    writeFileSync(process.argv[2], run + ' ' + items.length);`;
    const folder = folderWith({ 'client.mjs': client });
    await explore(['--max-runs', '2', '--jobs', '2'], ['node', 'client.mjs', 'queue-{run}.txt'], folder);
    const [first, second] = [1, 2].map((run) => readFileSync(join(folder, `queue-${run}.txt`), 'utf8'));
    expect([first, second]).toEqual(['1 1', '2 1']);
  });

  it('tells each run where the files of its tenant go, if there are servers for them', async () => {
    const client = `${withFetch}
    await (await fetch(process.env.LOYALTY_SIM_URL + '/api/v3/contacts/count')).text();
    console.log(process.env.LOYALTY_SIM_SFTP_URL, process.env.LOYALTY_SIM_FTP_URL);`;
    const folder = folderWith({ 'client.mjs': client });
    const servers = ['--import-folder', folderWith(), '--sftp-port', '0', '--ftp-port', '0'];
    const { stdout } = await explore(['--level', '1', '--max-runs', '1', ...servers], ['node', 'client.mjs'], folder);
    expect(stdout).toMatch(/^sftp:\/\/127\.0\.0\.1:\d+\/t\/run-1 ftp:\/\/127\.0\.0\.1:\d+\/t\/run-1\n$/);
  });

  it('gives each run a port of its own, for a client that takes no path', async () => {
    const client = `${withFetch}
    const { port } = new URL(process.env.LOYALTY_SIM_URL);
    const url = 'http://127.0.0.1:' + port + '/api/v3/contacts/count';
    for (let i = 0; i < 3; i++) {
      const status = await fetch(url, { signal: AbortSignal.timeout(4000) }).then((one) => one.text().then(() => one.status)).catch(() => 0);
      if ([200, 400, 404].includes(status)) break;
      await new Promise((next) => setTimeout(next, 60));
    }`;
    const folder = folderWith({ 'client.mjs': client });
    const args = ['--port-per-run', '--level', '1', '--max-runs', '3'];
    const { code, lines } = await explore(args, ['node', 'client.mjs'], folder);
    expect(code).toBe(0);
    expect(lines).toContain('1 request without faults, 16 points to try');
  });

  it.runIf(spawnSync('python3', ['--version']).status === 0)('explores a till in Python', async () => {
    const client = [
      'import json, os, time, urllib.request',
      `body = json.dumps(${JSON.stringify([points])}).encode()`,
      'url = os.environ["LOYALTY_SIM_URL"] + "/api/v3/point-accounts/transactions"',
      'for attempt in range(3):',
      '    try:',
      '        request = urllib.request.Request(url, body, {"content-type": "application/json"})',
      '        urllib.request.urlopen(request, timeout=3).read()',
      '        break',
      '    except Exception:',
      '        time.sleep(0.1)',
    ].join('\n');
    const folder = folderWith({ 'till.py': client });
    const { code, read } = await explore(['--level', '1', '--max-runs', '2'], ['python3', 'till.py'], folder);
    expect(code).toBe(1);
    expect(read('explore/R10-addPointTransactions.yaml')).toContain('name: R10 addPointTransactions');
  });

  it.skipIf(!hasProc)('ends every run at a signal, and leaves no process behind', async () => {
    const client = `${withFetch}
    await fetch(process.env.LOYALTY_SIM_URL + '/api/v3/contacts/count').catch(() => {});
    console.log('ready');
    if (process.env.LOYALTY_SIM_RUN > 2) setInterval(() => {}, 1000);`;
    const folder = folderWith({ 'client.mjs': client });
    const child = spawn(
      process.execPath,
      [resolve('dist/cli.cjs'), 'explore', '--show-output', '--', 'node', 'client.mjs'],
      {
        cwd: folder,
        env: { ...process.env, EXPLORE_TRIAL: folder },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const ended = once(child, 'exit');
    let ready = 0;
    child.stdout.on('data', (text) => {
      ready += String(text).split('ready').length - 1;
      if (ready > 4) child.kill('SIGINT');
    });
    expect(await ended).toEqual([130, null]);
    expect(processesWith(`EXPLORE_TRIAL=${folder}`)).toEqual([]);
    expect(readdirSync(folder)).toEqual(['client.mjs']);
  });
});

/** Sends a receipt, and gives up on the first failure that it ever meets. */
const givesUpOnce = `${withFetch}
  import { existsSync, writeFileSync } from 'node:fs';
  for (let attempt = 1; attempt <= 4; attempt++) {
    const response = await fetch(process.env.LOYALTY_SIM_URL + '/api/v3/receipts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(${JSON.stringify(receiptOf(astrid, 'till-1'))}),
    }).then(async (one) => ({ status: one.status, text: await one.text() }), () => undefined);
    if (response?.status < 500 || !existsSync('failed')) break;
    await new Promise((resolve) => setTimeout(resolve, 60 * attempt));
  }
  if (process.env.LOYALTY_SIM_RUN === '3') writeFileSync('failed', '');`;

/** A point master that hears of two adjustments, and sends the balance; it books what comes twice once more. */
const master = `${withFetch}
  import { createServer } from 'node:http';
  const { LOYALTY_SIM_URL: url, LOYALTY_SIM_ADMIN_URL: admin, LOYALTY_SIM_RUN: run } = process.env;
  const init = (body) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const post = async (to, body) => {
    for (let attempt = 1; attempt <= 4; attempt++) {
      const response = await fetch(to, { ...init(body), signal: AbortSignal.timeout(1000) })
        .then(async (one) => ({ status: one.status, after: one.headers.get('retry-after'), text: await one.text() })).catch(() => undefined);
      if (response && response.status < 500 && response.status !== 429) return;
      await new Promise((next) => setTimeout(next, 1000 * Number(response?.after ?? 0) + 50 * attempt));
    }
  };
  const send = (amount) => post(url + '/api/v3/point-accounts/balances', [{ contactId: '${astrid}', definitionId: 1, amount }]);
  let balance = 0;
  const ids = new Set();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const { id, payload } = JSON.parse(text);
    balance += payload.amount;
    ids.add(id);
    response.end();
  }).listen(process.argv[2]);
  await send(balance);
  for (const amount of [10, 20])
    await post(admin + '/trigger?tenant=run-' + run, { event: 'adjustPoints', contactId: '${astrid}', definitionId: 1, amount });
  for (let i = 0; ids.size < 2 && i < 500; i++) await new Promise((next) => setTimeout(next, 20));
  await new Promise((next) => setTimeout(next, 100));
  await send(balance);
  server.close();
  server.closeAllConnections();`;

/** Sends a receipt that is refused, and sends it again as it is. */
const stubborn = `${withFetch}
  for (let i = 0; i < 2; i++)
    await fetch(process.env.LOYALTY_SIM_URL + '/api/v3/receipts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"uniqueReceiptId":"till-1"}',
    }).then((response) => response.text());
  process.exitCode = Number(process.argv[2] ?? 0);`;

const allReports = ['--report', 'json=out.json,junit=out.xml,md=out.md,html=out.html'];

describe('stops before it begins', () => {
  it('tells in all reports what the client breaks without any fault', async () => {
    const folder = folderWith({ 'till.mjs': stubborn });
    const { code, lines, stderr, read } = await explore(allReports, ['node', 'till.mjs'], folder);
    expect([code, lines.at(-2)]).toEqual([1, expect.stringMatching(/^→ Exploring stopped: the client breaks a rule/)]);
    expect(stderr).toMatch(/✗ R3: .*\n +→ /);
    const { findings, ...parsed } = explorationJsonSchema.parse(JSON.parse(read('out.json')));
    expect(parsed).toMatchObject({ verdict: 'FAIL', points: [] });
    expect(findings.find(({ rule }) => rule === 'R3')).toMatchObject({
      endpoint: 'createReceipt',
      faults: ['a run without any fault'],
      file: '',
      flaky: false,
      operations: [{ attempts: [{ status: 400 }, { status: 400 }] }],
    });
    const root = parseReport(read('out.xml'));
    expect(schemaFaults(root)).toEqual([]);
    expect(root.children[0]?.attributes).toMatchObject({ errors: '1', failures: String(findings.length) });
    for (const file of ['out.md', 'out.html']) expect(read(file)).toContain('R3: ');
    expect(read('out.md')).not.toContain('by fault');
  });

  it.each([
    { till: stubborn, args: ['7'], code: 7, reason: 'it exited with 7', verdict: 'FAIL' },
    { till: 'process.exitCode = 7', args: [], code: 7, reason: 'it exited with 7', verdict: 'INCONCLUSIVE' },
    { till: '', args: [], code: 3, reason: 'the client sent no request', verdict: 'INCONCLUSIVE' },
  ])('says in all reports that $reason', async ({ till: client, args, code, reason, verdict }) => {
    const folder = folderWith({ 'till.mjs': client });
    const ended = await explore(allReports, ['node', 'till.mjs', ...args], folder);
    expect(ended.code).toBe(code);
    const root = parseReport(ended.read('out.xml'));
    expect(schemaFaults(root)).toEqual([]);
    expect(root.children[0]?.attributes).toMatchObject({ errors: '1' });
    expect(JSON.parse(ended.read('out.json'))).toMatchObject({ verdict, reason: expect.stringContaining(reason) });
    for (const file of ['out.xml', 'out.md', 'out.html']) expect(ended.read(file)).toContain(reason);
  });

  it.each([
    { command: ['sh', '-c', 'exit 7'], code: 7, says: 'the client fails without any fault: it exited with 7' },
    { command: ['true'], code: 3, says: 'the client sent no request that the service serves' },
    { command: ['no-such-till'], code: 2, says: 'There is no program "no-such-till"' },
  ])('at $command', async ({ command, code, says }) => {
    expect(await explore([], command)).toMatchObject({ code, stderr: expect.stringContaining(says) });
  });

  it.each([
    { args: ['--level', '6'], says: '--level: must be 1, 2, 3, 4 or 5, not "6"' },
    {
      args: ['--vary', '--replay', 'a.yaml'],
      says: '--vary: a scenario is replayed under the assumptions in force; leave --vary or --replay out',
    },
    { args: ['--jobs', '0'], says: '--jobs: must be a whole number from 1, not "0"' },
    { args: ['--budget', 'soon'], says: '--budget: must be a length of time such as 30s or 2m, not "soon"' },
  ])('with $args', async ({ args, says }) => {
    expect(await explore(args, ['true'])).toMatchObject({ code: 2, stderr: `error: ${says}\n` });
  });
});
