/** Follows the requests of a tenant, so that a look at them costs what has changed since the one before. */
import type { Exchange } from '../core/exchange/exchange.ts';
import type { Journal } from '../core/exchange/journal.ts';

const isOpen = ({ finishedAt }: Exchange): boolean => finishedAt === undefined;

export class Activity {
  readonly #journal: Journal;
  #next = 0;
  #exchanges: readonly Exchange[] = [];
  #open: readonly Exchange[] = [];

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Returns all requests, the oldest first: the same list again as long as none has come or ended. */
  get exchanges(): readonly Exchange[] {
    const next = this.#journal.nextNumber();
    if (next !== this.#next || !this.#open.every(isOpen)) {
      this.#next = next;
      this.#exchanges = [...this.#journal.exchanges()];
      this.#open = this.#exchanges.filter(isOpen);
    }
    return this.#exchanges;
  }

  /** True while a request has not ended. */
  get isInFlight(): boolean {
    return this.exchanges.length > 0 && this.#open.length > 0;
  }

  /** Returns when the last request began or ended, on the machine's own clock in ms; 0 when there was none. */
  get lastAt(): number {
    const last = this.exchanges.at(-1);
    return last?.finishedAt ?? last?.startedAt ?? 0;
  }
}
