/** Makes a table to try states on, and shows all that a state holds of it. */
import { setSequence } from '../../src/core/state/row-changes.ts';
import { findKey, orderedListOf, allRows } from '../../src/core/state/state.ts';
import type { EditToken, State, Table } from '../../src/core/state/state.ts';

export interface Row {
  readonly id: string;
  readonly group: string;
  readonly order: number;
  /** Names what no two rows may share, if it has one. */
  readonly alias?: string;
}

export const table: Table<Row> = {
  name: 'rows',
  scope: 'state',
  key: ({ id }) => id,
  unique: {
    byName: ({ id, group }) => [`${group}/${id}`],
    byAlias: ({ alias }) => (alias === undefined ? [] : [alias]),
  },
  lists: { byGroup: ({ group, order }) => ({ of: group, order, amounts: [order] }) },
};

/** Returns all that a state holds. */
export function told(state: State): unknown {
  const rows = [...allRows(state, table)].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const found = rows.map((one) => findKey(state, table, 'byName', `${one.group}/${one.id}`));
  const lists = ['a', 'b', 'c'].map((of) => orderedListOf(state, table, 'byGroup', of));
  return { rows, found, lists: lists.map((list) => [[...list], list.sums()]), sequences: state.sequences };
}

/** Returns the state with the next number of a sequence drawn. */
export const countUp = (state: State, sequence: string, owner?: EditToken): State =>
  setSequence(state, sequence, (state.sequences[sequence] ?? 0) + 1, owner);
