/** Finds where a client was started again: all its former connections have ended, and new ones follow. */
import { appendTo, lowerBound } from '../../core/lib/collections.ts';
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { detectionLag } from './attempt.ts';
import { isProxied } from './callers.ts';
import type { Callers } from './callers.ts';

export interface Restart {
  /** Holds the first request after it. */
  readonly first: Exchange;
  /** True when nothing else had ended the last connection before it. */
  readonly isPlain: boolean;
  /** True when the client had sent too little to tell whether it opens a connection for each request. */
  readonly isUnsure: boolean;
  /** True when whoever started the client says so. */
  readonly isKnown: boolean;
}

/** Indexes the restarts of a journal's callers; calls in process show none. */
export class Restarts {
  readonly #byCaller = new Map<string, readonly Restart[]>();
  readonly #plain = new Map<string, readonly Restart[]>();
  readonly #callers: Callers;

  private constructor(callers: Callers) {
    this.#callers = callers;
  }

  /** Finds restarts; `restartedAfter` is the number of the last request before that of the only client, where it is known. */
  static *of(exchanges: readonly Exchange[], callers: Callers, restartedAfter?: number): Steps<Restarts> {
    const restarts = new Restarts(callers);
    const sent = new Map<string, Exchange[]>();
    yield* forEachInSteps(exchanges, (exchange) => {
      // The connections behind a proxy are the proxy's own.
      if (restartedAfter === undefined && (!exchange.connection || isProxied(exchange))) return;
      appendTo(sent, callers.keyOf(exchange), exchange);
    });
    for (const [key, own] of sent) {
      const found = restartedAfter === undefined ? yield* restartsIn(own) : knownRestart(own, restartedAfter);
      restarts.#add(key, found);
      yield;
    }
    return restarts;
  }

  #add(key: string, found: readonly Restart[]): void {
    if (found.length === 0) return;
    this.#byCaller.set(key, found);
    this.#plain.set(
      key,
      found.filter(({ isPlain }) => isPlain),
    );
  }

  /** True when no client was started again. */
  get isEmpty(): boolean {
    return this.#byCaller.size === 0;
  }

  /** Returns the first restart of the client of a request after it, and not after another of its requests: a plain one if there is one. */
  between(before: Exchange, after?: Exchange): Restart | undefined {
    const key = this.#callers.keyOf(before);
    if (after && this.#callers.keyOf(after) !== key) return undefined;
    const last = after?.number ?? Infinity;
    return (
      firstBetween(this.#plain.get(key), before.number, last) ??
      firstBetween(this.#byCaller.get(key), before.number, last)
    );
  }

  /** True unless it is certain that a client was not started again between two of its requests. */
  isPossibleBetween(before: Exchange, after: Exchange): boolean {
    const [former, later] = [before.connection, after.connection];
    if (!former || !later || isProxied(before) || isProxied(after)) return true;
    if (this.#callers.isOneDeclared([before, after])) return this.between(before, after) !== undefined;
    // Clients that do not declare themselves may look alike: the other connections say nothing of this one.
    return former.id !== later.id && endOf(before) <= beginOf(after);
  }
}

function firstBetween(restarts: readonly Restart[] = [], before: number, last: number): Restart | undefined {
  const found = restarts[lowerBound(restarts, ({ first }) => first.number > before)];
  return found && found.first.number <= last ? found : undefined;
}

function knownRestart(own: readonly Exchange[], after: number): Restart[] {
  const first = own.find(({ number }) => number > after);
  return first ? [{ first, isPlain: true, isUnsure: false, isKnown: true }] : [];
}

/** Returns the restarts among the requests of one client, in their order. */
function* restartsIn(own: readonly Exchange[]): Steps<Restart[]> {
  const lastUse = new Map<number | undefined, number>();
  yield* forEachInSteps(own, ({ connection }, i) => void lastUse.set(connection?.id, i));
  // Who has never used a connection twice may open one for each request.
  const keeps = lastUse.size < own.length;
  const restarts: Restart[] = [];
  let [usedUntil, openUntil] = [-1, -Infinity];
  yield* forEachInSteps(own, (exchange, i) => {
    const before = own[i - 1];
    if (before && usedUntil < i && openUntil <= beginOf(exchange))
      restarts.push({
        first: exchange,
        isPlain: keeps && !endsConnection(before),
        isUnsure: own.length === 2 && !endsConnection(before),
        isKnown: false,
      });
    const last = lastUse.get(exchange.connection?.id) ?? i;
    usedUntil = Math.max(usedUntil, last);
    if (last === i) openUntil = Math.max(openUntil, endOf(exchange));
  });
  return restarts;
}

/** Returns when the connection of a request began, or rather by when the simulator has seen the end of those before it. */
const beginOf = ({ startedAt, connection }: Exchange): number =>
  Math.min(startedAt, (connection?.openedAt ?? startedAt) + detectionLag);

/** Returns when the connection ended of which this was the last request: a client that keeps one open still runs. */
function endOf(last: Exchange): number {
  const closedAt = last.connection?.life.closedAt ?? Infinity;
  const isOver = endsConnection(last) && last.delivered?.end !== 'hang';
  return isOver ? Math.min(closedAt, last.finishedAt ?? Infinity) : closedAt;
}

/** True when a fault, a timeout of the client or the response itself has ended the connection of a request. */
export const endsConnection = ({ delivered, request, response }: Exchange): boolean =>
  (delivered !== undefined && delivered.end !== 'normal') ||
  [request, response, delivered].some((message) => connectionOption(message?.headers) === 'close');

const connectionOption = (headers: Readonly<Record<string, string>> = {}): string | undefined =>
  Object.entries(headers)
    .find(([name]) => /^connection$/iu.test(name))?.[1]
    .toLowerCase();
