/** Runs a command for an exploration: each run in a tenant of its own of one simulator. */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extendEnvironment, loadConfig } from '../../config/config.ts';
import type { Config, Flags } from '../../config/config.ts';
import { InputError } from '../../core/lib/input-error.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import type { KillSignal } from '../../explore/kills.ts';
import type { LiveExploration } from '../../explore/live/live-exploration.ts';
import type { ClientEnd, ExploredClient } from '../../explore/run.ts';
import type { ScenarioRules } from '../../explore/scenario-rules.ts';
import { isLoopback } from '../../http/pipeline/host-guard.ts';
import type { MergedScenario } from '../../scenario/merge.ts';
import { createSim } from '../../simulator/create-sim.ts';
import type { Sim } from '../../simulator/sim.ts';
import { OrphanReaper } from '../../platform/orphan-reaper.ts';
import { pointMasterAssumptions } from '../../simulator/sim-explore.ts';
import { planScenario, simOptions } from '../flags/scenario-plan.ts';
import { printNote } from './terminal.ts';
import { runChild } from './child-process.ts';
import { clientVariables, fileServerVariables } from './judged-run.ts';
import { freePort } from './free-port.ts';
import { stopSignal } from './signals.ts';

/** Lists the flags of commands that run a client again and again. */
export interface ExploredFlags extends Flags {
  readonly timeout?: string | undefined;
  readonly portPerRun?: boolean | undefined;
  readonly showOutput?: boolean | undefined;
}

interface ExploredCommandOptions {
  readonly command: readonly string[];
  /** Runs the command as a line of the system's shell (default: as a program with its arguments). */
  readonly isShellLine?: boolean | undefined;
  readonly config: Pick<Config, 'apiKeys' | 'adminKey' | 'host'>;
  /** Limits the time of a run, in ms. */
  readonly timeout: number;
  readonly showOutput: boolean;
  /** Gives each run a port of its own, for a client that takes no path in its base URL. */
  readonly portPerRun: boolean;
  /** Is called with what the first run writes, or all runs if their output is shown (default: it is ours). */
  readonly onOutput?: ((text: Buffer) => void) | undefined;
  /** Ends all runs at once when it aborts (default: a signal to us lets them end). */
  readonly stop?: AbortSignal | undefined;
  /** Holds the addresses of a client that listens on the free port of its run. */
  readonly receiver?: Receiver | undefined;
}

/** Holds addresses of a client, with {port} for the port of its run. */
interface Receiver {
  readonly webhookUrl?: string;
  readonly pointMasterUrl?: string;
}

interface ExploredSim extends Pick<
  ExploredCommandOptions,
  'command' | 'isShellLine' | 'timeout' | 'onOutput' | 'stop'
> {
  readonly flags: ExploredFlags;
  /** Holds a scenario that was read already (default: those that the config names). */
  readonly scenario?: MergedScenario | undefined;
  /** Is called with what a person should know before the first run (default: prints it). */
  readonly onNote?: ((note: string) => void) | undefined;
  /** Leaves out the rules of the scenario, which are played run by run. */
  readonly withoutRules?: boolean;
}

export interface ExploredCommand {
  readonly client: ExploredClient;
  /** Shows an exploration of it in the control API, and returns the address of the dashboard; nothing where that is off. */
  readonly show: (live: LiveExploration) => string | undefined;
  /** Returns the exit code of a run, once it has ended. */
  readonly codeOf: (run: number) => number | undefined;
  /** Resolves to what comes of it, or to nothing when a signal has stopped us and all runs have ended. */
  readonly untilStopped: <Result>(work: Promise<Result>) => Promise<Result | undefined>;
  /** Ends what serves all runs, once they have ended. */
  readonly close: () => Promise<void>;
}

