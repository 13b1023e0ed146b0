import type { Instant } from '../time/clock.ts';
import type { RowChange } from '../state/state.ts';
import type { TenantContext } from '../tenant/context.ts';
import type { Steps } from '../time/steps.ts';
import type { Warning } from '../lib/suggest.ts';
import type { DeliveredResponse, InjectedFault, NearMiss } from './fault.ts';

const none: readonly never[] = [];

/** Limits the warnings of one code that a request, a job or a trigger lists. */
export const maxWarningsOfCode = 1000;

/** So few changes are copied at the end. */
const fewChanges = 100;

/** Holds the lists that a list became with one more assumption: most requests rest on the same few, and share a list. */
const longerLists = new WeakMap<readonly string[], Map<string, readonly string[]>>();

function withOneMore(assumptions: readonly string[], id: string): readonly string[] {
  const longer = longerLists.get(assumptions) ?? new Map<string, readonly string[]>();
  const known = longer.get(id);
  if (known) return known;
  const list = [...assumptions, id];
  longerLists.set(assumptions, longer.set(id, list));
  return list;
}

/** Counts the warnings of one code that are listed, and those that are not; says where the latter are summed up. */
interface WarningCount {
  listed: number;
  omitted: number;
  place: number;
}

/**
 * Collects what a request, a job or a trigger did besides its response. Most calls have little to tell and the journal keeps
 * many of them, so a list is only made when there is something to put in it.
 */
export class SideEffects {
  changes: readonly RowChange[] = none;
  warnings: readonly Warning[] = none;
  /** Lists the assumptions that the response rests on. */
  assumptions: readonly string[];
  /** Numbers the state of the tenant that the work left, as its history counts them. */
  stateVersion = 0;
  #counts: Map<string, WarningCount> | undefined;

  constructor(assumptions: readonly string[] = none) {
    this.assumptions = assumptions;
  }

  recordChange(change: RowChange): void {
    this.changes = appended(this.changes, change);
  }

  /** Notes the state that the work left. The journal keeps its changes: V8 leaves room for 17 or more in a list that grew. */
  commit(stateVersion: number): void {
    this.stateVersion = stateVersion;
    if (this.changes.length > 1 && this.changes.length < fewChanges) this.changes = this.changes.slice();
  }

  /** Adds a warning. The first thousand of a code are listed, and after them one warning that counts the others. */
  warn(code: string, message: string): void {
    // Most calls have none or a few: nothing is counted for them.
    if (this.warnings.length < maxWarningsOfCode) this.warnings = appended(this.warnings, { code, message });
    else this.#warnAmongMany(code, message);
  }

  /** Counts so many more warnings of a code of which a thousand were added. */
  warnOfMore(code: string, more: number): void {
    const count = this.#countOf(code);
    if (count.omitted === 0) count.place = this.warnings.length;
    count.omitted += more;
    (this.warnings as Warning[])[count.place] = { code, message: `and ${count.omitted} more like these` };
  }

  #warnAmongMany(code: string, message: string): void {
    const count = this.#countOf(code);
    if (count.listed >= maxWarningsOfCode) return this.warnOfMore(code, 1);
    count.listed++;
    appended(this.warnings, { code, message });
  }

  #countOf(code: string): WarningCount {
    this.#counts ??= countByCode(this.warnings);
    const count = this.#counts.get(code) ?? { listed: 0, omitted: 0, place: 0 };
    this.#counts.set(code, count);
    return count;
  }

  recordAssumption(id: string): void {
    if (!this.assumptions.includes(id)) this.assumptions = withOneMore(this.assumptions, id);
  }

  /** Returns what has been recorded so far. */
  snapshot(): SideEffects {
    const copy = this.copy();
    copy.changes = this.changes;
    copy.stateVersion = this.stateVersion;
    return copy;
  }

  /** Returns the same for work that may be thrown away. */
  copy(): SideEffects {
    const copy = new SideEffects(this.assumptions);
    copy.warnings = [...this.warnings];
    return copy;
  }

  /** Takes up what a copy has recorded since. */
  adopt(copy: SideEffects): void {
    this.changes = copy.changes;
    this.warnings = copy.warnings;
    this.assumptions = copy.assumptions;
    this.#counts = copy.#counts;
  }

  /** True when there is no more to tell than the state that was left, and by which assumptions. */
  get isQuiet(): boolean {
    return this.changes.length === 0 && this.warnings.length === 0;
  }

  /** True when two that are quiet tell the same. */
  isAsQuiet({ assumptions, stateVersion }: SideEffects): boolean {
    return this.stateVersion === stateVersion && isSameList(this.assumptions, assumptions);
  }

  /** Forgets the changes after the first so many: they were undone. */
  rollBackTo(done: number): void {
    this.changes = done === 0 ? none : this.changes.slice(0, done);
  }
}

function countByCode(warnings: readonly Warning[]): Map<string, WarningCount> {
  const counts = new Map<string, WarningCount>();
  for (const { code } of warnings) {
    const count = counts.get(code);
    if (count) count.listed++;
    else counts.set(code, { listed: 1, omitted: 0, place: 0 });
  }
  return counts;
}

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, i) => id === other[i]);

/** A list of one's own grows in place; the shared empty one is left alone. */
function appended<T>(list: readonly T[], item: T): readonly T[] {
  if (list === none) return [item];
  (list as T[]).push(item);
  return list;
}

/** Describes a message as it went over the wire: headers with lower-case names, keys left out. */
export interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Holds the response of the service. */
export interface ResponseMessage extends HttpMessage {
  readonly status: number;
}

