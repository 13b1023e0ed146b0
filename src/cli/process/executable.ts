import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { InputError } from '../../core/lib/input-error.ts';

/** Throws `InputError` when a name, looked for in these folders, or a path is no program. */
export function assertExecutable(program: string, folders = ''): void {
  const paths = program.includes('/') ? [program] : folders.split(delimiter).map((folder) => join(folder, program));
  if (program !== '' && paths.some(canRun)) return;
  if (program !== '' && paths.some(isFile)) {
    throw new InputError(`"${program}" may not be run: it is not executable (chmod +x ${program}).`);
  }
  throw new InputError(`There is no program "${program}"; name one after --, as: -- npm test`);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
