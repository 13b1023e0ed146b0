/** Describes a journal as far as its budget is concerned. */
interface BudgetedJournal {
  readonly bytes: number;
  /** Drops the oldest exchanges until so many bytes are free or only the last one is left. */
  readonly giveUp: (bytes: number) => void;
}

/** Making room frees more than is needed, so that it is seldom done: down to this share of the limit. */
const shareAfterwards = 0.9;

/**
 * Bounds the memory of all journals of a simulator together. When it is used up, the tenants that were called least recently
 * give up their oldest exchanges first.
 */
export class JournalBudget {
  /** Holds the limit in bytes. */
  readonly limit: number;
  #bytes = 0;
  #evicted = 0;
  #uses = 0;
  readonly #lastUses = new Map<BudgetedJournal, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Returns the size of all journals in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the number of requests that journals have dropped to make room, since the simulator was started. */
  get evicted(): number {
    return this.#evicted;
  }

  /** Charges a journal that a request was added to, and makes room if the limit is exceeded. */
  charge(journal: BudgetedJournal, bytes: number): void {
    this.#bytes += bytes;
    this.#lastUses.set(journal, ++this.#uses);
    if (this.#bytes > this.limit) this.#makeRoom();
  }

  /** Takes off what a journal no longer holds. */
  release(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** Counts the requests that a journal dropped to make room. */
  countEvicted(exchanges: number): void {
    this.#evicted += exchanges;
  }

  /** Forgets a journal, with all that it holds. */
  leave(journal: BudgetedJournal): void {
    if (this.#lastUses.delete(journal)) this.#bytes -= journal.bytes;
  }

  #makeRoom(): void {
    const wanted = this.limit * shareAfterwards;
    const leastRecentFirst = [...this.#lastUses].toSorted(([, one], [, other]) => one - other);
    for (const [journal] of leastRecentFirst) {
      if (this.#bytes <= wanted) return;
      journal.giveUp(this.#bytes - wanted);
    }
  }
}
