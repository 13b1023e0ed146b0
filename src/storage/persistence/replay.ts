import type { ClockSetting } from '../../core/time/clock.ts';
import { jobs } from '../../core/time/jobs.ts';
import { finish } from '../../core/time/steps.ts';
import { emptyState, packedTableSize } from '../../core/state/state.ts';
import { PackedTableBuilder } from '../../core/state/packed-table.ts';
import type { State, TableValue } from '../../core/state/state.ts';
import { applyRows } from './persisted-state.ts';
import type { PersistedState, PersistedSetup } from './persisted-state.ts';
import { corrupt, errorMessage } from './corruption.ts';
import type { FileLocation } from './corruption.ts';
import { persistedTable } from './persisted-entry.ts';
import type { PersistedEntry, LocatedEntry } from './persisted-entry.ts';

/** Collects the last version of each row, by table and key. */
interface StateDraft {
  readonly base: State;
  readonly rows: Map<string, Map<string, object | null>>;
  /** Holds tables with so many rows that they are packed while they are read. */
  readonly packed: Map<string, PackedDraft>;
  /** Holds tables that need not be built any more. */
  readonly finished: Map<string, TableValue>;
  sequences: State['sequences'];
}

interface TenantDraft extends StateDraft {
  readonly seed: string;
  readonly setup: PersistedSetup | undefined;
  clock: ClockSetting;
}

interface PackedDraft {
  readonly builder: PackedTableBuilder<never>;
  readonly keys: Set<string>;
}

const createDraft = (base: State): StateDraft => ({
  base,
  rows: new Map(),
  packed: new Map(),
  finished: new Map(),
  sequences: base.sequences,
});

/** Applies entries to a content in the order they were written; builds each state once, after its last entry. */
export class StateReplayer {
  readonly #content: PersistedState;
  readonly #file: string;
  readonly #seeds = new Map<string, StateDraft>();
  readonly #tenants = new Map<string, TenantDraft>();

  constructor(content: PersistedState, file: string) {
    this.#content = content;
    this.#file = file;
  }

  add({ entry, location }: LocatedEntry): void {
    const { tenant, seed = '', removed, clock } = entry;
    if (tenant === undefined) return addTo(this.#seed(seed), entry);
    if (removed) return this.#remove(tenant);
    const draft =
      entry.seed === undefined ? this.#draftOf(tenant, location) : this.#startFrom(entry.seed, entry, location);
    this.#tenants.set(tenant, draft);
    if (clock) draft.clock = clock;
    addTo(draft, entry);
  }

  /** Adds a whole table of a seed, in place of the entries of its rows. */
  addTable(seed: string, name: string, table: TableValue): void {
    const draft = this.#seed(seed);
    draft.finished.set(name, table);
    draft.rows.set(name, new Map());
  }

  finish(): void {
    for (const id of this.#seeds.keys()) this.#finishSeed(id);
    for (const [name, draft] of this.#tenants) {
      const { seed, setup, clock } = draft;
      this.#content.tenants.set(name, { seed, setup, clock, state: this.#stateOf(draft, `tenant "${name}"`) });
    }
  }

  #seed(id: string): StateDraft {
    const draft = this.#seeds.get(id) ?? createDraft(emptyState);
    this.#seeds.set(id, draft);
    return draft;
  }

  #remove(tenant: string): void {
    this.#tenants.delete(tenant);
    this.#content.tenants.delete(tenant);
  }

  #startFrom(seed: string, { setup }: PersistedEntry, location: FileLocation): TenantDraft {
    // The entries of a seed come before the first tenant that starts from it.
    this.#finishSeed(seed);
    const state = this.#content.seeds.get(seed);
    if (!state) throw corrupt(location, `nothing was said of the seed "${seed}" before`);
    return { ...createDraft(state), seed, setup, clock: { offset: 0 } };
  }

  #draftOf(tenant: string, location: FileLocation): TenantDraft {
    const draft = this.#tenants.get(tenant);
    if (draft) return draft;
    const saved = this.#content.tenants.get(tenant);
    if (!saved) throw corrupt(location, `nothing was said of the tenant "${tenant}" before`);
    return { ...saved, ...createDraft(saved.state) };
  }

  #finishSeed(id: string): void {
    const draft = this.#seeds.get(id);
    if (draft) this.#content.seeds.set(id, this.#stateOf(draft, `seed "${id}"`));
    this.#seeds.delete(id);
  }

  #stateOf({ base, rows, packed, finished, sequences }: StateDraft, owner: string): State {
    try {
      let state: State = { ...base, sequences };
      for (const [table, changed] of rows) {
        const full = finished.get(table) ?? finishedTable(packed.get(table));
        if (full) state = { ...state, tables: { ...state.tables, [table]: full } };
        state = applyRows(state, table, changed);
      }
      return state;
    } catch (error) {
      throw corrupt({ file: this.#file }, `the rows of the ${owner} don't fit together: ${errorMessage(error)}`);
    }
  }
}

function addTo(draft: StateDraft, { rows = [], sequences }: PersistedEntry): void {
  if (sequences) draft.sequences = sequences;
  for (const [table, key, row] of rows) {
    const packed = draft.packed.get(table);
    if (packed && row && !packed.keys.has(key)) {
      addPacked(packed, key, row);
      continue;
    }
    const changed = draft.rows.get(table) ?? new Map<string, object | null>();
    draft.rows.set(table, changed);
    // The exchange that queued a job is gone with its run's journal, and its id will be used again.
    changed.set(key, row && table === jobs.name ? { ...row, exchange: undefined } : row);
    if (changed.size >= packedTableSize() && !packed) packDraft(draft, table, changed);
  }
}

/** Packs the rows of a new table; what is said of them later is applied to the whole table. */
function packDraft(draft: StateDraft, name: string, rows: ReadonlyMap<string, object | null>): void {
  if (name === jobs.name || draft.base.tables[name] || draft.finished.has(name)) return;
  const packed: PackedDraft = { builder: new PackedTableBuilder(persistedTable(name)), keys: new Set() };
  const removed = new Map<string, null>();
  for (const [key, row] of rows) {
    if (row) addPacked(packed, key, row);
    else removed.set(key, null);
  }
  draft.packed.set(name, packed);
  draft.rows.set(name, removed);
}

const finishedTable = (draft: PackedDraft | undefined): TableValue | undefined =>
  draft && finish(draft.builder.finish());

function addPacked({ builder, keys }: PackedDraft, key: string, row: object): void {
  // The row is of this table: it was checked to have the key.
  builder.add(row as never);
  keys.add(key);
}
