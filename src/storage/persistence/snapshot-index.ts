/**
 * Keeps the indexes of the large tables of a snapshot in a file next to it, so that the next run finds rows without
 * parsing them all. It counts only for a snapshot of the very bytes that it was written with, and for the same build.
 */
import { rmSync } from 'node:fs';
import { TextCollector } from '../../core/state/packed-rows.ts';
import { packedPartsOf, packedRowTexts, packedTable } from '../../core/state/packed-table.ts';
import type { PackedTableParts } from '../../core/state/packed-table.ts';
import type { State, TableValue } from '../../core/state/state.ts';
import { jobs } from '../../core/time/jobs.ts';
import { finish, finishInTurns } from '../../core/time/steps.ts';
import { buildDigest } from '../../package/build-digest.ts';
import { packageVersion } from '../../package/package-info.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { readBinaryFile, writeBinaryFile } from '../files/binary-file.ts';
import { sumLength } from './line-sums.ts';
import { persistedTable } from './persisted-entry.ts';

const format = 'loyalty-sim-index/1';

/** Holds the indexes of a table of a seed, of which each row has a line of its own in the snapshot. */
export interface IndexedTable {
  readonly seed: string;
  readonly table: string;
  /** Counts the entries of the snapshot before its first row. */
  readonly first: number;
  readonly parts: Omit<PackedTableParts, 'rows'>;
}

/** Identifies the bytes of a snapshot. */
interface SnapshotBytes {
  readonly digest: string;
  readonly size: number;
}

interface SnapshotIndex extends SnapshotBytes {
  readonly tables: readonly IndexedTable[];
}

interface IndexHead extends SnapshotBytes {
  readonly format: string;
  readonly build: string;
}

let build: string | undefined;
const currentBuild = (): string => (build ??= `${packageVersion()} ${buildDigest()}`);

/** Returns the parts of a table whose rows can be found by an index. */
export function indexableParts(table: string, value: TableValue): PackedTableParts | undefined {
  const parts = packedPartsOf(value);
  // Jobs are changed when they are read.
  return parts && table !== jobs.name && parts.rows.others.size === 0 ? parts : undefined;
}

/** Returns the indexes of a table alone: its rows stand in the snapshot. */
export const withoutRows = ({ keys, ranked, unique, lists }: PackedTableParts): IndexedTable['parts'] => ({
  keys,
  ranked,
  unique,
  lists,
});

export const hasIndexableTable = ({ tables }: State): boolean =>
  Object.entries(tables).some(([table, value]) => indexableParts(table, value) !== undefined);

/** Keeps the file of an index. */
export class IndexFile {
  readonly #path: string;
  readonly #temporary: string;

  constructor(path: string, temporary: string) {
    this.#path = path;
    this.#temporary = temporary;
  }

  /** Returns the index of a snapshot of so many bytes; undefined when there is none that can be used. */
  read(size: number): SnapshotIndex | undefined {
    try {
      const { plain, packed } = finish(readBinaryFile(this.#path));
      // The digest at its end says that it is what was written.
      const head = plain as IndexHead;
      const isUsable = head.format === format && head.size === size && head.build === currentBuild();
      return isUsable ? { digest: head.digest, size, tables: packed as readonly IndexedTable[] } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes the index of a snapshot, or removes the one before. Without one, the next run reads each row. */
  async replace({ digest, size, tables }: SnapshotIndex): Promise<void> {
    try {
      this.tidy();
      if (tables.length === 0) return rmSync(this.#path, { force: true });
      const head: IndexHead = { format, build: currentBuild(), digest, size };
      await finishInTurns(writeBinaryFile(this.#temporary, { plain: head, packed: tables }));
      replaceFile(this.#temporary, this.#path);
    } catch {
      this.tidy();
    }
  }

  /** Removes what a killed process may have left. */
  tidy(): void {
    rmSync(this.#temporary, { force: true });
  }
}

/** Returns what stands in a line before the key of a row. */
const beforeKey = (seed: string, table: string): string =>
  `{"seed":${JSON.stringify(seed)},"rows":[[${JSON.stringify(table)},`;
const behindRow = ']]}';

interface SeedTable {
  readonly seed: string;
  readonly table: string;
  readonly parts: PackedTableParts;
}

/** Yields the lines of a table's rows; returns true when an index can find the rows in them. */
export function* indexedLines({ seed, table, parts }: SeedTable): Generator<string, boolean> {
  const start = beforeKey(seed, table);
  let isFound = true;
  for (const { key, json } of packedRowTexts(parts)) {
    const quoted = JSON.stringify(key);
    // The reader counts on the length of each key.
    if (quoted.length !== key.length + 2) isFound = false;
    yield `${start}${quoted},${json}${behindRow}`;
  }
  return isFound;
}

const [comma, openingBrace, closingBrace] = [0x2c, 0x7b, 0x7d];

/** Takes the rows of an indexed table from the lines of a snapshot, as they stand there. */
export class IndexedTableReader {
  readonly #indexed: IndexedTable;
  readonly #texts = new TextCollector();
  readonly #start: number;

  constructor(indexed: IndexedTable) {
    this.#indexed = indexed;
    this.#start = Buffer.byteLength(beforeKey(indexed.seed, indexed.table));
  }

  get isComplete(): boolean {
    return this.#texts.length === this.#indexed.parts.ranked.order.length;
  }

  /** Adds the next line. Throws when its row is not where it was written. */
  add(line: Buffer): void {
    const { keys, ranked } = this.#indexed.parts;
    const place = ranked.order[this.#texts.length] as number;
    const from = this.#start + ((keys.ends[place] as number) - (keys.starts[place] as number)) + '"",'.length;
    const to = line.length - behindRow.length - sumLength - (line.at(-1) === comma ? 1 : 0);
    if (line[from - 1] !== comma || line[from] !== openingBrace || line[to - 1] !== closingBrace)
      throw new Error('the index is of another snapshot');
    this.#texts.addBytes(line.subarray(from, to));
  }

  finish(): TableValue {
    const { table, parts } = this.#indexed;
    const { order } = parts.ranked;
    const { chunks, starts, ends, others } = this.#texts.finish();
    const placed = (list: Float64Array): Float64Array => {
      const inPlace = new Float64Array(list.length);
      for (let i = 0; i < list.length; i++) inPlace[order[i] as number] = list[i] as number;
      return inPlace;
    };
    const texts = {
      chunks,
      starts: placed(starts),
      ends: placed(ends),
      others: new Map([...others].map(([i, text]) => [order[i] as number, text])),
    };
    return packedTable(persistedTable(table), { ...parts, rows: { texts, others: new Map() } });
  }
}
