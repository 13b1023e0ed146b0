import { closeSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Adapter } from 'lowdb';
import * as z from '../../core/validation/deferred-zod.ts';
import { packageVersion } from '../../package/package-info.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { persistedEntries } from './persisted-state.ts';
import type { PersistedState } from './persisted-state.ts';
import { corrupt, errorMessage } from './corruption.ts';
import { parseEntry, parseLine } from './persisted-entry.ts';
import type { PersistedEntry, LocatedEntry } from './persisted-entry.ts';
import { StateReplayer } from './replay.ts';
import { readLines } from './file-lines.ts';

const format = 'loyalty-sim/1';
const opening = '{"format":"loyalty-sim/';

/** Describes the first line, closed so that it is JSON. */
const headerSchema = z.strictObject({
  format: z.literal(format),
  version: z.string(),
  /** Identifies the snapshot. */
  id: z.string(),
  /** Names the snapshot that the log next to it continues, until the log restarts after this one. */
  logAfter: z.string().nullable(),
  /** Holds the number of the last commit in it. */
  sequence: z.int().min(0),
  entries: z.array(z.never()).length(0),
});

/** Describes the last line, opened so that it is JSON; the count reveals missing lines. */
const footerSchema = z.strictObject({ entries: z.array(z.never()).length(0), count: z.int().min(0) });

/** Limits the characters that are written before other work gets its turn. */
const sliceLength = 256 * 1024;

/** Holds the content that the adapter reads and writes, and its relation to the log. */
export interface StateSnapshot extends PersistedState {
  id: string;
  logAfter: string | null;
}

/**
 * Keeps the content in a JSON file, one entry a line, so that it is never one string in memory: lowdb's own adapters
 * build one, which fails at some 100,000 contacts. Like theirs, it writes a temporary file and renames it.
 */
export class SnapshotFile implements Adapter<StateSnapshot> {
  readonly #path: string;
  readonly #temporary: string;
  #stopping = new AbortController();

  constructor(path: string) {
    this.#path = path;
    this.#temporary = join(dirname(path), `.${basename(path)}.tmp`);
  }

  get exists(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false }) !== undefined;
  }

  get size(): number {
    return statSync(this.#path).size;
  }

  async read(): Promise<StateSnapshot> {
    this.#checkOpening();
    const lines = readLines(this.#path);
    try {
      const { id, logAfter, sequence } = this.#header(lines.next().value?.text);
      const content: StateSnapshot = { id, logAfter, sequence, seeds: new Map(), tenants: new Map() };
      const replayer = new StateReplayer(content, this.#path);
      for (const located of this.#entries(lines)) replayer.add(located);
      replayer.finish();
      return content;
    } finally {
      lines.return(undefined);
    }
  }

  /** Writes the content of this moment; changes made while it writes are left out. */
  async write({ id, logAfter, sequence, seeds, tenants }: StateSnapshot): Promise<void> {
    const header = { format, version: packageVersion(), id, logAfter, sequence };
    const entries = persistedEntries({ seeds: new Map(seeds), tenants: new Map(tenants) });
    this.#stopping = new AbortController();
    const file = await open(this.#temporary, 'w');
    try {
      for (const slice of slicesOf(header, entries)) {
        this.#stopping.signal.throwIfAborted();
        await file.writeFile(slice);
      }
      await file.datasync();
    } catch (error) {
      await file.close();
      this.tidy();
      throw error;
    }
    await file.close();
    this.#replace();
  }

  #replace(): void {
    try {
      replaceFile(this.#temporary, this.#path);
    } catch (error) {
      this.tidy();
      throw error;
    }
  }

  /** Removes the temporary file that a killed process may have left. */
  tidy(): void {
    rmSync(this.#temporary, { force: true });
  }

  /** Cancels a write; the file stays as it was. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Rejects a foreign file by its first bytes: it may be one line of any size. */
  #checkOpening(): void {
    const found = this.#start();
    if (found === opening) return;
    const shownStart = JSON.stringify(found.replaceAll('\0', '')).slice(1, -1);
    throw corrupt(
      { file: this.#path, line: 1 },
      `this is no saved state of loyalty-sim, or another program has rewritten it: it must begin with ${opening}1", not ${shownStart || 'nothing'}`,
    );
  }

  #start(): string {
    const start = Buffer.alloc(opening.length);
    try {
      if (!statSync(this.#path).isFile()) throw new Error('it is no file');
      const file = openSync(this.#path, 'r');
      readSync(file, start);
      closeSync(file);
    } catch (error) {
      throw corrupt({ file: this.#path }, `can't be read: ${errorMessage(error)}`);
    }
    return start.toString();
  }

  #header(text = ''): z.infer<typeof headerSchema> {
    const location = { file: this.#path, line: 1 };
    const json = parseLine(`${text.trimEnd()}]}`, location);
    const header = headerSchema.safeParse(json);
    if (header.success) return header.data;
    const [, written = ''] = /"format":"([^"]*)"/.exec(text) ?? [];
    if (written !== format) throw corrupt(location, `it has the format ${written}, and this version reads ${format}`);
    throw corrupt(location, `${header.error.issues[0]?.path.join('.')}: ${header.error.issues[0]?.message}`);
  }

  *#entries(lines: ReturnType<typeof readLines>): Generator<LocatedEntry> {
    let count = 0;
    for (const { number, text } of lines) {
      const location = { file: this.#path, line: number };
      if (text?.startsWith(']')) {
        this.#checkEnd(text, count, number);
        const more = lines.next().value;
        if (more) throw corrupt({ ...location, line: more.number }, 'nothing may stand after the end');
        return;
      }
      yield { entry: parseEntry(text?.replace(/,\s*$/, ''), location), location };
      count++;
    }
    throw corrupt({ file: this.#path, line: count + 1 }, 'it ends too early: its last line must begin with ]');
  }

  #checkEnd(text: string, count: number, line: number): void {
    const location = { file: this.#path, line };
    const end = footerSchema.safeParse(parseLine(`{"entries":[${text}`, location));
    if (!end.success) throw corrupt(location, 'must be ],"count":…}');
    if (end.data.count !== count) throw corrupt(location, `must have ${end.data.count} lines of entries, not ${count}`);
  }
}

function* slicesOf(header: object, entries: Iterable<PersistedEntry>): Generator<string> {
  let slice = `${JSON.stringify(header).slice(0, -1)},"entries":[`;
  let count = 0;
  for (const entry of entries) {
    slice += `${count === 0 ? '' : ','}\n${JSON.stringify(entry)}`;
    count++;
    if (slice.length < sliceLength) continue;
    yield slice;
    slice = '';
  }
  yield `${slice}\n],"count":${count}}\n`;
}
