import { Signal } from '../lib/signal.ts';
import { JournalBudget } from './journal-budget.ts';
import { captureExchange } from './exchange.ts';
import type { DeferredEffects, Exchange, SideEffects } from './exchange.ts';

const exchangeOverhead = 1000;
const changeOverhead = 500;
const warningOverhead = 100;

function exchangeByteSize({
  request,
  response,
  delivered,
  sideEffects: outcome,
  deferredEffects: later,
  path,
  query,
}: Exchange): number {
  const bodies = (request.body?.length ?? 0) + (response?.body?.length ?? 0) + (delivered?.body?.length ?? 0);
  let weight = exchangeOverhead + path.length + query.length + 2 * bodies + sideEffectsByteSize(outcome);
  for (const late of later) weight += sideEffectsByteSize(late.sideEffects);
  // Usual ones are shared, or part of the overhead.
  for (const name in request.headers) weight += request.headers[name]?.length ?? 0;
  return weight;
}

function sideEffectsByteSize({ changes, warnings }: SideEffects): number {
  let weight = changes.length * changeOverhead;
  for (const { message } of warnings) weight += warningOverhead + message.length;
  return weight;
}

const numberOfId = (id: string): number => Number(id.slice(id.lastIndexOf('-') + 1));

/** Describes the earlier states of a tenant as far as its budget is concerned. */
interface BudgetedHistory {
  readonly bytes: number;
  /** Forgets the oldest until so many bytes are free or none is left. */
  readonly giveUp: (bytes: number) => void;
}

/**
 * Keeps a tenant's requests with their responses in order. Holds so many bytes at the most: the oldest exchanges
 * make room for new ones, and `evicted` counts them.
 */
export class Journal {
  /** Emits every exchange that is opened. */
  readonly opened = new Signal<Exchange>();
  /** Emits every exchange that is hit by a fault, as soon as that is decided. */
  readonly faulted = new Signal<Exchange>();
  /** Emits the exchange that is the oldest after others made room. */
  readonly shortened = new Signal<Exchange>();
  /** Emits how many exchanges were thrown away. */
  readonly cleared = new Signal<number>();
  /** Holds the budget that it shares with the journals of other tenants. */
  readonly budget: JournalBudget;
  readonly #limit: number;
  readonly #completed = new Signal<Exchange>();
  /** Exchange number n stands at place n - 1 - #evicted; the places before #start are already given up. */
  #exchanges: (Exchange | undefined)[] = [];
  #start = 0;
  #bytes = 0;
  #evicted = 0;
  #deleted = 0;
  #completions = 0;
  #isClosed = false;
  #history: BudgetedHistory | undefined;

  /** Creates a journal of at most so many bytes. */
  constructor(limit: number, budget = new JournalBudget(Infinity)) {
    this.#limit = limit;
    this.budget = budget;
  }

  /** Returns the number of exchanges that made room for later ones. */
  get evicted(): number {
    return this.#evicted + this.#start;
  }