/** Starts a simulator for all runs of a command, and closes it at the end of the work. */
export async function withExploredCommand<Result>(
  { command, isShellLine, flags, timeout, withoutRules = false, onOutput, stop, ...given }: ExploredSim,
  work: (explored: ExploredCommand) => Promise<Result>,
): Promise<Result> {
  // The log would mix with what is reported, so that it is silent by default.
  const receiver = receiverFrom(flags);
  const config = loadConfig({ flags: { log: 'silent', ...flags, ...withPort(receiver, anyPort) } });
  const { onNote = printNote } = given;
  if (config.data !== undefined) onNote('note: data is left out: each run starts from the fixtures.');
  const plan = await planScenario(config, flags, given.scenario);
  for (const note of plan.notes) onNote(`note: ${note}`);
  const { scenario } = plan;
  const sim = await createSim({
    ...simOptions({ ...config, data: undefined }, () => {}),
    ...plan.options,
    ...(withoutRules && { scenario: { ...scenario.spec, rules: [] } }),
  });
  try {
    await sim.listen({ port: flags['port'] === undefined ? 0 : config.port });
    const { portPerRun = false, showOutput = false } = flags;
    const explored = exploreCommand(sim, {
      command,
      isShellLine,
      config,
      timeout,
      showOutput,
      portPerRun,
      receiver,
      onOutput,
      stop,
    });
    try {
      return await work(explored);
    } finally {
      await explored.close();
    }
  } finally {
    await sim.close();
  }
}

const portWord = '{port}';

/** Is a port that an address can be checked with. */
const anyPort = 1;

/** Returns the addresses among the flags that name the port of the run. */
const receiverFrom = (flags: ExploredFlags): Receiver =>
  Object.fromEntries(
    (['webhookUrl', 'pointMasterUrl'] as const).flatMap((name) => {
      const value = flags[name];
      return typeof value === 'string' && value.includes(portWord) ? [[name, value]] : [];
    }),
  );

const withPort = (receiver: Receiver, port: number): Receiver =>
  Object.fromEntries(Object.entries(receiver).map(([name, url]) => [name, url.replaceAll(portWord, String(port))]));

/** Reads the rules of a scenario file. Throws `InputError` for one without any. */
export async function readRules(file: string): Promise<ScenarioRules> {
  const { loadScenarios } = await import('../../scenario/load.ts');
  const { rules = [], webhooks = [] } = loadScenarios([file]).spec;
  if (rules.length + webhooks.length === 0) throw new InputError(`${file} has no rules`);
  return { rules, webhooks };
}

