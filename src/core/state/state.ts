/**
 * Holds a tenant's whole state as one immutable value: tables of plain JSON rows with their indexes, and the sequences
 * that numbers are drawn from. Every change (row-changes.ts) returns a new state; the old one stays what it was.
 */
import { appendTo } from '../lib/collections.ts';
import { finish, forEachInSteps, mapInSteps } from '../time/steps.ts';
import type { Steps } from '../time/steps.ts';
import { OrderedList } from './ordered-list.ts';
import type { OrderedEntry } from './ordered-tree.ts';
import { PackedTableBuilder } from './packed-table.ts';
import { PersistentMap } from './persistent-map.ts';
import type { EditToken, IndexEntry, Table, TableValue } from './table.ts';

export type { EditToken, IndexEntry, Table, TableValue } from './table.ts';

export interface State {
  readonly tables: Readonly<Record<string, TableValue>>;
  readonly sequences: Readonly<Record<string, number>>;
  readonly editToken: EditToken | undefined;
}

/** Holds one row before and after; absent before it was made, absent after it was removed. */
export interface RowChange {
  readonly table: string;
  readonly key: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Names a table without knowing what its rows look like. */
export type AnyTable = Pick<Table<never>, 'name' | 'scope'>;

export const emptyState: State = { tables: {}, sequences: {}, editToken: undefined };

const emptyTable: TableValue = {
  scope: 'state',
  rows: PersistentMap.empty(),
  unique: {},
  lists: {},
  editToken: undefined,
};

export const tableValue = (state: State, table: AnyTable): TableValue => state.tables[table.name] ?? emptyTable;

export function getRow<Row>(state: State, table: Table<Row>, key: string): Row | undefined {
  // Rows of a table are put by `putRow` alone, so what comes out has the table's row type.
  return tableValue(state, table).rows.get(key) as Row | undefined;
}

/** Answers whether there is a row of this key, without looking at it. */
export const hasRow = (state: State, table: AnyTable, key: string): boolean => tableValue(state, table).rows.has(key);

export function* allRows<Row>(state: State, table: Table<Row>): Generator<Row> {
  for (const row of tableValue(state, table).rows.values()) yield row as Row;
}

export const countRows = (state: State, table: AnyTable): number => tableValue(state, table).rows.size;

/** Returns the key of the row that holds a unique value. */
export const findKey = (state: State, table: AnyTable, index: string, value: string): string | undefined =>
  tableValue(state, table).unique[index]?.get(value);

export const orderedListOf = (state: State, table: AnyTable, index: string, of: string): OrderedList =>
  tableValue(state, table).lists[index]?.get(of) ?? OrderedList.empty;

/** Changes each index when it is first asked for. */
function mapIndexesWhenAsked<In, Out>(
  indexes: Readonly<Record<string, In>> | undefined,
  change: (name: string, index: In) => Out,
): Record<string, Out> {
  const changed: Record<string, Out> = {};
  for (const [name, index] of Object.entries(indexes ?? {})) {
    const get = (): Out => {
      const value = change(name, index);
      Object.defineProperty(changed, name, { enumerable: true, value });
      return value;
    };
    Object.defineProperty(changed, name, { configurable: true, enumerable: true, get });
  }
  return changed;
}

export const orderedEntry = (key: string, { order, tie, amounts }: IndexEntry): OrderedEntry => ({
  key,
  order,
  tie,
  amounts,
});

/** A table of so many rows is packed when it is loaded: its rows are kept as text until somebody looks at them. */
let packedFrom = 10_000;

/** Returns the number of rows from which a table is packed. */
export const packedTableSize = (): number => packedFrom;

/** Sets the number of rows from which a table is packed. Returns how to take that back. */
export function packTablesFrom(rows: number): () => void {
  const before = packedFrom;
  packedFrom = rows;
  return () => void (packedFrom = before);
}

/** Returns the state with a table's rows loaded at one go: far quicker than row by row. Throws when two rows share a key or a unique value. */
export const withRows = <Row>(state: State, table: Table<Row>, rows: Iterable<Row>): State =>
  finish(withRowsInSteps(state, table, rows));

/** Stands among rows that are made one by one: others may have their turn before the next one. */
export type Pause = undefined;

const rowsAtOnce = 10;

/**
 * Does the same in steps. Where many rows are expected, none is held back until it shows that there are many: V8 would take
 * all later ones for as long-lived as those, and put them where garbage is collected late.
 */
export function* withRowsInSteps<Row>(
  state: State,
  table: Table<Row>,
  rows: Iterable<Row | Pause>,
  expected = 0,
): Steps<State> {
  let first: Row[] = [];
  let packed = expected >= packedFrom ? new PackedTableBuilder(table) : undefined;
  let count = 0;
  for (const row of rows) {
    if (row === undefined || ++count % rowsAtOnce === 0) yield;
    if (row === undefined) continue;
    if (packed) packed.add(row);
    else if (first.push(row) >= packedFrom) {
      const builder = new PackedTableBuilder(table);
      yield* forEachInSteps(first, (early) => builder.add(early));
      packed = builder;
      first = [];
    }
  }
  return withTable(state, table, yield* packed ? packed.finish() : buildTable(table, first));
}

/** Does the same with rows that are known to share no value, and builds an index when it is first asked for. */
export const withCheckedRows = <Row>(state: State, table: Table<Row>, rows: readonly Row[]): State =>
  withTable(state, table, {
    scope: table.scope,
    rows: PersistentMap.from<unknown>(keyedRows(table, rows)),
    unique: mapIndexesWhenAsked(table.unique, (name, valuesOf) => finish(uniqueIndex(table, rows, { name, valuesOf }))),
    lists: mapIndexesWhenAsked(table.lists, (_, placeOf) => finish(listIndex(table, rows, placeOf))),
    editToken: undefined,
  });

/** Returns the state with a table in place of the one of its name. */
export function withTable(state: State, { name }: AnyTable, value: TableValue): State {
  return { tables: { ...state.tables, [name]: value }, sequences: state.sequences, editToken: undefined };
}

/** Returns the state with its sequences set. */
export const withSequences = (state: State, sequences: Readonly<Record<string, number>>): State => ({
  tables: state.tables,
  sequences: { ...state.sequences, ...sequences },
  editToken: undefined,
});

function* buildTable<Row>(table: Table<Row>, rows: readonly Row[]): Steps<TableValue> {
  const keyed = yield* PersistentMap.fromInSteps<unknown>(keyedRows(table, rows));
  const unique: Record<string, PersistentMap<string>> = {};
  for (const [name, valuesOf] of Object.entries(table.unique ?? {}))
    unique[name] = yield* uniqueIndex(table, rows, { name, valuesOf });
  const lists: Record<string, PersistentMap<OrderedList>> = {};
  for (const [name, placeOf] of Object.entries(table.lists ?? {})) lists[name] = yield* listIndex(table, rows, placeOf);
  return { scope: table.scope, rows: keyed, unique, lists, editToken: undefined };
}

function keyedRows<Row>(table: Table<Row>, rows: readonly Row[]): Map<string, Row> {
  const keyed = new Map(rows.map((row) => [table.key(row), row]));
  if (keyed.size < rows.length) throw new Error(`${table.name}: two rows share a key`);
  return keyed;
}

interface UniqueIndex<Row> {
  readonly name: string;
  readonly valuesOf: (row: Row) => readonly string[];
}

function* uniqueIndex<Row>(
  table: Table<Row>,
  rows: readonly Row[],
  { name, valuesOf }: UniqueIndex<Row>,
): Steps<PersistentMap<string>> {
  const values: (readonly [value: string, key: string])[] = [];
  yield* forEachInSteps(rows, (row) => {
    for (const value of valuesOf(row)) values.push([value, table.key(row)]);
  });
  const index = yield* PersistentMap.fromInSteps(values);
  if (index.size < values.length) throw new Error(`${table.name}: two rows share a value of ${name}`);
  return index;
}

function* listIndex<Row>(
  table: Table<Row>,
  rows: readonly Row[],
  placeOf: (row: Row) => IndexEntry | undefined,
): Steps<PersistentMap<OrderedList>> {
  const places = new Map<string, OrderedEntry[]>();
  yield* forEachInSteps(rows, (row) => {
    const place = placeOf(row);
    if (place) appendTo(places, place.of, orderedEntry(table.key(row), place));
  });
  const lists = yield* mapInSteps([...places], ([of, entries]) => [of, OrderedList.from(entries)] as const);
  return yield* PersistentMap.fromInSteps(lists);
}

/** Yields the rows that differ between two states, in time proportional to the differences. */
export function* diffStates(before: State, after: State): Generator<RowChange> {
  for (const table of new Set([...Object.keys(before.tables), ...Object.keys(after.tables)])) {
    const [left, right] = [before.tables[table] ?? emptyTable, after.tables[table] ?? emptyTable];
    for (const difference of left.rows.diff(right.rows)) yield { table, ...difference };
  }
}

/** Returns the present state with the tables of the given scopes taken from another; sequences go with the scope `state`. */
export function mergeTablesByScope(present: State, other: State, tableScopes: ReadonlySet<string>): State {
  const tables: Record<string, TableValue> = {};
  for (const [name, table] of Object.entries(present.tables)) if (!tableScopes.has(table.scope)) tables[name] = table;
  for (const [name, table] of Object.entries(other.tables)) if (tableScopes.has(table.scope)) tables[name] = table;
  return { tables, sequences: tableScopes.has('state') ? other.sequences : present.sequences, editToken: undefined };
}
