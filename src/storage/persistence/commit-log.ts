import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { atEndOfTurn } from '../../core/time/clock.ts';
import * as z from '../../core/validation/deferred-zod.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { syncFolder } from '../../platform/sync-folder.ts';
import { corrupt, errorMessage } from './corruption.ts';
import type { FileLocation } from './corruption.ts';
import { LineSums, sumSchema } from './line-sums.ts';
import type { Edits } from './line-sums.ts';
import { parseEntry, parseLine } from './persisted-entry.ts';
import type { PersistedEntry, LocatedEntry } from './persisted-entry.ts';
import { readLines, writeFully } from './file-lines.ts';
import type { FileLine } from './file-lines.ts';

const format = 'loyalty-sim-log/2';
const opening = '{"format":"loyalty-sim-log/';
export const logHeaderSchema = z.strictObject({
  format: z.literal(format),
  after: z.string(),
  sequence: z.int().min(0),
  logSum: z.string(),
  sum: sumSchema,
});

/** Begins the last line of a log that was closed in good order. */
const closingLine = '{"closed":';
const closingSchema = z.strictObject({ closed: z.int().min(0), sum: sumSchema });

/** Limits the rows in a line of the log: a line is one string in memory. */
const maxRows = 500;
const copyLength = 1024 * 1024;

/** Stands for a file that is not open: nothing can be written to it. */
const closed = -1;

/** Names the moment that a log goes on from. */
export interface LogMoment {
  /** Holds the number of the last commit before. */
  readonly sequence: number;
  /** Holds the sum of all lines up to that commit. */
  readonly logSum: string;
}

/** Describes the start of a log. */
export interface LogStart extends LogMoment {
  /** Names the snapshot that the log continues. */
  readonly after: string;
  /** Holds the offset of the first commit, in bytes. */
  readonly end: number;
}

/** Holds a commit of a log: mostly one line. */
export interface Commit {
  readonly n: number;
  readonly parts: readonly LocatedEntry[];
  readonly location: FileLocation;
  /** Holds the sum of all lines up to this commit. */
  readonly logSum: string;
  /** Holds the offset of the next commit, in bytes. */
  readonly end: number;
}

/** Tells how a log ends. */
export interface LogEnd {
  /** True when a run closed it in good order. */
  readonly isClosed: boolean;
  /** Holds the number of the last complete commit. */
  readonly lastN: number;
}

/** Reads the start of a log; undefined when there is no log. */
export function readLogStart(file: string, edits: Edits): LogStart | undefined {
  if (!statSync(file, { throwIfNoEntry: false })) return undefined;
  const location = { file, line: 1 };
  const [line] = readLines(file);
  const mistake = `this is no log of loyalty-sim: it must begin with ${opening}2",…}`;
  if (!line?.isWhole || !line.text?.startsWith(opening)) throw corrupt(location, mistake);
  const header = logHeaderSchema.safeParse(parseLine(line.text, location));
  if (!header.success) throw corrupt(location, otherFormat(line.text) ?? mistake);
  edits.add(location, new LineSums().check(line.bytes, '}'));
  return { ...header.data, end: line.end };
}

function otherFormat(text: string): string | undefined {
  const [, written = format] = /"format":"([^"]*)"/.exec(text) ?? [];
  return written === format ? undefined : `it has the format ${written}, and this version reads ${format}`;
}

/** Reads the commits of a log in order; leaves out an incomplete one at the end. */
export function* readCommits(file: string, { sequence, logSum }: LogStart, edits: Edits): Generator<Commit, LogEnd> {
  const sums = new LineSums(logSum);
  let parts: LocatedEntry[] = [];
  let [isClosed, lastN] = [false, sequence];
  for (const line of readLines(file)) {
    if (line.number === 1) continue;
    const location = { file, line: line.number };
    if (!line.isWhole || line.bytes.includes(0)) {
      checkUnforced(file, line.number, lastN);
      return { isClosed: false, lastN };
    }
    if (isClosed) throw corrupt(location, 'nothing may stand after the line that closes the log');
    if (line.text?.startsWith(closingLine)) {
      isClosed = isClosing(line, location) && parts.length === 0;
      edits.add(location, sums.check(line.bytes, '}'));
      continue;
    }
    const entry = parseEntry(line.text, location);
    const { n } = entry;
    if (n === undefined) throw corrupt(location, 'n: must be the number of the commit');
    if (parts[0] && parts[0].entry.n !== n)
      throw corrupt(location, `n: must be that of commit ${parts[0].entry.n}, which goes on, not ${n}`);
    edits.add(location, sums.check(line.bytes, '}'));
    parts.push({ entry, location });
    if (entry.more) continue;
    yield { n, parts, location, logSum: sums.sum, end: line.end };
    [parts, lastN] = [[], n];
  }
  return { isClosed, lastN };
}

