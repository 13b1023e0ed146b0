import { startMachineTimer, machineNow } from './clock.ts';

const interval = 20;
const maxKept = 10_000;

/** Holds the longest stall whose aftermath is considered, in ms. */
const maxStall = 10_000;

interface Stall {
  readonly from: number;
  readonly to: number;
}

/**
 * Looks on while calls are served: a simulator that was kept from working sees calls later than they were sent, and
 * must not blame a client for what it saw then.
 */
class LagMonitor {
  readonly #stalls: Stall[] = [];
  #watcherCount = 0;
  #expectedAt = 0;
  #cancelTimer: () => void = () => {};

  /** Watches until the returned function is called. */
  watch(): () => void {
    if (++this.#watcherCount === 1) this.#armTimer();
    return () => {
      if (--this.#watcherCount === 0) this.#cancelTimer();
    };
  }

  /**
   * Returns how long the simulator itself was kept from working between two moments, in ms; or so shortly before them that
   * what had piled up was still being worked off. Stalls shorter than `shortest` do not count.
   */
  lagBetween(from: number, to: number, shortest = 0): number {
    const overdue = this.#currentStall();
    const lasting = overdue && overdue.from <= to ? overdue.to - overdue.from : 0;
    let late = lasting < shortest ? 0 : lasting;
    for (let place = this.#stalls.length - 1; place >= 0; place--) {
      const stall = this.#stalls[place];
      if (!stall || stall.to < from - maxStall) break;
      const length = stall.to - stall.from;
      if (length >= shortest && stall.from <= to && stall.to + length >= from) late += length;
    }
    return late;
  }

  #armTimer(): void {
    this.#expectedAt = machineNow() + interval;
    this.#cancelTimer = startMachineTimer(interval, () => {
      const stall = this.#currentStall();
      if (stall) this.#stalls.push(stall);
      if (this.#stalls.length > maxKept) this.#stalls.shift();
      this.#armTimer();
    });
  }

  /** Returns the stall that has just been, or still is. */
  #currentStall(): Stall | undefined {
    const [from, to] = [this.#expectedAt, machineNow()];
    return this.#watcherCount > 0 && to - from > interval / 2 ? { from, to } : undefined;
  }
}

/** A process has one event loop, so there is one watch. */
export const lagMonitor = new LagMonitor();
