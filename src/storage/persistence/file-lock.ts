import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import * as z from '../../core/validation/deferred-zod.ts';
import { InputError, InUseError } from '../../core/lib/input-error.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { isProcessRunning, processFields } from '../../platform/running-processes.ts';
import { systemErrorCode } from './corruption.ts';

/** Identifies the process that holds a saved state. */
const ownerSchema = z.object({
  pid: z.int().min(1),
  host: z.string(),
  /** Holds the start time of the process, as its machine reports it: pids are reused. */
  started: z.string().nullable(),
});
type LockOwner = z.infer<typeof ownerSchema>;

/** Saved states hold keys of webhooks. */
const privateMode = 0o600;

/** Lists the saved states that this process has open. */
const ownFiles = new Set<string>();

function isRunning({ pid, started }: LockOwner): boolean {
  if (!isProcessRunning(pid)) return false;
  const { started: now } = processFields(pid);
  return started === null || now === undefined || now === started;
}

/** Lets one process at a time open a saved state: the one that the file `….lock` next to it names. */
export class FileLock {
  readonly #file: string;
  readonly #path: string;
  readonly #owner: string;

  private constructor(file: string, path: string) {
    this.#file = file;
    this.#path = path;
    const { started = null } = processFields(process.pid);
    this.#owner = `${JSON.stringify({ pid: process.pid, host: hostname(), started } satisfies LockOwner)}\n`;
  }

  /** Takes the lock of a saved state, also from a process that has ended. Throws `InUseError` when another holds it. */
  static take(file: string): FileLock {
    if (ownFiles.has(file))
      throw new InUseError(`${file} is open in this process already; close that simulator first.`);
    const lock = new FileLock(file, `${file}.lock`);
    lock.#take();
    ownFiles.add(file);
    return lock;
  }

  release(): void {
    ownFiles.delete(this.#file);
    this.#remove();
  }

  #take(): void {
    if (this.#create()) return;
    this.#checkOwner();
    // Of all who find an owner that has ended, one at a time looks again and puts itself in its place. That one may be
    // killed as well: its own lock is then taken over in the same way.
    const guard = new FileLock(this.#file, `${this.#path}.lock`);
    guard.#take();
    try {
      if (!this.#takeOver()) throw this.#heldBy('another process that has just begun');
    } finally {
      guard.#remove();
    }
  }

  /** Replaces an owner that has ended, with no moment in between at which there is no lock. */
  #takeOver(): boolean {
    if (this.#read() === undefined) return this.#create();
    this.#checkOwner();
    const temporary = `${this.#path}.tmp`;
    writeFileSync(temporary, this.#owner, { mode: privateMode });
    replaceFile(temporary, this.#path);
    return true;
  }

  #remove(): void {
    if (this.#read() === this.#owner) rmSync(this.#path, { force: true });
  }

  /** Creates the lock, if there is none: at once with its owner in it, so that nobody finds it empty after a kill. */
  #create(): boolean {
    const own = `${this.#path}.${hostname()}-${process.pid}`;
    try {
      writeFileSync(own, this.#owner, { mode: privateMode, flush: true });
      linkSync(own, this.#path);
      return true;
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === 'EEXIST') return false;
      // Not all file systems have links.
      if (existsSync(own)) return this.#createWithoutLink();
      throw this.#unwritable(error);
    } finally {
      rmSync(own, { force: true });
    }
  }

  #createWithoutLink(): boolean {
    try {
      writeFileSync(this.#path, this.#owner, { flag: 'wx', mode: privateMode });
      return true;
    } catch (error) {
      if (systemErrorCode(error) === 'EEXIST') return false;
      rmSync(this.#path, { force: true });
      throw this.#unwritable(error);
    }
  }

  #read(): string | undefined {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch {
      return undefined;
    }
  }

  #checkOwner(): void {
    const text = this.#read();
    if (text === undefined) return;
    const owner = parseOwner(text);
    const isElsewhere = owner !== undefined && owner.host !== hostname();
    // This process doesn't have it open, so an earlier one had the same pid, as after a container's restart.
    if (owner && !isElsewhere && (owner.pid === process.pid || !isRunning(owner))) return;
    const holder = owner
      ? `process ${owner.pid}${isElsewhere ? ` on ${owner.host}` : ''}`
      : 'a process it does not name';
    const otherwise = isElsewhere || !owner ? ` If that has ended, remove ${this.#path}.` : '';
    throw this.#heldBy(holder, otherwise);
  }

  #heldBy(holder: string, otherwise = ''): InUseError {
    return new InUseError(
      `${this.#file} is in use: ${this.#path} says by ${holder}. Stop that one, or name another file.${otherwise}`,
    );
  }

  #unwritable(error: unknown): InputError {
    const folder = dirname(this.#file);
    const missing = systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR';
    const reason = missing
      ? 'there is no such folder; make it'
      : `nothing can be written there (${systemErrorCode(error)}); allow it`;
    return new InputError(`The state can't be saved in ${folder}: ${reason}, or name a file elsewhere.`);
  }
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    return ownerSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
