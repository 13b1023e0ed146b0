/** Describes a journal as far as its budget is concerned. */
interface BudgetedJournal {
  readonly bytes: number;
  /** Holds the bytes of the earlier states that are kept with it. */
  readonly historyBytes: number;
  /** Drops the oldest exchanges and states until so many bytes are free or only the last one is left. */
  readonly giveUp: (bytes: number) => void;
}

/** Making room frees more than is needed, so that it is seldom done: down to this share of the limit. */
const shareAfterwards = 0.9;

/**
 * Bounds the memory of all journals of a simulator together, with the earlier states that are kept for their requests. When it is used up, the tenants that were called least recently
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

  /** Returns the size of all journals and earlier states in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the part of it that earlier states take. */
  get historyBytes(): number {
    let bytes = 0;
    for (const journal of this.#lastUses.keys()) bytes += journal.historyBytes;
    return bytes;
  }

  /** Returns the number of requests that journals have dropped to make room, since the simulator was started. */
  get evicted(): number {
    return this.#evicted;
  }

  /** Charges a journal that a request was added to, and makes room if the limit is exceeded. */
  charge(journal: BudgetedJournal, bytes: number): void {
    this.#lastUses.set(journal, ++this.#uses);
    this.chargeHistory(journal, bytes);
  }

  /** Does the same for what happens without a call, as time goes by. */
  chargeHistory(journal: BudgetedJournal, bytes: number): void {
    this.#bytes += bytes;
    if (!this.#lastUses.has(journal)) this.#lastUses.set(journal, ++this.#uses);
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
    if (this.#lastUses.delete(journal)) this.#bytes -= journal.bytes + journal.historyBytes;
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
