import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Low } from 'lowdb';
import { Clock, startMachineTimer } from '../../core/time/clock.ts';
import type { InputError } from '../../core/lib/input-error.ts';
import { seededGuid } from '../../core/lib/random.ts';
import type { State } from '../../core/state/state.ts';
import type { PersistedState } from './persisted-state.ts';
import { corrupt, errorMessage, linePlace } from './corruption.ts';
import type { PersistedEntry } from './persisted-entry.ts';
import { StateReplayer } from './replay.ts';
import { FileLock } from './file-lock.ts';
import { readCommits, CommitLog, readLogStart } from './commit-log.ts';
import type { LogEnd, LogMoment, LogStart } from './commit-log.ts';
import { Edits, noLines } from './line-sums.ts';
import { SnapshotFile } from './snapshot-file.ts';
import type { StateSnapshot } from './snapshot-file.ts';

/** Sets the length above which a log is compacted into a snapshot, in bytes. */
const minCompactedLength = 8 * 1024 * 1024;
/** Limits the snapshot that is written while the program exits, in bytes. */
const maxSnapshotOnExit = 4 * 1024 * 1024;
/** Sets the time after which a commit is forced to the disk, in ms. */
const forceInterval = 1000;

export interface StateFilesOptions {
  readonly file: string;
  /** Takes lines that were edited by hand. */
  readonly acceptEdits?: boolean | undefined;
  /** Forces each commit to the disk before it is responded to; otherwise all of them once a second. */
  readonly durable?: boolean | undefined;
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
  readonly #acceptEdits: boolean;
  readonly #isDurable: boolean;
  #isForcingLater = false;
  readonly #edits: Edits;
  /** Stays undefined before `start` and after `close`. */
  #log: CommitLog | undefined;
  /** Holds the number of the last commit in the snapshot. */
  #inSnapshot = 0;
  /** Holds the length of the log's complete commits, in bytes. */
  #completeLength = 0;
  #compactAbove = minCompactedLength;
  #compacting: Promise<void> | undefined;
  #isCalledOff = false;
  /** Counts by name who wants a seed to stay in the content although no tenant starts from it yet. */
  readonly #kept = new Map<string, number>();

