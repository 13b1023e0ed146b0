/** From attempts to operations: which requests were tries of one and the same intention. */
import type { Endpoint } from '../core/endpoint.ts';
import { ownKeyOf } from '../core/operation-key.ts';
import type { OperationKey } from '../core/operation-key.ts';
import { attemptOf, isBeside, isToRepeat, realPause } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { callerOf, isOfOneCaller, joinHandedOn } from './callers.ts';
import { looseContent } from './content.ts';
import type { Asked, History } from './history.ts';
import type { Policy } from './policy.ts';
import { joinRenamed } from './renamed.ts';
import { isFoundDone } from './settled.ts';
import { callerAttempts, isTransportRepeat } from './transport.ts';

/** What a caller meant to do, with its attempts in order. */
export interface Operation {
  readonly key: OperationKey;
  /** Undefined when nothing is served there. */
  readonly endpoint: Endpoint | undefined;
  readonly attempts: readonly Attempt[];
  /** The attempts as the caller knows of them: what its HTTP library repeated is part of the attempt before. */
  readonly own: readonly Attempt[];
}

/** Requests with one key, as long as they are tries of one operation. */
export interface Begun extends Pick<Operation, 'key' | 'endpoint'> {
  readonly attempts: Attempt[];
}

const readMethods: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

export const isRead = ({ endpoint, attempts }: Pick<Operation, 'endpoint' | 'attempts'>): boolean =>
  endpoint === undefined ? readMethods.has(attempts[0]?.exchange.method) : endpoint.retry === 'read';

export type Pair = readonly [before: Attempt, next: Attempt];

/** Each attempt with the one before it. */
export const pairsIn = (attempts: readonly Attempt[]): Pair[] =>
  attempts.slice(1).flatMap((next, i) => {
    const before = attempts[i];
    return before ? [[before, next] as const] : [];
  });

interface Seen {
  readonly history: History;
  readonly policy: Policy;
}

/** The operations that a journal shows, in the order in which they were begun. */
export function operationsOf(history: History, policy: Policy): Operation[] {
  const seen = { history, policy };
  const latest = new Map<string, Begun>();
  const begun: Begun[] = [];
  for (const asked of history.asked) {
    const { key, endpoint, exchange } = asked;
    const name = nameOf(asked, policy);
    const known = latest.get(name);
    const attempt = attemptOf(exchange, isTransportRepeat(known?.attempts.at(-1), exchange));
    if (known && belongs(known, attempt, seen)) {
      known.attempts.push(attempt);
      continue;
    }
    const one = { key, endpoint, attempts: [attempt] };
    latest.set(name, one);
    begun.push(one);
  }
  return joinRenamed(joinHandedOn(begun, history), seen).map(({ key, endpoint, attempts }) => ({
    key,
    endpoint,
    attempts,
    own: callerAttempts(attempts),
  }));
}

/**
 * The same content may be meant by several callers, and a coupon be redeemed by them. One test id may name all that a
 * test does: what it is done to is told by the call's own key, or else by its content.
 */
function nameOf({ key, exchange, endpoint }: Asked, { volatile }: Policy): string {
  if (!isOfOneCaller(key)) return `${key.text} ${callerOf(exchange)}`;
  if (key.by === 'own-key') return key.text;
  const own = endpoint?.ownKey === undefined ? undefined : ownKeyOf(exchange, endpoint.ownKey);
  return `${key.text} ${own ?? looseContent(exchange, { endpoint, volatile })}`;
}

/** Whether a request with the same key is another try, and not the same thing meant anew. */
function belongs(begun: Begun, attempt: Attempt, seen: Seen): boolean {
  const last = begun.attempts.at(-1);
  if (!last || begun.key.by === 'own-key' || (begun.key.by === 'test-id' && !isRead(begun))) return true;
  if (isToRepeat(last) || last.told === 'open') return isStillTried(begun, attempt, seen);
  if (last.told === 'success') return !isRead(begun) && (isBeside(last, attempt) || isWithin(seen, last, attempt));
  // What was refused may be asked again when something has changed since, and looking again later is free.
  return isRead(begun) ? isNextTo(seen, last, attempt) : !isChanged(seen, last, attempt);
}

/** Whether what failed is being tried yet, and was neither given up nor found to be done. */
function isStillTried({ endpoint, attempts }: Begun, attempt: Attempt, { history, policy }: Seen): boolean {
  if (isRead({ endpoint, attempts })) return attempts.length < (policy.attempts ?? Infinity);
  const [last, until] = [attempts.at(-1), attempt.start];
  if (!last || !isFoundDone(attempts, { history, endpoint, until })) return true;
  // A caller that sends it again as the next thing it does has misread what it found.
  return !history.isWrittenBetween(last.start, until);
}

const isWithin = ({ policy }: Seen, last: Attempt, attempt: Attempt): boolean =>
  realPause(last, attempt) <= policy.window;

const isChanged = ({ history }: Seen, last: Attempt, attempt: Attempt): boolean =>
  history.isChangedBetween(last.start, attempt.start);

/** Whether nothing else was asked in between: in all, or by the same connection where several ask at once. */
function isNextTo({ history }: Seen, { exchange: last }: Attempt, { exchange }: Attempt): boolean {
  if (exchange.number === last.number + 1) return true;
  const [left, right] = [last.connection, exchange.connection];
  return history.isParallel && left !== undefined && left.id === right?.id && right.request === left.request + 1;
}
