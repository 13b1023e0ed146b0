/** Loads scripts: scenarios with steps, and the locations of their parts. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../core/lib/input-error.ts';
import { readScenarioFile } from '../scenario/load.ts';
import { resolveScenarioPath } from '../scenario/built-in.ts';
import type { Script } from './run-script.ts';

/** Loads files, folders of files, or built-in scenarios by name. Throws `InputError` that lists every mistake in all of them. */
export function loadScripts(named: readonly string[]): Script[] {
  const wrong: string[] = [];
  const scripts = named.flatMap(filesOf).flatMap((file): Script[] => {
    try {
      return [loadScript(file)];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      wrong.push(error.message);
      return [];
    }
  });
  if (wrong.length > 0) throw new InputError(wrong.join('\n'));
  return scripts;
}

const scenarioFile = /\.(ya?ml|json)$/i;

function filesOf(named: string): string[] {
  if (statSync(named, { throwIfNoEntry: false })?.isDirectory() !== true) return [named];
  const files = readdirSync(named).filter((name) => scenarioFile.test(name));
  if (files.length === 0) throw new InputError(`run: the folder ${named} has no scenario files, as one.yaml`);
  return files.toSorted().map((name) => join(named, name));
}

function loadScript(named: string): Script {
  const path = resolveScenarioPath(named);
  const { spec, warnings, locate } = readScenarioFile(path);
  return {
    file: path,
    spec,
    warnings,
    locationOf: (inner) => {
      const { line, column } = locate(inner);
      return `${path}:${line}:${column}`;
    },
  };
}
