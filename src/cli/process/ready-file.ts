import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { InputError } from '../../core/lib/input-error.ts';

/** A file that is there as long as a simulator is ready. */
interface ReadyFile {
  readonly write: (line: string) => void;
  readonly remove: () => void;
}

/** The ready file at a path. What a run that was killed left behind there is taken away at once. */
export function openReadyFile(path: string | undefined): ReadyFile {
  if (path === undefined) return { write: () => {}, remove: () => {} };
  checkReplaceable(path);
  if (!isAlive(writerOf(path))) rmSync(path, { force: true });
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

/** What somebody else keeps there must not be lost to a slip; an empty file may have been made to be filled. */
function checkReplaceable(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw new InputError(`The ready file ${path} can't be written: there is something that is no file; name another.`);
  }
  if (contentOf(path).trim() === '' || writerOf(path) !== undefined) return;
  throw new InputError(`The ready file ${path} is there already and is no ready file; name another, or remove it.`);
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** So that whoever waits for it never sees half of it. */
function writeWhole(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(unfinished, text);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new InputError(`The ready file ${path} can't be written: ${error instanceof Error ? error.message : error}.`);
  }
}

/** The process that wrote a ready file; undefined for anything else. */
function writerOf(path: string): number | undefined {
  try {
    const { event, pid } = JSON.parse(contentOf(path));
    return event === 'ready' && Number.isInteger(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
