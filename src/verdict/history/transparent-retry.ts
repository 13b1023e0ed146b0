/** Recognizes what an HTTP library repeats by itself, by what only a library does. */
import type { Exchange } from '../../core/exchange/exchange.ts';
import { isHeldOpen } from './attempt.ts';
import type { Attempt } from './attempt.ts';

/** A pause between two attempts, in ms. */
interface Pause {
  readonly from: number;
  readonly to: number;
}

/** Describes when an HTTP library repeats a request by itself, beyond what any library may do. */
interface KnownLibrary {
  readonly isSender: (headers: Readonly<Record<string, string>>) => boolean;
  readonly pause: Pause;
  /** True when it repeats any method after no response; otherwise those that are idempotent by HTTP. */
  readonly isAnyMethod: boolean;
  /** The statuses after which it repeats too. */
  readonly statuses: readonly number[];
}

const never: Pause = { from: Infinity, to: -Infinity };

const agentOf = (headers: Readonly<Record<string, string>>): string => headers['user-agent'] ?? '';

const knownLibraries: readonly KnownLibrary[] = [
  {
    // Java's HttpURLConnection, on whatever connection; it may take longer on a busy machine.
    isSender: (headers) => headers['accept'] === 'text/html, image/gif, image/jpeg, */*; q=0.2',
    pause: { from: 0, to: 250 },
    isAnyMethod: true,
    statuses: [],
  },
  {
    isSender: (headers) => agentOf(headers).startsWith('Apache-HttpClient/5.'),
    pause: { from: 950, to: 2000 },
    isAnyMethod: false,
    statuses: [429, 503],
  },
  {
    // Net::HTTP, whose max_retries is 1.
    isSender: (headers) => agentOf(headers) === 'Ruby',
    pause: { from: 0, to: 100 },
    isAnyMethod: false,
    statuses: [],
  },
];

/** A library repeats a request this soon (ms) when the connection that it had kept died. */
const usualPause: Pause = { from: 0, to: 20 };

/** Libraries that are known to repeat at once, and may take longer on a busy machine. */
const knownPause: Pause = { from: 0, to: 250 };
const knownToRepeat = /^(?:Go-http-client|Java-http-client|okhttp|curl|Mozilla|Python\/[\d.]+ aiohttp)\b/u;

/** Libraries that never repeat by themselves: a repeat is the program's own, however soon it comes. */
const knownNotToRepeat =
  /^(?:node|undici|node-fetch|axios|got|ky|node-superagent|python-(?:requests|urllib3|httpx)|Apache-HttpClient\/4)\b/u;

const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']);

/** The attempts before a repeat that may still be open. */
const lastFew = 8;

/**
 * True when the client's HTTP library repeated a request on its own: once, byte for byte, while no other attempt was
 * open, and as a library does. Any of them may repeat at once what died without a byte on a connection that had served
 * requests before: it was closed while idle. On a new connection only known libraries do.
 */
export function isTransparentRetry(attempts: readonly Attempt[], exchange: Exchange): boolean {
  const before = attempts.at(-1);
  if (!before || before.isTransparentRetry || before.end === undefined || isHeldOpen(before)) return false;
  if (!exchange.connection || !before.exchange.connection || !isSame(before.exchange, exchange)) return false;
  if (attempts.slice(-lastFew).some(({ end = Infinity }) => end > exchange.startedAt)) return false;
  const pause = pauseBefore(exchange, before.end);
  const known = knownLibraries.find(({ isSender }) => isSender(exchange.request.headers));
  if (known && isWithin(pause, known.pause) && isRepeatedBy(known, before.exchange)) return true;
  return hasDied(before.exchange) && before.exchange.connection.request > 1 && isWithin(pause, pauseOfSender(exchange));
}

function pauseOfSender({ request: { headers } }: Exchange): Pause {
  const agent = agentOf(headers);
  if (knownNotToRepeat.test(agent)) return never;
  return knownToRepeat.test(agent) ? knownPause : usualPause;
}

const isWithin = (pause: number, { from, to }: Pause): boolean => pause >= from && pause <= to;

/** Returns the pause before a request, which began when its connection was opened. */
function pauseBefore({ connection, startedAt }: Exchange, end: number): number {
  const opened = connection?.request === 1 ? connection.openedAt : startedAt;
  return Math.max(0, opened - end);
}

function isRepeatedBy({ isAnyMethod, statuses }: KnownLibrary, before: Exchange): boolean {
  if (before.status !== undefined) return statuses.includes(before.status);
  return hasDied(before) && (isAnyMethod || idempotentMethods.has(before.method));
}

/** True when the connection ended without a byte of a response. */
const hasDied = ({ delivered, status }: Exchange): boolean =>
  status === undefined && (delivered?.end === 'reset' || delivered?.end === 'close') && delivered.bytes === 0;

const isSame = (a: Exchange, b: Exchange): boolean =>
  a.request.body === b.request.body && JSON.stringify(a.request.headers) === JSON.stringify(b.request.headers);

/** Returns the attempts as their client knows them: a transparent retry is the end of the attempt that it repeats. */
export function foldTransparentRetries(attempts: readonly Attempt[]): Attempt[] {
  const own: Attempt[] = [];
  for (const attempt of attempts) {
    const begun = attempt.isTransparentRetry ? own.pop() : undefined;
    own.push(begun ? { ...attempt, start: begun.start, isTransparentRetry: false } : attempt);
  }
  return own;
}
