/** Checks report files before anything runs, and writes them at the end. */
import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InputError } from '../../core/lib/input-error.ts';

/** Removes reports of an earlier run. Throws `InputError` when one can't be written, before anything runs. */
export function prepareReportFiles(files: readonly string[]): void {
  for (const file of files) {
    const twice = files.filter((other) => resolve(other) === resolve(file)).length > 1;
    if (twice) throw new InputError(`--report: ${file} is named for two reports; give each a file of its own`);
    withReportErrors(file, () => {
      makeFolder(dirname(resolve(file)));
      checkWritable(file);
    });
  }
}

export const writeReport = (file: string, text: string): void =>
  withReportErrors(file, () => writeFileSync(file, text));

/** Creates folders one by one: Node's recursive way never returns in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Opens the file and removes it again, unless it is something like /dev/null or a pipe. */
function checkWritable(file: string): void {
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
  // Opening a pipe without a reader would block.
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK);
  const isFile = fstatSync(descriptor).isFile();
  closeSync(descriptor);
  if (isFile) rmSync(file);
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'permission denied; name a place that you may write to',
  EPERM: 'permission denied; name a place that you may write to',
  EROFS: 'nothing can be written there; name another place',
  ENOTDIR: 'a part of its path is a file; name a folder there',
  ENOENT: 'there is no such folder, and none can be made; name another',
  ENXIO: 'nobody reads from this pipe',
  ENOSPC: 'there is no room left',
  ENAMETOOLONG: 'the name is too long',
};

/** Rethrows an error of the file system as an `InputError` with the way out. */
export function withReportErrors(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new InputError(`--report: ${file} can't be written: ${reasons[code] ?? message}`);
  }
}
