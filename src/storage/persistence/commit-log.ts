import { closeSync, ftruncateSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import * as z from '../../core/validation/deferred-zod.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { corrupt } from './corruption.ts';
import type { FileLocation } from './corruption.ts';
import { parseEntry, parseLine } from './persisted-entry.ts';
import type { PersistedEntry, LocatedEntry } from './persisted-entry.ts';
import { readLines, writeFully } from './file-lines.ts';

const format = 'loyalty-sim-log/1';
const opening = `{"format":"${format}"`;
const headerSchema = z.strictObject({ format: z.literal(format), after: z.string() });

/** Limits the rows in a line of the log: a line is one string in memory. */
const maxRows = 500;
const copyLength = 1024 * 1024;

/** Stands for a file that is not open: nothing can be written to it. */
const closed = -1;

/** Describes the start of a log. */
export interface LogStart {
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
  /** Holds the offset of the next commit, in bytes. */
  readonly end: number;
}

/** Reads the start of a log; undefined when there is no log, or its first line is incomplete. */
export function readLogStart(file: string): LogStart | undefined {
  if (!statSync(file, { throwIfNoEntry: false })) return undefined;
  const [line] = readLines(file);
  const location = { file, line: 1 };
  const mistake = `this is no log of loyalty-sim: it must begin with ${opening},…}`;
  if (!line?.isWhole) {
    if (opening.startsWith(line?.text?.slice(0, opening.length) ?? '')) return undefined;
    throw corrupt(location, mistake);
  }
  const header = headerSchema.safeParse(parseLine(line.text, location));
  if (!header.success) throw corrupt(location, mistake);
  return { after: header.data.after, end: line.end };
}

/** Reads the commits of a log in order; leaves out an incomplete one at the end. */
export function* readCommits(file: string): Generator<Commit> {
  let parts: LocatedEntry[] = [];
  for (const { number, text, end, isWhole } of readLines(file)) {
    if (number === 1) continue;
    if (!isWhole) return;
    const location = { file, line: number };
    const entry = parseEntry(text, location);
    const { n } = entry;
    if (n === undefined) throw corrupt(location, 'n: must be the number of the commit');
    if (parts[0] && parts[0].entry.n !== n)
      throw corrupt(location, `n: must be that of commit ${parts[0].entry.n}, which goes on, not ${n}`);
    parts.push({ entry, location });
    if (entry.more) continue;
    yield { n, parts, location, end };
    parts = [];
  }
}

/** Appends commits to the log of a snapshot; each is in the file before it takes effect. */
export class CommitLog {
  readonly #path: string;
  #file: number;
  #size: number;
  /** True when bytes of a failed commit may follow the last complete one. */
  #isTorn = false;

  private constructor(path: string, file: number, size: number) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
  }

  /** Continues a log after so many bytes. */
  static resume(path: string, length: number): CommitLog {
    const file = openSync(path, 'r+');
    ftruncateSync(file, length);
    return new CommitLog(path, file, length);
  }

  /** Starts an empty log after a snapshot. */
  static begin(path: string, after: string): CommitLog {
    return new CommitLog(path, ...begin(path, after));
  }

  get size(): number {
    return this.#size;
  }

  /** Appends a complete commit, or throws and appends nothing. */
  append(n: number, entry: PersistedEntry): void {
    if (this.#isTorn) this.#truncate();
    try {
      let at = this.#size;
      for (const part of partsOf(n, entry)) at = writeFully(this.#file, lineOf(part), at);
      this.#size = at;
    } catch (error) {
      this.#isTorn = true;
      ignoreErrors(() => this.#truncate());
      throw error;
    }
  }

  /** Restarts the log after a later snapshot, with the commits that follow the offset `since`. */
  restartAfter(after: string, since: number): void {
    const temporary = `${this.#path}.tmp`;
    const [file, start] = begin(temporary, after);
    let isClosed = false;
    try {
      const size = this.#copy(since, file, start);
      closeSync(file);
      isClosed = true;
      this.#replaceBy(temporary);
      this.#size = size;
      this.#isTorn = false;
    } catch (error) {
      ignoreErrors(
        () => isClosed || closeSync(file),
        () => rmSync(temporary, { force: true }),
      );
      throw error;
    }
  }

  /** Puts a file in the place of the log, and opens what lies there then: without success, the log of before. */
  #replaceBy(temporary: string): void {
    closeSync(this.#file);
    // No other file that is opened later must be taken for it.
    this.#file = closed;
    try {
      replaceFile(temporary, this.#path);
    } finally {
      this.#file = openSync(this.#path, 'r+');
    }
  }

  close(): void {
    if (this.#file !== closed) closeSync(this.#file);
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

function begin(path: string, after: string): [file: number, size: number] {
  const file = openSync(path, 'w+');
  return [file, writeFully(file, lineOf({ format, after }), 0)];
}

/** Runs cleanup steps and ignores their errors: the caller reports the original failure. */
function ignoreErrors(...steps: readonly (() => void)[]): void {
  for (const step of steps) {
    try {
      step();
    } catch {}
  }
}

const lineOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

function* partsOf(n: number, { rows = [], ...rest }: PersistedEntry): Generator<PersistedEntry> {
  const { seed, tenant } = rest;
  const owner: PersistedEntry = tenant === undefined ? { seed } : { tenant };
  for (let from = 0; from === 0 || from < rows.length; from += maxRows) {
    const part = rows.slice(from, from + maxRows);
    const more = from + maxRows < rows.length;
    yield { n, ...(from === 0 ? rest : owner), ...(part.length > 0 && { rows: part }), ...(more && { more: true }) };
  }
}
