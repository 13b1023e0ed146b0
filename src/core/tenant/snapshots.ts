import type { ClockSetting, Instant } from '../time/clock.ts';
import type { State } from '../state/state.ts';

/** Describes a tenant's state, queue and clock at a moment, kept under a name. */
export interface TenantSnapshot {
  readonly state: State;
  readonly clock: ClockSetting;
  /** True when the queue was held. */
  readonly held: boolean;
  readonly takenAt: Instant;
  /** Numbers the state, as the tenant's history does. */
  readonly version: number;
}

/** Holds the snapshots of one tenant, by name, in the order they were taken. */
export class SnapshotStore {
  readonly #byName = new Map<string, TenantSnapshot>();

  take(name: string, snapshot: TenantSnapshot): void {
    this.#byName.delete(name);
    this.#byName.set(name, snapshot);
  }

  get(name: string): TenantSnapshot | undefined {
    return this.#byName.get(name);
  }

  delete(name: string): boolean {
    return this.#byName.delete(name);
  }

  entries(): IterableIterator<[string, TenantSnapshot]> {
    return this.#byName.entries();
  }

  get size(): number {
    return this.#byName.size;
  }
}
