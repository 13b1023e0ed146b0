import type { Exchange } from '../../core/exchange/exchange.ts';

/** Calls in the order in which they came; one is found by its moment without going through all of them. */
export class ExchangeList {
  readonly #calls: Exchange[] = [];

  /** None may have come before the one added last. */
  add(exchange: Exchange): void {
    this.#calls.push(exchange);
  }

  get last(): Exchange | undefined {
    return this.#calls.at(-1);
  }

  /** The last one that came between two moments of real time. */
  lastBetween(from: number, to: number): Exchange | undefined {
    const found = this.#calls[this.#countBefore(to) - 1];
    return found && found.startedAt > from ? found : undefined;
  }

  /** Whether any came between two moments that isn't of these endpoints. */
  hasOtherBetween(from: number, to: number, endpoints: readonly string[]): boolean {
    for (let place = this.#countBefore(to) - 1; place >= 0; place--) {
      const call = this.#calls[place];
      if (!call || call.startedAt <= from) return false;
      if (!endpoints.includes(call.endpoint ?? '')) return true;
    }
    return false;
  }

  /** How many came before a moment. */
  #countBefore(moment: number): number {
    let [low, high] = [0, this.#calls.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#calls[middle]?.startedAt ?? Infinity) < moment) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
