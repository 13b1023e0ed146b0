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

/** Sets the length above which a log is compacted into a snapshot, in bytes. */
const minCompactedLength = 8 * 1024 * 1024;
/** Limits the snapshot that is written while the program exits, in bytes. */
const maxSnapshotOnExit = 4 * 1024 * 1024;

export interface StateFilesOptions {
  readonly file: string;
  /** Receives warnings that are reported nowhere else. */
  readonly onWarning: (message: string) => void;
}

/** Keeps the three files of a saved state: a snapshot, the log of later commits, and the lock. */
export class StateFiles {
  readonly file: string;
  readonly logFile: string;
  readonly #lock: FileLock;
  readonly #snapshot: SnapshotFile;
  readonly #db: Low<StateSnapshot>;
  readonly #onWarning: (message: string) => void;
  /** Stays undefined before `start` and after `close`. */
  #log: CommitLog | undefined;
  /** Holds the number of the last commit in the snapshot. */
  #inSnapshot = 0;
  /** Holds the length of the log's complete commits, in bytes. */
  #completeLength = 0;
  #compactAbove = minCompactedLength;
  #compacting: Promise<void> | undefined;

  private constructor({ file, onWarning }: StateFilesOptions) {
    // Locks and replaces the file itself, not a link to it.
    this.file = existsSync(file) ? realpathSync(file) : resolve(file);
    this.logFile = `${this.file}.log`;
    this.#onWarning = onWarning;
    this.#lock = FileLock.take(this.file);
    this.#snapshot = new SnapshotFile(this.file);
    const empty = { id: '', logAfter: null, sequence: 0, seeds: new Map(), tenants: new Map() };
    this.#db = new Low<StateSnapshot>(this.#snapshot, empty);
  }

  /** Reads the state that an earlier run saved. Throws `InputError` when it can't be used, and doesn't change it. */
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

  /** Returns the saved state. */
  get content(): PersistedState {
    return this.#db.data;
  }

  /** True when nothing was saved yet. */
  get isNew(): boolean {
    return !this.#snapshot.exists;
  }

  /** Opens the log for appending; writes a snapshot first when nothing was saved yet. */
  async start(): Promise<void> {
    this.#lock.check();
    this.#snapshot.tidy();
    const { data } = this.#db;
    if (this.isNew) await this.#writeSnapshot();
    if (this.#completeLength > 0) {
      this.#log = CommitLog.resume(this.logFile, this.#completeLength);
    } else {
      this.#log = CommitLog.begin(this.logFile, data.id);
      data.logAfter = data.id;
    }
    this.#compactAbove = Math.max(minCompactedLength, 2 * this.#snapshot.size);
    // Edited by hand, or by another build: the rows are read one by one only once.
    if (this.#snapshot.lacksIndex) await this.#tryCompacting(this.#log);
    this.#compactIfLong();
  }

  /**
   * Writes a commit to the log, then changes the content to match. When it returns, the operating system has the
   * commit, so that it survives the end of this process.
   */
  append(entry: PersistedEntry, change: (content: PersistedState) => void): void {
    if (!this.#log) throw new Error('the saved state is not open');
    const n = this.content.sequence + 1;
    this.#log.append(n, entry);
    this.content.sequence = n;
    change(this.content);
    this.#compactIfLong();
  }

  /** Closes the files quickly: a long log is left for the next run. */
  async close(): Promise<void> {
    const log = this.#log;
    this.#log = undefined;
    this.#snapshot.stop();
    await this.#compacting;
    const isBehind = this.content.sequence > this.#inSnapshot;
    if (log && isBehind && log.size + this.#snapshot.size < maxSnapshotOnExit) await this.#tryCompacting(log);
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
    if (this.#completeLength === size) return;
    const lost = size - this.#completeLength;
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
    const replayer = new StateReplayer(data, this.logFile);
    let last: Commit | undefined;
    for (const commit of readCommits(this.logFile)) {
      checkOrder(commit, last?.n, this.#inSnapshot);
      last = commit;
      if (commit.n <= this.#inSnapshot) continue;
      for (const part of commit.parts) replayer.add(part);
      data.sequence = commit.n;
    }
    replayer.finish();
    data.logAfter = start.after;
    this.#completeLength = last?.end ?? start.end;
  }

  #compactIfLong(): void {
    const log = this.#log;
    if (!log || this.#compacting || log.size <= this.#compactAbove) return;
    this.#compacting = this.#compactSoon(log).finally(() => {
      this.#compacting = undefined;
    });
  }

  /** Compacts after the present commit is complete: only its first half may be in the log. */
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
      this.#compactAbove = Math.max(minCompactedLength, 2 * this.#snapshot.size);
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
    // Need not be random: it distinguishes this file from those that it could be mistaken for.
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

function checkOrder({ n, location }: Commit, last: number | undefined, inSnapshot: number): void {
  const expected = (last ?? inSnapshot) + 1;
  // Until it restarts, a log still holds commits that are in the snapshot too.
  if (n === expected || (last === undefined && n < expected)) return;
  throw corrupt(location, `n: must be commit ${expected}, not ${n}`);
}

function dropUnusedSeeds({ seeds, tenants }: PersistedState): void {
  const used = new Set([...tenants.values()].map(({ seed }) => seed));
  for (const seed of seeds.keys()) if (!used.has(seed)) seeds.delete(seed);
}
