/** From attempts to operations: which requests were tries of one and the same intention. */
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { idempotencyKeyOf } from '../../core/exchange/operation-key.ts';
import type { OperationKey } from '../../core/exchange/operation-key.ts';
import { toAttempt, overlaps, isRetryable, realPause } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { clientIdentity, isSingleClientKey, mergeHandedOver } from './clients.ts';
import { comparableContent } from './request-content.ts';
import type { HistoryEntry, History } from './history.ts';
import type { Policy } from '../policy.ts';
import { mergeRekeyedRetries } from './rekeyed.ts';
import { isConfirmedByRead } from './read-back.ts';
import { foldTransparentRetries, isTransparentRetry } from './transparent-retry.ts';

/** What a caller meant to do, with its attempts in order. */
export interface Operation {
  readonly key: OperationKey;
  /** Undefined when nothing is served there. */
  readonly endpoint: Endpoint | undefined;
  readonly attempts: readonly Attempt[];
  /** The attempts as the caller knows of them: what its HTTP library repeated is part of the attempt before. */
  readonly clientAttempts: readonly Attempt[];
}

/** Requests with one key, as long as they are tries of one operation. */
export interface OperationDraft extends Pick<Operation, 'key' | 'endpoint'> {
  readonly attempts: Attempt[];
}

const readMethods: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

export const isReadOperation = ({ endpoint, attempts }: Pick<Operation, 'endpoint' | 'attempts'>): boolean =>
  endpoint === undefined ? readMethods.has(attempts[0]?.exchange.method) : endpoint.retry === 'safe';

export type AttemptPair = readonly [before: Attempt, next: Attempt];

/** Each attempt with the one before it. */
export const consecutivePairs = (attempts: readonly Attempt[]): AttemptPair[] =>
  attempts.slice(1).flatMap((next, i) => {
    const before = attempts[i];
    return before ? [[before, next] as const] : [];
  });

interface GroupingContext {
  readonly history: History;
  readonly policy: Policy;
}

/** The operations that a journal shows, in the order in which they were begun. */
export function operationsOf(history: History, policy: Policy): Operation[] {
  const seen = { history, policy };
  const latest = new Map<string, OperationDraft>();
  const begun: OperationDraft[] = [];
  for (const asked of history.entries) {
    const { key, endpoint, exchange } = asked;
    const name = groupKey(asked, policy);
    const known = latest.get(name);
    const attempt = toAttempt(exchange, isTransparentRetry(known?.attempts.at(-1), exchange));
    if (known && belongs(known, attempt, seen)) {
      known.attempts.push(attempt);
      continue;
    }
    const one = { key, endpoint, attempts: [attempt] };
    latest.set(name, one);
    begun.push(one);
  }
  return mergeRekeyedRetries(mergeHandedOver(begun, history), seen).map(({ key, endpoint, attempts }) => ({
    key,
    endpoint,
    attempts,
    clientAttempts: foldTransparentRetries(attempts),
  }));
}

/**
 * The same content may be meant by several callers, and a coupon be redeemed by them. One test id may name all that a
 * test does: what it is done to is told by the call's own key, or else by its content.
 */
function groupKey({ key, exchange, endpoint }: HistoryEntry, { ignoreFields: volatile }: Policy): string {
  if (!isSingleClientKey(key)) return `${key.text} ${clientIdentity(exchange)}`;
  if (key.by === 'own-key') return key.text;
  const own = endpoint?.idempotencyKey === undefined ? undefined : idempotencyKeyOf(exchange, endpoint.idempotencyKey);
  return `${key.text} ${own ?? comparableContent(exchange, { endpoint, ignoreFields: volatile })}`;
}

/** Whether a request with the same key is another try, and not the same thing meant anew. */
function belongs(begun: OperationDraft, attempt: Attempt, seen: GroupingContext): boolean {
  const last = begun.attempts.at(-1);
  if (!last || begun.key.by === 'own-key' || (begun.key.by === 'test-id' && !isReadOperation(begun))) return true;
  if (isRetryable(last) || last.outcome === 'in-flight') return isStillTried(begun, attempt, seen);
  if (last.outcome === 'success')
    return !isReadOperation(begun) && (overlaps(last, attempt) || isWithin(seen, last, attempt));
  // What was refused may be asked again when something has changed since, and looking again later is free.
  return isReadOperation(begun) ? isNextTo(seen, last, attempt) : !isChanged(seen, last, attempt);
}

/** Whether what failed is being tried yet, and was neither given up nor found to be done. */
function isStillTried(
  { endpoint, attempts }: OperationDraft,
  attempt: Attempt,
  { history, policy }: GroupingContext,
): boolean {
  if (isReadOperation({ endpoint, attempts })) return attempts.length < (policy.maxAttempts ?? Infinity);
  const [last, until] = [attempts.at(-1), attempt.start];
  if (!last || !isConfirmedByRead(attempts, { history, endpoint, until })) return true;
  // A caller that sends it again as the next thing it does has misread what it found.
  return !history.hasWritesBetween(last.start, until);
}

const isWithin = ({ policy }: GroupingContext, last: Attempt, attempt: Attempt): boolean =>
  realPause(last, attempt) <= policy.deduplicationWindow;

const isChanged = ({ history }: GroupingContext, last: Attempt, attempt: Attempt): boolean =>
  history.hasChangesBetween(last.start, attempt.start);

/** Whether nothing else was asked in between: in all, or by the same connection where several ask at once. */
function isNextTo({ history }: GroupingContext, { exchange: last }: Attempt, { exchange }: Attempt): boolean {
  if (exchange.number === last.number + 1) return true;
  const [left, right] = [last.connection, exchange.connection];
  return history.isParallel && left !== undefined && left.id === right?.id && right.request === left.request + 1;
}
