/** Finds out how many clients the machine can begin side by side: by how long they take to send their first request. */
import { availableParallelism } from 'node:os';
import { monotonicNow } from '../../core/time/clock.ts';
import { lagMonitor } from '../../core/time/event-loop-lag.ts';
import type { RunTimes } from '../run.ts';

/** A client that takes so many times its usual time to begin, and so many ms longer, was held up. */
const [slowFactor, slowTime] = [2, 100];

/** Takes this part of the clients away when one was held up. */
const kept = 0.7;

export class Capacity {
  readonly #most: number;
  #limit: number;
  /** Holds the shortest time that the client took to begin. */
  #usual = Infinity;
  #loweredAt = 0;
  /** Holds the times in which a client was held up, each from its beginning to its first request. */
  readonly #slow: { readonly from: number; readonly to: number }[] = [];

  /** Never lets more than these begin. */
  constructor(most: number) {
    this.#most = most;
    this.#limit = Math.min(most, 2 * availableParallelism());
  }

  /** Returns how many may begin now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Learns how long the client takes to begin when it has the machine for itself. */
  learn({ from, firstAt }: RunTimes): void {
    if (firstAt !== undefined) this.#usual = Math.min(this.#usual, firstAt - from);
  }

  /** Lets one more client begin after one that began in time, and fewer after one that was held up. */
  note({ from, firstAt }: Pick<RunTimes, 'from' | 'firstAt'>): void {
    if (firstAt === undefined) return;
    if (firstAt - from <= Math.max(slowFactor * this.#usual, this.#usual + slowTime)) {
      this.#limit = Math.min(this.#most, this.#limit + 1);
      return;
    }
    this.#slow.push({ from, to: firstAt });
    // Those that were begun before the last change say nothing about it.
    if (from < this.#loweredAt) return;
    this.#limit = Math.max(1, this.#limit * kept);
    this.#loweredAt = monotonicNow();
  }

  /** True when the machine did not keep up during a run: with this client, another one, or the simulator itself. */
  wasShort({ from, to }: RunTimes): boolean {
    return this.#slow.some((one) => one.from < to && one.to > from) || lagMonitor.lagBetween(from, to) > slowTime;
  }
}
