import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Flags } from '../../config/config.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { compilePathTemplate } from '../../core/exchange/path-template.ts';

/** The files that paths mean, in which the last part may hold stars. Throws `InputError` when one means none. */
export function expandScenarioPaths(given: Flags[string]): string[] {
  const patterns = typeof given === 'object' ? given : typeof given === 'string' ? [given] : [];
  return patterns.flatMap((pattern) => (pattern.includes('*') ? filesOf(pattern) : [pattern]));
}

function filesOf(pattern: string): string[] {
  const folder = dirname(pattern);
  if (folder.includes('*')) {
    throw new InputError(`--matrix: "${pattern}": only the last part of a path may hold a star`);
  }
  const fits = compilePathTemplate(pattern);
  const found = namesIn(folder)
    .map((name) => (pattern.startsWith('./') ? `./${join(folder, name)}` : join(folder, name)))
    .filter((path) => fits(path));
  if (found.length === 0) throw new InputError(`--matrix: no file is meant by "${pattern}"`);
  return found.toSorted();
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    throw new InputError(`--matrix: there is no folder ${folder}`);
  }
}
