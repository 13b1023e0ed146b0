/** Runs the clients of this folder, each in a tenant of its own: in process, as programs, and killed and started again. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RuleInput } from '../../../src/faults/rule-schema.ts';
import type { SimTenant } from '../../../src/simulator/tenant-handle.ts';
import type { Verdict } from '../../../src/verdict/verdict.ts';
import { has } from '../../support/client-table.ts';
import { folderWith } from '../../support/folders.ts';
import { startSim } from '../../support/open-sim.ts';
import { functionOf } from './function-of.ts';
import { commandOf, compileExploredClients } from './command.ts';
import type { KillMoment } from './queues.ts';
import type { ExploredClient } from './tills.ts';

const folderOfClients = fileURLToPath(new URL('.', import.meta.url));

/** Lets two programs run at once: more would let each other time out. */
const isBusy: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const before = isBusy.shift();
  const mine = Promise.resolve(before).then(work);
  isBusy.push(mine.catch(() => {}));
  return mine;
}

/** So many times the machine may be too busy in a row. */
const repeats = 10;

/** Plays in a tenant of its own; again in another one where a busy machine let the client hang up on what nothing had delayed. */
async function inTime(
  open: () => Promise<SimTenant>,
  playIn: (tenant: SimTenant) => Promise<void>,
): Promise<SimTenant> {
  for (let i = 1; ; i++) {
    const tenant = await open();
    const ended = await playIn(tenant).catch((error: unknown) => ({ error }));
    if (wasHeldUp(tenant) && i < repeats) continue;
    if (ended) throw ended.error;
    return tenant;
  }
}

const wasHeldUp = (tenant: SimTenant): boolean =>
  tenant.requests().some(({ fault, delivered }) => fault === undefined && delivered?.end === 'client-aborted');

export async function openExploredStage() {
  // Compiling would stop the simulator, which answers in this process.
  if (has('javac')) compileExploredClients(folderOfClients);
  const sim = await startSim();
  const { url } = await sim.listen();
  let tenants = 0;

  async function tenantFor(client: ExploredClient, rules: readonly RuleInput[] = []): Promise<SimTenant> {
    const tenant = sim.tenant(`${client.name}-${(tenants += 1)}`);
    await tenant.applyScenario({ rules: [...rules], policy: client.policy });
    return tenant;
  }

  function start(
    client: ExploredClient,
    tenant: SimTenant,
    folder: string,
  ): { child: ChildProcess; ended: Promise<unknown> } {
    const own = Object.entries(process.env).filter(([name]) => !/^(LOYALTY_SIM_|NODE_|VITEST)/.test(name));
    const env = {
      ...Object.fromEntries(own),
      LOYALTY_SIM_URL: `${url}/t/${tenant.name}`,
      LOYALTY_SIM_API_KEY: 'till-key',
      TILL_FOLDER: folder,
    };
    const [command, ...args] = commandOf(client, folderOfClients);
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    let said = '';
    child.stderr.on('data', (text) => (said += String(text)));
    const timer = setTimeout(() => kill(child), 60_000);
    const ended = once(child, 'close').then(([code, signal]) => {
      clearTimeout(timer);
      return code === 0 ? 0 : `${client.name} ended with ${code ?? signal}: ${said}`;
    });
    return { child, ended };
  }

  /** Calls a function in process; returns its tenant. */
  const call = (client: ExploredClient, rules?: readonly RuleInput[]): Promise<SimTenant> =>
    inTime(
      () => tenantFor(client, rules),
      async (tenant) => {
        const till = await functionOf(client);
        await till(tenant.fetch, '', 'till-key');
      },
    );

  /** Runs a program to its end; throws when it fails. */
  const run = (client: ExploredClient, rules?: readonly RuleInput[]): Promise<SimTenant> =>
    inTime(
      () => tenantFor(client, rules),
      async (tenant) => {
        const end = await inTurn(() => start(client, tenant, folderWith()).ended);
        if (end !== 0) throw new Error(String(end));
      },
    );

  /** Runs a program, kills its process group at a moment, and runs it again with the same files, to its end. */
  async function runKilled(client: ExploredClient, { endpoint, occurrence, at }: KillMoment): Promise<SimTenant> {
    const phase = at === 'work' ? 'after' : 'before';
    const hang = {
      match: { endpoint },
      skip: occurrence - 1,
      times: 1,
      fault: { phase, respond: 'none', end: 'hang' },
    };
    const tenant = await tenantFor(client, at === 'response' ? [] : [hang as RuleInput]);
    const folder = folderWith();
    const first = start(client, tenant, folder);
    const isThere = (): boolean => {
      const sent = tenant.requests().filter((one) => one.endpoint === endpoint)[occurrence - 1];
      return (at === 'response' ? sent?.finishedAt : sent?.fault) !== undefined;
    };
    while (!isThere() && first.child.exitCode === null) await new Promise(setImmediate);
    kill(first.child);
    await first.ended;
    tenant.faults.clear();
    const end = await start(client, tenant, folder).ended;
    if (end !== 0) throw new Error(String(end));
    return tenant;
  }

  /** Judges a tenant; one that is held against a reference, once its client is quiet for longer than its longest pause. */
  async function judge(tenant: SimTenant, reference?: SimTenant): Promise<Verdict> {
    if (reference) await new Promise((resolve) => setTimeout(resolve, 300));
    return sim.verdict({
      tenant: tenant.name,
      ...(reference && { reference: reference.name }),
      clientEnded: true,
    });
  }

  return {
    call,
    run,
    runKilled: (client: ExploredClient, moment: KillMoment) => inTurn(() => runKilled(client, moment)),
    judge,
    close: () => sim.close(),
  };
}

/** Ends the process group of a client at once. */
function kill({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Counts requests, repeats included. */
export const requestsOf = ({ operations }: Verdict): number =>
  operations.reduce((sum, { attempts }) => sum + attempts.length, 0);

/** Lists the rules by which something failed, and `state` for a difference to the reference. */
export const failuresOf = ({ operations, checks }: Verdict): string[] => [
  ...new Set(
    operations.flatMap(({ findings }) => findings.filter(({ level }) => level === 'fail').map((one) => one.rule)),
  ),
  ...(checks.some(({ verdict }) => verdict === 'FAIL') ? ['state'] : []),
];
