import type { Instant } from '../time/clock.ts';
import type { DeliveredResponse, InjectedFault, NearMissSource } from './fault-plan.ts';
import type { RowChange } from '../state/state.ts';
import type { Warning } from '../lib/suggest.ts';
import { Signal } from '../lib/signal.ts';

const none: readonly never[] = [];

/**
 * What a call, a job or a trigger did besides its answer. Most calls have little to tell and the journal keeps
 * many of them, so a list is only made when there is something to put in it.
 */
export class SideEffects {
  changes: readonly RowChange[] = none;
  warnings: readonly Warning[] = none;
  /** Assumptions that the answer rests on. */
  assumptions: readonly string[];

  constructor(assumptions: readonly string[] = none) {
    this.assumptions = assumptions;
  }

  recordChange(change: RowChange): void {
    this.changes = appended(this.changes, change);
  }

  warn(code: string, message: string): void {
    this.warnings = appended(this.warnings, { code, message });
  }

  recordAssumption(id: string): void {
    if (!this.assumptions.includes(id)) this.assumptions = [...this.assumptions, id];
  }

  /** Forgets the changes after the first so many: they were undone. */
  rollBackTo(done: number): void {
    this.changes = done === 0 ? none : this.changes.slice(0, done);
  }
}

/** A list of one's own grows in place; the shared empty one is left alone. */
function appended<T>(list: readonly T[], item: T): readonly T[] {
  if (list === none) return [item];
  (list as T[]).push(item);
  return list;
}

/** A message as it went over the wire: headers with lower-case names, keys left out. */
export interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

/** What the service answered. */
export interface ResponseMessage extends HttpMessage {
  readonly status: number;
}

/** Which connection a request came by, to tell a client's own retries from those of its HTTP library. */
export interface ClientConnection {
  /** Counts the connections of a server from 1. */
  readonly id: number;
  /** The caller's port. */
  readonly port: number;
  /** Counts the requests of the connection from 1. */
  readonly request: number;
  /** Real time since the program's start in ms. */
  readonly openedAt: number;
  /** Requests taken in within one turn were all there before any of them was answered. */
  readonly eventLoopTurn: number;
}

/** What a queued job did on behalf of an exchange that was already answered. */
export interface DeferredEffects {
  readonly job: string;
  readonly at: Instant;
  readonly sideEffects: SideEffects;
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
  readonly request: HttpMessage;
  /** Tells whether two requests came with the same key, and is shown to nobody; undefined when there was none. */
  readonly keyDigest: string | undefined;
  endpoint: string | undefined;
  /** What was asked for, if no endpoint answers it: the nearest that would. */
  nearest: string | undefined;
  /** What the caller was told; undefined when it was told nothing. */
  status: number | undefined;
  /** What the service answered; undefined when a fault came before it. */
  response: ResponseMessage | undefined;
  /** The fault that befell it. */
  fault: InjectedFault | undefined;
  nearMisses: NearMissSource;
  /** What the caller got, where that isn't the answer as the service made it. */
  delivered: DeliveredResponse | undefined;
  /** Undefined for a call in process. */
  readonly connection: ClientConnection | undefined;
  finishedAt: number | undefined;
  /** Counts a tenant's exchanges from 1 in the order they were over, which a slow one spoils for `number`. */
  completionNumber: number | undefined;
  /** What it takes up in the journal, in bytes, as far as it has been counted. */
  byteSize: number;
  readonly sideEffects: SideEffects;
  /** What jobs of this exchange did later. */
  deferredEffects: readonly DeferredEffects[];
}

const exchangeOverhead = 1000;
const changeWeight = 500;
const warningOverhead = 100;

function exchangeByteSize({
  request,
  response: answer,
  delivered,
  sideEffects: outcome,
  deferredEffects: later,
  path,
  query,
}: Exchange): number {
  const bodies = (request.body?.length ?? 0) + (answer?.body?.length ?? 0) + (delivered?.body?.length ?? 0);
  let weight = exchangeOverhead + path.length + query.length + 2 * bodies + sideEffectsByteSize(outcome);
  for (const late of later) weight += sideEffectsByteSize(late.sideEffects);
  // Usual ones are shared, or part of the overhead.
  for (const name in request.headers) weight += request.headers[name]?.length ?? 0;
  return weight;
}

