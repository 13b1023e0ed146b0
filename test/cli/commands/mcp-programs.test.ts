/** The tools that run a client, and how the server ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { closeAgents, connectAgent } from '../../support/agent.ts';
import { startCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';
import { withFetch } from '../../support/clients.ts';
import { inTime } from '../../support/in-time.ts';
import { hasProc, processesWith } from '../../support/processes.ts';

afterEach(async () => {
  await closeAgents();
  tidy();
});

/** Sends a receipt; the careful one sends it again until it is told that it is there. */
const client = (isCareful: boolean): string => `${withFetch}
const url = process.env.LOYALTY_SIM_URL + '/api/v3/receipts';
const body = JSON.stringify({ uniqueReceiptId: 'till-1', createdDate: '2026-03-01T12:00:00Z', receiptNumber: '1', lines: [] });
const send = () => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', apikey: process.env.LOYALTY_SIM_API_KEY }, body, signal: AbortSignal.timeout(2000) });
for (let attempt = 0; attempt < ${isCareful ? 5 : 1}; attempt++) {
  if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 60));
  const response = await send().catch(() => undefined);
  await response?.text().catch(() => {});
  if (response && response.status < 500 && response.status !== 429) break;
}
console.log('sold for 19811218-9876');
`;

const files = { 'hasty.mjs': client(false), 'careful.mjs': client(true) };
const scenario = { rules: [{ match: { endpoint: 'createReceipt' }, fault: 504, times: 1 }] };

describe('a client', () => {
  it('is run and judged, until its advice is followed', inTime, async () => {
    const agent = await connectAgent({ folder: folderWith(files) });
    const hasty = await agent.call('run_client', { command: ['node', 'hasty.mjs'], scenario });
    expect(hasty.data).toMatchObject({ verdict: 'FAIL', exitCode: 0, runs: [{ findings: [{ rule: 'R1' }] }] });
    expect(hasty.text).toContain('sold for (hidden)');
    const [{ id, advice }] = hasty.data.runs[0].findings;
    expect((await agent.call('explain_finding', { finding: id })).text).toContain(`What to change: ${advice}`);
    const careful = await agent.call('run_client', { command: ['node', 'careful.mjs'], scenario });
    expect(careful.data).toMatchObject({ verdict: 'PASS', exitCode: 0 });
    expect(agent.protocolErrors).toEqual([]);
  });

  it('is explored, and each finding has a scenario that shows it', inTime, async () => {
    const agent = await connectAgent({ folder: folderWith(files) });
    const command = ['node', 'hasty.mjs'];
    const { data } = await agent.call('explore_client', { command, level: 1, maxRuns: 1, jobs: 2 });
    expect(data.verdict).toBe('FAIL');
    const found = data.findings.find(({ rule }: { readonly rule: string }) => rule === 'R1');
    expect(found).toMatchObject({ endpoint: 'createReceipt', advice: expect.any(String) });
    const again = await agent.call('run_client', { command, scenario: found.scenario });
    expect(again.data.verdict).toBe('FAIL');
    expect((await agent.call('explain_finding', { finding: found.id })).text).toContain('A scenario that shows it');
  });

  it('is checked against cases of the suite, and progress is shown', inTime, async () => {
    const agent = await connectAgent({ folder: folderWith(files) });
    const progress: (string | undefined)[] = [];
    const result = await agent.client.callTool(
      {
        name: 'check_conformance',
        arguments: { command: ['node', 'careful.mjs'], cases: ['createReceipt/504-after'], jobs: 2 },
      },
      { onprogress: ({ message }) => void progress.push(message), timeout: 100_000 },
    );
    expect(result.structuredContent).toMatchObject({
      verdict: 'PASS',
      cases: expect.arrayContaining([expect.objectContaining({ outcome: 'PASS' })]),
    });
    expect(progress[0]).toBe('1 run');
  });

  it('that fails by itself is shown with what it wrote last', async () => {
    const agent = await connectAgent();
    const code = "process.stdout.write('x'.repeat(9000)); console.error('no till'); process.exitCode = 7";
    const { data, text } = await agent.call('run_client', { command: ['node', '-e', code] });
    expect(data).toMatchObject({ verdict: 'INCONCLUSIVE', exitCode: 7 });
    expect(text).toContain('the last 4000 of 9008 bytes');
    expect(text).toContain('no till');
  });

  it('that takes too long is ended', async () => {
    const agent = await connectAgent();
    const { data, text } = await agent.call('run_client', { command: ['sleep', '300'], timeout: '200ms' });
    expect(data).toMatchObject({ isTimedOut: true });
    expect(text).toContain('it was still running after 200ms');
  });

  it('is not run by anybody with --no-exec', async () => {
    const agent = await connectAgent({ args: ['--no-exec'] });
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.not.arrayContaining(['run_client', 'explore_client', 'check_conformance']),
    );
    await expect(agent.call('run_client', { command: ['true'] })).rejects.toThrow('run_client not found');
  });
});

