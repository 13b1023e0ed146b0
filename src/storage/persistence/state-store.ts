import type { ClockSetting } from '../../core/time/clock.ts';
import { diffStates, emptyState } from '../../core/state/state.ts';
import type { RowChange, State } from '../../core/state/state.ts';
import type { Tenant, TenantSaving } from '../../core/tenant/tenant.ts';
import { apiError, stoppedError } from '../../service/errors/catalog.ts';
import { diffRows } from './persisted-state.ts';
import type { PersistedState, PersistedTenant, PersistedSetup } from './persisted-state.ts';
import { errorMessage } from './corruption.ts';
import { persistedTable } from './persisted-entry.ts';
import type { PersistedEntry, PersistedRow } from './persisted-entry.ts';
import { isCallOff, StateFiles } from './state-files.ts';
import type { StateFilesOptions } from './state-files.ts';

/** Limits the rows that are saved at once, of a seed with its first tenant or of a state that one is put back to: more are saved before, in turns. */
const maxRowsAtOnce = 2000;

/** Saves the commits of tenants, each by its changed rows. */
export class StateStore implements TenantSaving {
  readonly #files: StateFiles;
  readonly #onWarning: (message: string) => void;
  /**
   * Lists tenants whose commits are not saved: those that are being created, could not be, or were removed while requests
   * were in flight.
   */
  readonly #unsaved = new WeakSet<Tenant>();
  /** Maps this run's seed states to their names in the file. */
  readonly #seeds = new WeakMap<State, string>();
  /** Holds seed states that are being saved, with their names to come. */
  readonly #seedsToCome = new Map<State, Promise<string | undefined>>();
  /** Holds the number of the last seed in the files: what was written of one that failed must not be part of another. */
  #lastSeed: number;

  private constructor(files: StateFiles, onWarning: (message: string) => void) {
    this.#files = files;
    this.#onWarning = onWarning;
    this.#lastSeed = Math.max(0, ...[...files.content.seeds.keys()].map(Number));
  }

  /** Opens a saved state, or prepares a new one. Throws `InputError` when it can't be used, and doesn't change it. */
  static async open(options: StateFilesOptions): Promise<StateStore> {
    return new StateStore(await StateFiles.open(options), options.onWarning);
  }

  /** Returns the tenants as they were saved. */
  get tenants(): ReadonlyMap<string, PersistedTenant> {
    return this.#files.content.tenants;
  }

