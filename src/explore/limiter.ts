/** Lets so many pieces of work go on at a time; others wait in lines, which take turns. */
export class Limiter {
  #free: number;
  /** Holds what goes before all lines. */
  readonly #urgent: (() => void)[] = [];
  readonly #lines = new Map<string, (() => void)[]>();
  #isDispatching = false;

  constructor(places: number) {
    this.#free = places;
  }

  /** Does a piece of work when its line has its turn. */
  run<Result>(line: string, work: () => Result): Promise<Awaited<Result>> {
    const waiting = this.#lines.get(line) ?? [];
    this.#lines.set(line, waiting);
    return this.#enter(waiting, work);
  }

  /** Does it before everything that waits. */
  runFirst<Result>(work: () => Result): Promise<Awaited<Result>> {
    return this.#enter(this.#urgent, work);
  }

  async #enter<Result>(waiting: (() => void)[], work: () => Result): Promise<Awaited<Result>> {
    await new Promise<void>((go) => {
      waiting.push(go);
      this.#dispatchSoon();
    });
    try {
      return await work();
    } finally {
      this.#free++;
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
        this.#free--;
        go();
      }
    });
  }

  #next(): (() => void) | undefined {
    if (this.#free === 0) return undefined;
    const urgent = this.#urgent.shift();
    if (urgent) return urgent;
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
