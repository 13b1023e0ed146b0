/** Makes saved states in folders of their own, and sims on them. */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SimOptions } from '../../src/simulator/options.ts';
import type { Client } from './client.ts';
import { folderWith, tidyFolders } from './folders.ts';
import { openEmptySim } from './open-sim.ts';

const open = new Set<Client>();

/** Writes a fixture of these contacts alone next to a saved state; returns its path. */
export function fixtureBeside(data: string, contacts: readonly object[]): string {
  const file = join(dirname(data), 'large.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync('fixtures/empty.json', 'utf8')), contacts }));
  return file;
}

export const newFile = (): string => join(folderWith(), 'state.json');

/** Names the file in which the next snapshot of a saved state is being written. */
export const unfinishedSnapshot = (data: string): string => join(dirname(data), '.state.json.tmp');

/** Opens a sim on a saved state whose clock runs on from there; a retailer without customers the first time. */
export async function openSavedSim(data: string, options: SimOptions = {}): Promise<Client> {
  const client = await openEmptySim({ data, now: undefined, ...options });
  open.add(client);
  return client;
}

export async function closeSavedSim(client: Client): Promise<void> {
  open.delete(client);
  await client.sim.close();
}

/** Ends a sim in good order and begins another on the same file. */
export async function reopenSim(client: Client, data: string, options: SimOptions = {}): Promise<Client> {
  await closeSavedSim(client);
  return openSavedSim(data, options);
}

/** Returns a copy of what a process that was killed at this moment would have left behind. */
export function leftBehind(data: string): string {
  const copy = newFile();
  copyFileSync(data, copy);
  if (existsSync(`${data}.log`)) copyFileSync(`${data}.log`, `${copy}.log`);
  return copy;
}

export const bytesOf = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'latin1') : undefined;

/** Tidies up; is to be called after each test. */
export async function tidySaved(): Promise<void> {
  for (const client of open) await closeSavedSim(client);
  tidyFolders();
}