/**
 * Checks that a power failure explains zeros in a log: a file system may lose any part of what it was not forced to keep.
 * Later lines that are whole may say that more had been forced to the disk by then.
 */
function checkUnforced(file: string, line: number, lastN: number): void {
  for (const { number, text, bytes } of readLines(file)) {
    if (number <= line || new LineSums().check(bytes, '}') === 'changed') continue;
    const isForced = text?.startsWith(closingLine) || (parseEntry(text, { file, line: number }).forced ?? 0) > lastN;
    if (isForced) throw corrupt({ file, line }, 'there are zeros in what had been forced to the disk');
  }
}

function isClosing({ text }: FileLine, location: FileLocation): true {
  if (closingSchema.safeParse(parseLine(text, location)).success) return true;
  throw corrupt(location, `must be ${closingLine}…}`);
}

interface OpenLog {
  /** Holds its length without what is left out, in bytes. */
  readonly size: number;
  /** Names the moment of its last commit. */
  readonly moment: LogMoment;
  /** Names the snapshot that it goes on from. */
  readonly after: string;
}

/** Appends commits to the log of a snapshot; each is in the file before it takes effect. */
export class CommitLog {
  readonly #path: string;
  #file: number;
  #size: number;
  #moment: LogMoment;
  #after: string;
  /** Holds the number of the last commit that was forced to the disk, and of the one that the log says so of. */
  #forced: number;
  #noted: number;
  #forcing: Promise<void> | undefined;
  /** Holds why something could not be forced to the disk: the operating system says so once, and loses it silently then. */
  #loss: Error | undefined;
  /** True when bytes of a failed commit may follow the last complete one. */
  #isTorn = false;

