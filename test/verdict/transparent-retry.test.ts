/** Java's HTTP libraries repeat requests by themselves when a connection dies: that is told apart from the client's own doing. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { inTime, noteLateness } from '../support/in-time.ts';
import { receiptOf } from '../support/receipt.ts';
import { astrid } from '../support/people.ts';
import { startSim } from '../support/open-sim.ts';

const reset = { phase: 'after', end: 'reset' } as const;
const row = { contactId: astrid, definitionId: 1, amount: 120, source: 'Adjustment', description: 'x' };

/** By tenant, what a Java program sends there, each call once. */
const calls = {
  receipt: ['/api/v3/receipts', receiptOf(astrid, 'java-1')],
  points: ['/api/v3/point-accounts/transactions', [row]],
  twice: ['/api/v3/receipts', receiptOf(astrid, 'java-2')],
} as const;

const rules = [
  { match: { method: 'POST', tenant: 'twice' }, fault: [reset, reset] },
  { match: { method: 'POST' }, fault: [reset] },
];

/** Runs the Java program, and returns what it is told. */
async function operationsOf(tenant: keyof typeof calls): Promise<Verdict['operations']> {
  const sim = await startSim({ scenario: { rules } });
  onTestFinished(() => sim.close());
  const { url } = await sim.listen();
  const [path, body] = calls[tenant];
  const sent = [`${url}/t/${tenant}${path}`, JSON.stringify(body)];
  await once(spawn('java', ['test/clients/UrlConnectionTill.java', ...sent]), 'exit');
  return noteLateness(await sim.verdict({ tenant })).operations;
}

describe.skipIf(spawnSync('java', ['-version']).status !== 0)('a Java program', inTime, () => {
  it('is let be when its library came through', async () => {
    const [{ attempts = [], findings } = {}] = await operationsOf('receipt');
    expect(attempts.map(({ outcome, transparentRetry }) => ({ outcome, transparentRetry }))).toEqual([
      { outcome: 'no-response', transparentRetry: false },
      { outcome: 'success', transparentRetry: true },
    ]);
    expect(findings).toEqual([]);
  });

  it('gets all the same a finding for what took effect twice', async () => {
    const [{ findings = [] } = {}] = await operationsOf('points');
    expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      'R10: contact 100001 has 120 points too many: POST /point-accounts/transactions took effect twice ' +
        '(attempt 1 committed, its response was lost; attempt 2, transparent retry of the HTTP library)',
    ]);
  });

  it('is held to what it does when that failed too', async () => {
    const [{ findings = [] } = {}] = await operationsOf('twice');
    expect(findings.map(({ rule, level }) => `${rule} ${level}`)).toEqual(['R1 fail']);
  });

  it.each([
    ['', []],
    // Its other headers tell.
    [', under a name of its own', ['till/1.0']],
  ])('reads again by itself what its own pauses are not held against%s', async (_, agent) => {
    const policy = { maxAttempts: 4, minBackoff: '250ms' };
    const lost = { match: { endpoint: 'listStores' }, times: 5, fault: { respond: 'none', end: 'reset' } } as const;
    const sim = await startSim({ policy, scenario: { rules: [lost] } });
    onTestFinished(() => sim.close());
    const { url } = await sim.listen();
    await once(spawn('java', ['test/clients/HttpClientTill.java', `${url}/api/v3/stores`, ...agent]), 'exit');
    const { verdict, operations } = noteLateness(await sim.verdict());
    const [{ attempts = [] } = {}] = operations;
    expect([verdict, attempts.map(({ transparentRetry }) => transparentRetry)]).toEqual([
      'PASS',
      [false, true, false, true, false, true],
    ]);
  });
});
