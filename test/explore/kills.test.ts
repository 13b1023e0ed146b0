import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileURLToPath } from 'node:url';
import { exploreCommand } from '../../src/cli/process/explored-command.ts';
import { explore } from '../../src/explore/explore.ts';
import type { Exploration } from '../../src/explore/explore.ts';
import type { Sim } from '../../src/simulator/sim.ts';
import { carefulPolicy } from './clients/tills.ts';
import { startSim } from '../support/open-sim.ts';

const till = fileURLToPath(new URL('clients/queues/till.mjs', import.meta.url));

/** A busy machine is given time, in ms: these tests are about what is killed, not about how fast. */
const timeout = 20_000;

let sim: Sim;
beforeAll(async () => {
  sim = await startSim({ policy: { ...carefulPolicy, timeout } });
  await sim.listen();
});
afterAll(() => sim.close());

/** Kills the till with this defect at its first requests, and has it started again. */
async function killedTill(defect: string): Promise<Exploration> {
  const { client } = exploreCommand(sim, {
    command: ['env', 'TILL_FOLDER={folder}', `TILL_TIMEOUT=${timeout}`, process.execPath, till, defect],
    config: { apiKeys: [], adminKey: undefined, host: '127.0.0.1' },
    timeout: 60_000,
    showOutput: false,
    portPerRun: false,
  });
  return explore(client, {
    levels: 1,
    version: '0.1.0',
    jobs: 2,
    kills: true,
    only: ({ kill }) => kill?.endpoint === 'createReceipt' && kill.operation === 1,
  });
}

describe('killing a client', () => {
  it('finds nothing at a queue that is written before it is sent', async () => {
    const { findings, points } = await killedTill('none');
    expect(findings.map(({ rule, message, kill }) => ({ rule, message, kill }))).toEqual([]);
    expect(points.filter(({ level, status }) => level === 6 && status === 'tried').length).toBe(3);
  }, 120_000);

  it('finds what is lost without a write-ahead queue', async () => {
    const { findings } = await killedTill('no-write-ahead');
    expect(findings.map(({ rule }) => rule)).toContain('R13');
    const found = findings.find(({ rule }) => rule === 'R13');
    expect(found?.kill).toMatchObject({ endpoint: expect.any(String), moment: expect.any(String) });
  }, 120_000);

  it('finds what is sent again under a new key', async () => {
    const { findings } = await killedTill('key-at-start');
    expect(
      findings
        .flatMap(({ rule, also }) => [rule, ...also])
        .some((rule) => ['R14', 'R5', 'R10', 'state'].includes(rule)),
    ).toBe(true);
  }, 120_000);
});