  /** Starts saving commits; saves the whole first tenant when nothing was saved before. */
  async start(first: Tenant): Promise<void> {
    if (this.#files.isNew) {
      const { seeds, tenants } = this.#files.content;
      checkTables(Object.keys(first.state.tables));
      const seed = String(++this.#lastSeed);
      seeds.set(seed, first.seedState);
      this.#seeds.set(first.seedState, seed);
      tenants.set(first.name, persistedTenant(seed, undefined, first, first.state));
    }
    await this.#files.start();
  }

  /**
   * Saves what tenants start from in turns, if it is large: to record one of these tenants takes little time then. Keeps it
   * until the returned function is called. Rejects when the simulator is being stopped.
   */
  async keepSeed(state: State): Promise<() => void> {
    if (isSmall(state)) return () => {};
    const name = this.#nameOf(state) ?? (await this.#addSeed(state));
    return name === undefined ? () => {} : this.#files.keepSeed(name);
  }

  async preparePutBack(tenant: Tenant, state: State, who: 'tenant' | 'branch'): Promise<() => void> {
    const saved = who === 'tenant' ? this.tenants.get(tenant.name) : undefined;
    if (saved && isNear(saved.state, state)) return () => {};
    const near = this.#seedNear(tenant, state);
    if (near !== undefined) return this.#files.keepSeed(near);
    // What a reset goes back to is the same for all tenants of these fixtures.
    return this.keepSeed(isNear(tenant.seedState, state) ? tenant.seedState : state);
  }

  /**
   * Records that a tenant was created, with its options and with what becomes of it at once; one without a record is
   * created from the fixtures again. Nothing of it is saved when that fails.
   */
  recordCreated(tenant: Tenant, setup: PersistedSetup, start: () => void = () => {}): void {
    this.#unsaved.add(tenant);
    start();
    this.#writeTenant(tenant, setup, tenant.state);
    this.#unsaved.delete(tenant);
  }

  /** Records that a tenant replaces another of the same name. Nothing of it is saved when that fails. */
  recordReplaced(old: Tenant, tenant: Tenant, setup: PersistedSetup | undefined): void {
    this.#unsaved.add(tenant);
    this.#writeTenant(tenant, setup, tenant.state);
    this.#unsaved.delete(tenant);
    this.#unsaved.add(old);
  }

  /** Records a commit before it takes effect. */
  recordCommit(tenant: Tenant, changes: readonly RowChange[], state: State): void {
    if (this.#unsaved.has(tenant)) return;
    const saved = this.tenants.get(tenant.name);
    if (!saved) return this.#writeTenant(tenant, undefined, state);
    const rows = changedRows(changes, saved.state, state);
    const isClockChanged = !isSameSetting(saved.clock, tenant.clock.setting);
    const areSequencesChanged = !areSameSequences(saved.state.sequences, state.sequences);
    if (rows.length === 0 && !isClockChanged && !areSequencesChanged) return;
    const entry = {
      tenant: tenant.name,
      ...(isClockChanged && { clock: tenant.clock.setting }),
      ...(areSequencesChanged && { sequences: state.sequences }),
      ...(rows.length > 0 && { rows }),
    };
    this.#append(entry, (content) => {
      content.tenants.set(tenant.name, persistedTenant(saved.seed, saved.setup, tenant, state));
    });
  }

  /** Records that a tenant is put back to a state: by what differs from before, or from a seed if that is less. */
  recordPutBack(tenant: Tenant, state: State): void {
    if (this.#unsaved.has(tenant)) return;
    const saved = this.tenants.get(tenant.name);
    if (saved && isNear(saved.state, state)) return this.#recordDifference(tenant, saved, state);
    const seed = this.#seedNear(tenant, state) ?? (isSmall(state) ? this.#seedOf(state) : undefined);
    if (seed !== undefined) this.#writeTenantFrom(seed, tenant, saved?.setup, state);
    else if (saved) this.#recordDifference(tenant, saved, state);
    else this.#writeTenant(tenant, undefined, state);
  }

  #recordDifference(tenant: Tenant, saved: PersistedTenant, state: State): void {
    this.recordCommit(tenant, [...diffStates(saved.state, state)], state);
  }

  /** Records that a tenant was deleted. */
  recordRemoval(tenant: Tenant): void {
    const { name } = tenant;
    if (this.tenants.has(name)) this.#append({ tenant: name, removed: true }, ({ tenants }) => tenants.delete(name));
    this.#unsaved.add(tenant);
  }

  /** Resolves when all commits so far may be responded to; undefined when they may be at once. Rejects when they can't be kept. */
  saved(): Promise<void> | undefined {
    return this.#files.saved();
  }

  /** Ends what is being saved in turns, and lets nobody begin with more of it. */
  callOff(): void {
    this.#files.callOff();
  }

  async close(): Promise<void> {
    await this.#files.close();
  }

