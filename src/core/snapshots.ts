import type { ClockSetting, Instant } from './clock.ts';
import type { State } from './state.ts';

/** A tenant's state, queue and clock at a moment, kept under a name. */
export interface Snapshot {
  readonly state: State;
  readonly clock: ClockSetting;
  /** Whether the queue was held. */
  readonly held: boolean;
  readonly takenAt: Instant;
}

/** The snapshots of one tenant, by name, in the order they were taken. */
export class Snapshots {
  readonly #byName = new Map<string, Snapshot>();

  take(name: string, snapshot: Snapshot): void {
    this.#byName.delete(name);
    this.#byName.set(name, snapshot);
  }

  get(name: string): Snapshot | undefined {
    return this.#byName.get(name);
  }

  delete(name: string): boolean {
    return this.#byName.delete(name);
  }

  entries(): IterableIterator<[string, Snapshot]> {
    return this.#byName.entries();
  }

  get size(): number {
    return this.#byName.size;
  }
}
