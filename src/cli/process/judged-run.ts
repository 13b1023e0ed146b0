/** One run of a client under a simulator of its own, and the verdict on it. */
import { extendEnvironment } from '../../config/config.ts';
import type { Config, Flags } from '../../config/config.ts';
import { startTimer, systemNow, monotonicNow, toTimestamp } from '../../core/time/clock.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { defaultTenantName } from '../../core/tenant/registry.ts';
import type { RuleInput } from '../../faults/rule-schema.ts';
import { createSim } from '../../simulator/create-sim.ts';
import type { Sim } from '../../simulator/sim.ts';
import { judgeScenario } from '../../verdict/judge.ts';
import type { ReportedRun } from '../../verdict/report/report-items.ts';
import { runChild } from './child-process.ts';
import type { ChildResult, ChildOptions } from './child-process.ts';
import { printNote } from './terminal.ts';
import { planScenario, simOptions } from '../flags/scenario-plan.ts';
import type { ScenarioPlan } from '../flags/scenario-plan.ts';

export interface JudgedRun extends ChildResult {
  /** The scenario's name, or what stands for it. */
  readonly name: string;
  /** One for each tenant that was called; that of `default` when none was. */
  readonly runs: readonly ReportedRun[];
  readonly ms: number;
}

interface Extra {
  readonly name: string;
  readonly description: string;
  readonly rules: readonly RuleInput[];
}

export interface JudgedRunOptions extends Partial<Pick<ChildOptions, 'stdio' | 'timeout'>> {
  readonly command: readonly string[];
  readonly config: Config;
  readonly flags: Flags;
  /** What goes wrong before all that the scenario says, under a name of its own. */
  readonly extraRules?: Extra | undefined;
}

/** Runs a command with a simulator beside it, on any free port unless one is asked for. */
export async function runAndJudge(run: JudgedRunOptions): Promise<JudgedRun> {
  const { command, config, flags, stdio: talks = 'with-us', timeout } = run;
  const [started, at] = [monotonicNow(), toTimestamp(systemNow())];
  const plan = await withExtra(await planScenario(config, flags), run.extraRules);
  for (const note of plan.notes) printNote(`note: ${note}`);
  let answered = 0;
  const count = ({ deferredEffects: later }: Exchange): void => {
    // It is told of again when a job of it is done.
    if (later.length === 0) answered++;
  };
  const sim = await createSim({ ...simOptions(config, count), ...plan.options });
  try {
    const { url } = await sim.listen({ port: flags['port'] === undefined ? 0 : config.port });
    const end = await runChild(command, { env: extendEnvironment(variablesFor(url, config)), stdio: talks, timeout });
    await settled(sim);
    const name = runName(plan, config);
    const ms = monotonicNow() - started;
    const runs = verdictsOf(sim, name, plan).map((one) => ({ ...one, at, ms }));
    const judged = runs.reduce((sum, { verdict }) => sum + verdict.requests + verdict.evicted, 0);
    if (answered > judged) printNote(goneNote(answered - judged, answered));
    return { ...end, name, runs, ms };
  } finally {
    await sim.close();
  }
}

async function withExtra(plan: ScenarioPlan, extra: Extra | undefined): Promise<ScenarioPlan> {
  if (extra === undefined) return plan;
  const { parseScenario: checkedScenario } = await import('../../scenario/scenario-parser.ts');
  const { written } = plan.scenario;
  const rules = [...extra.rules, ...(written.rules ?? [])];
  const scenario = checkedScenario({ ...written, ...extra, rules });
  return { ...plan, scenario: { ...plan.scenario, written: scenario }, options: { ...plan.options, scenario } };
}

const variablesFor = (url: string, { apiKeys, adminKey }: Config): Record<string, string> => ({
  LOYALTY_SIM_URL: url,
  LOYALTY_SIM_ADMIN_URL: `${url}/__admin`,
  // Any key is let in unless some are named.
  LOYALTY_SIM_API_KEY: apiKeys[0] ?? 'loyalty-sim',
  ...(adminKey !== undefined && { LOYALTY_SIM_ADMIN_KEY: adminKey }),
});

const goneNote = (gone: number, all: number): string =>
  `note: ${gone} of ${all} calls are not judged: a reset took them away, or the end of their tenant. Give each test a tenant of its own (/t/{name}) that stays.`;

/** How long calls may take to end when their caller has gone, in ms. */
const patience = 200;

/** What the command left under way is over as soon as its connections are seen to be closed. */
async function settled(sim: Sim): Promise<void> {
  const isOver = (): boolean =>
    [...sim.tenants].every(({ journal }) =>
      [...journal.exchanges()].every(({ finishedAt }) => finishedAt !== undefined),
    );
  const end = monotonicNow() + patience;
  await pause(0);
  while (!isOver() && monotonicNow() < end) await pause(10);
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => void startTimer(milliseconds, resolve));

/** The command is not told: its arguments may hold keys. */
const runName = ({ scenario }: ScenarioPlan, config: Config): string =>
  scenario.written.name ?? (config.scenario.join(' + ') || 'no scenario');

function verdictsOf(sim: Sim, name: string, { scenario: { written } }: ScenarioPlan): Omit<ReportedRun, 'at' | 'ms'>[] {
  const called = [...sim.tenants].filter(({ journal }) => journal.size > 0);
  const judged = called.length === 0 ? [sim.tenants.default] : called;
  return judged.map((tenant) => ({
    name: tenant.name === defaultTenantName ? name : `${name} · tenant ${tenant.name}`,
    description: written.description,
    verdict: judgeScenario(tenant),
  }));
}
