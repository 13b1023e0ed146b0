import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Low } from 'lowdb';
import { Clock } from '../../core/time/clock.ts';
import { seededGuid } from '../../core/lib/random.ts';
import type { PersistedState } from './persisted-state.ts';
import { corrupt, errorMessage } from './corruption.ts';
import type { PersistedEntry } from './persisted-entry.ts';
import { StateReplayer } from './replay.ts';
import { FileLock } from './file-lock.ts';
import { readCommits, CommitLog, readLogStart } from './commit-log.ts';
import type { Commit } from './commit-log.ts';
import { SnapshotFile } from './snapshot-file.ts';
import type { StateSnapshot } from './snapshot-file.ts';

/** A log shorter than this is not worth writing a snapshot for, in bytes. */
const shortLog = 8 * 1024 * 1024;
/** What can be written in passing while the program ends, in bytes. */
const writtenInPassing = 4 * 1024 * 1024;

export interface StateFilesOptions {
  readonly file: string;
  /** Told of what a person should know and nothing else would tell. */
  readonly onWarning: (note: string) => void;
}

/** Three files that belong together: a snapshot, the log of what came after it, and the lock that keeps others away. */
export class StateFiles {
  readonly file: string;
  readonly logFile: string;
  readonly #lock: FileLock;
  readonly #snapshot: SnapshotFile;
  readonly #db: Low<StateSnapshot>;
  readonly #onWarning: (note: string) => void;
  /** There is none before `start` and after `close`. */
  #log: CommitLog | undefined;
  /** The last commit that is in the snapshot. */
  #inSnapshot = 0;
  /** Up to where the log that was found is good, in bytes. */
  #goodLength = 0;
  #compactAbove = shortLog;
  #compacting: Promise<void> | undefined;

  private constructor({ file, onWarning }: StateFilesOptions) {
    // What is locked and replaced is the file itself, not a link to it.
    this.file = existsSync(file) ? realpathSync(file) : resolve(file);
    this.logFile = `${this.file}.log`;
    this.#onWarning = onWarning;
    this.#lock = FileLock.take(this.file);
    this.#snapshot = new SnapshotFile(this.file);
    const nothing = { id: '', logAfter: null, sequence: 0, seeds: new Map(), tenants: new Map() };
    this.#db = new Low<StateSnapshot>(this.#snapshot, nothing);
  }

  /** Reads what an earlier run saved. Throws `InputError` when it can't be used, and leaves it is. */
  static async open(options: StateFilesOptions): Promise<StateFiles> {
    const files = new StateFiles(options);
    try {
      await files.#read();
      return files;
    } catch (error) {
      files.#lock.release();
      throw error;
    }
  }

  /** What is saved. */
  get content(): PersistedState {
    return this.#db.data;
  }

  /** Whether nothing was saved yet. */
  get isNew(): boolean {
    return !this.#snapshot.exists;
  }

  /** From here on there is a log to append to; when all is new, a snapshot of the content is written first. */
  async start(): Promise<void> {
    this.#lock.check();
    this.#snapshot.tidy();
    const { data } = this.#db;
    if (this.isNew) await this.#writeSnapshot();
    if (this.#goodLength > 0) {
      this.#log = CommitLog.resume(this.logFile, this.#goodLength);
    } else {
      this.#log = CommitLog.begin(this.logFile, data.id);
      data.logAfter = data.id;
    }
    this.#compactAbove = Math.max(shortLog, 2 * this.#snapshot.size);
    this.#compactIfLong();
  }

