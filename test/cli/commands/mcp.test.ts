/** What a coding agent has of the simulator: each tool, by the official client, from the built command. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeAgents, connectAgent } from '../../support/agent.ts';
import type { Agent } from '../../support/agent.ts';
import { startCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';

afterEach(async () => {
  await closeAgents();
  tidy();
});

const post = (url: string, path: string, body: unknown): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', apikey: 'till' },
    body: JSON.stringify(body),
  });

const receipt = { uniqueReceiptId: 'till-1', createdDate: '2026-03-01T12:00:00Z', receiptNumber: '1', lines: [] };

async function started(agent: Agent, options: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { data, text } = await agent.call('start_simulator', { fixtures: 'default', ...options });
  expect(data?.simulator, text).toBeDefined();
  return data.simulator.url;
}

describe('the tools', () => {
  it('are few, described, and say which of them change something', async () => {
    const { client } = await connectAgent();
    const { tools } = await client.listTools();
    const effects = tools.map(({ name, annotations = {} }) => [
      name,
      annotations.readOnlyHint ? 'reads' : annotations.destructiveHint ? 'may lose' : 'adds',
    ]);
    expect(Object.fromEntries(effects)).toEqual({
      run_client: 'may lose',
      explore_client: 'may lose',
      check_conformance: 'may lose',
      get_verdict: 'reads',
      explain_finding: 'reads',
      start_simulator: 'adds',
      stop_simulator: 'may lose',
      list_simulators: 'reads',
      list_requests: 'reads',
      get_request: 'reads',
      add_fault: 'adds',
      list_faults: 'reads',
      remove_faults: 'may lose',
      set_scenario: 'may lose',
      clock: 'adds',
      reset: 'may lose',
      snapshot: 'may lose',
    });
    for (const { description = '', title, inputSchema } of tools) {
      expect(title).toBeDefined();
      expect(description.length).toBeGreaterThan(40);
      expect(inputSchema.type).toBe('object');
    }
  });

  it.each(['legacy', 'auto'] as const)('speak the version of an agent: %s', async (era) => {
    const { client, call, protocolErrors } = await connectAgent({ era });
    expect(client.getNegotiatedProtocolVersion()).toMatch(era === 'auto' ? /^2026-/ : /^2025-/);
    expect((await call('list_simulators')).text).toBe('none runs; start one with start_simulator');
    expect(protocolErrors).toEqual([]);
  });

  it('say what to do first, and have the pages to read', async () => {
    const { client } = await connectAgent();
    expect(client.getInstructions()).toContain('run_client');
    const { resources } = await client.listResources();
    expect(resources[0]?.uri).toBe('loyalty-sim://docs/agents.md');
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining([
        'loyalty-sim://docs/verdict.md',
        'loyalty-sim://scenarios/lost-redeem.yaml',
        'loyalty-sim://llms.txt',
      ]),
    );
    const { contents } = await client.readResource({ uri: 'loyalty-sim://docs/agents.md' });
    expect(contents).toMatchObject([{ text: expect.stringContaining('How to work') }]);
  });

  it('inject a fault, and show what the client made of it', async () => {
    const agent = await connectAgent();
    const url = await started(agent, { policy: { maxAttempts: 3 } });
    const rule = {
      id: 'lost',
      match: { endpoint: 'createReceipt' },
      fault: { phase: 'after', respond: 'none', end: 'reset' },
      times: 1,
    };
    expect((await agent.call('add_fault', { rule })).data.rule).toMatchObject({ id: 'lost', remaining: 1 });
    await expect(post(url, '/api/v3/receipts', receipt)).rejects.toThrow('fetch failed');
    expect((await agent.call('list_faults')).data.rules).toMatchObject([{ id: 'lost', fired: 1, remaining: 0 }]);

    const { data: listed, text } = await agent.call('list_requests', { fault: 'any' });
    expect(listed).toMatchObject({ count: 1, items: [{ method: 'POST', fault: { rule: 'lost' }, end: 'reset' }] });
    expect(text).toContain('POST /api/v3/receipts');
    const { data: request } = await agent.call('get_request', { id: listed.items[0].id });
    expect(request.request.json.uniqueReceiptId).toBe('till-1');

    const judged = await agent.call('get_verdict', { clientEnded: true });
    expect(judged.data).toMatchObject({
      verdict: 'FAIL',
      policy: { maxAttempts: 3 },
      findings: [{ rule: 'R1', endpoint: 'createReceipt' }],
    });
    const [{ id, advice }] = judged.data.findings;
    expect(judged.text).toContain(`→ ${advice}`);
    const explained = await agent.call('explain_finding', { finding: id });
    expect(explained.data).toMatchObject({
      rule: 'R1',
      advice,
      attempts: [{ attempts: [{ end: expect.any(String) }] }],
    });
    expect(explained.text).toContain('### R1 ');

    expect((await agent.call('remove_faults', { id: 'lost' })).data).toEqual({ deleted: 'lost' });
    expect((await agent.call('list_faults')).data).toEqual({ rules: [] });
  });

  it('move the clock, and put the state back', async () => {
    const agent = await connectAgent();
    const url = await started(agent, { now: '2026-03-01T12:00:00Z', seed: 7 });
    expect((await agent.call('clock')).data).toMatchObject({ now: '2026-03-01T12:00:00.000Z', frozen: true });
    expect((await agent.call('clock', { advance: '30d' })).data.now).toBe('2026-03-31T12:00:00.000Z');

    await agent.call('snapshot', { action: 'take', name: 'before' });
    await post(url, '/api/v3/contacts', { email: 'new@example.com', firstName: 'N', contactType: 'Member' });
    expect((await agent.call('snapshot', { action: 'compare', name: 'before' })).data.counts.contacts.created).toBe(1);
    expect((await agent.call('snapshot', { action: 'list' })).data.snapshots).toMatchObject([{ name: 'before' }]);
    await agent.call('snapshot', { action: 'restore', name: 'before' });
    expect((await agent.call('snapshot', { action: 'compare', name: 'before' })).data.counts).toEqual({});

    await agent.call('reset', { scopes: ['journal', 'clock'] });
    expect((await agent.call('list_requests')).data.count).toBe(0);
    expect((await agent.call('clock')).data.now).toBe('2026-03-01T12:00:00.000Z');
  });

  it('take a scenario as a name, a text or an object', async () => {
    const agent = await connectAgent();
    await started(agent);
    const rulesOf = async (sent: object) => {
      const { data, text } = await agent.call('set_scenario', { ...sent });
      return data?.rules?.map((one: { readonly rule: unknown }) => one.rule) ?? text;
    };
    expect(await rulesOf({ scenario: 'lost-redeem' })).toMatchObject([{ match: { endpoint: 'redeemPromotion' } }]);
    expect(await rulesOf({ scenario: 'rules:\n  - fault: 503\n' })).toMatchObject([{ fault: 503 }]);
    expect(await rulesOf({ scenario: { rules: [{ fault: 504, times: 2 }] } })).toMatchObject([{ times: 2 }]);
    expect(await rulesOf({})).toEqual([]);
  });

  it('tell several simulators apart, and stop those they started', async () => {
    const agent = await connectAgent();
    const [first, second] = [await started(agent), await started(agent)];
    expect((await agent.call('list_simulators')).data.simulators.map(({ url }: { url: string }) => url)).toEqual([
      first,
      second,
    ]);
    expect(await agent.call('clock')).toMatchObject({ isError: true, text: 'simulator: name one of sim-1, sim-2' });
    await agent.call('stop_simulator', { simulator: 'sim-1' });
    await expect(fetch(first)).rejects.toThrow('fetch failed');
    expect((await agent.call('clock')).isError).toBe(false);
  });

  describe('say what is wrong', () => {
    let agent: Agent;
    beforeAll(async () => {
      agent = await connectAgent({ isShared: true });
    });
    afterAll(() => agent.close());

    it.each([
      ['start_simulator', { sed: 7 }, 'sed: is not a field here; did you mean "seed"?'],
      ['start_simulator', { seed: -1 }, 'seed: must be a whole number from 0 to 2147483647'],
      ['start_simulator', { scenario: 'lost-reedem' }, 'did you mean "lost-redeem"?'],
      ['start_simulator', { scenario: 'rules:\n  - fualt: 503\n' }, 'scenario:2:5: rules[0].fualt'],
      ['start_simulator', { policy: { maxAttempt: 3 } }, 'policy.maxAttempt: is not a field here'],
      ['clock', {}, 'No simulator runs: start one with start_simulator.'],
      ['explain_finding', { finding: 'v1/1' }, 'finding: there is no "v1/1"'],
      ['explain_finding', {}, 'finding: is required: a text'],
      ['run_client', { command: ['no-such-program'] }, 'There is no program "no-such-program"'],
      ['run_client', { command: [] }, 'command: must not be empty'],
      [
        'run_client',
        { command: ['true'], timeout: 'soon' },
        'timeout: must be a length of time such as 30s or 2m, not "soon"',
      ],
      ['check_conformance', { command: ['true'], cases: ['keyd/*'] }, 'cases: there is no case "keyd/*"'],
    ])('%s: %j', async (name, sent, message) => {
      const { isError, text } = await agent.call(name, sent);
      expect(text).toContain(message);
      expect(isError).toBe(true);
    });
  });

  it('say what is wrong with a rule, and with what there is not', async () => {
    const agent = await connectAgent();
    await started(agent);
    const messages = [];
    for (const [name, sent] of [
      ['add_fault', { rule: { fault: 'x', mtch: {} } }],
      ['get_request', { id: 'nope' }],
      ['remove_faults', { id: 'nope' }],
      ['snapshot', { action: 'take' }],
      ['clock', { advance: '1d', freeze: true }],
    ] as const) {
      const { isError, text } = await agent.call(name, sent);
      messages.push([isError, text]);
    }
    expect(messages).toEqual([
      [true, expect.stringMatching(/rule\.mtch: is not a field here.*"match"/s)],
      [true, expect.stringContaining('none with the id "nope"')],
      [true, expect.stringContaining('There is no rule "nope"')],
      [true, 'name: is required to take a snapshot'],
      [true, 'freeze and advance: name one of them at a time'],
    ]);
  });
});

describe('a result', () => {
  it('shows no personal number and no key', async () => {
    const agent = await connectAgent({ env: { LOYALTY_SIM_ADMIN_KEY: 'key-of-the-house' } });
    const url = await started(agent);
    await fetch(`${url}/api/v3/contacts/id?socialSecurityNumber=19811218-9876`, { headers: { apikey: 'secret-7' } });
    const { data, text } = await agent.call('list_requests');
    const { text: full } = await agent.call('get_request', { id: data.items[0].id });
    const shown = JSON.stringify([data, text, full, (await agent.call('list_simulators')).data]);
    expect(shown).toContain('(hidden)');
    for (const secret of ['19811218', 'secret-7', 'key-of-the-house']) expect(shown).not.toContain(secret);
  });

  it('is cut where it is long, and says so', async () => {
    const agent = await connectAgent();
    const url = await started(agent);
    await post(url, '/api/v3/contacts', { email: 'a@example.com', firstName: 'x'.repeat(300_000) });
    const { data } = await agent.call('list_requests');
    const { data: request, text } = await agent.call('get_request', { id: data.items[0].id });
    expect(JSON.stringify(request).length).toBeLessThan(41_000);
    expect(request.cut.join()).toMatch(/request\.json\.firstName: \d+ of 300000 characters/);
    expect(text.length).toBeLessThan(17_000);
    expect(text).toMatch(/… cut: \d+ of \d+ characters are shown/);
  });
});

describe('a simulator that runs already', () => {
  it('is what the tools talk to, and goes on', async () => {
    const { url } = await startCommand(['--fixtures', 'default', '--admin-key', 'key-of-the-house']);
    const agent = await connectAgent({ args: ['--url', `${url}/t/suite-1`, '--admin-key', 'key-of-the-house'] });
    await fetch(`${url}/t/suite-1/api/v3/contacts/count`);
    expect((await agent.call('list_requests')).data.count).toBe(1);
    expect((await agent.call('list_requests', { tenant: 'default' })).data.count).toBe(0);
    expect(await agent.call('stop_simulator')).toMatchObject({ isError: true });
    await agent.close();
    expect((await fetch(`${url}/api/v3/contacts/count`)).status).toBe(200);
  });

  it('says when it is not there, or has another key', async () => {
    const { url } = await startCommand(['--admin-key', 'key-of-the-house']);
    const stranger = await connectAgent({ args: ['--url', url, '--admin-key', 'another'] });
    expect((await stranger.call('clock')).text).toContain('rejected the key');
    const nobody = await connectAgent({ args: ['--url', 'http://127.0.0.1:9'] });
    expect((await nobody.call('clock')).text).toContain('No simulator responds at http://127.0.0.1:9');
  });
});

describe('mcp', () => {
  it('loads nothing of it for another command', () => {
    const list = "process.on('exit',()=>process.stderr.write('loaded: '+Object.keys(require.cache).join()))";
    const preload = `${folderWith({ 'list.cjs': list })}/list.cjs`;
    const loadedBy = (command: string): string =>
      spawnSync(process.execPath, ['--require', preload, resolve('dist/cli.cjs'), command, '--help'], {
        encoding: 'utf8',
      }).stderr;
    expect(loadedBy('mcp')).toContain('loaded: ');
    for (const command of ['mcp', 'exec', 'start']) expect(loadedBy(command)).not.toContain('mcp-sdk');
  });
});
