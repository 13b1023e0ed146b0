/**
 * Holds values by texts that come over and over: those of late, and as many of before, so that what comes again and again
 * is never forgotten and nothing is looked through to make room.
 */
export class RecentMap<Value> {
  readonly #limit: number;
  #recent = new Map<string, Value>();
  #earlier: ReadonlyMap<string, Value> = new Map();

  /** Holds so many values of late at the most, and as many of before. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Value | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const value = this.#earlier.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    if (this.#recent.size >= this.#limit) [this.#earlier, this.#recent] = [this.#recent, new Map()];
    this.#recent.set(key, value);
  }
}

/** Returns a copy of a text: a part of a longer one keeps all of that. */
export const copyOfText = (text: string): string => Buffer.from(text).toString();
