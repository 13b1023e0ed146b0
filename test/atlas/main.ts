/** Runs the atlas, and writes what it finds. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Sim } from '../../src/simulator/sim.ts';
import { calls, faults } from './cells.ts';
import { expectedOf } from './expectation.ts';
import { install, versionsOf } from './install.ts';
import { atlasPages, countSetups } from './page.ts';
import { prepare } from './programs.ts';
import type { Mode } from './programs.ts';
import { mergeResults, resultsSchema } from './results.ts';
import type { Results } from './results.ts';
import { runLanes } from './runner.ts';
import type { CellResult, Lane } from './runner.ts';
import type { Setup } from './setup.ts';
import { setups } from './setups/index.ts';

export const resultsFile = 'test/atlas/results.json';

export interface AtlasOptions {
  /** Ids of set-ups, or languages (default: all). */
  readonly only?: readonly string[] | undefined;
  /** Leaves the recipes out, and keeps what they did before. */
  readonly defaultsOnly?: boolean | undefined;
  /** Programs that run side by side. */
  readonly atOnce: number;
  readonly print: (line: string) => void;
}

/** Installs every library. */
export const installAll = (only?: readonly string[]): void => install(chosenFrom(only));

const chosenFrom = (only?: readonly string[]) =>
  setups.filter(({ id, language }) => !only || only.includes(id) || only.includes(language));

/** Runs every cell of the set-ups that this machine has, and writes the results and the pages. */
export async function runAtlas(sim: Sim, { only, defaultsOnly = false, atOnce, print }: AtlasOptions): Promise<void> {
  install(setups);
  const versions = versionsOf(setups);
  const chosen = chosenFrom(only);
  for (const { id } of chosen.filter((one) => !versions.has(one.id))) print(`missing on this machine: ${id}`);
  const lanes = chosen
    .filter(({ id }) => versions.has(id))
    .flatMap(lanesOf)
    .filter(({ mode }) => !defaultsOnly || mode === 'byDefault');
  const found = await runLanes(sim, lanes, { atOnce, onLane: (line) => print(line) });
  printDifferences(found, print);
  const results = mergeResults(readResults(), found, versions);
  writeFileSync(resultsFile, `${JSON.stringify(results, undefined, 2)}\n`);
  writePages();
  print(JSON.stringify(countSetups(results)));
}

/** Writes the pages from the results. */
export function writePages(): void {
  for (const [path, text] of Object.entries(atlasPages(readResults()))) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

const readResults = (): Results =>
  existsSync(resultsFile) ? resultsSchema.parse(JSON.parse(readFileSync(resultsFile, 'utf8'))) : {};

/** Two lanes for each program: one would take minutes, more would start it more often. */
function lanesOf(setup: Setup): Lane[] {
  const workerOf = prepare(setup);
  const modes: readonly Mode[] = setup.recipeOf === undefined ? ['byDefault', 'recipe'] : ['byDefault'];
  return modes.flatMap((mode) =>
    [calls.slice(0, 3), calls.slice(3)].map((some) => ({
      setup,
      mode,
      worker: workerOf(mode),
      cells: faults.flatMap((fault) => some.map((call) => ({ call, fault }))),
    })),
  );
}

/** Prints each cell that is not as expected, and why. */
function printDifferences(found: readonly CellResult[], print: (line: string) => void): void {
  for (const result of found) {
    const { call, fault, mode, cell, attempts, ms, said, reasons } = result;
    const setup = setups.find(({ id }) => id === result.setup);
    const expected = setup && mode === 'byDefault' ? expectedOf(setup, call, fault) : '✓';
    if (cell === expected) continue;
    const seen = `${attempts} attempts, ${ms} ms, ${said}`;
    print(
      `${result.setup} ${mode} ${call.name}/${fault.name}: ${cell}, expected ${expected} (${seen}) ${reasons.join(' | ')}`,
    );
  }
}