function sideEffectsByteSize({ changes, warnings }: SideEffects): number {
  let weight = changes.length * changeWeight;
  for (const { message } of warnings) weight += warningOverhead + message.length;
  return weight;
}

/** What an exchange starts with when no job has added to it. */
export const noDeferredEffects: readonly DeferredEffects[] = none;

/** What an exchange starts with when no rule nearly fired. */
export const noNearMisses: NearMissSource = { list: () => none };

/** The name of a tenant's n-th exchange: the `requestId` of its answer. */
export const exchangeId = (tenant: string, number: number): string => `${tenant}-${number}`;

const numberIn = (id: string): number => Number(id.slice(id.lastIndexOf('-') + 1));

/**
 * What a tenant was asked and what it answered, in order. Holds so many bytes at the most: the oldest exchanges
 * make room for new ones, and `evicted` counts them.
 */
export class Journal {
  /** Told of every exchange that is opened. */
  readonly opened = new Signal<Exchange>();
  /** Told of every exchange that a fault befalls, as soon as that is decided. */
  readonly faulted = new Signal<Exchange>();
  /** Told how many exchanges were thrown away. */
  readonly cleared = new Signal<number>();
  readonly #limit: number;
  readonly #completed = new Signal<Exchange>();
  /** Exchange number n stands at place n - 1 - #evicted; the places before #start are already given up. */
  #exchanges: Exchange[] = [];
  #start = 0;
  #bytes = 0;
  #evicted = 0;
  #settled = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many exchanges had to make room for later ones. */
  get evicted(): number {
    return this.#evicted + this.#start;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#exchanges.length - this.#start;
  }

  /** How many exchanges are over: what the last one settled as. Goes on when the journal is cleared. */
  get completedCount(): number {
    return this.#settled;
  }

  /** The number that the next exchange gets. */
  nextNumber(): number {
    return this.#evicted + this.#exchanges.length + 1;
  }

  open(exchange: Exchange): void {
    this.#exchanges.push(exchange);
    this.opened.emit(exchange);
  }

  /** Called when the answer is known, and again when a job added to it. */
  complete(exchange: Exchange): void {
    // A cleared journal doesn't take back what was under way when it was cleared.
    if (this.get(exchange.id) !== exchange) return;
    exchange.completionNumber ??= ++this.#settled;
    const weight = exchangeByteSize(exchange);
    this.#bytes += weight - exchange.byteSize;
    exchange.byteSize = weight;
    if (this.#bytes > this.#limit) this.#evict();
    this.#completed.emit(exchange);
  }

  get(id: string): Exchange | undefined {
    const place = numberIn(id) - 1 - this.#evicted;
    const exchange = place >= this.#start ? this.#exchanges[place] : undefined;
    return exchange?.id === id ? exchange : undefined;
  }

  /** Adds what a job did later. */
  appendDeferredEffects(exchange: Exchange, late: DeferredEffects): void {
    exchange.deferredEffects = [...exchange.deferredEffects, late];
    this.complete(exchange);
  }

  /** Oldest first. */
  *exchanges(): Generator<Exchange> {
    for (let place = this.#start; place < this.#exchanges.length; place++) {
      const exchange = this.#exchanges[place];
      if (exchange) yield exchange;
    }
  }

  /** Calls back whenever an exchange was settled, until the answered function is called. */
  onCompleted(listener: (exchange: Exchange) => void): () => void {
    return this.#completed.subscribe(listener);
  }

  clear(): void {
    const { size } = this;
    this.#exchanges = [];
    this.#start = 0;
    this.#bytes = 0;
    this.#evicted = 0;
    this.cleared.emit(size);
  }

  #evict(): void {
    while (this.#bytes > this.#limit && this.size > 1) {
      this.#bytes -= this.#exchanges[this.#start]?.byteSize ?? 0;
      this.#start++;
    }
    // Given-up places are cut off now and then, so that each costs next to nothing.
    if (this.#start < 1000 || this.#start * 2 < this.#exchanges.length) return;
    this.#exchanges = this.#exchanges.slice(this.#start);
    this.#evicted += this.#start;
    this.#start = 0;
  }
}
