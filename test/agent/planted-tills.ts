/** Tills with a planted defect each, for an agent to fix. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutants, mutate } from '../clients/mutants.mjs';
import type { Mutant } from '../clients/mutants.mjs';
import { tillPauses } from '../clients/shipped.mjs';
import { folderWith } from '../support/folders.ts';
import type { Workplace } from './scripted-agent.ts';

/** The rules of the ten, without R8: its tills wait for seconds in real time. */
const rulesOfTen = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7', 'R9', 'R10', 'R11'];

/** Ten defects that break ten rules: the first of each rule in the list of their author. */
export const tenTills: readonly Mutant[] = rulesOfTen.flatMap((rule) => mutants.find((one) => one.rule === rule) ?? []);

/** Reads a file by its path from the root, where a bundle finds it too. */
const textOf = (path: string): string => readFileSync(join('test', path), 'utf8');

/** Puts a till with the defect into a folder of its own, without the defect's name. */
export function workplaceOf(mutant: Mutant): Workplace {
  const { scenario, email, checkouts, linger, rounds } = mutant;
  const folder = folderWith({
    'till.mjs': mutate(textOf('clients/till.mjs'), mutant),
    'calls.mjs': textOf('clients/calls.mjs'),
    'quick-fetch.mjs': textOf('clients/quick-fetch.mjs'),
    'purchases.mjs': textOf('clients/purchases.mjs'),
    'shop.mjs': textOf('agent/shop.mjs'),
    'day.json': { ...tillPauses, email, checkouts, linger, rounds },
  });
  const file = join(folder, 'till.mjs');
  return {
    read: () => readFileSync(file, 'utf8'),
    write: (source) => writeFileSync(file, source),
    command: ['node', join(folder, 'shop.mjs')],
    scenario,
  };
}
