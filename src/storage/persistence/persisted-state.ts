/** Describes the saved state: seeds, and tenants that each start from one of them. */
import type { ClockSetting } from '../../core/time/clock.ts';
import { putRow, removeRow } from '../../core/state/row-changes.ts';
import { countRows, diffStates, emptyState, withRows } from '../../core/state/state.ts';
import type { EditToken, State, TableValue } from '../../core/state/state.ts';
import { persistedTable } from './persisted-entry.ts';
import type { PersistedEntry, PersistedRow } from './persisted-entry.ts';
import { indexableParts, indexedLines, withoutRows } from './snapshot-index.ts';
import type { IndexedTable } from './snapshot-index.ts';

export type PersistedSetup = Readonly<Record<string, unknown>>;

/** Holds a tenant as of its last commit. */
export interface PersistedTenant {
  /** Names the fixtures' state that it started from: only differences from that are written. */
  readonly seed: string;
  /** Holds the tenant's own options, where they differ from the sim's. */
  readonly setup: PersistedSetup | undefined;
  readonly clock: ClockSetting;
  readonly state: State;
}

export interface PersistedState {
  /** Counts the commits. */
  sequence: number;
  readonly seeds: Map<string, State>;
  readonly tenants: Map<string, PersistedTenant>;
}

/** Maps keys to changed rows; null when a row was removed. */
export type ChangedRowsByKey = ReadonlyMap<string, object | null>;

/** Returns the state with changed rows of a table. Rows that did not change are the same as before, and are not saved again. */
export function applyRows(state: State, name: string, changed: ChangedRowsByKey): State {
  const table = persistedTable(name);
  // The rows are of this table: each was checked to have the key that it was saved with.
  const put = [...changed.values()].filter((row) => row !== null) as never[];
  if (countRows(state, table) === 0) return withRows(state, table, put);
  // Removes all before it puts any: a row may have the index key that another had before.
  const owner: EditToken = {};
  let next = state;
  for (const key of changed.keys()) next = removeRow(next, table, key, owner);
  for (const row of put) next = putRow(next, table, row, owner);
  return next;
}

const lineOf = (entry: PersistedEntry): string => JSON.stringify(entry);

/** Yields the JSON of all entries, one for each row: the seeds, then each tenant's differences from its seed. */
export function* persistedLines(
  { seeds, tenants }: Pick<PersistedState, 'seeds' | 'tenants'>,
  onIndexed: (table: IndexedTable) => void,
): Generator<string> {
  let count = 0;
  for (const [seed, state] of seeds) {
    yield lineOf({ seed, sequences: state.sequences });
    count++;
    for (const [table, value] of Object.entries(state.tables)) {
      const indexed = yield* seedTableLines(seed, table, value);
      if (indexed) onIndexed({ seed, table, first: count, parts: indexed });
      count += value.rows.size;
    }
  }
  for (const [tenant, { seed, setup, clock, state }] of tenants) {
    yield lineOf({ tenant, seed, ...(setup && { setup }), clock, sequences: state.sequences });
    for (const row of diffRows(seeds.get(seed) ?? emptyState, state)) yield lineOf({ tenant, rows: [row] });
  }
}

/** Yields a line for each row of a seed's table; returns its indexes when these can find the rows in the lines. */
function* seedTableLines(
  seed: string,
  table: string,
  value: TableValue,
): Generator<string, IndexedTable['parts'] | undefined> {
  const parts = indexableParts(table, value);
  if (parts) return (yield* indexedLines({ seed, table, parts })) ? withoutRows(parts) : undefined;
  const state: State = { ...emptyState, tables: { [table]: value } };
  for (const row of diffRows(emptyState, state)) yield lineOf({ seed, rows: [row] });
  return undefined;
}

/** Lists the rows that differ between two states, as they are in the second. */
export function* diffRows(before: State, after: State): Generator<PersistedRow> {
  // Rows are objects, but the type of a change in any table can't say so.
  for (const { table, key, after: row } of diffStates(before, after)) yield [table, key, (row as object) ?? null];
}
