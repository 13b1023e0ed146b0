import type { Instant } from './clock.ts';
import type { Change } from './state.ts';
import type { Warning } from './warning.ts';

/** What a call, a job or a trigger did besides its answer. */
export interface Outcome {
  changes: Change[];
  warnings: Warning[];
  assumptions: Set<string>;
}

export const newOutcome = (): Outcome => ({ changes: [], warnings: [], assumptions: new Set() });

/** A message as it went over the wire: headers with lower-case names, keys left out. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** One request and its answer. */
export interface Exchange {
  readonly id: string;
  /** Counts a tenant's exchanges from 1. */
  readonly number: number;
  /** On the tenant's clock. */
  readonly at: Instant;
  /** Real time since the program's start in ms, for pauses between attempts. */
  readonly startedAt: number;
  readonly method: string;
  /** Without the tenant's prefix. */
  readonly path: string;
  readonly query: string;
  readonly request: { readonly headers: Readonly<Record<string, string>>; body: string | undefined };
  endpoint: string | undefined;
  /** What was asked for, if no endpoint answers it: the nearest that would. */
  nearest: string | undefined;
  status: number | undefined;
  answer: Message | undefined;
  finishedAt: number | undefined;
  readonly outcome: Outcome;
  /** What jobs of this exchange did later. */
  readonly later: { readonly job: string; readonly at: Instant; readonly outcome: Outcome }[];
}

const exchangeOverhead = 1000;
const changeWeight = 500;

function weigh({ request, answer, outcome, later, path, query }: Exchange): number {
  const changes = outcome.changes.length + later.reduce((sum, { outcome: late }) => sum + late.changes.length, 0);
  const bodies = (request.body?.length ?? 0) + (answer?.body?.length ?? 0);
  return exchangeOverhead + path.length + query.length + 2 * bodies + changes * changeWeight;
}

/**
 * What a tenant was asked and what it answered, in order. Holds so many bytes at the most: the oldest exchanges
 * make room for new ones, and `evicted` counts them.
 */
export class Journal {
  readonly #limit: number;
  readonly #weights = new Map<string, number>();
  readonly #exchanges = new Map<string, Exchange>();
  readonly #listeners = new Set<(exchange: Exchange) => void>();
  #bytes = 0;
  #opened = 0;
  #evicted = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many exchanges there have been since the last clearing. */
  get opened(): number {
    return this.#opened;
  }

  get evicted(): number {
    return this.#evicted;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#exchanges.size;
  }

  /** The number that the next exchange gets. */
  nextNumber(): number {
    return this.#opened + 1;
  }

  open(exchange: Exchange): void {
    this.#opened = Math.max(this.#opened, exchange.number);
    this.#exchanges.set(exchange.id, exchange);
  }

  /** Called when the answer is known, and again when a job added to it. */
  settle(exchange: Exchange): void {
    // A cleared journal doesn't take back what was under way when it was cleared.
    if (this.#exchanges.get(exchange.id) !== exchange) return;
    const weight = weigh(exchange);
    this.#bytes += weight - (this.#weights.get(exchange.id) ?? 0);
    this.#weights.set(exchange.id, weight);
    this.#evict();
    for (const listener of this.#listeners) listener(exchange);
  }

  get(id: string): Exchange | undefined {
    return this.#exchanges.get(id);
  }

  /** Oldest first. */
  exchanges(): IterableIterator<Exchange> {
    return this.#exchanges.values();
  }

  /** Calls back whenever an exchange was settled, until the answered function is called. */
  listen(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(): void {
    this.#exchanges.clear();
    this.#weights.clear();
    this.#bytes = 0;
    this.#opened = 0;
    this.#evicted = 0;
  }

  #evict(): void {
    for (const id of this.#exchanges.keys()) {
      if (this.#bytes <= this.#limit || this.#exchanges.size <= 1) return;
      this.#bytes -= this.#weights.get(id) ?? 0;
      this.#weights.delete(id);
      this.#exchanges.delete(id);
      this.#evicted++;
    }
  }
}
