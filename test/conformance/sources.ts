import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Source {
  readonly path: string;
  readonly text: string;
}

/** The texts of the product's own code, but for the lists that codes and assumptions are declared in. */
export const sources: readonly Source[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => join('src', name))
  .filter((path) => path.endsWith('.ts') && !/service\/(errors|assumptions)\/catalog\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
