/** Lets several programs run on one virtual clock: when all of them wait, the tenant's clock moves to the next one's time. */
import type { SimTenant } from '../../../src/simulator/tenant-handle.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export class Stagehand {
  now = 0;
  #tenant: SimTenant;
  #running = 0;
  #sleepers: Sleeper[] = [];
  #idle: () => void = () => {};

  constructor(tenant: SimTenant) {
    this.#tenant = tenant;
  }

  /** Runs the programs until all have ended, one at a time. */
  async run(programs: readonly (() => Promise<void>)[]): Promise<void> {
    const ended = programs.map((program) =>
      this.sleep(0, false)
        .then(program)
        .finally(() => this.#rest()),
    );
    while (this.#sleepers.length > 0) {
      this.#sleepers.sort((a, b) => a.at - b.at);
      const [next] = this.#sleepers.splice(0, 1);
      if (!next) break;
      await this.pass(next.at - this.now);
      const idle = new Promise<void>((resolve) => (this.#idle = resolve));
      this.#running += 1;
      next.wake();
      await idle;
    }
    await Promise.all(ended);
  }

  /** Moves the clock while a program waits for a response. */
  async pass(length: number): Promise<void> {
    if (length <= 0) return;
    this.now += length;
    await this.#tenant.clock.advance(length);
  }

  sleep(length: number, wasRunning = true): Promise<void> {
    const slept = new Promise<void>((wake) => this.#sleepers.push({ at: this.now + Math.round(length), wake }));
    if (wasRunning) this.#rest();
    return slept;
  }

  #rest(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#idle();
  }
}
