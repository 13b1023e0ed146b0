import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shippedDays, tillPauses, tillPolicy } from '../clients/shipped.mjs';
import { createSim } from '../../src/simulator/create-sim.ts';
import type { SimOptions } from '../../src/simulator/options.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { folderWith } from './folders.ts';

// By the folder that the tests run in: the proof bundles this file and runs it elsewhere.
const clients = resolve('test/clients');

export const referenceTill = join(clients, 'till.mjs');

export const tillText = (): string => readFileSync(referenceTill, 'utf8');

/** Begins the text of a client program of its own: this fetch is there sooner than Node's. */
export const withFetch = `import { fetch } from '${pathToFileURL(join(clients, 'quick-fetch.mjs')).href}';`;

/** Writes a till whose text was changed, as a file of its own. */
export function tillFrom(text: string): string {
  const others = ['calls.mjs', 'quick-fetch.mjs'].map((name) => [name, readFileSync(join(clients, name), 'utf8')]);
  return join(folderWith({ 'till.mjs': text, ...Object.fromEntries(others) }), 'till.mjs');
}

export interface Day {
  readonly scenario: SimOptions['scenario'];
  readonly policy?: SimOptions['policy'];
  readonly email?: string | undefined;
  readonly checkouts?: number | undefined;
  readonly pauses?: readonly number[] | undefined;
  readonly fallbackPause?: number | undefined;
  readonly linger?: number | undefined;
  readonly rounds?: number | undefined;
  /** True when the till waits in real time, instead of moving the simulator's clock. */
  readonly isReal?: boolean | undefined;
  /** Limits how long the till waits for a response, in ms of real time. */
  readonly timeout?: number | undefined;
  /** Is called with each request by the simulator. */
  readonly onRequest?: SimOptions['onRequest'];
  /** Says by how much the simulator's clock goes on while the till waits. */
  readonly advance?: string | undefined;
  /** True when it sets balances, as a point master does, and sells nothing. */
  readonly isMaster?: boolean;
}

/** Plays a till's day against a simulator of its own, as a process of its own. */
export async function dayOf(till: string, { scenario, policy, onRequest, ...rest }: Day): Promise<Verdict> {
  const sim = await createSim({ scenario, policy, onRequest });
  try {
    const { url } = await sim.listen();
    const options = JSON.stringify({ ...tillPauses, ...rest, url, till: pathToFileURL(till).href });
    const child = spawn(process.execPath, [join(clients, 'day.mjs'), options], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`the till ended with ${code}`);
    return await sim.verdict({ clientEnded: true });
  } finally {
    await sim.close();
  }
}

export const shippedDay = (file: string): Day => ({
  scenario: join('scenarios', file),
  policy: tillPolicy,
  ...shippedDays[file],
});

/** Returns the rules by which operations were failed. */
export const failedBy = ({ operations }: Verdict): string[] => [
  ...new Set(
    operations.flatMap(({ findings }) => findings.filter(({ level }) => level === 'fail').map(({ rule }) => rule)),
  ),
];
