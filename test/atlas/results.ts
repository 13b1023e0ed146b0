/** Reads and writes what the atlas has found: the cells of each set-up, a row for each request. */
import * as z from '../../src/core/validation/deferred-zod.ts';
import { callNames, calls, faultNames, faults } from './cells.ts';
import type { CallName, FaultName } from './cells.ts';
import type { Mode } from './programs.ts';
import type { CellResult } from './runner.ts';
import { setups } from './setups/index.ts';

const rowsSchema = z.record(z.enum(callNames), z.string());

export const resultsSchema = z.record(
  z.string(),
  z.strictObject({
    version: z.string(),
    byDefault: rowsSchema,
    attempts: rowsSchema.describe('How often each request arrived'),
    recipe: rowsSchema.optional(),
  }),
);

export type Results = z.infer<typeof resultsSchema>;

export type SetupResults = Results[string];

const rowsOf = (own: readonly CellResult[], textOf: (result: CellResult) => string): Record<CallName, string> =>
  Object.fromEntries(
    calls.map((call) => [
      call.name,
      faults
        .map((fault) => own.find((one) => one.call === call && one.fault === fault))
        .map((result) => (result ? textOf(result) : '-'))
        .join(' '),
    ]),
  ) as Record<CallName, string>;

/** What a recipe did before, when only the default was run. */
const kept = (before: SetupResults | undefined): Pick<SetupResults, 'recipe'> =>
  before?.recipe ? { recipe: before.recipe } : {};

/** Puts new results in the place of the old ones of the same set-ups. */
export function mergeResults(
  before: Results,
  found: readonly CellResult[],
  versions: ReadonlyMap<string, string>,
): Results {
  const merged = setups.map(({ id }) => {
    const own = found.filter(({ setup }) => setup === id);
    if (own.length === 0) return [id, before[id]] as const;
    const byDefault = own.filter(({ mode }) => mode === 'byDefault');
    const recipe = own.filter(({ mode }) => mode === 'recipe');
    const results: SetupResults = {
      version: versions.get(id) ?? '',
      byDefault: rowsOf(byDefault, ({ cell }) => cell),
      attempts: rowsOf(byDefault, ({ attempts }) => String(attempts)),
      ...(recipe.length > 0 ? { recipe: rowsOf(recipe, ({ cell }) => cell) } : kept(before[id])),
    };
    return [id, results] as const;
  });
  return Object.fromEntries(merged.filter((entry): entry is [string, SetupResults] => entry[1] !== undefined));
}

/** A cell of a row. */
const cellIn = (row: string | undefined, fault: FaultName): string => row?.split(' ')[faultNames.indexOf(fault)] ?? '-';

/** A cell of a set-up. */
export const resultOf = (results: SetupResults, mode: Mode, call: CallName, fault: FaultName): string =>
  cellIn(results[mode]?.[call], fault);

/** How often a request arrived. */
export const attemptsOf = (results: SetupResults, call: CallName, fault: FaultName): number =>
  Number(cellIn(results.attempts[call], fault));
