import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Adapter } from 'lowdb';
import * as z from '../../core/validation/deferred-zod.ts';
import { packageVersion } from '../../package/package-info.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { syncFolder } from '../../platform/sync-folder.ts';
import { persistedLines } from './persisted-state.ts';
import type { PersistedState } from './persisted-state.ts';
import { corrupt, errorMessage } from './corruption.ts';
import { Edits, LineSums, sumSchema } from './line-sums.ts';
import { parseEntry, parseLine } from './persisted-entry.ts';
import { StateReplayer } from './replay.ts';
import { readLines } from './file-lines.ts';
import type { FileLine } from './file-lines.ts';
import { hasIndexableTable, IndexedTableReader, IndexFile } from './snapshot-index.ts';
import type { IndexedTable } from './snapshot-index.ts';

const format = 'loyalty-sim/2';
const opening = '{"format":"loyalty-sim/';

/** Describes the first line, closed so that it is JSON. */
export const headerSchema = z.strictObject({
  format: z.literal(format),
  version: z.string(),
  /** Identifies the snapshot. */
  id: z.string(),
  /** Names the snapshot that the log next to it continues, until the log restarts after this one. */
  logAfter: z.string().nullable(),
  /** Holds the number of the last commit in it. */
  sequence: z.int().min(0),
  /** Holds the sum of all lines of the log up to that commit. */
  logSum: z.string(),
  sum: sumSchema,
  entries: z.array(z.never()).length(0),
});

export const headerEnding = ',"entries":[';

/** Describes the last line, opened so that it is JSON. */
const footerSchema = z.strictObject({
  entries: z.array(z.never()).length(0),
  sum: sumSchema,
});

type Lines = ReturnType<typeof readLines>;

/** Limits the characters that are written before other work gets its turn. */
const sliceLength = 256 * 1024;

const temporaryOf = (path: string): string => join(dirname(path), `.${basename(path)}.tmp`);

/** Holds the content that the adapter reads and writes, and its relation to the log. */
export interface StateSnapshot extends PersistedState {
  id: string;
  logAfter: string | null;
  logSum: string;
}

/**
 * Keeps the content in a JSON file, one entry a line, so that it is never one string in memory: lowdb's own adapters
 * build one, which fails at some 100,000 contacts. Like theirs, it writes a temporary file and renames it.
 */
export class SnapshotFile implements Adapter<StateSnapshot> {
  readonly #path: string;
  readonly #temporary: string;
  readonly #index: IndexFile;
  #lacksIndex = false;
  readonly #edits: Edits;
  #stopping = new AbortController();

  constructor(path: string, edits: Edits = new Edits(false)) {
    this.#path = path;
    this.#edits = edits;
    const index = `${path}.index`;
    this.#temporary = temporaryOf(path);
    this.#index = new IndexFile(index, temporaryOf(index));
  }

