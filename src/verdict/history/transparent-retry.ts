/** Recognizes what an HTTP library repeats by itself, by what only a library does. */
import type { Exchange } from '../../core/exchange/exchange.ts';
import { clockMove, isHeldOpen } from './attempt.ts';
import { isProxied, mayBeProxied } from './callers.ts';
import type { Attempt } from './attempt.ts';
import type { History } from './history.ts';
import type { AttemptPair } from './operation.ts';

/** Describes a pause between two attempts, in ms. */
interface Pause {
  readonly from: number;
  readonly to: number;
}

/** Describes what an HTTP library repeats by itself, unless the program has switched on more. */
interface KnownLibrary {
  readonly isSender: (headers: Headers) => boolean;
  /** True for a request that it may repeat after no response. */
  readonly isRepeatable: (exchange: Exchange) => boolean;
  /** Holds the pause after which it repeats on whatever connection; undefined if only on one that it had kept. */
  readonly pause?: Pause;
  /** Lists the statuses after which it repeats any request. */
  readonly statuses?: readonly number[];
}

type Headers = Readonly<Record<string, string>>;

const agentOf = (headers: Headers): string => headers['user-agent'] ?? '';

const isAgent =
  (names: RegExp): KnownLibrary['isSender'] =>
  (headers) =>
    names.test(agentOf(headers));

const isRead = ({ method }: Exchange): boolean => method === 'GET' || method === 'HEAD';

const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']);

/** True for a request that may be repeated by HTTP. */
const isIdempotentByHttp = ({ method }: Exchange): boolean => idempotentMethods.has(method);

const hasKey = ({ request: { headers } }: Exchange): boolean => headers['idempotency-key'] !== undefined;

/** True for a request that may be repeated by HTTP, or by its key. */
const isIdempotent = (exchange: Exchange): boolean => isIdempotentByHttp(exchange) || hasKey(exchange);

/** A repeat of one of these is the program's own, however soon it comes. */
const neverRepeats: KnownLibrary = {
  isSender: isAgent(
    /^(?:node|undici|node-fetch|axios|got|ky|node-superagent|python-(?:requests|httpx)|Apache-HttpClient\/4)\b/u,
  ),
  isRepeatable: () => false,
};

/** Java's HttpClient repeats a GET once, on whatever connection. Only it offers an upgrade to HTTP/2. */
const javaHttpClient: KnownLibrary = {
  isSender: (headers) => agentOf(headers).startsWith('Java-http-client/') || headers['http2-settings'] !== undefined,
  isRepeatable: isRead,
  pause: { from: 0, to: 250 },
};

