/** Runs a tenth of the retry atlas again: what it has found of the libraries that this machine has still holds. */
import { existsSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sim } from '../../src/simulator/sim.ts';
import { calls, faults } from './cells.ts';
import { versionsOf } from './install.ts';
import { atlasPages, recipeLines } from './page.ts';
import { pathOf, prepare } from './programs.ts';
import type { Mode } from './programs.ts';
import { attemptsOf, resultOf, resultsSchema } from './results.ts';
import type { SetupResults } from './results.ts';
import { runLane, runLanes } from './runner.ts';
import type { Cell, CellResult, Lane } from './runner.ts';
import { setups } from './setups/index.ts';
import type { Setup } from './setup.ts';
import { startSim } from '../support/open-sim.ts';

const results = resultsSchema.parse(JSON.parse(readFileSync(pathOf('results.json'), 'utf8')));
const versions = versionsOf(setups);

/** True for the same tenth each time. */
const isInTenth = (setup: Setup, mode: Mode, { call, fault }: Cell): boolean => {
  const digest = createHash('sha256').update(`${setup.id}/${mode}/${call.name}/${fault.name}`).digest();
  return digest.readUInt32BE() % 10 === 0;
};

/** True for what takes seconds: a client that waits for a timeout, or that repeats often. */
const isSlow = (found: SetupResults, { call, fault }: Cell): boolean =>
  fault.name === 'hang' || attemptsOf(found, call.name, fault.name) > 3;

const modes: readonly Mode[] = ['byDefault', 'recipe'];

const cellsOf = (setup: Setup, mode: Mode): Cell[] => {
  const found = results[setup.id];
  if (!found?.[mode]) return [];
  return calls
    .flatMap((call) => faults.map((fault) => ({ call, fault })))
    .filter((cell) => isInTenth(setup, mode, cell) && !isSlow(found, cell));
};

const isHere = ({ id }: Setup): boolean => versions.get(id) !== undefined && versions.get(id) === results[id]?.version;

const expectedOf = ({ setup, mode, call, fault }: CellResult): string | undefined => {
  const found = results[setup];
  return found && resultOf(found, mode, call.name, fault.name);
};

describe('a tenth of the atlas', () => {
  const found: CellResult[] = [];
  let sim: Sim;

  /** Tries a cell that differs again, twice: on a busy machine a client, or the simulator, may be late. */
  async function settle(lane: Lane, result: CellResult): Promise<CellResult> {
    let last = result;
    for (let time = 0; time < 2 && last.cell !== expectedOf(last); time++) {
      const [again] = await runLane(sim, { ...lane, cells: [result] });
      last = again ?? last;
    }
    return last;
  }

  beforeAll(async () => {
    sim = await startSim();
    await sim.listen();
    const lanes = setups.filter(isHere).flatMap((setup) => {
      const workerOf = prepare(setup);
      return modes.map((mode) => ({ setup, mode, worker: workerOf(mode), cells: cellsOf(setup, mode) }));
    });
    const first = await runLanes(
      sim,
      lanes.filter(({ cells }) => cells.length > 0),
      { atOnce: 24 },
    );
    for (const result of first) {
      const lane = lanes.find(({ setup, mode }) => setup.id === result.setup && mode === result.mode);
      found.push(lane ? await settle(lane, result) : result);
    }
    // Some 400 cells, each with limits of its own; a machine that is busy with other things takes minutes for them.
  }, 600_000);
  afterAll(() => sim.close());

  for (const setup of setups) {
    it.skipIf(!isHere(setup))(`${setup.title} does what it did`, () => {
      const changed = found
        .filter((result) => result.setup === setup.id && result.cell !== expectedOf(result))
        .map(
          (one) =>
            `${one.mode} ${one.call.name}/${one.fault.name}: ${one.cell}, not ${expectedOf(one)}: ${one.reasons.join(' | ')}`,
        );
      expect(changed).toEqual([]);
    });
  }
});

describe('the retry atlas', () => {
  it('has found something of every set-up', () => {
    expect(Object.keys(results)).toEqual(setups.map(({ id }) => id));
  });

  it('has written its pages from what it has found', () => {
    const stale = Object.entries(atlasPages(results)).filter(
      ([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text,
    );
    expect(stale.map(([path]) => path)).toEqual([]);
  });

  it('has a recipe of at most 30 lines for each library, which passes', () => {
    const wrong = setups
      .filter(({ recipeOf }) => recipeOf === undefined)
      .flatMap(({ id, file }) => {
        const count = recipeLines(readFileSync(pathOf(`clients/${file}`), 'utf8')).length;
        const rows = Object.values(results[id]?.recipe ?? {});
        const isPassed = rows.length === calls.length && rows.every((row) => /^[✓ ]+$/.test(row));
        return count > 0 && count <= 30 && isPassed ? [] : [`${id}: ${count} lines, ${isPassed ? 'passes' : 'fails'}`];
      });
    expect(wrong).toEqual([]);
  });
});
