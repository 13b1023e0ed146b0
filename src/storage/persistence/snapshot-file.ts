import { closeSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Adapter } from 'lowdb';
import * as z from 'zod';
import { packageVersion } from '../files/package-info.ts';
import { persistedEntries } from './persisted-state.ts';
import type { PersistedState } from './persisted-state.ts';
import { corrupt, errorMessage } from './corruption.ts';
import { parseEntry, parseLine } from './persisted-entry.ts';
import type { PersistedEntry, LocatedEntry } from './persisted-entry.ts';
import { StateReplayer } from './replay.ts';
import { readLines } from './file-lines.ts';

const format = 'loyalty-sim/1';
const opening = '{"format":"loyalty-sim/';

/** The first line, closed so that it is JSON. */
const headerSchema = z.strictObject({
  format: z.literal(format),
  version: z.string(),
  /** Tells this snapshot from every other one. */
  id: z.string(),
  /** The snapshot that the log beside it began after, until it begins anew after this one. */
  logAfter: z.string().nullable(),
  /** The last commit that is in it. */
  sequence: z.int().min(0),
  entries: z.array(z.never()).length(0),
});

/** The last line, opened so that it is JSON; the count tells whether lines are missing. */
const footerSchema = z.strictObject({ entries: z.array(z.never()).length(0), count: z.int().min(0) });

/** How much is written between two looks at what else there is to do, in characters. */
const sliceLength = 256 * 1024;

/** What the adapter reads and writes: the content, and how it hangs together with the log. */
export interface StateSnapshot extends PersistedState {
  id: string;
  logAfter: string | null;
}

/**
 * Keeps a whole content in a JSON file, one entry a line, so that it is never one text in memory: lowdb's own
 * adapters make one, which fails from some 100,000 contacts on. Like theirs, it writes beside the file and then
 * takes its place.
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
      const fold = new StateReplayer(content, this.#path);
      for (const located of this.#entries(lines)) fold.add(located);
      fold.finish();
      return content;
    } finally {
      lines.return(undefined);
    }
  }

  /** Writes what there is at this moment, whatever is changed while it is written. */
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
      renameSync(this.#temporary, this.#path);
    } catch (error) {
      this.tidy();
      throw error;
    } finally {
      await file.close();
    }
  }

  /** Removes what a process that was killed had begun to write. */
  tidy(): void {
    rmSync(this.#temporary, { force: true });
  }

  /** Calls off what is being written; the file stays as it was. */
  stop(): void {
    this.#stopping.abort();
  }

  /** A foreign file may be anything, of any size, and one line: its first bytes tell. */
  #checkOpening(): void {
    const found = this.#start();
    if (found === opening) return;
    const shown = JSON.stringify(found.replaceAll('\0', '')).slice(1, -1);
    throw corrupt(
      { file: this.#path, line: 1 },
      `this is no saved state of loyalty-sim, or another program wrote it anew: expected it to begin with ${opening}1", found ${shown || 'nothing'}`,
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
    const where = { file: this.#path, line: 1 };
    const given = parseLine(`${text.trimEnd()}]}`, where);
    const header = headerSchema.safeParse(given);
    if (header.success) return header.data;
    const [, written = ''] = /"format":"([^"]*)"/.exec(text) ?? [];
    if (written !== format) throw corrupt(where, `it has the format ${written}, and this version reads ${format}`);
    throw corrupt(where, `${header.error.issues[0]?.path.join('.')}: ${header.error.issues[0]?.message}`);
  }

  *#entries(lines: ReturnType<typeof readLines>): Generator<LocatedEntry> {
    let count = 0;
    for (const { number, text } of lines) {
      const where = { file: this.#path, line: number };
      if (text?.startsWith(']')) {
        this.#checkEnd(text, count, number);
        const more = lines.next().value;
        if (more) throw corrupt({ ...where, line: more.number }, 'nothing was expected after the end');
        return;
      }
      yield { entry: parseEntry(text?.replace(/,\s*$/, ''), where), where };
      count++;
    }
    throw corrupt({ file: this.#path, line: count + 1 }, 'it ends too early: expected a last line that begins with ]');
  }

  #checkEnd(text: string, count: number, line: number): void {
    const where = { file: this.#path, line };
    const end = footerSchema.safeParse(parseLine(`{"entries":[${text}`, where));
    if (!end.success) throw corrupt(where, 'expected ],"count":…}');
    if (end.data.count !== count) throw corrupt(where, `expected ${end.data.count} lines of entries, found ${count}`);
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
