interface Urgent {
  readonly go: () => void;
  readonly rank: number;
}

/** Lets so many pieces of work go on at a time; others wait in lines, which take turns. */
export class Limiter {
  /** Says how many may go on now, which may change. */
  readonly #places: { readonly limit: number };
  #taken = 0;
  /** Holds what goes before all lines. */
  readonly #urgent: Urgent[] = [];
  readonly #lines = new Map<string, (() => void)[]>();
  #isDispatching = false;

  constructor(places: { readonly limit: number }) {
    this.#places = places;
  }

  /** Does a piece of work when its line has its turn. */
  run<Result>(line: string, work: () => Result): Promise<Awaited<Result>> {
    const waiting = this.#lines.get(line) ?? [];
    this.#lines.set(line, waiting);
    return this.#enter(waiting, work);
  }

  /** Does it before everything that waits in a line; of such work, the one with the highest rank first. */
  runFirst<Result>(work: () => Result, rank = 0): Promise<Awaited<Result>> {
    const push = (go: () => void): void => {
      const next = this.#urgent.findIndex((one) => one.rank < rank);
      this.#urgent.splice(next < 0 ? this.#urgent.length : next, 0, { go, rank });
    };
    return this.#enter({ push }, work);
  }

  async #enter<Result>(
    waiting: { readonly push: (go: () => void) => void },
    work: () => Result,
  ): Promise<Awaited<Result>> {
    await new Promise<void>((go) => {
      waiting.push(go);
      this.#dispatchSoon();
    });
    try {
      return await work();
    } finally {
      this.#taken--;
      this.#dispatchSoon();
    }
  }

  /** Waits until all lines have formed: what is planned in one go takes turns from its beginning. */
  #dispatchSoon(): void {
    if (this.#isDispatching) return;
    this.#isDispatching = true;
    setImmediate(() => {
      this.#isDispatching = false;
      for (let go = this.#next(); go; go = this.#next()) {
        this.#taken++;
        go();
      }
    });
  }

  #next(): (() => void) | undefined {
    if (this.#taken >= this.#places.limit) return undefined;
    const urgent = this.#urgent.shift();
    if (urgent) return urgent.go;
    for (const [name, waiting] of this.#lines) {
      const go = waiting.shift();
      if (!go) continue;
      // To the end of the order.
      this.#lines.delete(name);
      this.#lines.set(name, waiting);
      return go;
    }
    return undefined;
  }
}
