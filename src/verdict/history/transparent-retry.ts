import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Attempt } from './attempt.ts';

/** No program's own retry follows so soon on a new connection (ms); Java's HTTP client repeats after 4 ms. */
const soonest = 20;

/** Java's HttpURLConnection is known to repeat by itself, and may take longer on a busy machine. */
const knownToRepeat = { accept: 'text/html, image/gif, image/jpeg, */*; q=0.2', soonest: 250 } as const;

/**
 * True when the client's HTTP library repeated a request on its own: once, at once, byte for byte, on a new connection,
 * after the connection before it ended without a response.
 */
export function isTransparentRetry(before: Attempt | undefined, exchange: Exchange): boolean {
  if (!before || before.isTransparentRetry || before.end === undefined) return false;
  const { delivered, status } = before.exchange;
  const died =
    status === undefined && (delivered?.end === 'reset' || delivered?.end === 'close') && delivered.bytes === 0;
  if (!died || exchange.connection?.request !== 1 || !isSame(before.exchange, exchange)) return false;
  const within = exchange.request.headers['accept'] === knownToRepeat.accept ? knownToRepeat.soonest : soonest;
  return exchange.connection.openedAt - before.end <= within;
}

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
