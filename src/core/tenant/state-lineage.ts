/** Tells which of a tenant's states came of which: what was done since a state was set back is not in the later ones. */
import { lowerBound } from '../lib/collections.ts';

/** Stands for the state at the start, in which nothing was done yet. */
export const startVersion = -1;

interface SetBack {
  /** Numbers the first state after it, as the tenant's history does. */
  readonly at: number;
  /** Numbers the state that it brought back. */
  readonly to: number;
}

/** Keeps when the state of a tenant was set back to an earlier one: by a reset, or by a restored snapshot. */
export class StateLineage {
  #setBacks: SetBack[];

  constructor(setBacks: SetBack[] = []) {
    this.#setBacks = setBacks;
  }

  /** Notes that the state numbered `at` is the earlier one numbered `to` once more. */
  setBack(at: number, to: number): void {
    this.#setBacks.push({ at, to });
  }

  /** True when the state was set back after one version, and by another. */
  isSetBackBetween(version: number, later: number): boolean {
    const next = this.#setBacks[lowerBound(this.#setBacks, ({ at }) => at > version)];
    return next !== undefined && next.at <= later;
  }

  /** Forgets what only states before this one need. */
  forgetBefore(version: number): void {
    this.#setBacks = this.#setBacks.filter(({ at }) => at > version);
  }

  /** Returns one that goes on holding what this one forgets from now on. */
  capture(): StateLineage {
    return new StateLineage(this.#setBacks);
  }

  /** Answers whether what was done by one state is still there in another, or has led to it. */
  holds(version: number, later: number): boolean {
    let from = later;
    for (;;) {
      const last = this.#setBacks[lowerBound(this.#setBacks, ({ at }) => at > from) - 1];
      if (!last || version >= last.at) return version <= from;
      from = last.to;
    }
  }
}