  /** Returns the number of requests that were deleted on demand, and of whose work something may be left. */
  get deleted(): number {
    return this.#deleted;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the bytes of the earlier states that are kept for its exchanges. */
  get historyBytes(): number {
    return this.#history?.bytes ?? 0;
  }

  get size(): number {
    return this.#exchanges.length - this.#start;
  }

  /** Returns the number of completed exchanges; clearing the journal does not reset it. */
  get completedCount(): number {
    return this.#completions;
  }

  /** Returns the number that the next exchange gets. */
  nextNumber(): number {
    return this.#evicted + this.#exchanges.length + 1;
  }

  open(exchange: Exchange): void {
    this.#exchanges.push(exchange);
    this.opened.emit(exchange);
  }

  /** Completes an exchange when the response is known, and again when a job added to it. */
  complete(exchange: Exchange): void {
    // A cleared journal doesn't take back what was under way when it was cleared.
    if (this.#at(exchange.number) !== exchange) return;
    exchange.completionNumber ??= ++this.#completions;
    const weight = exchangeByteSize(exchange);
    const added = weight - exchange.byteSize;
    this.#bytes += added;
    exchange.byteSize = weight;
    if (!this.#isClosed) this.budget.charge(this, added);
    if (this.#bytes > this.#limit) this.#drop(this.#bytes - this.#limit);
    this.#completed.emit(exchange);
  }

  get(id: string): Exchange | undefined {
    const exchange = this.#at(numberOfId(id));
    return exchange?.id === id ? exchange : undefined;
  }

  #at(number: number): Exchange | undefined {
    const place = number - 1 - this.#evicted;
    return place >= this.#start ? this.#exchanges[place] : undefined;
  }

  /** Adds what a job did later. */
  appendDeferredEffects(exchange: Exchange, late: DeferredEffects): void {
    exchange.deferredEffects = [...exchange.deferredEffects, late];
    this.complete(exchange);
  }

  /** Yields the oldest first. */
  *exchanges(): Generator<Exchange> {
    for (let place = this.#start; place < this.#exchanges.length; place++) {
      const exchange = this.#exchanges[place];
      if (exchange) yield exchange;
    }
  }

  /** Returns all that it holds now, oldest first. */
  toArray(): Exchange[] {
    // Only places before the start are empty.
    return this.#exchanges.slice(this.#start) as Exchange[];
  }

  /** Returns a journal of its own that stays as this one is now. */
  capture(): Journal {
    const captured = new Journal(Infinity);
    captured.#exchanges = this.toArray().map(captureExchange);
    captured.#evicted = this.evicted;
    captured.#deleted = this.#deleted;
    captured.#completions = this.#completions;
    captured.#bytes = this.#bytes;
    return captured;
  }

  /** Calls back whenever an exchange was settled, until the returned function is called. */
  onCompleted(listener: (exchange: Exchange) => void): () => void {
    return this.#completed.subscribe(listener);
  }

  /** Takes its exchanges out of the budget: nobody will read them any more. */
  close(): void {
    this.#isClosed = true;
    this.budget.leave(this);
  }

  /** Deletes all requests; what they have done stays. */
  clear(): void {
    const { size } = this;
    this.#deleted += size;
    this.#release(this.#bytes);
    this.#exchanges = [];
    this.#start = 0;
    this.#bytes = 0;
    this.#evicted = 0;
    this.cleared.emit(size);
  }

  /** Forgets that requests were deleted, once nothing is left of what they had done. */
  forgetDeleted(): void {
    this.#deleted = 0;
  }

  /** Takes up the earlier states of its tenant, which share its budget. */
  attachHistory(history: BudgetedHistory): void {
    this.#history = history;
  }

  /** Notes that they have grown by so many bytes, or shrunk. */
  chargeHistory(added: number): void {
    if (this.#isClosed) return;
    if (added > 0) this.budget.chargeHistory(this, added);
    else this.budget.release(-added);
  }

  /** Drops the oldest exchanges, and the states before them, until so many bytes are free or only the last one is left. */
  giveUp(bytes: number): void {
    const heldBytes = (): number => this.#bytes + this.historyBytes;
    const wanted = heldBytes() - bytes;
    // The states before an exchange go with it, so that it is a share of them that has to be dropped.
    this.#drop((bytes * this.#bytes) / Math.max(1, heldBytes()));
    if (heldBytes() > wanted) this.#drop(heldBytes() - wanted);
    if (heldBytes() > wanted) this.#history?.giveUp(heldBytes() - wanted);
  }

  #drop(bytes: number): void {
    const { size } = this;
    let freed = 0;
    while (freed < bytes && this.size > 1) {
      freed += this.#exchanges[this.#start]?.byteSize ?? 0;
      this.#exchanges[this.#start++] = undefined;
    }
    this.#release(freed);
    this.#bytes -= freed;
    this.budget.countEvicted(size - this.size);
    const oldest = this.#exchanges[this.#start];
    if (oldest && freed > 0) this.shortened.emit(oldest);
    // Given-up places are cut off now and then, so that each costs next to nothing.
    if (this.#start < 1000 || this.#start * 2 < this.#exchanges.length) return;
    this.#exchanges = this.#exchanges.slice(this.#start);
    this.#evicted += this.#start;
    this.#start = 0;
  }

  #release(bytes: number): void {
    if (!this.#isClosed) this.budget.release(bytes);
  }
}
