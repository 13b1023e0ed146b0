import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import * as z from 'zod';
import { InputError, InUseError } from '../../core/lib/input-error.ts';
import { systemErrorCode } from './corruption.ts';

/** Who holds a saved state. */
const ownerSchema = z.object({
  pid: z.int().min(1),
  host: z.string(),
  /** When that process started, as its machine tells it: another process may be given the same pid later. */
  started: z.string().nullable(),
});
type LockOwner = z.infer<typeof ownerSchema>;

/** The saved states that this very process has open. */
const ownFiles = new Set<string>();

/** State and start of a process, where the machine tells them in /proc. */
function processFields(pid: number): { readonly state?: string | undefined; readonly started?: string | undefined } {
  try {
    // proc_pid_stat(5): the second field is a name in brackets that may hold anything; state is the third, start the 22nd.
    const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const [state, ...others] = fields.split(' ');
    return { state, started: others[18] };
  } catch {
    return {};
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there is such a process, and it is somebody else's.
    return systemErrorCode(error) === 'EPERM';
  }
}

function isRunning({ pid, started }: LockOwner): boolean {
  if (!exists(pid)) return false;
  const now = processFields(pid);
  // Z: it has ended, and its parent hasn't looked yet.
  return now.state !== 'Z' && (started === null || now.started === undefined || now.started === started);
}

/** One process at a time has a saved state open: the one that the file `….lock` beside it names. */
export class FileLock {
  readonly #file: string;
  readonly #path: string;
  readonly #owner: string;

  private constructor(file: string) {
    this.#file = file;
    this.#path = `${file}.lock`;
    const { started = null } = processFields(process.pid);
    this.#owner = `${JSON.stringify({ pid: process.pid, host: hostname(), started } satisfies LockOwner)}\n`;
  }

  /** Takes the lock of a saved state, over from a process that has ended if need be. Throws `InUseError` when another holds it. */
  static take(file: string): FileLock {
    const lock = new FileLock(file);
    if (ownFiles.has(file))
      throw new InUseError(`${file} is open in this process already; close that simulator first.`);
    if (!lock.#create()) {
      lock.#checkOwner();
      rmSync(lock.#path, { force: true });
      lock.#create();
    }
    ownFiles.add(file);
    return lock;
  }

  /** Should two processes take over the same lock at the same moment, the later one has it. */
  check(): void {
    if (this.#read() !== this.#owner) this.#checkOwner();
  }

  release(): void {
    ownFiles.delete(this.#file);
    if (this.#read() === this.#owner) rmSync(this.#path, { force: true });
  }

  #create(): boolean {
    try {
      writeFileSync(this.#path, this.#owner, { flag: 'wx' });
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
    // This process doesn't have it open, so its own pid is that of an earlier one, as after a container's restart.
    if (owner && !isElsewhere && (owner.pid === process.pid || !isRunning(owner))) return;
    const holder = owner
      ? `process ${owner.pid}${isElsewhere ? ` on ${owner.host}` : ''}`
      : 'a process it does not name';
    const otherwise = isElsewhere || !owner ? ` If that has ended, remove ${this.#path}.` : '';
    throw new InUseError(
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
