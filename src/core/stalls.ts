import { after, monotonic } from './clock.ts';

export interface Stalls {
  /** How long the simulator itself was kept from working between two moments, in ms. */
  readonly between: (from: number, to: number) => number;
}

const interval = 20;
const maxKept = 10_000;

interface Stall {
  readonly from: number;
  readonly to: number;
}

/**
 * Looks on while calls are served: a simulator that was kept from working sees calls later than they were sent, and
 * must not blame a client for what it saw then.
 */
class StallWatch implements Stalls {
  readonly #stalls: Stall[] = [];
  #watchers = 0;
  #callOff: () => void = () => {};

  /** Watches until the answered function is called. */
  watch(): () => void {
    if (++this.#watchers === 1) this.#plan();
    return () => {
      if (--this.#watchers === 0) this.#callOff();
    };
  }

  between(from: number, to: number): number {
    const within = this.#stalls.filter((stall) => stall.to >= from && stall.from <= to);
    return within.reduce((sum, stall) => sum + stall.to - stall.from, 0);
  }

  #plan(): void {
    const expected = monotonic() + interval;
    this.#callOff = after(interval, () => {
      const now = monotonic();
      if (now - expected > interval / 2) this.#note({ from: expected, to: now });
      this.#plan();
    });
  }

  #note(stall: Stall): void {
    this.#stalls.push(stall);
    if (this.#stalls.length > maxKept) this.#stalls.shift();
  }
}

/** A process has one event loop, so there is one watch. */
export const stallWatch = new StallWatch();
