/**
 * Changes a state row by row; each change returns the next state and leaves the old one as it was. The owner of a state
 * changes it in place instead, its lists as well: nobody else has seen it, so no copy is needed.
 */
import { OrderedList } from './ordered-list.ts';
import type { OrderedEntry } from './ordered-tree.ts';
import { PersistentMap } from './persistent-map.ts';
import { orderedEntry, getRow, tableValue } from './state.ts';
import type { AnyTable, EditToken, IndexEntry, State, Table, TableValue } from './state.ts';

/** Puts a row in, in place of the one with its key if there is one. */
export const putRow = <Row>(state: State, table: Table<Row>, row: Row, owner?: EditToken): State => {
  const key = table.key(row);
  return replaceRow(state, { table, key, before: getRow(state, table, key), after: row }, owner);
};

export const removeRow = <Row>(state: State, table: Table<Row>, key: string, owner?: EditToken): State => {
  const before = getRow(state, table, key);
  return before === undefined ? state : replaceRow(state, { table, key, before, after: undefined }, owner);
};

export interface RowReplacement<Row> {
  readonly table: Table<Row>;
  readonly key: string;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/**
 * Returns the state with one row made, changed or removed; `before` is what stands there. Throws when another row holds
 * one of its unique values, and has changed nothing then.
 */
export function replaceRow<Row>(state: State, replacement: RowReplacement<Row>, owner?: EditToken): State {
  const { table, key, before, after } = replacement;
  const present = tableValue(state, table);
  const moves = table.unique ? uniqueIndexChanges(replacement) : [];
  for (const move of moves) assertUnique(present, table, move);
  const value = editableTable(present, table, owner);
  value.rows = after === undefined ? value.rows.delete(key, owner) : value.rows.set(key, after, owner);
  for (const move of moves) {
    value.unique[move.name] = updateUniqueIndex(value.unique[move.name] ?? PersistentMap.empty<string>(), move, owner);
  }
  let entry: OrderedEntry | undefined;
  for (const name in table.lists) {
    const placeOf = table.lists[name] as (row: Row) => IndexEntry | undefined;
    const index = value.lists[name] ?? PersistentMap.empty<OrderedList>();
    const place = after && placeOf(after);
    entry = place && entryFor(key, place, entry);
    value.lists[name] = updateListIndex(index, { key, before: before && placeOf(before), after: place, entry }, owner);
  }
  const next = editableState(state, owner);
  next.tables[table.name] = value;
  return next;
}

/** Returns the state with a sequence at this number; without one, as if none had ever been drawn. */
export function setSequence(state: State, sequence: string, number: number | undefined, owner?: EditToken): State {
  const next = editableState(state, owner);
  if (number === undefined) delete next.sequences[sequence];
  else next.sequences[sequence] = number;
  return next;
}

interface StateDraft {
  readonly tables: Record<string, TableValue>;
  readonly sequences: Record<string, number>;
  readonly editToken: EditToken | undefined;
}

/** Returns a state that can be changed: the owner's own, or a copy for it to own. */
const editableState = (state: State, owner: EditToken | undefined): StateDraft =>
  owner !== undefined && state.editToken === owner
    ? state
    : { tables: { ...state.tables }, sequences: { ...state.sequences }, editToken: owner };

interface TableDraft {
  readonly scope: TableValue['scope'];
  rows: PersistentMap<unknown>;
  readonly unique: Record<string, PersistentMap<string>>;
  readonly lists: Record<string, PersistentMap<OrderedList>>;
  readonly editToken: EditToken | undefined;
}

const editableTable = (value: TableValue, { scope }: AnyTable, owner: EditToken | undefined): TableDraft =>
  owner !== undefined && value.editToken === owner
    ? value
    : { scope, rows: value.rows, unique: { ...value.unique }, lists: { ...value.lists }, editToken: owner };

interface UniqueIndexChange {
  readonly name: string;
  readonly key: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const none: readonly string[] = [];

function uniqueIndexChanges<Row>({ table, key, before, after }: RowReplacement<Row>): UniqueIndexChange[] {
  const moves: UniqueIndexChange[] = [];
  for (const name in table.unique) {
    const valuesOf = table.unique[name] as (row: Row) => readonly string[];
    moves.push({ name, key, before: before ? valuesOf(before) : none, after: after ? valuesOf(after) : none });
  }
  return moves;
}

function assertUnique({ unique }: TableValue, table: AnyTable, { name, key, before, after }: UniqueIndexChange): void {
  for (const value of after) {
    const holder = before.includes(value) ? key : unique[name]?.get(value);
    if (holder !== undefined && holder !== key) {
      throw new Error(`${table.name}.${name}: ${value} already leads to row ${holder}`);
    }
  }
}

function updateUniqueIndex(
  index: PersistentMap<string>,
  move: UniqueIndexChange,
  owner: EditToken | undefined,
): PersistentMap<string> {
  const { key, before, after } = move;
  let moved = index;
  for (const value of before) if (!after.includes(value)) moved = moved.delete(value, owner);
  for (const value of after) if (!before.includes(value)) moved = moved.set(value, key, owner);
  return moved;
}

/** Returns the entry of a row in a list: that of the list before, where it is the same. */
const entryFor = (key: string, place: IndexEntry, known: OrderedEntry | undefined): OrderedEntry =>
  known && known.order === place.order && known.tie === place.tie && !known.amounts && !place.amounts
    ? known
    : orderedEntry(key, place);

interface ListIndexChange {
  readonly key: string;
  readonly before: IndexEntry | undefined;
  readonly after: IndexEntry | undefined;
  /** Holds the entry for `after`. */
  readonly entry: OrderedEntry | undefined;
}

function updateListIndex(
  index: PersistentMap<OrderedList>,
  { key, before, after, entry }: ListIndexChange,
  owner: EditToken | undefined,
): PersistentMap<OrderedList> {
  if (before && after && isSameEntry(before, after)) return index;
  let moved = index;
  if (before) {
    const present = listIn(moved, before.of);
    const list = present.remove(orderedEntry(key, before), owner);
    if (entry && after?.of === before.of) {
      const added = list.add(entry, owner);
      return added === present ? moved : moved.set(after.of, added, owner);
    }
    if (list.size === 0) moved = moved.delete(before.of, owner);
    else if (list !== present) moved = moved.set(before.of, list, owner);
  }
  if (!after || !entry) return moved;
  const list = listIn(moved, after.of);
  const added = list.add(entry, owner);
  return added === list ? moved : moved.set(after.of, added, owner);
}

const listIn = (index: PersistentMap<OrderedList>, of: string): OrderedList => index.get(of) ?? OrderedList.empty;

const isSameEntry = (a: IndexEntry, b: IndexEntry): boolean =>
  a.of === b.of && a.order === b.order && a.tie === b.tie && String(a.amounts) === String(b.amounts);
