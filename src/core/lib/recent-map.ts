/**
 * Holds values by texts that come over and over: those of late, and as many of before, so that what comes again and again
 * is never forgotten and nothing is looked through to make room.
 */
export class RecentMap<Value> {
  readonly #limit: number;
  #recent = new Map<string, Kept<Value>>();
  #earlier: ReadonlyMap<string, Kept<Value>> = new Map();

  /** Holds so many values of late at the most, and as many of before. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Value | undefined {
    const recent = this.#recent.get(key);
    if (recent) return recent.value;
    const kept = this.#earlier.get(key);
    if (kept) this.#keep(kept);
    return kept?.value;
  }

  set(key: string, value: Value): void {
    this.#keep({ key: copyOfText(key), value });
  }

  #keep(kept: Kept<Value>): void {
    if (this.#recent.size >= this.#limit) [this.#earlier, this.#recent] = [this.#recent, new Map()];
    this.#recent.set(kept.key, kept);
  }
}

interface Kept<Value> {
  /** Is a text of its own: one that somebody looks for may be a part of a longer one, and would keep all of that. */
  readonly key: string;
  readonly value: Value;
}

/** Returns a copy of a text: a part of a longer one keeps all of that. */
export const copyOfText = (text: string): string => Buffer.from(text).toString();