  private constructor({ file, acceptEdits = false, durable = false, onWarning }: StateFilesOptions) {
    // Locks and replaces the file itself, not a link to it.
    this.file = existsSync(file) ? realpathSync(file) : resolve(file);
    this.logFile = `${this.file}.log`;
    this.#onWarning = onWarning;
    this.#acceptEdits = acceptEdits;
    this.#isDurable = durable;
    this.#edits = new Edits(acceptEdits);
    this.#lock = FileLock.take(this.file);
    this.#snapshot = new SnapshotFile(this.file, this.#edits);
    const empty = { id: '', logAfter: null, sequence: 0, logSum: noLines, seeds: new Map(), tenants: new Map() };
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
    this.#snapshot.tidy();
    CommitLog.tidy(this.logFile);
    const { data } = this.#db;
    if (this.isNew) await this.#writeSnapshot();
    if (this.#completeLength > 0) {
      const { sequence, logSum, logAfter } = data;
      const moment = { sequence, logSum };
      this.#log = CommitLog.resume(this.logFile, { size: this.#completeLength, moment, after: logAfter ?? data.id });
    } else {
      this.#log = CommitLog.begin(this.logFile, data.id, data);
      data.logAfter = data.id;
    }
    this.#compactAbove = Math.max(minCompactedLength, 2 * this.#snapshot.size);
    // Edited by hand, or by another build: the rows are read one by one only once.
    if (this.#snapshot.lacksIndex || this.#edits.places.length > 0)
      await this.#oneAtATime(this.#reportFailure(this.#log, this.#compact(this.#log)));
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
    Object.assign(this.#db.data, this.#log.moment);
    change(this.content);
    if (!this.#isDurable) this.#forceLater();
    this.#compactIfLong();
  }

  /** Resolves when all commits so far may be responded to; undefined when they may be at once. */
  saved(): Promise<void> | undefined {
    const log = this.#log;
    return !this.#isDurable || !log || log.isForced ? undefined : forceAll(log, this.content.sequence);
  }

  /**
   * Saves a seed by a new snapshot, which is written in turns; the next one holds it if it is kept, or a tenant starts from
   * it. Rejects when that fails: nothing is left of it then, in the content or on the disk.
   */
  async addSeed(name: string, state: State): Promise<void> {
    while (this.#compacting) await this.#compacting;
    const log = this.#log;
    if (!log || this.#isCalledOff) throw calledOff();
    this.content.seeds.set(name, state);
    try {
      await this.#oneAtATime(this.#compactOpen(log, name));
    } catch (error) {
      this.content.seeds.delete(name);
      throw error;
    }
  }

  /** Keeps a seed that was saved in the content, until the returned function is called, whether a tenant starts from it or not. */
  keepSeed(name: string): () => void {
    this.#kept.set(name, (this.#kept.get(name) ?? 0) + 1);
    return () => {
      const left = (this.#kept.get(name) ?? 0) - 1;
      if (left > 0) this.#kept.set(name, left);
      else this.#kept.delete(name);
    };
  }

  /** Lists the seeds that are kept although no tenant may start from them yet; all of them are on the disk. */
  get keptSeeds(): Iterable<string> {
    return this.#kept.keys();
  }

  #forceLater(): void {
    if (this.#isForcingLater) return;
    this.#isForcingLater = true;
    startMachineTimer(forceInterval, () => {
      this.#isForcingLater = false;
      this.#log?.force().catch((error: unknown) => {
        this.#onWarning(`${this.logFile} could not be forced to the disk (${errorMessage(error)}).`);
      });
    });
  }

  /** Ends the writing of a snapshot, and lets nobody begin another. */
  callOff(): void {
    this.#isCalledOff = true;
    this.#snapshot.stop();
  }

  /** Closes the files quickly: a long log is left for the next run. */
  async close(): Promise<void> {
    const log = this.#log;
    this.#log = undefined;
    this.callOff();
    await this.#compacting;
    await log?.settled();
    const isBehind = this.content.sequence > this.#inSnapshot;
    if (log && isBehind && log.size + this.#snapshot.size < maxSnapshotOnExit)
      await this.#reportFailure(log, this.#compact(log));
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
    const start = readLogStart(this.logFile, this.#edits);
    if (start) this.#reportEnd(this.#readLog(start));
    else this.#checkMissingLog();
    this.#reportEdits();
  }

  #readLog(start: LogStart): LogEnd {
    const { data } = this.#db;
    this.#checkStart(start);
    const replayer = new StateReplayer(data, this.logFile);
    const commits = readCommits(this.logFile, start, this.#edits);
    let next = commits.next();
    this.#completeLength = start.end;
    for (; !next.done; next = commits.next()) {
      const { n, parts, logSum, end } = next.value;
      this.#completeLength = end;
      if (n === this.#inSnapshot) this.#checkMeeting({ sequence: n, logSum });
      if (n <= this.#inSnapshot) continue;
      for (const part of parts) replayer.add(part);
      Object.assign(data, { sequence: n, logSum });
    }
    replayer.finish();
    data.logAfter = start.after;
    return next.value;
  }

  /** Checks that a log goes on from the snapshot, or from the one before that. */
  #checkStart(start: LogStart): void {
    const { id, logAfter } = this.#db.data;
    if ((start.after !== id && start.after !== logAfter) || start.sequence > this.#inSnapshot) throw this.#otherLog();
    this.#checkMeeting(start);
  }

  /** Checks that the lines of a log, where it reaches the snapshot, are those that the snapshot was written after. */
  #checkMeeting({ sequence, logSum }: LogMoment): void {
    if (sequence !== this.#inSnapshot || this.#acceptEdits || logSum === this.#db.data.logSum) return;
    throw this.#otherLog();
  }

  #otherLog(): InputError {
    return corrupt({ file: this.logFile, line: 1 }, `this goes with another file than the ${this.file} that is there`);
  }

  #checkMissingLog(): void {
    if (this.#db.data.logAfter !== null)
      throw corrupt({ file: this.logFile }, `this is missing, and ${this.file} goes on in it`);
    this.#onWarning(
      `${this.logFile} is missing: the first run was killed before it made one, or somebody removed it, with everything since the first start.`,
    );
  }

  #reportEnd({ isClosed, lastN }: LogEnd): void {
    if (lastN < this.#inSnapshot && !this.#acceptEdits)
      throw corrupt(
        { file: this.logFile },
        `it ends with commit ${lastN}, and ${this.file} holds commit ${this.#inSnapshot} already: its end is missing, or it is an older copy`,
      );
    if (isClosed) return;
    const lost = statSync(this.logFile).size - this.#completeLength;
    const torn =
      lost === 0
        ? ''
        : ` Its last ${lost} bytes are left out: writing them was cut short, so no client got a response.`;
    this.#onWarning(
      `${this.logFile}: the last run did not close it, as when it is killed or the power fails. The state is that of its last complete commit, ${this.content.sequence}.${torn}`,
    );
  }

  #reportEdits(): void {
    const [first, ...others] = this.#edits.places;
    if (!first) return;
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    this.#onWarning(`${this.file}: edits are accepted, and saved again: ${linePlace(first)}${more}.`);
  }

  #compactIfLong(): void {
    const log = this.#log;
    if (!log || this.#compacting || this.#isCalledOff || log.size <= this.#compactAbove) return;
    void this.#oneAtATime(this.#reportFailure(log, this.#compactOpen(log)));
  }

  /** Notes a compaction that is under way: no other may begin before it is over. */
  #oneAtATime(compacting: Promise<void>): Promise<void> {
    this.#compacting = settled(compacting).finally(() => {
      this.#compacting = undefined;
    });
    return compacting;
  }

  /** Compacts the log that is open, after the present commit is complete: only its first half may be in the log. */
  async #compactOpen(log: CommitLog, added?: string): Promise<void> {
    // Most of it need not be forced to the disk while everybody waits then.
    await log.force();
    if (this.#log !== log || this.#isCalledOff) throw calledOff();
    await this.#compact(log, added);
  }

  async #compact(log: CommitLog, added?: string): Promise<void> {
    // A snapshot must not be there after a power failure without the commits in the log that it holds.
    log.forceNow();
    const since = { ...log.moment, size: log.size };
    await this.#writeSnapshot(added);
    await log.settled();
    try {
      log.restartAfter(this.#db.data.id, since);
    } finally {
      this.#db.data.logAfter = log.after;
    }
    this.#compactAbove = Math.max(minCompactedLength, 2 * this.#snapshot.size);
  }

  /** Waits until a log is compacted; says so when that fails, since everything goes on then. */
  async #reportFailure(log: CommitLog, compacting: Promise<void>): Promise<void> {
    try {
      await compacting;
    } catch (error) {
      this.#compactAbove = 2 * log.size;
      if (isCallOff(error)) return;
      this.#onWarning(
        `${this.file}: no new snapshot could be written (${errorMessage(error)}); ${this.logFile} grows on.`,
      );
    }
  }

  /** Writes a snapshot of what is used, and of a seed that is added. */
  async #writeSnapshot(added = ''): Promise<void> {
    const { data } = this.#db;
    dropUnusedSeeds(data, [...this.keptSeeds, added]);
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

/** Forces all commits up to this number to the disk: those that came while others were forced need another round. */
async function forceAll(log: CommitLog, sequence: number): Promise<void> {
  while (log.forced < sequence) await log.force();
}

/** True for what a compaction ends with that was called off. */
export const isCallOff = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

const calledOff = (): DOMException => new DOMException('The saved state is being closed.', 'AbortError');

/** Resolves once a promise is settled, either way. */
const settled = (promise: Promise<void>): Promise<void> => promise.catch(() => {});

function dropUnusedSeeds({ seeds, tenants }: PersistedState, kept: Iterable<string>): void {
  const used = new Set([...kept, ...[...tenants.values()].map(({ seed }) => seed)]);
  for (const seed of seeds.keys()) if (!used.has(seed)) seeds.delete(seed);
}
