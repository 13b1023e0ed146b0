/**
 * How a state changes: row by row, each change answering the next state. The old one stays what it was, unless who
 * changes it is its owner: then it is changed in place, which spares a piece of work that writes many rows the copies.
 */
import { OrderedList } from './ordered-list.ts';
import { PersistentMap } from './persistent-map.ts';
import { entryOf, getRow, valueOf } from './state.ts';
import type { AnyTable, Owner, Place, State, Table, TableValue } from './state.ts';

/** Puts a row in, in place of the one with its key if there is one. */
export const putRow = <Row>(state: State, table: Table<Row>, row: Row, owner?: Owner): State =>
  replaceRow(state, table, { key: table.key(row), before: getRow(state, table, table.key(row)), after: row }, owner);

export const removeRow = <Row>(state: State, table: Table<Row>, key: string, owner?: Owner): State => {
  const before = getRow(state, table, key);
  return before === undefined ? state : replaceRow(state, table, { key, before, after: undefined }, owner);
};

export interface Replacement<Row> {
  readonly key: string;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** The state with one row made, changed or removed; `before` is what stands there. */
export function replaceRow<Row>(
  state: State,
  table: Table<Row>,
  { key, before, after }: Replacement<Row>,
  owner?: Owner,
): State {
  const value = tableDraft(valueOf(state, table), table, owner);
  value.rows = after === undefined ? value.rows.delete(key) : value.rows.set(key, after, owner);
  for (const name in table.unique) {
    const valuesOf = table.unique[name] as (row: Row) => readonly string[];
    const index = value.unique[name] ?? PersistentMap.empty<string>();
    const move = { table, name, key, before: before && valuesOf(before), after: after && valuesOf(after) };
    value.unique[name] = moveUnique(index, move, owner);
  }
  for (const name in table.lists) {
    const placeOf = table.lists[name] as (row: Row) => Place | undefined;
    const index = value.lists[name] ?? PersistentMap.empty<OrderedList>();
    const move = { key, before: before && placeOf(before), after: after && placeOf(after) };
    value.lists[name] = moveListed(index, move, owner);
  }
  const next = draftOf(state, owner);
  next.tables[table.name] = value;
  return next;
}

/** The state with the next number of a sequence drawn, from 1 on. */
export function countUp(state: State, sequence: string, owner?: Owner): State {
  const next = draftOf(state, owner);
  next.sequences[sequence] = (next.sequences[sequence] ?? 0) + 1;
  return next;
}

interface Draft {
  readonly tables: Record<string, TableValue>;
  readonly sequences: Record<string, number>;
  readonly owner: Owner | undefined;
}

/** A state that can be changed: the owner's own, or a copy for it to own. */
const draftOf = (state: State, owner: Owner | undefined): Draft =>
  owner !== undefined && state.owner === owner
    ? state
    : { tables: { ...state.tables }, sequences: { ...state.sequences }, owner };

interface TableDraft {
  readonly scope: TableValue['scope'];
  rows: PersistentMap<unknown>;
  readonly unique: Record<string, PersistentMap<string>>;
  readonly lists: Record<string, PersistentMap<OrderedList>>;
  readonly owner: Owner | undefined;
}

const tableDraft = (value: TableValue, { scope }: AnyTable, owner: Owner | undefined): TableDraft =>
  owner !== undefined && value.owner === owner
    ? value
    : { scope, rows: value.rows, unique: { ...value.unique }, lists: { ...value.lists }, owner };

interface UniqueMove {
  readonly table: AnyTable;
  readonly name: string;
  readonly key: string;
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[] | undefined;
}

function moveUnique(index: PersistentMap<string>, move: UniqueMove, owner: Owner | undefined): PersistentMap<string> {
  const { table, name, key, before = [], after = [] } = move;
  let moved = index;
  for (const value of before) if (!after.includes(value)) moved = moved.delete(value);
  for (const value of after) {
    if (before.includes(value)) continue;
    const holder = moved.get(value);
    if (holder !== undefined && holder !== key) {
      throw new Error(`${table.name}.${name}: ${value} already leads to row ${holder}`);
    }
    moved = moved.set(value, key, owner);
  }
  return moved;
}

interface ListMove {
  readonly key: string;
  readonly before: Place | undefined;
  readonly after: Place | undefined;
}

function moveListed(
  index: PersistentMap<OrderedList>,
  { key, before, after }: ListMove,
  owner: Owner | undefined,
): PersistentMap<OrderedList> {
  if (before && after && samePlace(before, after)) return index;
  let moved = index;
  if (before) {
    const list = (moved.get(before.of) ?? OrderedList.empty).remove(entryOf(key, before));
    moved = list.size > 0 ? moved.set(before.of, list, owner) : moved.delete(before.of);
  }
  if (after) moved = moved.set(after.of, (moved.get(after.of) ?? OrderedList.empty).add(entryOf(key, after)), owner);
  return moved;
}

const samePlace = (a: Place, b: Place): boolean =>
  a.of === b.of && a.order === b.order && a.tie === b.tie && String(a.amounts) === String(b.amounts);
