import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { InputError } from '../../core/lib/input-error.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { isProcessRunning } from '../../platform/running-processes.ts';

/** Keeps a file that exists as long as a simulator is ready. */
interface ReadyFile {
  readonly write: (line: string) => void;
  readonly remove: () => void;
}

/** Opens the ready file at a path, and removes one that a killed run left behind. */
export function openReadyFile(path: string | undefined): ReadyFile {
  if (path === undefined) return { write: () => {}, remove: () => {} };
  checkReplaceable(path);
  const writer = writerOf(path);
  if (writer === undefined || !isProcessRunning(writer)) rmSync(path, { force: true });
  let isOurs = false;
  return {
    write: (line) => {
      writeWhole(path, `${line}\n`);
      isOurs = true;
    },
    remove: () => {
      if (isOurs) rmSync(path, { force: true });
    },
  };
}

/** Throws `InputError` unless the path is free, an empty file or a ready file: no other file may be lost to a typo. */
function checkReplaceable(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw new InputError(
      `The ready file ${path} can't be written: the path exists and is not a regular file; name another.`,
    );
  }
  if (contentOf(path).trim() === '' || writerOf(path) !== undefined) return;
  throw new InputError(`The ready file ${path} exists already and is not a ready file; name another, or remove it.`);
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Writes the file in one step, so that nobody reads half of it. */
function writeWhole(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(unfinished, text);
    replaceFile(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new InputError(`The ready file ${path} can't be written: ${error instanceof Error ? error.message : error}.`);
  }
}

/** Returns the process that wrote a ready file; undefined for any other file. */
function writerOf(path: string): number | undefined {
  try {
    const { event, pid } = JSON.parse(contentOf(path));
    return event === 'ready' && Number.isInteger(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}