/** Says which connection a request came by, to tell a client's own retries from those of its HTTP library. */
export interface ClientConnection {
  /** Counts the connections of a server from 1. */
  readonly id: number;
  /** Holds the caller's port. */
  readonly port: number;
  /** Counts the requests of the connection from 1. */
  readonly request: number;
  /** Counts real time since the program's start, in ms. */
  readonly openedAt: number;
  /** Requests taken in within one turn were all there before any of them got its response. */
  readonly eventLoopTurn: number;
  /** Is `1.1`, or `1.0` as old clients and some proxies send it. */
  readonly httpVersion: string;
  /** Holds the moment at which the connection was closed, and is shared by all of its requests. */
  readonly life: ConnectionLife;
}

export interface ConnectionLife {
  /** Counts real time since the program's start, in ms. */
  closedAt: number | undefined;
  /** True when the client's side reset it: a system does so that closes one from which not everything was read. */
  isReset?: boolean;
}

/** Holds what a queued job did for an exchange after its response. */
export interface DeferredEffects {
  readonly job: string;
  readonly at: Instant;
  readonly sideEffects: SideEffects;
}

/** Lists the rules that did not fire for a request; worked out from its exchange when needed, as hardly any is. */
export interface NearMissSource {
  readonly findInSteps: (exchange: Exchange, tenant: TenantContext) => Steps<readonly NearMiss[]>;
}

/** Describes one request and its response. */
export interface Exchange {
  readonly id: string;
  /** Counts a tenant's exchanges from 1. */
  readonly number: number;
  /** Counts on the tenant's clock. */
  readonly at: Instant;
  /** Holds the way (ms) that the clock had been moved by then: a longer one later says that somebody moved it. */
  readonly clockMoved: number;
  /** Counts real time since the program's start in ms, for pauses between attempts. */
  readonly startedAt: number;
  readonly method: string;
  /** Lacks the tenant's prefix. */
  readonly path: string;
  readonly query: string;
  request: HttpMessage;
  /** Tells whether two requests came with the same key, and is shown to nobody; undefined when there was none. */
  readonly keyDigest: string | undefined;
  endpoint: string | undefined;
  /** Holds the nearest route, when no endpoint serves the request. */
  nearest: string | undefined;
  /** Holds the status that the caller got; undefined when it got none. */
  status: number | undefined;
  /** Holds the response of the service; undefined when a fault came before it. */
  response: ResponseMessage | undefined;
  /** Holds the fault that hit it. */
  fault: InjectedFault | undefined;
  nearMisses: NearMissSource;
  /** Holds what was delivered, where that differs from the service's response. */
  delivered: DeliveredResponse | undefined;
  /** Is undefined for a request in process. */
  readonly connection: ClientConnection | undefined;
  finishedAt: number | undefined;
  /** Counts a tenant's exchanges from 1 in the order they were over, which a slow one spoils for `number`. */
  completionNumber: number | undefined;
  /** Counts its size in the journal in bytes, as far as that is known. */
  byteSize: number;
  /** Is shared with other exchanges once it is over and there is nothing in it. */
  sideEffects: SideEffects;
  /** Holds the effects of jobs that this exchange enqueued. */
  deferredEffects: readonly DeferredEffects[];
}

/** Records the body of a request: one without is shared with others. */
export function recordBody(exchange: Exchange, body: string): void {
  exchange.request = { headers: exchange.request.headers, body };
}

/** Serves as the shared empty list of an exchange that no job has added to. */
export const noDeferredEffects: readonly DeferredEffects[] = none;

/** Serves as the shared source of an exchange that no rule nearly hit. */
export const noNearMisses: NearMissSource = {
  *findInSteps() {
    yield;
    return none;
  },
};

/** Returns the name of a tenant's n-th exchange: the `requestId` of its response. */
export const exchangeId = (tenant: string, number: number): string => `${tenant}-${number}`;

/** Returns the exchange as it is now: what is still to come, or to change, does not change it. */
export function captureExchange(exchange: Exchange): Exchange {
  const { connection, sideEffects, finishedAt } = exchange;
  const isOpen = connection?.life.closedAt === undefined;
  return {
    ...exchange,
    connection: connection && isOpen ? asOpen(connection) : connection,
    // Work that is over is never added to: what a job does later has a list of its own.
    sideEffects: finishedAt === undefined ? sideEffects.snapshot() : sideEffects,
  };
}

/** Returns a connection that is open: when it will be closed is not to be seen in it. Field by field, as some are those of a class. */
const asOpen = (connection: ClientConnection): ClientConnection => ({
  id: connection.id,
  port: connection.port,
  request: connection.request,
  openedAt: connection.openedAt,
  eventLoopTurn: connection.eventLoopTurn,
  httpVersion: connection.httpVersion,
  life: { closedAt: undefined },
});

/** Returns what the request did itself, and what each of its jobs did. */
export const outcomesOf = ({ sideEffects, deferredEffects }: Exchange): readonly SideEffects[] => [
  sideEffects,
  ...deferredEffects.map((job) => job.sideEffects),
];

/** Returns the changes that an exchange caused, by later jobs too. */
export const changesOf = (exchange: Exchange): readonly RowChange[] =>
  exchange.deferredEffects.length === 0
    ? exchange.sideEffects.changes
    : outcomesOf(exchange).flatMap(({ changes }) => changes);

/** Returns the ids of the assumptions that the response, or a job for it, rested on. */
export const assumptionsOf = (exchange: Exchange): string[] =>
  [...new Set(outcomesOf(exchange).flatMap(({ assumptions: met }) => met))].toSorted();