  private constructor(path: string, file: number, { size, moment, after }: OpenLog) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
    this.#moment = moment;
    this.#after = after;
    this.#forced = moment.sequence;
    this.#noted = moment.sequence;
  }

  /** Continues a log after so many bytes, which end at this moment. */
  static resume(path: string, open: OpenLog): CommitLog {
    const file = openSync(path, 'r+');
    ftruncateSync(file, open.size);
    // After a power failure the line that closes the log must not be there again.
    fdatasyncSync(file);
    return new CommitLog(path, file, open);
  }

  /** Removes the temporary file that a killed process may have left. */
  static tidy(path: string): void {
    rmSync(temporaryOf(path), { force: true });
  }

  /** Starts an empty log after a snapshot. */
  static begin(path: string, after: string, { sequence, logSum }: LogMoment): CommitLog {
    const moment = { sequence, logSum };
    const temporary = temporaryOf(path);
    const [file, size] = begin(temporary, after, moment);
    closeSync(file);
    replaceFile(temporary, path);
    syncFolder(dirname(path));
    return CommitLog.resume(path, { size, moment, after });
  }

  get size(): number {
    return this.#size;
  }

  /** Names the snapshot that it goes on from. */
  get after(): string {
    return this.#after;
  }

  /** Returns the moment of the last commit. */
  get moment(): LogMoment {
    return this.#moment;
  }

  /** Appends a complete commit, or throws and appends nothing. */
  append(n: number, entry: PersistedEntry): void {
    const sums = new LineSums(this.#moment.logSum);
    const forced = this.#forced > this.#noted ? this.#forced : undefined;
    this.#write(partsOf(n, { ...(forced !== undefined && { forced }), ...entry }), sums);
    this.#moment = { sequence: n, logSum: sums.sum };
    this.#noted = forced ?? this.#noted;
  }

  /** Returns the number of the last commit that was forced to the disk. */
  get forced(): number {
    return this.#forced;
  }

  /** True when everything appended was forced to the disk. */
  get isForced(): boolean {
    return this.#forced === this.#moment.sequence;
  }

  /** Forces what was appended by the end of this turn to the disk, once for all who ask for it in this turn. */
  force(): Promise<void> {
    this.#forcing ??= this.#forceRest().finally(() => {
      this.#forcing = undefined;
    });
    return this.#forcing;
  }

  async #forceRest(): Promise<void> {
    await new Promise<void>(atEndOfTurn);
    const { sequence } = this.#moment;
    if (this.#loss) throw this.#loss;
    await forceFile(this.#file).catch((error: unknown) => this.#lose(error));
    // Meanwhile the log may have been restarted, with all of it forced.
    this.#forced = Math.max(this.#forced, sequence);
  }

  /** Forces everything to the disk at once. */
  forceNow(): void {
    if (this.isForced) return;
    if (this.#loss) throw this.#loss;
    try {
      fdatasyncSync(this.#file);
    } catch (error) {
      this.#lose(error);
    }
    this.#forced = this.#moment.sequence;
  }

  /** Notes that commits may not be on the disk, and not come there: whoever needs them there hears of it from now on. */
  #lose(error: unknown): never {
    this.#loss = new Error(`${errorMessage(error)}; what was written may be lost with the next failure of power`);
    throw error;
  }

  /** Resolves when the file is not being forced any more: it must not be closed before. */
  async settled(): Promise<void> {
    while (this.#forcing) await this.#forcing.catch(() => {});
  }

  #write(lines: Iterable<object>, sums: LineSums): void {
    if (this.#isTorn) this.#truncate();
    try {
      let at = this.#size;
      for (const line of lines) at = writeFully(this.#file, lineOf(line, sums), at);
      this.#size = at;
    } catch (error) {
      this.#isTorn = true;
      ignoreErrors(() => this.#truncate());
      throw error;
    }
  }

  /** Restarts the log after a later snapshot of the moment `since`, with the commits that follow it. */
  restartAfter(after: string, since: LogMoment & { readonly size: number }): void {
    const temporary = temporaryOf(this.#path);
    const [file, start] = begin(temporary, after, since);
    let isClosed = false;
    try {
      const size = this.#copy(since.size, file, start);
      fdatasyncSync(file);
      closeSync(file);
      isClosed = true;
      this.#replaceBy(temporary, size);
      this.#after = after;
      syncFolder(dirname(this.#path));
      this.#forced = this.#moment.sequence;
    } catch (error) {
      ignoreErrors(
        () => isClosed || closeSync(file),
        () => rmSync(temporary, { force: true }),
      );
      throw error;
    }
  }

  /** Puts a file of so many bytes in the place of the log, and opens what lies there then: without success, the log of before. */
  #replaceBy(temporary: string, size: number): void {
    closeSync(this.#file);
    // No other file that is opened later must be taken for it.
    this.#file = closed;
    try {
      replaceFile(temporary, this.#path);
      this.#size = size;
      this.#isTorn = false;
    } finally {
      this.#file = openSync(this.#path, 'r+');
    }
  }

  /** Closes the log in good order: a next run that finds no such end knows that commits may be missing. */
  close(): void {
    if (this.#file === closed) return;
    const { sequence, logSum } = this.#moment;
    ignoreErrors(() => {
      this.#write([{ closed: sequence }], new LineSums(logSum));
      fdatasyncSync(this.#file);
    });
    closeSync(this.#file);
  }

  #copy(since: number, file: number, start: number): number {
    const chunk = Buffer.alloc(copyLength);
    let size = start;
    for (let from = since; from < this.#size;) {
      const length = readSync(this.#file, chunk, 0, Math.min(copyLength, this.#size - from), from);
      size = writeFully(file, chunk.subarray(0, length), size);
      from += length;
    }
    return size;
  }

  #truncate(): void {
    ftruncateSync(this.#file, this.#size);
    this.#isTorn = false;
  }
}

function begin(path: string, after: string, { sequence, logSum }: LogMoment): [file: number, size: number] {
  const file = openSync(path, 'w+', 0o600);
  const size = writeFully(file, lineOf({ format, after, sequence, logSum }, new LineSums()), 0);
  fdatasyncSync(file);
  return [file, size];
}

const temporaryOf = (path: string): string => `${path}.tmp`;

const forceFile = (file: number): Promise<void> =>
  new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve())));

/** Runs cleanup steps and ignores their errors: the caller reports the original failure. */
function ignoreErrors(...steps: readonly (() => void)[]): void {
  for (const step of steps) {
    try {
      step();
    } catch {}
  }
}

const lineOf = (value: object, sums: LineSums): Buffer =>
  Buffer.from(`${sums.add(JSON.stringify(value).slice(0, -1))}}\n`);

function* partsOf(n: number, { rows = [], ...rest }: PersistedEntry): Generator<PersistedEntry> {
  const { seed, tenant } = rest;
  const owner: PersistedEntry = tenant === undefined ? { seed } : { tenant };
  for (let from = 0; from === 0 || from < rows.length; from += maxRows) {
    const part = rows.slice(from, from + maxRows);
    const more = from + maxRows < rows.length;
    yield { n, ...(from === 0 ? rest : owner), ...(part.length > 0 && { rows: part }), ...(more && { more: true }) };
  }
}
