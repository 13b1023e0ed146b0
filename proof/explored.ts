/** Explores the clients of test/explore/clients: in process, and as programs by the command. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as z from 'zod';
import type { Exploration } from '../src/explore/explore.ts';
import { pointId } from '../src/explore/experiment.ts';
import { explorationJsonSchema } from '../src/explore/report/exploration-json.ts';
import { createSim } from '../src/simulator/create-sim.ts';
import type { ExploreOptions } from '../src/simulator/sim-explore.ts';
import { commandOf } from '../test/explore/clients/command.ts';
import type { ClientFunction } from '../test/explore/clients/function-of.ts';
import type { ExploredClient } from '../test/explore/clients/tills.ts';
import { has } from '../test/support/client-table.ts';
import { folderWith } from '../test/support/folders.ts';
import type { ProofSettings } from './row.ts';

const clients = resolve('test/explore/clients');

export interface InProcess extends Exploration {
  /** Holds the processor time of the runs in ms, the client's own included. */
  readonly cpu: number;
}

/** Explores a client that is a function. */
export async function exploreInProcess(
  policy: ExploredClient['policy'],
  client: ClientFunction,
  options: ExploreOptions = {},
): Promise<InProcess> {
  const sim = await createSim({ policy });
  try {
    const before = process.cpuUsage();
    const exploration = await sim.explore((tenant) => client(tenant.fetch, 'http://127.0.0.1', 'till-key'), {
      timeout: '60s',
      ...options,
    });
    const { user, system } = process.cpuUsage(before);
    return { ...exploration, cpu: (user + system) / 1000 };
  } finally {
    await sim.close();
  }
}

type ExplorationJson = z.infer<typeof explorationJsonSchema>;

/** Explores a client as a program, by `loyalty-sim explore`. */
export async function exploreByCommand(
  client: ExploredClient,
  flags: readonly string[] = [],
): Promise<ExplorationJson> {
  const folder = folderWith({ 'policy.json': { policy: client.policy } });
  const args = ['explore', '--scenario', 'policy.json', '--jobs', '4', ...flags];
  const command = ['env', 'TILL_FOLDER={folder}', ...commandOf(client, clients)];
  const child = spawn(process.execPath, [resolve('dist/cli.cjs'), ...args, '--', ...command], {
    cwd: folder,
    // Without certificates that a machine may want loaded at each start of Node.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TZ: process.env['TZ'] },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => (said += String(text)));
  await once(child, 'close');
  try {
    return explorationJsonSchema.parse(JSON.parse(readFileSync(join(folder, 'explore', 'explore.json'), 'utf8')));
  } catch (error) {
    throw new Error(`${client.name} was not explored: ${said}`, { cause: error });
  }
}

/** Returns the clients that are wanted and can run here; the others are named. */
export const runnable = <Client extends ExploredClient>(
  list: readonly Client[],
  { isWanted, print }: ProofSettings,
): Client[] =>
  list.filter(({ name, needs = [] }) => {
    if (!isWanted(name)) return false;
    const missing = needs.filter((need) => !has(need));
    if (missing.length > 0) print(`skipped: ${name}, which needs ${missing.join(', ')}`);
    return missing.length === 0;
  });

interface Shown {
  readonly rule: string;
  readonly endpoint: string;
  readonly points: readonly string[];
  readonly message: string;
  readonly also: readonly string[];
  readonly firstRun: number;
  readonly shrinkRuns: number;
}

/** Returns findings in the form that both ways of exploring share. */
export const shownBy = ({ findings }: Exploration): Shown[] =>
  findings.map((finding) => ({ ...finding, points: finding.hits.map(pointId) }));

/** Returns the findings by a rule that is meant for the defect. */
export const meant = (findings: readonly Shown[], rules: readonly string[]): Shown[] =>
  findings.filter(({ rule, also }) => [rule, ...also].some((one) => rules.includes(one)));

/** Returns a line that tells one case. */
export const caseLine = (isRight: boolean, name: string, text: string, findings: readonly Shown[]): string =>
  [
    `${isRight ? 'ok  ' : 'WRONG'} ${name}: ${text}`,
    ...findings.map(({ rule, endpoint, points, also, message }) => {
      const others = also.length > 0 ? ` (also ${also.join()})` : '';
      return `       ${rule} ${endpoint}${others} ${points.join(' ')}: ${message.slice(0, 160)}`;
    }),
  ].join('\n');
