/** What is saved: seeds, and tenants that each start from one of them. */
import type { ClockSetting } from '../../core/time/clock.ts';
import { putRow, removeRow } from '../../core/state/row-changes.ts';
import { diffStates, emptyState, allRows, withRows } from '../../core/state/state.ts';
import type { State } from '../../core/state/state.ts';
import { persistedTable } from './persisted-entry.ts';
import type { PersistedEntry, PersistedRow } from './persisted-entry.ts';

export type PersistedSetup = Readonly<Record<string, unknown>>;

/** A tenant as it stood at its last commit. */
export interface PersistedTenant {
  /** The fixtures' state that it started from: only what differs from that is written for it. */
  readonly seed: string;
  /** How it was set up where it differs from the sim. */
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

/** Rows by key, null where one was removed. */
export type ChangedRowsByKey = ReadonlyMap<string, object | null>;

/** The state with rows of a table changed. A few are put in one by one; when many changed, loading anew is quicker. */
export function applyRows(state: State, name: string, changed: ChangedRowsByKey): State {
  const table = persistedTable(name);
  // The rows come from this table: each was checked to have the key that it was saved under.
  const put = [...changed.values()].filter((row) => row !== null) as never[];
  if (changed.size * 4 > (state.tables[name]?.rows.size ?? 0)) {
    const kept = [...allRows(state, table)].filter((row) => !changed.has(table.key(row)));
    return withRows(state, table, [...kept, ...put]);
  }
  // All go before any comes: one may be found by what another was found by before.
  let next = state;
  for (const key of changed.keys()) next = removeRow(next, table, key);
  for (const row of put) next = putRow(next, table, row);
  return next;
}

/** Everything there is to say, a row at a time: the seeds, then each tenant by what differs from its seed. */
export function* persistedEntries({
  seeds,
  tenants,
}: Pick<PersistedState, 'seeds' | 'tenants'>): Generator<PersistedEntry> {
  for (const [seed, state] of seeds) {
    yield { seed, sequences: state.sequences };
    for (const row of diffRows(emptyState, state)) yield { seed, rows: [row] };
  }
  for (const [tenant, { seed, setup, clock, state }] of tenants) {
    yield { tenant, seed, ...(setup && { setup }), clock, sequences: state.sequences };
    for (const row of diffRows(seeds.get(seed) ?? emptyState, state)) yield { tenant, rows: [row] };
  }
}

/** What became of the rows that are not the same in both. */
export function* diffRows(before: State, after: State): Generator<PersistedRow> {
  // Rows are objects; a change that serves every table can't say so.
  for (const { table, key, after: row } of diffStates(before, after)) yield [table, key, (row as object) ?? null];
}
