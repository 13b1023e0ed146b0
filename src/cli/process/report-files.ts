/** Files that reports go to: tried before anything runs, and written when it is over. */
import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InputError } from '../../core/lib/input-error.ts';

/** Throws `InputError` when a report can't be written there: then no run is worth it. One of an earlier run is removed. */
export function prepareReportFiles(files: readonly string[]): void {
  for (const file of files) {
    const twice = files.filter((other) => resolve(other) === resolve(file)).length > 1;
    if (twice) throw new InputError(`--report: ${file} is named for two reports; give each a file of its own`);
    withReportErrors(file, () => {
      makeFolder(dirname(resolve(file)));
      tryOut(file);
    });
  }
}

export const writeReport = (file: string, text: string): void =>
  withReportErrors(file, () => writeFileSync(file, text));

/** One after the other: Node's own way to make several never comes to an end in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Leaves nothing behind, but what is no file of its own, such as /dev/null or a pipe. */
function tryOut(file: string): void {
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
  // A pipe that nobody reads from would keep us waiting.
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK);
  const isFile = fstatSync(descriptor).isFile();
  closeSync(descriptor);
  if (isFile) rmSync(file);
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'that is not allowed here; name a place that you may write to',
  EPERM: 'that is not allowed here; name a place that you may write to',
  EROFS: 'nothing can be written there; name another place',
  ENOTDIR: 'a part of its path is a file; name a folder there',
  ENOENT: 'there is no such folder, and none can be made; name another',
  ENXIO: 'nobody reads from this pipe',
  ENOSPC: 'there is no room left',
  ENAMETOOLONG: 'the name is too long',
};

/** Throws an `InputError` in our words. */
export function withReportErrors(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new InputError(`--report: ${file} can't be written: ${reasons[code] ?? message}`);
  }
}
