import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { exploreCommand } from '../src/cli/process/explored-command.ts';
import { explore } from '../src/explore/explore.ts';
import type { RuleSpec } from '../src/faults/rule-schema.ts';
import { scenarioOf } from '../src/scenario/scenario.ts';
import { createSim } from '../src/simulator/create-sim.ts';
import type { Sim } from '../src/simulator/sim.ts';
import { commandOf } from '../test/explore/clients/command.ts';
import { functionOf } from '../test/explore/clients/function-of.ts';
import { rightClients } from '../test/explore/clients/right.ts';
import type { RightClient } from '../test/explore/clients/right.ts';
import { median } from './row.ts';
import type { ProofRow, ProofSettings } from './row.ts';

/** Runs side by side, as `sim.explore` does by default. */
const jobs = 16;

/** So many runs by command are compared with the till alone. */
const commandRuns = 30;

/**
 * Shows how long a client of some thirty requests takes: one that is right, so that every point is tried. Its own cost is
 * what remains of the processor time without the client and the responses to it: the same runs, with the same faults, as
 * many side by side and in the same process, without anybody who plans, judges or compares them. Both are done twice, and
 * the second time counts, as the first one compiles what both share.
 */
export const cost: ProofRow = {
  name: 'cost',
  what: 'a client of 29 requests in process, levels 1 to 3; its first half by command',
  asked:
    '≤ 200 runs, ≤ 30 s, ≤ 10 ms CPU a run besides the client and the responses to it; by command ≤ 50 ms a run besides the till alone',
  run: async (settings) => {
    const [sale, desk] = rightClients;
    if (!sale || !desk) throw new Error('the list of right clients is empty');
    const inProcess = await costInProcess(sale, desk);
    settings.print(inProcess.figure);
    const byCommand = await costByCommand(sale, settings);
    settings.print(byCommand.figure);
    return {
      figure: `${inProcess.figure}; by command ${byCommand.figure}`,
      isReached: inProcess.isReached && byCommand.isReached,
    };
  },
};

/** Holds the rules of each run, the last one first. */
type PlayedRules = (readonly RuleSpec[])[];

const rulesIn = (sim: Sim, name: string): RuleSpec[] =>
  scenarioOf(sim.tenants.getOrCreate(name)).rules.map(({ rule }) => rule.spec);

/** Opens a tenant in which a run can be played again. */
function openAgain(sim: Sim, rules: readonly RuleSpec[]) {
  const tenant = sim.tenant();
  const { faults } = scenarioOf(sim.tenants.getOrCreate(tenant.name));
  for (const spec of rules.toReversed()) faults.add(spec);
  return tenant;
}

async function costInProcess(sale: RightClient, desk: RightClient) {
  const [sell, serve] = [await functionOf(sale), await functionOf(desk)];
  const sim = await createSim({ policy: sale.policy });
  const play = async (fetch: ReturnType<Sim['tenant']>['fetch']): Promise<void> => {
    await sell(fetch, 'http://127.0.0.1', 'till-key');
    await serve(fetch, 'http://127.0.0.1', 'till-key');
  };
  const explored = async () => {
    const played: PlayedRules = [];
    const { result, cpu } = await cpuOf(() =>
      sim.explore(
        ({ name, fetch }) => {
          played.push(rulesIn(sim, name));
          return play(fetch);
        },
        { level: 3, timeout: '60s' },
      ),
    );
    const tenants = played.map((rules) => openAgain(sim, rules));
    const alone = await cpuOf(() => sideBySide(tenants, ({ fetch }) => play(fetch).catch(() => {})));
    for (const tenant of tenants) tenant.close();
    return { ...result, whole: cpu / played.length, alone: alone.cpu / played.length };
  };
  const { runs, ms } = await explored();
  const { whole, alone } = await explored();
  await sim.close();
  const [seconds, own] = [ms / 1000, whole - alone];
  return {
    figure: `${runs} runs, ${seconds.toFixed(0)} s, ${whole.toFixed(1)} ms CPU a run, ${own.toFixed(1)} ms of it besides ${alone.toFixed(1)} ms of the client and the responses to it`,
    isReached: runs <= 200 && seconds <= 30 && own <= 10,
  };
}

async function sideBySide<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: jobs }, lane));
}

/** Returns the processor time that some work took, in ms. */
async function cpuOf<Result>(work: () => Promise<Result>): Promise<{ readonly result: Result; readonly cpu: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, cpu: (user + system) / 1000 };
}

/** Runs a till by the command, one run after the other, and each of them again as a bare program. */
async function costByCommand(till: RightClient, { share }: ProofSettings) {
  const sim = await createSim({ policy: till.policy });
  await sim.listen();
  const command = commandOf(till, resolve('test/explore/clients'));
  const config = { apiKeys: [], adminKey: undefined, host: '127.0.0.1' };
  const stop = new AbortController().signal;
  const explored = exploreCommand(sim, {
    command,
    config,
    timeout: 60_000,
    showOutput: false,
    portPerRun: false,
    stop,
  });
  const played: PlayedRules = [];
  const { log } = await explore(
    {
      ...explored.client,
      run: (tenant, ...rest) => {
        played.push(rulesIn(sim, tenant.name));
        return explored.client.run(tenant, ...rest);
      },
    },
    { levels: 3, jobs: 1, maxRuns: share(commandRuns), version: '' },
  );
  const added: number[] = [];
  for (const [i, rules] of played.entries()) {
    const tenant = openAgain(sim, rules);
    const alone = await timeOf(command, `${sim.url}/t/${tenant.name}`);
    tenant.close();
    added.push((log[i]?.ms ?? Number.NaN) - alone);
  }
  await explored.close();
  await sim.close();
  const most = median(added);
  return { figure: `${most.toFixed(0)} ms a run (median of ${added.length})`, isReached: most <= 50 };
}

/** Returns how long a program takes that nothing watches, in ms. */
async function timeOf([program = '', ...args]: readonly string[], url: string): Promise<number> {
  const env = { ...process.env, LOYALTY_SIM_URL: url, LOYALTY_SIM_API_KEY: 'loyalty-sim' };
  const begun = performance.now();
  await once(spawn(program, args, { env, stdio: 'ignore' }), 'exit');
  return performance.now() - begun;
}