/** Has the agent run a program that ends only by a signal that it can't refuse, with a child of its own. */
async function running(marker: string) {
  const agent = await connectAgent({ env: { MCP_TRIAL: marker } });
  const folder = folderWith();
  const script = `trap "" TERM INT HUP; sleep 300 & echo ready > ${folder}/ready; while :; do sleep 0.05; done`;
  const stop = new AbortController();
  const call = agent.call('run_client', { command: ['sh', '-c', script] }, stop.signal).catch(() => undefined);
  await expect.poll(() => existsSync(`${folder}/ready`), { timeout: 60_000 }).toBe(true);
  return { agent, stop, call };
}

/** The processes of a trial, which are gone when the server and what it ran are. */
const left = (marker: string): readonly string[] => processesWith(`MCP_TRIAL=${marker}`);

describe.skipIf(!hasProc)('no program is left', () => {
  it('when the agent closes the connection', async () => {
    const { agent, call } = await running('closed');
    await agent.close();
    await call;
    await expect.poll(() => left('closed'), { timeout: 60_000 }).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('when %s ends the server', async (signal) => {
    const { agent, call } = await running(signal);
    process.kill(agent.pid, signal);
    await call;
    await expect.poll(() => left(signal), { timeout: 60_000 }).toEqual([]);
  });

  it('when the call is cancelled, and the server goes on', async () => {
    const { agent, stop, call } = await running('cancelled');
    stop.abort();
    await call;
    const server = String(agent.pid);
    await expect.poll(() => left('cancelled').filter((pid) => pid !== server), { timeout: 60_000 }).toEqual([]);
    expect((await agent.call('list_simulators')).isError).toBe(false);
  });
});

/** Sends messages at once, and then closes standard input, as a person with a pipe does. */
async function piped(args: readonly string[], messages: readonly object[]) {
  const child = spawn(process.execPath, [resolve('dist/cli.cjs'), 'mcp', ...args], {
    cwd: folderWith(),
    stdio: 'pipe',
  });
  let stdout = '';
  child.stdout.on('data', (text) => (stdout += String(text)));
  child.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  const [code] = await once(child, 'close');
  return {
    code,
    messages: stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
}

const hello = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } },
};

describe('mcp', () => {
  it('responds to what was piped into it, prints nothing else, and ends', async () => {
    // It responds over the network, some turns after the end of standard input.
    const { url } = await startCommand();
    const call = { id: 2, method: 'tools/call', params: { name: 'get_verdict', arguments: {} } };
    const { code, messages } = await piped(['--url', url], [hello, { method: 'notifications/initialized' }, call]);
    expect(code).toBe(0);
    expect(messages.map(({ id }) => id)).toEqual([1, 2]);
    expect(messages[1].result.structuredContent.verdict).toBe('INCONCLUSIVE');
    expect(messages[0].result.serverInfo.version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  });
});
