import { lowerBound } from '../../core/lib/collections.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';

/** Describes a time between two moments of real time, in ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Tells of many spans how far those reach that have begun. */
export class Spans {
  readonly #spans: readonly Span[];

  constructor(spans: readonly Span[]) {
    let latest = -Infinity;
    this.#spans = spans
      .toSorted((a, b) => a.from - b.from)
      .map(({ from, to }) => ({ from, to: (latest = Math.max(latest, to)) }));
  }

  /** Returns the latest end of the spans that have begun by a moment; -Infinity if none has. */
  reachAt(moment: number): number {
    const begun = lowerBound(this.#spans, ({ from }) => from > moment);
    return this.#spans[begun - 1]?.to ?? -Infinity;
  }
}

/** Lists exchanges by their arrival; a binary search finds one by its moment. */
export class ExchangeList {
  readonly #exchanges: Exchange[] = [];

  /** Adds an exchange that arrived after all others. */
  add(exchange: Exchange): void {
    this.#exchanges.push(exchange);
  }

  /** Returns the last exchange that arrived between two moments of real time, among those that are accepted. */
  lastBetween(
    from: number,
    to: number,
    isAccepted: (exchange: Exchange) => boolean = () => true,
  ): Exchange | undefined {
    for (let i = this.#countBefore(to) - 1; i >= 0; i--) {
      const found = this.#exchanges[i];
      if (!found || found.startedAt <= from) return undefined;
      if (isAccepted(found)) return found;
    }
    return undefined;
  }

  /** Returns the first exchange that arrived after a moment, among those that are accepted. */
  firstAfter(moment: number, isAccepted: (exchange: Exchange) => boolean): Exchange | undefined {
    for (let i = this.#countBefore(moment); i < this.#exchanges.length; i++) {
      const found = this.#exchanges[i];
      if (found && found.startedAt > moment && isAccepted(found)) return found;
    }
    return undefined;
  }

  /** Returns the first exchanges between two moments, at most so many. */
  firstBetween(from: number, to: number, limit: number): readonly Exchange[] {
    const begin = lowerBound(this.#exchanges, ({ startedAt }) => startedAt > from);
    return this.#exchanges.slice(begin, Math.min(begin + limit, this.#countBefore(to)));
  }

  /** True when an exchange of another endpoint arrived between two moments. */
  hasOtherBetween(from: number, to: number, endpoints: readonly string[]): boolean {
    for (let i = this.#countBefore(to) - 1; i >= 0; i--) {
      const exchange = this.#exchanges[i];
      if (!exchange || exchange.startedAt <= from) return false;
      if (!endpoints.includes(exchange.endpoint ?? '')) return true;
    }
    return false;
  }

  /** Counts the exchanges before a moment. */
  #countBefore(moment: number): number {
    return lowerBound(this.#exchanges, ({ startedAt }) => startedAt >= moment);
  }
}