const goNetHttp: KnownLibrary = {
  isSender: isAgent(/^Go-http-client\//u),
  isRepeatable: (exchange) => {
    const { method, request } = exchange;
    const isSafe = isRead(exchange) || method === 'OPTIONS' || method === 'TRACE';
    return isSafe || hasKey(exchange) || request.headers['x-idempotency-key'] !== undefined;
  },
};

const knownLibraries: readonly KnownLibrary[] = [
  neverRepeats,
  {
    // Java's HttpURLConnection, on whatever connection; it may take longer on a busy machine.
    isSender: (headers) => headers['accept'] === 'text/html, image/gif, image/jpeg, */*; q=0.2',
    isRepeatable: () => true,
    pause: { from: 0, to: 250 },
  },
  javaHttpClient,
  goNetHttp,
  {
    isSender: isAgent(/^Apache-HttpClient\/5\./u),
    isRepeatable: isIdempotentByHttp,
    pause: { from: 950, to: 2000 },
    statuses: [429, 503],
  },
  {
    // Net::HTTP, whose max_retries is 1.
    isSender: isAgent(/^Ruby$/u),
    isRepeatable: isIdempotentByHttp,
    pause: { from: 0, to: 100 },
  },
  { isSender: isAgent(/^Python\/[\d.]+ aiohttp\b/u), isRepeatable: isIdempotentByHttp },
];

const libraryOf = ({ request: { headers } }: Exchange): KnownLibrary | undefined =>
  knownLibraries.find(({ isSender }) => isSender(headers));

/** A library repeats a request this soon (ms) when the connection that it had kept died. */
const usualPause = 20;

/** Within this time (ms) a repeat may still be a library's; a machine that is busy takes longer. */
const longestUsualPause = 100;

/** The same holds for those that are known to repeat at once. */
const knownPause = 250;
const longestKnownPause = 800;

const knownToRepeat =
  /^(?:Go-http-client|Java-http-client|okhttp|curl|Mozilla|GuzzleHttp|Symfony HttpClient|Python\/[\d.]+ aiohttp)\b/u;

/** The same holds for one that no header names, on a connection of its own. */
const longestUnnamedPause = 500;

/** Counts the attempts before a repeat that may still be open. */
const lastFew = 8;

/** A tenant's clock that is ahead of real time by this (ms) was moved by the program, in place of a pause. */
const moved = 200;

/**
 * True when the client's HTTP library repeated a request on its own: once, byte for byte, while no other attempt was
 * open, and as a library does. Any of them may repeat at once what died without a byte on a connection that had served
 * requests before: it was closed while idle. On a new connection only known libraries do, and proxies.
 */
export function isTransparentRetry(attempts: readonly Attempt[], exchange: Exchange, history: History): boolean {
  const before = attempts.at(-1);
  if (!before || !isBareCopy(before, exchange) || hasGoneOn(before.exchange, exchange, history)) return false;
  if (before.isTransparentRetry && !triesEachKept(before.exchange)) return false;
  if (attempts.slice(-lastFew).some(({ end = Infinity }) => end > exchange.startedAt)) return false;
  return pauseBefore(exchange, before) <= certainPause(before.exchange) || isAsKnown(before, exchange);
}

/** Describes libraries that are alike in when they repeat a request, and how often. */
export interface Repeater {
  /** Limits the number of repeats in a row. */
  readonly most: number;
  /** Returns the longest pause (ms) before a repeat; below 0 if it does not repeat this one. */
  readonly longestPause: (before: Attempt, exchange: Exchange) => number;
}

/** Lists all kinds of libraries that may repeat a request by themselves. One client uses one of them. */
export const repeaters: readonly Repeater[] = [
  {
    most: 1,
    longestPause: (before, exchange) => (isRepeated(before) ? never : longestPause(before.exchange, exchange)),
  },
  {
    // Java's HttpClient, in its newest versions.
    most: 4,
    longestPause: ({ exchange: before }, exchange) =>
      hasDied(before) && isRead(exchange) && mayBeNewJava(exchange) ? longestUnnamedPause : never,
  },
  {
    // .NET's HttpClient, after a clean end of whatever connection, if there is no body.
    most: 3,
    longestPause: ({ exchange: before }, exchange) =>
      isClosed(before) && isUnnamed(exchange) && !exchange.request.body ? longestUnnamedPause : never,
  },
  {
    // urllib3, and once Ruby's Net::HTTP: after their own timeouts and cut responses too.
    most: 3,
    longestPause: (before, exchange) =>
      before.outcome === 'no-response' && isRead(exchange) && isUnnamed(exchange) ? longestUnnamedPause : never,
  },
  {
    // curl, by whatever method: each connection that it had kept may be dead.
    most: 5,
    longestPause: ({ exchange: before }, exchange) => (isKept(before) ? usualLongestPause(before, exchange) : never),
  },
  {
    // Go's net/http: the same, as many as there are, for what may be repeated.
    most: Infinity,
    longestPause: ({ exchange: before }, exchange) =>
      isKept(before) && isIdempotent(exchange) ? usualLongestPause(before, exchange) : never,
  },
];

/** True when one of these libraries may have repeated a request, if it was held up for so long (ms). */
export const isWithinReach = (one: Repeater, pair: AttemptPair, lag: number): boolean =>
  mayBeRepeat(pair, lag) && isReached(one, pair, lag);

/** Returns the kinds of libraries that may have repeated a request, if it was held up for so long (ms). */
export const repeatersWithinReach = (pair: AttemptPair, lag: number): readonly Repeater[] =>
  mayBeRepeat(pair, lag) ? repeaters.filter((one) => isReached(one, pair, lag)) : [];

/** True when a library or a proxy may have repeated a request, but took so long that the program itself may have. */
export const mayBeTransparent = (pair: AttemptPair, lag: number): boolean =>
  mayBeRepeat(pair, lag) && repeaters.some((one) => isReached(one, pair, lag));

/** True when a request may be the repeat of any library. */
const mayBeRepeat = ([before, next]: AttemptPair, lag: number): boolean =>
  !next.isTransparentRetry &&
  pauseBefore(next.exchange, before) <= longestKnownPause + lag &&
  isBareCopy(before, next.exchange);

const isReached = ({ longestPause: longest }: Repeater, [before, next]: AttemptPair, lag: number): boolean =>
  pauseBefore(next.exchange, before) <= longest(before, next.exchange) + lag;

/**
 * True when the client's program may have waited for a repeat: otherwise it went on in between. Another thread may have sent
 * what came between a failure and its repeat at once.
 */
export const isPerhapsNext = ([before, next]: AttemptPair, lag: number, history: History): boolean =>
  !hasGoneOn(before.exchange, next.exchange, history) &&
  (history.isParallel ||
    pauseBefore(next.exchange, before) <= longestUsualPause + lag ||
    !history.hasOtherRequestsBetween(before.start, next.start, []));

/**
 * True when a client that sends one request at a time has sent another in between: its library had reported the failure
 * to it. It used the connection that was opened then for both; on one of its own for each, another thread may have sent
 * it.
 */
function hasGoneOn(before: Exchange, next: Exchange, history: History): boolean {
  const { connection } = next;
  if (!connection || connection.request === 1 || connection.openedAt < before.startedAt) return false;
  return !history.isNextTo(before, next) && history.isSingleClient([before], [next]);
}

/** True when a library or a proxy has certainly repeated a request, if it was held up for so long (ms). */
export const isTransparentBut = (before: Attempt, next: Attempt, lag: number): boolean =>
  !isRepeated(before) &&
  isBareCopy(before, next.exchange) &&
  pauseBefore(next.exchange, before) - lag <= certainPause(before.exchange);

/** True when one request is the exact copy of another, without anything that only a program does in between. */
function isBareCopy(before: Attempt, exchange: Exchange): boolean {
  if (before.end === undefined || isHeldOpen(before)) return false;
  if (!exchange.connection || !before.exchange.connection || !isSame(before.exchange, exchange)) return false;
  return clockMove(before, exchange) < moved;
}

/** Returns how soon (ms) a repeat is certainly that of a library or a proxy. */
function certainPause(before: Exchange): number {
  if (!hasDied(before)) return never;
  if (isProxied(before)) return usualPause;
  if (!isKept(before) || libraryOf(before)?.isRepeatable(before) === false) return never;
  return isKnownToRepeat(agentOf(before.request.headers)) ? knownPause : usualPause;
}

/** Returns how soon (ms) a repeat may be that of a library or a proxy. */
function longestPause(before: Exchange, exchange: Exchange): number {
  // Proxies that do not say so repeat what is idempotent.
  if (hasDied(before) && mayBeProxied(before) && (isIdempotentByHttp(exchange) || isProxied(before)))
    return longestKnownPause;
  if (hasDied(before) && isRead(exchange) && mayBeJava(exchange)) return longestUnnamedPause;
  return usualLongestPause(before, exchange);
}

/** Returns the same of a library that repeats what died on a connection that it had kept. */
function usualLongestPause(before: Exchange, exchange: Exchange): number {
  const certain = certainPause(before);
  if (certain === never) return never;
  return certain === knownPause || isIdempotent(exchange) ? longestKnownPause : longestUsualPause;
}

const never = -Infinity;

/** True for a request that Java's HttpClient may have sent: it repeats on new connections too. */
const mayBeJava = (exchange: Exchange): boolean => isUnnamed(exchange) || libraryOf(exchange) === javaHttpClient;

/** Matches the versions of Java whose HttpClient repeats a request once only. */
const olderJava = /^Java-http-client\/(?:1\d|2[01])\b/u;

const mayBeNewJava = (exchange: Exchange): boolean =>
  mayBeJava(exchange) && !olderJava.test(agentOf(exchange.request.headers));

/**
 * True for a request whose headers do not tell which library sent it. Java's and .NET's HttpClient send no `Connection`
 * for HTTP/1.1; all others that they send may be the program's own.
 */
const isUnnamed = (exchange: Exchange): boolean =>
  exchange.request.headers['connection'] === undefined && !namesLibrary(exchange);

/** True when the headers of a request tell which HTTP library sent it. */
export const namesLibrary = (exchange: Exchange): boolean =>
  knownToRepeat.test(agentOf(exchange.request.headers)) || libraryOf(exchange) !== undefined;

/** PHP's curl tells no name. */
const isKnownToRepeat = (agent: string): boolean => agent === '' || knownToRepeat.test(agent);

/** True when a library is known to repeat after such a pause, on whatever connection. */
function isAsKnown(before: Attempt, exchange: Exchange): boolean {
  const known = libraryOf(exchange);
  return (
    known?.pause !== undefined &&
    isWithin(pauseBefore(exchange, before), known.pause) &&
    isRepeatedBy(known, before.exchange)
  );
}

const isWithin = (pause: number, { from, to }: Pause): boolean => pause >= from && pause <= to;

/** Returns the pause before a request, which began when its connection was opened. */
function pauseBefore({ connection, startedAt }: Exchange, { end = Infinity }: Attempt): number {
  const isFirst = connection?.request === 1 && startedAt - connection.openedAt <= longestKnownPause;
  return Math.max(0, (isFirst ? connection.openedAt : startedAt) - end);
}

function isRepeatedBy({ isRepeatable, statuses = [] }: KnownLibrary, before: Exchange): boolean {
  if (before.status !== undefined) return statuses.includes(before.status);
  return hasDied(before) && isRepeatable(before);
}

/** True when the connection ended without a byte of a response. */
const hasDied = ({ delivered, status }: Exchange): boolean =>
  status === undefined && (delivered?.end === 'reset' || delivered?.end === 'close') && delivered.bytes === 0;

/** True for an attempt that is a repeat of a library, or ends with one. */
const isRepeated = (attempt: Attempt): boolean => attempt.isTransparentRetry || attempt.hasRepeats === true;

const isClosed = (exchange: Exchange): boolean => hasDied(exchange) && exchange.delivered?.end === 'close';

/** True when the connection of a request had served others before. */
const isKept = ({ connection }: Exchange): boolean => (connection?.request ?? 1) > 1;

/** True for a library that tries each connection that it had kept, and then a new one. */
const triesEachKept = (exchange: Exchange): boolean => isKept(exchange) && libraryOf(exchange) === goNetHttp;

const isSame = ({ request: a }: Exchange, { request: b }: Exchange): boolean =>
  a.body === b.body && (a.headers === b.headers || JSON.stringify(a.headers) === JSON.stringify(b.headers));

/** Returns the attempts as their client knows them: a transparent retry is the end of the attempt that it repeats. */
export function foldTransparentRetries(attempts: readonly Attempt[]): readonly Attempt[] {
  if (!attempts.some((attempt) => attempt.isTransparentRetry)) return attempts;
  const own: Attempt[] = [];
  for (const attempt of attempts) {
    const begun = attempt.isTransparentRetry ? own.pop() : undefined;
    own.push(
      begun
        ? {
            ...attempt,
            start: begun.start,
            at: begun.at,
            clockMoved: begun.clockMoved,
            isTransparentRetry: false,
            hasRepeats: true,
          }
        : attempt,
    );
  }
  return own;
}

/** Returns the attempts as their client knows them, if its library repeated as many of them as any may have. */
export function foldPossibleRepeats(attempts: readonly Attempt[]): readonly Attempt[] {
  const folded = repeaters.map((one) => foldTransparentRetries(markRepeats(one, attempts)));
  return folded.reduce((fewest, one) => (one.length < fewest.length ? one : fewest));
}

function markRepeats(repeater: Repeater, attempts: readonly Attempt[]): readonly Attempt[] {
  let row = 0;
  return attempts.map((next, i) => {
    const before = attempts[i - 1];
    const isRepeat =
      next.isTransparentRetry ||
      (before !== undefined && row < repeater.most && isWithinReach(repeater, [before, next], 0));
    row = isRepeat ? row + 1 : 0;
    return isRepeat ? { ...next, isTransparentRetry: true } : next;
  });
}
