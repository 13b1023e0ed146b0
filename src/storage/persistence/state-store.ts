import type { ClockSetting } from '../../core/time/clock.ts';
import { emptyState } from '../../core/state/state.ts';
import type { RowChange, State } from '../../core/state/state.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { apiError } from '../../service/errors/catalog.ts';
import { diffRows } from './persisted-state.ts';
import type { PersistedState, PersistedTenant, PersistedSetup } from './persisted-state.ts';
import { errorMessage } from './corruption.ts';
import { persistedTable } from './persisted-entry.ts';
import type { PersistedEntry, PersistedRow } from './persisted-entry.ts';
import { StateFiles } from './state-files.ts';
import type { StateFilesOptions } from './state-files.ts';

/** Saves what tenants commit, each commit by what it changed. */
export class StateStore {
  readonly #files: StateFiles;
  readonly #onWarning: (note: string) => void;
  /** What these still do on behalf of calls under way is of no interest any more. */
  readonly #removed = new WeakSet<Tenant>();
  /** The seeds of this run that are in the file, by the states that tenants know them as. */
  readonly #seeds = new WeakMap<State, string>();

  private constructor(files: StateFiles, onWarning: (note: string) => void) {
    this.#files = files;
    this.#onWarning = onWarning;
  }

  /** Opens a file of saved state, or a place for one. Throws `InputError` when it can't be used, and leaves it is. */
  static async open(options: StateFilesOptions): Promise<StateStore> {
    return new StateStore(await StateFiles.open(options), options.onWarning);
  }

  /** The tenants as they were saved. */
  get tenants(): ReadonlyMap<string, PersistedTenant> {
    return this.#files.content.tenants;
  }

  /** Begins to save: the first tenant as a whole when nothing was saved before, and commits from here on. */
  async start(first: Tenant): Promise<void> {
    if (this.#files.isNew) {
      const { seeds, tenants } = this.#files.content;
      checkTables(Object.keys(first.state.tables));
      seeds.set('1', first.seedState);
      this.#seeds.set(first.seedState, '1');
      tenants.set(first.name, savedAs('1', undefined, first, first.state));
    }
    await this.#files.start();
  }

  /** Takes down that a tenant was made, and how; one that isn't taken down is made from the fixtures again. */
  recordCreated(tenant: Tenant, setup: PersistedSetup): void {
    this.#begin(tenant, setup, tenant.state);
  }

  /** Takes down that a tenant starts anew in the place of another. */
  recordReplaced(old: Tenant, tenant: Tenant, setup: PersistedSetup | undefined): void {
    this.#begin(tenant, setup, tenant.state);
    this.#removed.add(old);
  }

  /** Takes a commit down, before it counts. */
  recordCommit(tenant: Tenant, changes: readonly RowChange[], state: State): void {
    if (this.#removed.has(tenant)) return;
    const saved = this.tenants.get(tenant.name);
    if (!saved) return this.#begin(tenant, undefined, state);
    const rows = changedRows(changes, saved.state, state);
    const isTurned = !isSameSetting(saved.clock, tenant.clock.setting);
    const isCounted = !isSameCount(saved.state.sequences, state.sequences);
    if (rows.length === 0 && !isTurned && !isCounted) return;
    const entry = {
      tenant: tenant.name,
      ...(isTurned && { clock: tenant.clock.setting }),
      ...(isCounted && { sequences: state.sequences }),
      ...(rows.length > 0 && { rows }),
    };
    this.#append(entry, (content) => {
      content.tenants.set(tenant.name, savedAs(saved.seed, saved.setup, tenant, state));
    });
  }

  /** Takes down that a tenant goes. */
  recordRemoval(tenant: Tenant): void {
    const { name } = tenant;
    if (this.tenants.has(name)) this.#append({ tenant: name, removed: true }, ({ tenants }) => tenants.delete(name));
    this.#removed.add(tenant);
  }

  async close(): Promise<void> {
    await this.#files.close();
  }

  #begin(tenant: Tenant, setup: PersistedSetup | undefined, state: State): void {
    const { name, seedState } = tenant;
    const seed = this.#seedOf(seedState);
    const { sequences } = state;
    const rows = [...diffRows(seedState, state)];
    const entry = { tenant: name, seed, ...(setup && { setup }), clock: tenant.clock.setting, sequences, rows };
    this.#append(entry, ({ tenants }) => {
      tenants.set(name, savedAs(seed, setup, tenant, state));
    });
  }

  /** The seed's name in the file; once a run, the first tenant that needs it has it written. */
  #seedOf(state: State): string {
    const { seeds } = this.#files.content;
    const known = this.#seeds.get(state);
    if (known !== undefined && seeds.get(known) === state) return known;
    const seed = String(Math.max(0, ...[...seeds.keys()].map(Number)) + 1);
    this.#append({ seed, sequences: state.sequences, rows: [...diffRows(emptyState, state)] }, (content) => {
      content.seeds.set(seed, state);
    });
    this.#seeds.set(state, seed);
    return seed;
  }

  #append(entry: PersistedEntry, change: (content: PersistedState) => void): void {
    checkTables(entry.rows?.map(([table]) => table) ?? []);
    try {
      this.#files.append(entry, change);
    } catch (error) {
      const message = `What this call did could not be saved in ${this.#files.logFile} (${errorMessage(error)}), so nothing was changed.`;
      this.#onWarning(message);
      throw apiError('InternalError', { message });
    }
  }
}

function checkTables(names: Iterable<string>): void {
  for (const name of new Set(names)) persistedTable(name);
}

const savedAs = (
  seed: string,
  setup: PersistedSetup | undefined,
  { clock }: Tenant,
  state: State,
): PersistedTenant => ({
  seed,
  setup,
  clock: clock.setting,
  state,
});

/** What became of each changed row, once; a list of changes may name it several times. */
function changedRows(changes: readonly RowChange[], before: State, after: State): PersistedRow[] {
  const changed = new Map<string, PersistedRow>();
  for (const { table, key } of changes) {
    const row = after.tables[table]?.rows.get(key);
    if (row === before.tables[table]?.rows.get(key)) continue;
    // Rows are objects; a table that is known by name alone can't say so.
    changed.set(`${table}/${key}`, [table, key, (row as object | undefined) ?? null]);
  }
  return [...changed.values()];
}

function isSameSetting(one: ClockSetting, other: ClockSetting): boolean {
  if ('frozenAt' in one) return 'frozenAt' in other && one.frozenAt === other.frozenAt;
  return 'offset' in other && one.offset === other.offset;
}

function isSameCount(one: State['sequences'], other: State['sequences']): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
