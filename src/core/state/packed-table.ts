/** Builds tables whose rows and indexes are packed: some bytes for each row, and no objects. */
import { OrderedList } from './ordered-list.ts';
import type { OrderedEntry } from './ordered-tree.ts';
import { PackedRows, PackedTexts, RowCollector, TextCollector, float64List, uint32List } from './packed-rows.ts';
import type { NumberList, PackedRowsParts, PackedTextsParts } from './packed-rows.ts';
import { PersistentMap, rankOf } from './persistent-map.ts';
import type { PackedEntries } from './persistent-map.ts';
import type { IndexEntry, Table, TableValue } from './table.ts';

/** Holds everything that a packed table is made of: numbers and bytes. */
export interface PackedTableParts {
  readonly rows: PackedRowsParts;
  readonly keys: PackedTextsParts;
  readonly ranked: Ranked;
  readonly unique: Readonly<Record<string, UniqueParts>>;
  readonly lists: Readonly<Record<string, ListParts>>;
}

interface Ranked {
  /** Holds the ranks in their order, for a map. */
  readonly ranks: Uint32Array;
  /** Holds the place that each rank had in the list as it was collected. */
  readonly order: Uint32Array;
}

interface UniqueParts {
  readonly ranks: Uint32Array;
  /** Holds the row that each value leads to. */
  readonly owners: Uint32Array;
  /** Holds which of its row's values each is. */
  readonly places: Uint32Array;
}

/** Holds the entries of all lists, list by list. */
interface ListParts {
  readonly names: PackedTextsParts;
  readonly ranked: Ranked;
  /** Holds where the entries of each list begin, and at last the number of all entries. */
  readonly starts: Uint32Array;
  /** Holds the row of each entry. */
  readonly owners: Uint32Array;
  readonly orders: Float64Array;
  /** Holds what decides between entries of the same order; NaN where nothing does. */
  readonly ties: Float64Array;
  /** Holds the amounts of each entry, `width` numbers each; -1 when entries have none. */
  readonly width: number;
  readonly amounts: Float64Array;
}

/** Collects the rows of a table. */
export class PackedTableBuilder<Row> {
  readonly #table: Table<Row>;
  readonly #rows = new RowCollector();
  readonly #keys = new TextCollector();
  readonly #ranks = uint32List();
  readonly #unique: readonly (readonly [name: string, UniqueCollector<Row>])[];
  readonly #lists: readonly (readonly [name: string, ListCollector<Row>])[];

  constructor(table: Table<Row>) {
    this.#table = table;
    this.#unique = Object.entries(table.unique ?? {}).map(([name, valuesOf]) => [name, new UniqueCollector(valuesOf)]);
    this.#lists = Object.entries(table.lists ?? {}).map(([name, placeOf]) => [name, new ListCollector(placeOf)]);
  }