  /**
   * Writes a commit down, and then changes the content to match. When this returns, the operating system has it: the
   * end of this process doesn't lose it.
   */
  append(entry: PersistedEntry, change: (content: PersistedState) => void): void {
    if (!this.#log) throw new Error('the saved state is not open');
    const n = this.content.sequence + 1;
    this.#log.append(n, entry);
    this.content.sequence = n;
    change(this.content);
    this.#compactIfLong();
  }

  /** Ends in good order, and quickly: a long log is left for the next run. */
  async close(): Promise<void> {
    const log = this.#log;
    this.#log = undefined;
    this.#snapshot.stop();
    await this.#compacting;
    const isBehind = this.content.sequence > this.#inSnapshot;
    if (log && isBehind && log.size + this.#snapshot.size < writtenInPassing) await this.#tryCompacting(log);
    log?.close();
    this.#lock.release();
  }

  async #read(): Promise<void> {
    if (this.isNew) {
      if (!existsSync(this.logFile)) return;
      throw corrupt({ file: this.logFile }, `this is there without ${this.file}, which it belongs to`);
    }
    await this.#db.read();
    this.#inSnapshot = this.content.sequence;
    this.#readLog();
    const size = statSync(this.logFile, { throwIfNoEntry: false })?.size ?? 0;
    if (this.#goodLength === size) return;
    const lost = size - this.#goodLength;
    this.#onWarning(
      `${this.logFile}: its last ${lost} bytes are left out: writing them was cut short, so no caller was told.`,
    );
  }

  #readLog(): void {
    const start = readLogStart(this.logFile);
    if (!start) return;
    const { data } = this.#db;
    if (start.after !== data.id && start.after !== data.logAfter) {
      throw corrupt({ file: this.logFile, line: 1 }, `this goes with another file than the ${this.file} that is there`);
    }
    const fold = new StateReplayer(data, this.logFile);
    let last: Commit | undefined;
    for (const commit of readCommits(this.logFile)) {
      checkOrder(commit, last?.n, this.#inSnapshot);
      last = commit;
      if (commit.n <= this.#inSnapshot) continue;
      for (const part of commit.parts) fold.add(part);
      data.sequence = commit.n;
    }
    fold.finish();
    data.logAfter = start.after;
    this.#goodLength = last?.end ?? start.end;
  }

  #compactIfLong(): void {
    const log = this.#log;
    if (!log || this.#compacting || log.size <= this.#compactAbove) return;
    this.#compacting = this.#compactSoon(log).finally(() => {
      this.#compacting = undefined;
    });
  }

  /** Not before the commit under way is complete: it may have come to its first half. */
  async #compactSoon(log: CommitLog): Promise<void> {
    await Promise.resolve();
    if (this.#log === log) await this.#tryCompacting(log);
  }

  async #tryCompacting(log: CommitLog): Promise<void> {
    try {
      const since = log.size;
      await this.#writeSnapshot();
      log.restartAfter(this.#db.data.id, since);
      this.#db.data.logAfter = this.#db.data.id;
      this.#compactAbove = Math.max(shortLog, 2 * this.#snapshot.size);
    } catch (error) {
      this.#compactAbove = 2 * log.size;
      if (error instanceof Error && error.name === 'AbortError') return;
      this.#onWarning(
        `${this.file}: no new snapshot could be written (${errorMessage(error)}); ${this.logFile} grows on.`,
      );
    }
  }

  async #writeSnapshot(): Promise<void> {
    const { data } = this.#db;
    dropUnusedSeeds(data);
    const { id, sequence } = data;
    // Need not be chance: it tells this file from the ones that it could be mistaken for.
    data.id = seededGuid(process.pid, `${this.file}/${sequence}`, new Clock().now());
    try {
      await this.#db.write();
      this.#inSnapshot = sequence;
    } catch (error) {
      data.id = id;
      throw error;
    }
  }
}

function checkOrder({ n, where }: Commit, last: number | undefined, inSnapshot: number): void {
  const expected = (last ?? inSnapshot) + 1;
  // Until it begins anew, a log goes on holding commits that are in the snapshot too.
  if (n === expected || (last === undefined && n < expected)) return;
  throw corrupt(where, `n: expected commit ${expected}, found ${n}`);
}

function dropUnusedSeeds({ seeds, tenants }: PersistedState): void {
  const used = new Set([...tenants.values()].map(({ seed }) => seed));
  for (const seed of seeds.keys()) if (!used.has(seed)) seeds.delete(seed);
}