  #writeTenant(tenant: Tenant, setup: PersistedSetup | undefined, state: State): void {
    const seed = this.#seedNear(tenant, state) ?? this.#seedOf(tenant.seedState);
    this.#writeTenantFrom(seed, tenant, setup, state);
  }

  #writeTenantFrom(seed: string, tenant: Tenant, setup: PersistedSetup | undefined, state: State): void {
    const { name } = tenant;
    const { sequences } = state;
    const rows = [...diffRows(this.#files.content.seeds.get(seed) ?? emptyState, state)];
    const entry = { tenant: name, seed, ...(setup && { setup }), clock: tenant.clock.setting, sequences, rows };
    this.#append(entry, ({ tenants }) => {
      tenants.set(name, persistedTenant(seed, setup, tenant, state));
    });
  }

  /** Saves a seed in turns, once for all who want it saved at the same time; resolves with its name, or nothing if that fails. */
  #addSeed(state: State): Promise<string | undefined> {
    const adding =
      this.#seedsToCome.get(state) ?? this.#writeSeed(state).finally(() => this.#seedsToCome.delete(state));
    this.#seedsToCome.set(state, adding);
    return adding;
  }

  async #writeSeed(state: State): Promise<string | undefined> {
    checkTables(Object.keys(state.tables));
    const seed = String(++this.#lastSeed);
    try {
      await this.#files.addSeed(seed, state);
    } catch (error) {
      if (isCallOff(error)) throw stoppedError();
      // There may be room for it in the log; whoever writes it there says what is wrong otherwise.
      return undefined;
    }
    this.#seeds.set(state, seed);
    return seed;
  }

  /** Returns a seed that a state differs little from: the tenant's own, that of its fixtures, or one that is kept. */
  #seedNear(tenant: Tenant, state: State): string | undefined {
    const { content, keptSeeds } = this.#files;
    const candidates = [this.tenants.get(tenant.name)?.seed, this.#nameOf(tenant.seedState), ...keptSeeds];
    return candidates.find((name) => name !== undefined && isNearSeed(content, name, state));
  }

  #nameOf(state: State): string | undefined {
    const known = this.#seeds.get(state);
    return known !== undefined && this.#files.content.seeds.get(known) === state ? known : undefined;
  }

  /** Returns the seed's name in the file; writes the seed for the first tenant of a run that needs it. */
  #seedOf(state: State): string {
    const known = this.#nameOf(state);
    if (known !== undefined) return known;
    const seed = String(++this.#lastSeed);
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
      throw this.#failure(this.#files.logFile, error);
    }
  }

  /** Says why something could not be saved, also to whoever started the simulator. */
  #failure(file: string, error: unknown): Error {
    const message =
      `A change could not be saved in ${file} (${errorMessage(error)}), so it was not made. ` +
      'Of a call that changes several things one after another, such as the jobs of a queue, those before it stay.';
    this.#onWarning(message);
    return apiError('InternalError', { message });
  }
}

const isSmall = ({ tables }: State): boolean =>
  Object.values(tables).reduce((sum, { rows }) => sum + rows.size, 0) <= maxRowsAtOnce;

/** True when so few rows differ between two states that they can be saved at once. */
function isNear(base: State, state: State): boolean {
  const changes = diffStates(base, state);
  for (let count = 0; count <= maxRowsAtOnce; count++) if (changes.next().done) return true;
  return false;
}

function isNearSeed({ seeds }: PersistedState, name: string, state: State): boolean {
  const seed = seeds.get(name);
  return seed !== undefined && isNear(seed, state);
}

function checkTables(names: Iterable<string>): void {
  for (const name of new Set(names)) persistedTable(name);
}

const persistedTenant = (
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

/** Returns each changed row once, in its last version; a list of changes may name it several times. */
function changedRows(changes: readonly RowChange[], before: State, after: State): PersistedRow[] {
  const changed = new Map<string, PersistedRow>();
  for (const { table, key } of changes) {
    const row = after.tables[table]?.rows.get(key);
    if (row === before.tables[table]?.rows.get(key)) continue;
    // Rows are objects, but the type of a table known by name alone can't say so.
    changed.set(`${table}/${key}`, [table, key, (row as object | undefined) ?? null]);
  }
  return [...changed.values()];
}

function isSameSetting(one: ClockSetting, other: ClockSetting): boolean {
  if ('frozenAt' in one) return 'frozenAt' in other && one.frozenAt === other.frozenAt;
  return 'offset' in other && one.offset === other.offset;
}

function areSameSequences(one: State['sequences'], other: State['sequences']): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