export function exploreCommand(sim: Sim, options: ExploredCommandOptions): ExploredCommand {
  const { command, isShellLine, config, timeout, showOutput, onOutput, stop: ended } = options;
  const { receiver = {} } = options;
  const hasPort = Object.keys(receiver).length > 0 || command.some((word) => word.includes(portWord));
  const codes = new Map<number, number>();
  const ports = new Map<number, number>();
  const running = new Set<Promise<unknown>>();
  const reaper = new OrphanReaper();
  const stopping = new AbortController();
  // One listener for all runs: Node warns of a signal with many.
  const endedByCaller = ended && aborted(ended);
  void (endedByCaller ?? stopSignal()).then(() => stopping.abort());
  const stopped = once(stopping.signal, 'abort').then(async () => void (await Promise.allSettled(running)));

  async function start(
    base: Base,
    { run, folder, killed }: { readonly run: number; readonly folder: string; readonly killed?: Promise<void> },
  ): Promise<ClientEnd> {
    // What came before may have taken time; nobody waits for a client that is begun after a signal.
    if (stopping.signal.aborted) return {};
    const port = ports.get(run);
    const words = { '{run}': String(run), '{folder}': folder, ...(port !== undefined && { [portWord]: String(port) }) };
    const {
      code,
      isTimedOut,
      isStopped: isSignalled,
    } = await runChild(
      command.map((word) => Object.entries(words).reduce((text, [name, value]) => text.replaceAll(name, value), word)),
      {
        env: extendEnvironment({
          ...clientVariables(base.admin, config),
          ...fileServerVariables(sim, base.files),
          LOYALTY_SIM_URL: base.service,
          LOYALTY_SIM_RUN: String(run),
          LOYALTY_SIM_RUN_FOLDER: folder,
          ...(port !== undefined && { LOYALTY_SIM_RUN_PORT: String(port) }),
        }),
        stdio: run === 1 || showOutput ? (onOutput ? 'pipe' : 'inherit') : 'ignore',
        onOutput,
        isShellLine,
        timeout,
        killed: endedByCaller ? Promise.race([endedByCaller, ...(killed ? [killed] : [])]) : killed,
        reaper,
      },
    );
    if (isSignalled) stopping.abort();
    codes.set(run, code);
    if (isTimedOut) return { isTimedOut };
    return code === 0 ? {} : { failure: `it exited with ${code}` };
  }

  /** Runs the command in a folder of its own; a kill has it run twice. */
  async function runOnce(tenant: Tenant, run: number, { kill, stop }: RunEnds): Promise<ClientEnd> {
    const base = await openBase(sim, tenant, options.portPerRun);
    const folder = mkdtempSync(join(tmpdir(), 'loyalty-sim-run-'));
    try {
      if (!kill) return await start(base, { run, folder, ...(stop && { killed: aborted(stop) }) });
      let isReached = false;
      const killed = kill.reached.then(() => void (isReached = true));
      const end = await start(base, { run, folder, killed });
      if (!isReached) return end;
      await kill.onKilled();
      return await start(base, { run, folder });
    } finally {
      await base.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  async function openTenant(run: number, assumptions?: Readonly<Record<string, string>>): Promise<Tenant> {
    const name = `run-${run}`;
    const port = hasPort ? await freePort() : undefined;
    if (port !== undefined) ports.set(run, port);
    const setup = { ...(assumptions && { assumptions }), ...(port !== undefined && withPort(receiver, port)) };
    return Object.keys(setup).length > 0 ? sim.createTenant(name, setup) : sim.tenants.getOrCreate(name);
  }

  const unlessStopped = async (begin: () => Promise<ClientEnd>): Promise<ClientEnd> => {
    if (stopping.signal.aborted) return never;
    const run = begin();
    running.add(run);
    const end = await run.finally(() => running.delete(run));
    return stopping.signal.aborted ? never : end;
  };

  return {
    client: {
      openTenant,
      closeTenant: ({ name }) => void sim.tenants.remove(name),
      run: (tenant, run, stop) => unlessStopped(() => runOnce(tenant, run, { stop })),
      runKilled: (tenant, run, kill) => unlessStopped(() => runOnce(tenant, run, { kill })),
      fixedAssumptions: sim.pointMaster ? pointMasterAssumptions : undefined,
    },
    show: (live) => {
      sim.showExploration(live);
      const { adminKey, host } = config;
      if (adminKey === undefined && !isLoopback(host)) return undefined;
      return `${sim.url}/__admin/ui#default/explore`;
    },
    codeOf: (run) => codes.get(run),
    untilStopped: (work) => Promise.race([work, stopped.then(() => undefined)]),
    close: () => reaper.end(),
  };
}

/** Ends a run before the client has ended by itself. */
interface RunEnds {
  readonly kill?: KillSignal;
  readonly stop?: AbortSignal;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Nothing comes of a run after a signal: it proves nothing about the client. */
const never = new Promise<never>(() => {});

interface Base {
  /** Holds the address of the service, as it is given to the client. */
  readonly service: string;
  /** Holds the address of the control API below it. */
  readonly admin: string;
  /** Holds the path of its folder on the servers that take files. */
  readonly files: string;
  readonly close: () => Promise<void>;
}

async function openBase(sim: Sim, { name }: Tenant, isOwnPort: boolean): Promise<Base> {
  const { url = '' } = sim;
  const files = `/t/${name}`;
  if (!isOwnPort) return { service: `${url}${files}`, admin: url, files, close: async () => {} };
  const { url: own, close } = await sim.listenFor(name);
  return { service: own, admin: own, files, close };
}
