/** Builds tables whose rows and indexes are packed: some bytes for each row, and no objects. */
import type { Steps } from '../time/steps.ts';
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
  *finish(): Steps<TableValue> {
    const [rows, keys] = [this.#rows.finish(), this.#keys.finish()];
    yield;
    const ranked = yield* rank(this.#ranks.finish());
    const unique: Record<string, UniqueParts> = {};
    for (const [name, collector] of this.#unique) unique[name] = yield* collector.finish();
    const lists: Record<string, ListParts> = {};
    for (const [name, collector] of this.#lists) lists[name] = yield* collector.finish();
    const parts: PackedTableParts = { rows, keys, ranked, unique, lists };
    yield* assertNoneShared(this.#table, parts);
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

const numbersAtOnce = 50_000;

/** Sets each number of a list, others having their turn in between, and returns the list. */
function* fill<List extends Uint32Array | Float64Array>(list: List, numberAt: (i: number) => number): Steps<List> {
  for (let i = 0; i < list.length; i++) {
    if (i % numbersAtOnce === 0) yield;
    list[i] = numberAt(i);
  }
  return list;
}

/** Returns ranks in their order; those that are the same stay in the order in which they came. */
function* rank(collected: Uint32Array): Steps<Ranked> {
  const { length } = collected;
  const rankAt = (i: number): number => collected[i] as number;
  const order = new Uint32Array(length);
  if (length <= maxPlaces) {
    // Numbers are sorted some ten times as fast without a function that compares them.
    const numbers = yield* fill(new Float64Array(length), (i) => rankAt(i) * maxPlaces + i);
    const sorted = yield* sortNumbers(numbers);
    yield* fill(order, (i) => (sorted[i] as number) % maxPlaces);
  } else (yield* fill(order, (i) => i)).sort((a, b) => rankAt(a) - rankAt(b) || a - b);
  return { ranks: yield* fill(new Uint32Array(length), (i) => rankAt(order[i] as number)), order };
}

/** Returns numbers in their order; the list that they stand in is used up. */
function* sortNumbers(numbers: Float64Array<ArrayBuffer>): Steps<Float64Array> {
  const { length } = numbers;
  for (let from = 0; from < length; from += numbersAtOnce) {
    yield;
    numbers.subarray(from, from + numbersAtOnce).sort();
  }
  let [sorted, merged] = [numbers, new Float64Array(length)];
  for (let width = numbersAtOnce; width < length; width *= 2) {
    for (let from = 0; from < length; from += 2 * width) {
      const [left, right] = [sorted.subarray(from, from + width), sorted.subarray(from + width, from + 2 * width)];
      yield* merge(left, right, merged.subarray(from));
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

/** Writes the numbers of two sorted lists into a third one, in their order. */
function* merge(left: Float64Array, right: Float64Array, into: Float64Array): Steps {
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if ((i + j) % numbersAtOnce === 0) yield;
    const isLeft = j === right.length || (i < left.length && (left[i] as number) <= (right[j] as number));
    into[i + j] = (isLeft ? left[i] : right[j]) as number;
    if (isLeft) i++;
    else j++;
  }
}

function* assertNoneShared<Row>({ name, unique }: Table<Row>, parts: PackedTableParts): Steps {
  const rows = new PackedRows(parts.rows);
  const keys = new PackedTexts(parts.keys);
  if (hasRepeatedKey(rowEntries(parts, rows, keys))) throw new Error(`${name}: two rows share a key`);
  for (const [index, values] of Object.entries(parts.unique)) {
    yield;
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

  *finish(): Steps<UniqueParts> {
    const { ranks, order } = yield* rank(this.#ranks.finish());
    const inOrder = (list: NumberList<Uint32Array>) =>
      fill(new Uint32Array(order.length), (i) => list.at(order[i] as number));
    return { ranks, owners: yield* inOrder(this.#owners), places: yield* inOrder(this.#places) };
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

  *finish(): Steps<ListParts> {
    const starts = yield* this.#starts();
    const next = starts.slice();
    const order = new Uint32Array(this.#lists.length);
    for (let i = 0; i < order.length; i++) {
      if (i % numbersAtOnce === 0) yield;
      const list = this.#lists.at(i);
      const place = next[list] as number;
      order[place] = i;
      next[list] = place + 1;
    }
    const width = Math.max(0, this.#width);
    const picked = (list: NumberList<Float64Array>) =>
      fill(new Float64Array(order.length), (i) => list.at(order[i] as number));
    return {
      names: this.#names.finish(),
      ranked: yield* rank(this.#ranks.finish()),
      starts,
      owners: yield* fill(new Uint32Array(order.length), (i) => this.#owners.at(order[i] as number)),
      orders: yield* picked(this.#orders),
      ties: yield* picked(this.#ties),
      width: this.#width,
      amounts: yield* fill(new Float64Array(order.length * width), (at) =>
        this.#amounts.at((order[Math.floor(at / width)] as number) * width + (at % width)),
      ),
    };
  }

  /** Returns where the entries of each list begin, once they stand list by list, and their number. */
  *#starts(): Steps<Uint32Array> {
    const counts = new Uint32Array(this.#numbers.size);
    for (let i = 0; i < this.#lists.length; i++) {
      if (i % numbersAtOnce === 0) yield;
      counts[this.#lists.at(i)] = (counts[this.#lists.at(i)] as number) + 1;
    }
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
