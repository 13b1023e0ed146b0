/** Groups attempts into operations: which requests were attempts of one and the same intention. */
import { withIndexes } from '../../core/time/index-in-steps.ts';
import { forEachInSteps, Portion } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { idempotencyKeyOf } from '../../core/exchange/operation-key.ts';
import { hasFailedJobBefore, overlaps, isRefused, isRetryable, pauseBetween } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { withinTimeout } from './client-timeout.ts';
import { isSingleClientKey, mergeHandedOver } from './clients.ts';
import { comparableContent } from './request-content.ts';
import type { HistoryEntry } from './history-entry.ts';
import type { History } from './history.ts';
import type { Policy } from '../policy.ts';
import { isReadOperation } from './operation.ts';
import type { GroupingContext, Operation, OperationDraft } from './operation.ts';
import { mergeRepeatedWork } from './repeated-work.ts';
import { isConfirmedByRead } from './read-back.ts';
import { isPromptRepeat, isReadRetry } from './read-retries.ts';
import { foldTransparentRetries, isTransparentRetry } from './transparent-retry.ts';

/** Returns the operations that a journal shows, by their begin. */
export function* operationsOf(history: History, policy: Policy): Steps<Operation[]> {
  const seen = { history, policy };
  const groups = new Map<string | undefined, Map<string, OperationDraft>>();
  const begun: OperationDraft[] = [];
  const portion = new Portion();
  for (const entry of history.entries) {
    const { key, endpoint, exchange, attempt: sent } = entry;
    if (portion.isFullWith(exchange.request.body?.length ?? 0)) yield;
    // Several clients may send the same content, or redeem one coupon.
    const caller = isSingleClientKey(key) ? undefined : history.callers.keyOf(exchange);
    const latest = groups.get(caller) ?? new Map<string, OperationDraft>();
    if (latest.size === 0) groups.set(caller, latest);
    const name = groupKey(entry, seen);
    const known = latest.get(name);
    const isByLibrary = known && (yield* withIndexes(() => isTransparentRetry(known.attempts, exchange, history)));
    const attempt = withinTimeout(isByLibrary ? { ...sent, isTransparentRetry: true } : sent, policy, history);
    if (known) noteFailedJob(known, attempt);
    if (known && (yield* withIndexes(() => belongs(known, attempt, seen)))) {
      known.attempts.push(attempt);
      continue;
    }
    const one = { key, endpoint, attempts: [attempt] };
    latest.set(name, one);
    begun.push(one);
  }
  const handedOver = yield* mergeHandedOver(begun, history);
  const operations: Operation[] = [];
  yield* forEachInSteps(yield* mergeRepeatedWork(handedOver, seen), (one) => {
    const { key, endpoint, attempts, repeatedAs, isRepeatedWhole, resembledBy } = one;
    const clientAttempts = foldTransparentRetries(attempts);
    // All of one shape: every rule reads them.
    operations.push({ key, endpoint, attempts, clientAttempts, repeatedAs, isRepeatedWhole, resembledBy });
  });
  return operations;
}

/**
 * Returns the key by which the requests of a caller, or of all, are grouped. One test id may cover a whole test; within it,
 * the request's own key or else its content distinguishes operations.
 */
function groupKey({ key, exchange, endpoint }: HistoryEntry, { policy }: GroupingContext): string {
  if (key.by === 'own-key' || !isSingleClientKey(key)) return key.text;
  const own = endpoint?.idempotencyKey === undefined ? undefined : idempotencyKeyOf(exchange, endpoint.idempotencyKey);
  const { ignoreFields } = policy;
  return `${key.text} ${own ?? comparableContent(exchange, { endpoint, ignoreFields })}`;
}

/** Notes with the last attempt that its job had failed when the next one came. */
function noteFailedJob({ attempts }: OperationDraft, next: Attempt): void {
  const last = attempts.at(-1);
  if (last?.outcome === 'success' && hasFailedJobBefore(last, next))
    attempts[attempts.length - 1] = { ...last, hasFailedJob: true };
}

/** True when a request with the same key is another attempt, and not a new operation with the same content. */
function belongs(begun: OperationDraft, attempt: Attempt, seen: GroupingContext): boolean {
  const last = begun.attempts.at(-1);
  if (last && isForgotten(last, attempt, seen)) return false;
  if (!last || begun.key.by === 'own-key' || (begun.key.by === 'test-id' && !isReadOperation(begun))) return true;
  if (isRetryable(last) || last.outcome === 'in-flight') return isStillTried(begun, attempt, seen);
  // It failed after all, and the same content tries it again.
  if (last.hasFailedJob) return true;
  if (last.outcome === 'success')
    return !isReadOperation(begun) && (overlaps(last, attempt) || isWithin(seen, last, attempt));
  // After a rejection a client may send again when something has changed since; to read again later is free.
  return isReadOperation(begun) ? isPromptRepeat(last, attempt, seen) : !isChanged(seen, last, attempt);
}

/** True when an attempt was over before the state was set back: the service knows nothing of it, and nothing is left to try. */
function isForgotten(last: Attempt, { exchange }: Attempt, { history }: GroupingContext): boolean {
  // No state holds that something was refused.
  if (isRefused(last)) return history.isRestoredBetween(last.exchange, exchange);
  return !isRetryable(last) && last.outcome !== 'in-flight' && history.isSetBackBetween(last.exchange, exchange);
}

/** True when a failed operation was neither given up nor confirmed by a read-back. */
function isStillTried(begun: OperationDraft, attempt: Attempt, seen: GroupingContext): boolean {
  if (isReadOperation(begun)) return isReadRetry(begun, attempt, seen);
  const { endpoint, attempts } = begun;
  const { history } = seen;
  const last = attempts.at(-1);
  if (!last || !isConfirmedByRead(attempts, { history, endpoint, next: attempt })) return true;
  // A client that sends it again as its next write has misread the response.
  return !history.hasWritesBetween(last.start, attempt.start);
}

const isWithin = ({ policy }: GroupingContext, last: Attempt, attempt: Attempt): boolean =>
  pauseBetween(last, attempt) < policy.deduplicationWindow;

const isChanged = ({ history }: GroupingContext, last: Attempt, attempt: Attempt): boolean =>
  history.hasChangesBetween(last.start, attempt.start);
