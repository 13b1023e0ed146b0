import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that package.json and the fixtures lie in, wherever in it this was bundled to. */
export const packageFolder = folderAbove(fileURLToPath(import.meta.url));

function folderAbove(path: string): string {
  const folder = dirname(path);
  return existsSync(join(folder, 'package.json')) || folder === path ? folder : folderAbove(folder);
}

let known: string | undefined;

/** The version of this package. */
export function packageVersion(): string {
  known ??= String(JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version);
  return known;
}