  get exists(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false }) !== undefined;
  }

  get size(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  async read(): Promise<StateSnapshot> {
    this.#checkOpening();
    const indexed = this.#readByIndex();
    if (indexed) return indexed;
    const content = this.#readContent(readLines(this.#path));
    this.#lacksIndex = [...content.seeds.values()].some(hasIndexableTable);
    return content;
  }

  /** True when it was read row by row, and need not be once it is written again. */
  get lacksIndex(): boolean {
    return this.#lacksIndex;
  }

  /** Returns the content by an index of these very bytes; undefined when there is none, or anything is wrong. */
  #readByIndex(): StateSnapshot | undefined {
    const index = this.#index.read(this.size);
    if (!index) return undefined;
    const hash = createHash('sha256');
    try {
      const content = this.#readContent(
        readLines(this.#path, (chunk) => hash.update(chunk)),
        index.tables,
      );
      return hash.digest('hex') === index.digest ? content : undefined;
    } catch {
      // What is wrong is reported by who reads every row.
      return undefined;
    }
  }

  /** Reads the content; checks the sums of its lines, unless it takes tables by an index: then the digest is to be checked. */
  #readContent(lines: Lines, indexed: readonly IndexedTable[] = []): StateSnapshot {
    try {
      const check = indexed.length > 0 ? unchecked : this.#checkSums();
      const { id, logAfter, sequence, logSum } = this.#header(lines.next().value, check);
      const content: StateSnapshot = { id, logAfter, sequence, logSum, seeds: new Map(), tenants: new Map() };
      const replayer = new StateReplayer(content, this.#path);
      this.#replay(lines, { replayer, check, indexed: new Map(indexed.map((table) => [table.first, table])) });
      replayer.finish();
      return content;
    } finally {
      lines.return(undefined);
    }
  }

  /** Writes the content of this moment; changes made while it writes are left out. */
  async write({ id, logAfter, sequence, logSum, seeds, tenants }: StateSnapshot): Promise<void> {
    const header = { format, version: packageVersion(), id, logAfter, sequence, logSum };
    const tables: IndexedTable[] = [];
    const entries = persistedLines({ seeds: new Map(seeds), tenants: new Map(tenants) }, (table) => tables.push(table));
    const hash = createHash('sha256');
    let size = 0;
    this.#stopping = new AbortController();
    const file = await open(this.#temporary, 'w', 0o600);
    try {
      for (const slice of slicesOf(header, entries)) {
        this.#stopping.signal.throwIfAborted();
        const bytes = Buffer.from(slice);
        hash.update(bytes);
        size += bytes.length;
        await file.writeFile(bytes);
      }
      await file.datasync();
    } catch (error) {
      await file.close();
      this.tidy();
      throw error;
    }
    await file.close();
    // An index that goes with another snapshot is not used, whichever of the two is there first.
    await this.#index.replace({ digest: hash.digest('hex'), size, tables });
    this.#replace();
  }

  #replace(): void {
    try {
      replaceFile(this.#temporary, this.#path);
      syncFolder(dirname(this.#path));
      this.#lacksIndex = false;
    } catch (error) {
      this.tidy();
      throw error;
    }
  }

  /** Removes the temporary files that a killed process may have left. */
  tidy(): void {
    this.#index.tidy();
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

  #header(line: FileLine | undefined, check: CheckLine): z.infer<typeof headerSchema> {
    const location = { file: this.#path, line: 1 };
    const text = line?.text ?? '';
    const json = parseLine(`${text.trimEnd()}]}`, location);
    const header = headerSchema.safeParse(json);
    if (header.success) {
      if (line) check(line, headerEnding);
      return header.data;
    }
    const [, written = ''] = /"format":"([^"]*)"/.exec(text) ?? [];
    if (written !== format) throw corrupt(location, `it has the format ${written}, and this version reads ${format}`);
    throw corrupt(location, `${header.error.issues[0]?.path.join('.')}: ${header.error.issues[0]?.message}`);
  }

  /** Returns what checks the sums of line after line, each once it is known that it can be read. */
  #checkSums(): CheckLine {
    const sums = new LineSums();
    let before = '';
    return ({ bytes, number }, ending) => {
      const state = sums.check(bytes, ending);
      const wrong = bytes[0] === closingBracket ? '},' : '}';
      this.#edits.add({ file: this.#path, line: number }, before === wrong && state === 'whole' ? 'changed' : state);
      before = ending;
    };
  }

  /** Replays the entries; takes the rows of indexed tables, which are known by the number of their first, as they stand. */
  #replay(lines: Lines, { replayer, check, indexed }: ReplayOptions): void {
    let count = 0;
    for (const line of lines) {
      const table = indexed.get(count);
      if (table) {
        count += replayTable(line, lines, { replayer, table });
        continue;
      }
      const { number, text } = line;
      const location = { file: this.#path, line: number };
      if (text?.startsWith(']')) {
        this.#checkEnd(line, check);
        const more = lines.next().value;
        if (more) throw corrupt({ ...location, line: more.number }, 'nothing may stand after the end');
        return;
      }
      const entry = parseEntry(withoutComma(text), location);
      check(line, entryEnding(line));
      replayer.add({ entry, location });
      count++;
    }
    throw corrupt({ file: this.#path, line: count + 1 }, 'it ends too early: its last line must begin with ]');
  }

  #checkEnd(line: FileLine, check: CheckLine): void {
    const end = footerSchema.safeParse(parseLine(`{"entries":[${line.text}`, { file: this.#path, line: line.number }));
    if (!end.success || !line.isWhole)
      throw corrupt({ file: this.#path, line: line.number }, 'must be ],"sum":"…"} and a line feed');
    check(line, '}');
  }
}

/** Checks the sums of a line that can be read, and how it ends after them. */
type CheckLine = (line: FileLine, ending: string) => void;

const unchecked: CheckLine = () => {};

const [closingBracket, comma] = [0x5d, 0x2c];

const entryEnding = ({ bytes }: FileLine): string => (bytes.at(-1) === comma ? '},' : '}');

interface ReplayOptions {
  readonly replayer: StateReplayer;
  readonly check: CheckLine;
  readonly indexed: ReadonlyMap<number, IndexedTable>;
}

interface TableReplay {
  readonly replayer: StateReplayer;
  readonly table: IndexedTable;
}

/** Replays the lines of an indexed table, this one and those behind it; returns how many they are. */
function replayTable(first: FileLine, lines: Lines, { replayer, table }: TableReplay): number {
  const reader = new IndexedTableReader(table);
  reader.add(first.bytes);
  while (!reader.isComplete) {
    const next = lines.next();
    if (next.done) throw new Error('the index has more rows than the snapshot');
    reader.add(next.value.bytes);
  }
  replayer.addTable(table.seed, table.table, reader.finish());
  return table.parts.ranked.order.length;
}

/** Returns a line of an entry without the comma at its end. */
export function withoutComma(text: string | undefined): string | undefined {
  const trimmed = text?.trimEnd();
  return trimmed?.endsWith(',') ? trimmed.slice(0, -1) : text;
}

function* slicesOf(header: object, lines: Iterable<string>): Generator<string> {
  const sums = new LineSums();
  const summed = (line: string): string => sums.add(line.slice(0, -1));
  let slice = `${summed(JSON.stringify(header))}${headerEnding}`;
  let count = 0;
  for (const line of lines) {
    slice += `${count === 0 ? '' : ','}\n${summed(line)}}`;
    count++;
    if (slice.length < sliceLength) continue;
    yield slice;
    slice = '';
  }
  yield `${slice}\n${sums.add(']')}}\n`;
}
