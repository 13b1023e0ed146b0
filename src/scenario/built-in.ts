/** Finds built-in scenarios by name. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError } from '../core/lib/input-error.ts';
import { didYouMean } from '../core/lib/suggest.ts';
import { packageFolder } from '../package/package-info.ts';
import { siblingNames } from '../storage/fixtures/fixture-files.ts';

const folder = join(packageFolder, 'scenarios');
const extension = '.yaml';

/** True for a name: it has no dot and no slash, which a path to a file has. */
export const isScenarioName = (named: string): boolean => !/[./\\]/.test(named);

export const builtInScenarios = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => name.slice(0, -extension.length))
    .toSorted();

/** Returns the path of a scenario, given by path or by name. Throws `InputError` when nothing is there. */
export function resolveScenarioPath(named: string): string {
  const path = isScenarioName(named) ? join(folder, `${named}${extension}`) : named;
  if (existsSync(path)) return path;
  if (isScenarioName(named)) throw new InputError(noneShipped(named));
  throw new InputError(`scenario: there is no file ${named}${didYouMean(basename(named), siblingNames(named))}`);
}

function noneShipped(named: string): string {
  const names = builtInScenarios();
  const hint = didYouMean(named, names) || `; there are ${names.join(', ')}`;
  return `scenario: "${named}" is not a built-in scenario${hint}${hint.endsWith('?') ? '' : '.'} A file of your own is named with its folder or ending, as ./${named}.yaml`;
}
