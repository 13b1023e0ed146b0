/** Runs a client with a simulator of its own, and judges it. */
import { extendEnvironment } from '../../config/config.ts';
import type { Config, Flags } from '../../config/config.ts';
import { startTimer, systemNow, monotonicNow, toTimestamp } from '../../core/time/clock.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { defaultTenantName } from '../../core/tenant/registry.ts';
import { createSim } from '../../simulator/create-sim.ts';
import type { Sim } from '../../simulator/sim.ts';
import { judgeScenario, mayStayUnused } from '../../verdict/judge.ts';
import type { ReportedRun } from '../../verdict/report/report-items.ts';
import { runChild } from './child-process.ts';
import type { ChildOptions, ChildResult } from './child-process.ts';
import { printNote } from './terminal.ts';
import { planScenario, simOptions } from '../flags/scenario-plan.ts';
import type { ScenarioPlan } from '../flags/scenario-plan.ts';
import type { MergedScenario } from '../../scenario/merge.ts';
import type { ScenarioSpec } from '../../scenario/scenario-schema.ts';

export interface JudgedRun extends ChildResult {
  /** Names the scenario, or its files. */
  readonly name: string;
  /** Holds a run for each tenant that received requests, or that a rule waits for in vain; that of `default` when none did. */
  readonly runs: readonly ReportedRun[];
  /** Counts the requests that arrived, also those that a reset has deleted. */
  readonly received: number;
  readonly ms: number;
}

export interface JudgedRunOptions {
  readonly command: readonly string[];
  readonly config: Config;
  readonly flags: Flags;
  /** Holds a scenario that was read already (default: those that the config names). */
  readonly scenario?: MergedScenario | undefined;
  /** Says how the command is run (default: its input and output are ours). */
  readonly child?: Pick<ChildOptions, 'stdio' | 'onOutput' | 'timeout' | 'killed'> | undefined;
  /** Is called with what a person should know besides the verdict (default: prints it). */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** Runs a command with a simulator of its own (default: on any free port), and judges it. */
export async function runAndJudge(run: JudgedRunOptions): Promise<JudgedRun> {
  const { command, config, flags, child = { stdio: 'inherit' }, onNote = printNote } = run;
  const [started, at] = [monotonicNow(), toTimestamp(systemNow())];
  const plan = await planScenario(config, flags, run.scenario);
  for (const note of plan.notes) onNote(`note: ${note}`);
  let completed = 0;
  const called = new Set<string>();
  const counted = new WeakSet<Exchange>();
  const count = (exchange: Exchange, tenant: string): void => {
    // It is passed again when a job of it is executed, or its client hangs up.
    if (counted.has(exchange)) return;
    counted.add(exchange);
    completed++;
    called.add(tenant);
  };
  const sim = await createSim({ ...simOptions(config, count), ...plan.options });
  try {
    const { url } = await sim.listen({ port: flags['port'] === undefined ? 0 : config.port });
    const variables = { ...clientVariables(url, config), ...fileServerVariables(sim) };
    const end = await runChild(command, { ...child, env: extendEnvironment(variables) });
    await waitUntilSettled(sim);
    const name = runName(plan, config);
    const ms = monotonicNow() - started;
    // A client that was stopped had no chance to go on; one that ended by itself sends nothing more.
    const clientEnded = !end.isStopped && !end.isTimedOut;
    const runs = verdictsOf(sim, { name, plan, clientEnded, called }).map((one, i) => ({
      ...one,
      at,
      ms,
      ...(i === 0 && end.code !== 0 && { exitCode: end.code }),
    }));
    const judged = runs.reduce((sum, { verdict }) => sum + verdict.requests + verdict.evicted, 0);
    if (completed > judged) onNote(deletedNote(completed - judged, completed));
    return { ...end, name, runs, received: Math.max(completed, judged), ms };
  } finally {
    await sim.close();
  }
}

/** Returns the variables by which a command finds the simulator. */
export const clientVariables = (
  url: string,
  { apiKeys, adminKey }: Pick<Config, 'apiKeys' | 'adminKey'>,
): Record<string, string> => ({
  LOYALTY_SIM_URL: url,
  LOYALTY_SIM_ADMIN_URL: `${url}/__admin`,
  // Any key is accepted unless some are named.
  LOYALTY_SIM_API_KEY: apiKeys[0] ?? 'loyalty-sim',
  ...(adminKey !== undefined && { LOYALTY_SIM_ADMIN_KEY: adminKey }),
});

/** Returns the variables by which a command finds the servers that take its files; those of a tenant are below its path. */
export const fileServerVariables = (
  { sftpUrl, ftpUrl }: Pick<Sim, 'sftpUrl' | 'ftpUrl'>,
  path = '',
): Record<string, string> => ({
  ...(sftpUrl !== undefined && { LOYALTY_SIM_SFTP_URL: `${sftpUrl}${path}` }),
  ...(ftpUrl !== undefined && { LOYALTY_SIM_FTP_URL: `${ftpUrl}${path}` }),
});

const deletedNote = (deleted: number, all: number): string =>
  `note: ${deleted} of ${all} requests are not judged: a reset deleted them, or their tenant was deleted. Give each test a tenant of its own (/t/{name}), and keep it.`;

/** Limits the wait for requests whose client has gone, in ms. */
const settleTime = 200;

/** Waits until requests in flight have ended, which they do once their connections are seen to be closed. */
async function waitUntilSettled(sim: Sim): Promise<void> {
  const isSettled = (): boolean =>
    [...sim.tenants].every(({ journal }) =>
      [...journal.exchanges()].every(({ finishedAt }) => finishedAt !== undefined),
    );
  const end = monotonicNow() + settleTime;
  await pause(0);
  while (!isSettled() && monotonicNow() < end) await pause(10);
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => void startTimer(milliseconds, resolve));

/** Returns the name of a run, without the command, whose arguments may hold keys. */
const runName = ({ scenario }: ScenarioPlan, config: Config): string =>
  scenario.spec.name ?? (config.scenario.join(' + ') || 'no scenario');

interface EndedRun {
  readonly name: string;
  readonly plan: ScenarioPlan;
  readonly clientEnded: boolean;
  /** Names the tenants that requests came to, also those that were deleted since. */
  readonly called: ReadonlySet<string>;
}

function verdictsOf(sim: Sim, { name, plan, clientEnded, called }: EndedRun): Omit<ReportedRun, 'at' | 'ms'>[] {
  const { spec } = plan.scenario;
  const requested = [...sim.tenants].filter(({ journal }) => journal.size > 0);
  // A request that was not over when the command ended is none that was completed.
  const calledTenants = new Set([...called, ...requested.map((tenant) => tenant.name)]);
  const missed = missedTenants(spec, calledTenants).map((one) => sim.tenants.getOrCreate(one));
  const judged = requested.length === 0 ? [sim.tenants.default] : [...requested, ...missed];
  return judged.map((tenant) => ({
    name: tenant.name === defaultTenantName ? name : `${name} · tenant ${tenant.name}`,
    description: spec.description,
    verdict: judgeScenario(tenant, { clientEnded, calledTenants }),
  }));
}

/** Returns the tenants of rules that must fire, but could not: no request came to these tenants. */
function missedTenants({ rules = [] }: ScenarioSpec, called: ReadonlySet<string>): string[] {
  const named = rules.filter((rule) => !mayStayUnused(rule)).flatMap(({ match }) => match?.tenant ?? []);
  return [...new Set(named)].filter((one) => !called.has(one));
}