  add(row: Row): void {
    const index = this.#ranks.length;
    const key = this.#table.key(row);
    // Rows are objects, but the type of a table can't say so.
    this.#rows.add(row as object);
    this.#keys.add(key);
    this.#ranks.push(rankOf(key));
    for (const [, unique] of this.#unique) unique.add(row, index);
    for (const [, list] of this.#lists) list.add(row, index);
  }

  /** Returns the table. Throws when two rows share a key or a unique value. */
  finish(): TableValue {
    const parts: PackedTableParts = {
      rows: this.#rows.finish(),
      keys: this.#keys.finish(),
      ranked: rank(this.#ranks.finish()),
      unique: Object.fromEntries(this.#unique.map(([name, unique]) => [name, unique.finish()])),
      lists: Object.fromEntries(this.#lists.map(([name, list]) => [name, list.finish()])),
    };
    assertNoneShared(this.#table, parts);
    return packedTable(this.#table, parts);
  }
}

const partsOfRows = new WeakMap<PersistentMap<unknown>, PackedTableParts>();

/** Returns what a table is made of, if it is packed and no row of it was changed. */
export const packedPartsOf = ({ rows }: TableValue): PackedTableParts | undefined => partsOfRows.get(rows);

/** Holds a row of a packed table as text. */
export interface PackedRowText {
  readonly key: string;
  readonly json: string;
}

/** Yields the rows of a packed table as JSON, in the order in which its map lists them. */
export function* packedRowTexts({ rows, keys, ranked }: PackedTableParts): Generator<PackedRowText> {
  const [texts, names] = [new PackedTexts(rows.texts), new PackedTexts(keys)];
  const { revise = (json) => json } = rows;
  for (const place of ranked.order) yield { key: names.at(place), json: revise(texts.at(place)) };
}

/** Returns the table that is made of these parts. */
export function packedTable<Row>(table: Table<Row>, parts: PackedTableParts): TableValue {
  const rows = new PackedRows(parts.rows);
  const keys = new PackedTexts(parts.keys);
  const map = PersistentMap.fromPacked<unknown>(rowEntries(parts, rows, keys));
  partsOfRows.set(map, parts);
  const unique: Record<string, PersistentMap<string>> = {};
  for (const [name, index] of Object.entries(parts.unique)) {
    // The parts are those of this table, or of a build with the same tables.
    const valuesOf = table.unique?.[name] as (row: Row) => readonly string[];
    unique[name] = PersistentMap.fromPacked(uniqueEntries(index, { rows, keys, valuesOf }));
  }
  const lists: Record<string, PersistentMap<OrderedList>> = {};
  for (const [name, index] of Object.entries(parts.lists))
    lists[name] = PersistentMap.fromPacked(listEntries(index, keys));
  return { scope: table.scope, rows: map, unique, lists, editToken: undefined };
}

function rowEntries({ ranked }: PackedTableParts, rows: PackedRows, keys: PackedTexts): PackedEntries<unknown> {
  const { ranks, order } = ranked;
  return {
    ranks,
    keyAt: (i) => keys.at(order[i] as number),
    valueAt: (i) => rows.at(order[i] as number),
    peekAt: (i) => rows.peekAt(order[i] as number),
  };
}

interface UniqueSource<Row> {
  readonly rows: PackedRows;
  readonly keys: PackedTexts;
  readonly valuesOf: (row: Row) => readonly string[];
}

function uniqueEntries<Row>(
  { ranks, owners, places }: UniqueParts,
  { rows, keys, valuesOf }: UniqueSource<Row>,
): PackedEntries<string> {
  const keyOf = (i: number): string => keys.at(owners[i] as number);
  return {
    ranks,
    // Whoever looks for a value looks at its row next.
    keyAt: (i) => valuesOf(rows.at(owners[i] as number) as Row)[places[i] as number] as string,
    valueAt: keyOf,
    peekAt: keyOf,
  };
}

function listEntries(parts: ListParts, keys: PackedTexts): PackedEntries<OrderedList> {
  const { ranks, order } = parts.ranked;
  const names = new PackedTexts(parts.names);
  const lists = new Map<number, OrderedList>();
  const listAt = (i: number): OrderedList => {
    const number = order[i] as number;
    const list = lists.get(number) ?? OrderedList.from(entriesOf(parts, number, keys));
    lists.set(number, list);
    return list;
  };
  return { ranks, keyAt: (i) => names.at(order[i] as number), valueAt: listAt, peekAt: listAt };
}

function entriesOf(
  { starts, owners, orders, ties, amounts, width }: ListParts,
  list: number,
  keys: PackedTexts,
): OrderedEntry[] {
  const entries: OrderedEntry[] = [];
  for (let i = starts[list] as number; i < (starts[list + 1] as number); i++) {
    const tie = ties[i] as number;
    entries.push({
      key: keys.at(owners[i] as number),
      order: orders[i] as number,
      tie: Number.isNaN(tie) ? undefined : tie,
      amounts: width < 0 ? undefined : [...amounts.subarray(i * width, (i + 1) * width)],
    });
  }
  return entries;
}

/** So many places have room next to a rank in a number. */
const maxPlaces = 2 ** 21;

/** Returns ranks in their order; those that are the same stay in the order in which they came. */
function rank(collected: Uint32Array): Ranked {
  const order = Uint32Array.from(collected, (_, i) => i);
  if (collected.length <= maxPlaces) {
    // Numbers are sorted some ten times as fast without a function that compares them.
    const sorted = Float64Array.from(collected, (one, i) => one * maxPlaces + i).toSorted();
    for (let i = 0; i < sorted.length; i++) order[i] = (sorted[i] as number) % maxPlaces;
  } else order.sort((a, b) => (collected[a] as number) - (collected[b] as number) || a - b);
  return { ranks: Uint32Array.from(order, (place) => collected[place] as number), order };
}

function assertNoneShared<Row>({ name, unique }: Table<Row>, parts: PackedTableParts): void {
  const rows = new PackedRows(parts.rows);
  const keys = new PackedTexts(parts.keys);
  if (hasRepeatedKey(rowEntries(parts, rows, keys))) throw new Error(`${name}: two rows share a key`);
  for (const [index, values] of Object.entries(parts.unique)) {
    const valuesOf = unique?.[index] as (row: Row) => readonly string[];
    if (hasRepeatedKey(uniqueEntries(values, { rows, keys, valuesOf })))
      throw new Error(`${name}: two rows share a value of ${index}`);
  }
}

/** True when two entries share their key: they share its rank, too. */
function hasRepeatedKey({ ranks, keyAt }: PackedEntries<unknown>): boolean {
  for (let start = 0, end = 1; start < ranks.length; start = end, end++) {
    while (end < ranks.length && ranks[end] === ranks[start]) end++;
    if (end - start === 1) continue;
    const keys = new Set<string>();
    for (let i = start; i < end; i++) keys.add(keyAt(i));
    if (keys.size < end - start) return true;
  }
  return false;
}

/** Collects the values of an index in which each leads to one row. */
class UniqueCollector<Row> {
  readonly #valuesOf: (row: Row) => readonly string[];
  readonly #ranks = uint32List();
  readonly #owners = uint32List();
  readonly #places = uint32List();

  constructor(valuesOf: (row: Row) => readonly string[]) {
    this.#valuesOf = valuesOf;
  }

  add(row: Row, index: number): void {
    const values = this.#valuesOf(row);
    for (let place = 0; place < values.length; place++) {
      this.#ranks.push(rankOf(values[place] as string));
      this.#owners.push(index);
      this.#places.push(place);
    }
  }

  finish(): UniqueParts {
    const { ranks, order } = rank(this.#ranks.finish());
    return { ranks, owners: order.map((i) => this.#owners.at(i)), places: order.map((i) => this.#places.at(i)) };
  }
}

/** Collects the places of rows in lists. */
class ListCollector<Row> {
  readonly #placeOf: (row: Row) => IndexEntry | undefined;
  readonly #numbers = new Map<string, number>();
  readonly #names = new TextCollector();
  readonly #ranks = uint32List();
  /** Holds the number of each entry's list. */
  readonly #lists = uint32List();
  readonly #owners = uint32List();
  readonly #orders = float64List();
  readonly #ties = float64List();
  readonly #amounts = float64List();
  #width = -1;

  constructor(placeOf: (row: Row) => IndexEntry | undefined) {
    this.#placeOf = placeOf;
  }

  add(row: Row, index: number): void {
    const place = this.#placeOf(row);
    if (!place) return;
    const { of, order, tie = Number.NaN, amounts } = place;
    if (this.#lists.length === 0) this.#width = amounts?.length ?? -1;
    if (this.#width !== (amounts?.length ?? -1)) throw new Error('entries of a list have differently many amounts');
    this.#lists.push(this.#numberOf(of));
    this.#owners.push(index);
    this.#orders.push(order);
    this.#ties.push(tie);
    if (amounts) for (const amount of amounts) this.#amounts.push(amount);
  }

  finish(): ListParts {
    const starts = this.#starts();
    const next = starts.slice();
    const order = new Uint32Array(this.#lists.length);
    for (let i = 0; i < order.length; i++) {
      const list = this.#lists.at(i);
      const place = next[list] as number;
      order[place] = i;
      next[list] = place + 1;
    }
    const width = Math.max(0, this.#width);
    const picked = (list: NumberList<Float64Array>): Float64Array => Float64Array.from(order, (i) => list.at(i));
    return {
      names: this.#names.finish(),
      ranked: rank(this.#ranks.finish()),
      starts,
      owners: order.map((i) => this.#owners.at(i)),
      orders: picked(this.#orders),
      ties: picked(this.#ties),
      width: this.#width,
      amounts: new Float64Array(order.length * width).map((_, at) =>
        this.#amounts.at((order[Math.floor(at / width)] as number) * width + (at % width)),
      ),
    };
  }

  /** Returns where the entries of each list begin, once they stand list by list, and their number. */
  #starts(): Uint32Array {
    const counts = new Uint32Array(this.#numbers.size);
    for (let i = 0; i < this.#lists.length; i++) counts[this.#lists.at(i)] = (counts[this.#lists.at(i)] as number) + 1;
    const starts = new Uint32Array(counts.length + 1);
    for (const [list, count] of counts.entries()) starts[list + 1] = (starts[list] as number) + count;
    return starts;
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(name, number);
    this.#names.add(name);
    this.#ranks.push(rankOf(name));
    return number;
  }
}
