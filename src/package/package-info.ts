import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Holds the folder of package.json and the fixtures, wherever in it this file was bundled to. */
export const packageFolder = folderAbove(fileURLToPath(import.meta.url));

function folderAbove(path: string): string {
  const folder = dirname(path);
  return existsSync(join(folder, 'package.json')) || folder === path ? folder : folderAbove(folder);
}

let known: string | undefined;

/** Returns the version of this package. */
export function packageVersion(): string {
  known ??= String(JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version);
  return known;
}
