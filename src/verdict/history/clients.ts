/** Distinguishes clients: what several clients do to one contact or promotion is no retry of one client. */
import { appendTo } from '../../core/lib/collections.ts';
import type { OperationKey } from '../../core/exchange/operation-key.ts';
import { isRetryable } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import type { History } from './history.ts';
import { insertAttempts, isReadOperation, mergeChains } from './operation.ts';
import type { OperationDraft } from './operation.ts';
import { isConfirmedByRead } from './read-back.ts';

/** True when a key belongs to one operation; other clients may send the same content, or name the same promotion. */
export const isSingleClientKey = ({ value }: OperationKey): boolean => value !== undefined;

/** True when two requests with the same content were certainly sent by one client. */
export function isSameClient(before: Attempt, next: Attempt, history: History): boolean {
  if (next.isTransparentRetry) return true;
  const [left, right] = [before.exchange, next.exchange];
  const compared = history.callers.compare(left, right);
  if (compared !== 'unknown') return compared === 'same';
  return !history.isParallel && history.callers.keyOf(left) === history.callers.keyOf(right);
}

/** Splits attempts by connection when connections alternate (A, B, A); returns none otherwise. */
export function splitByConnection(attempts: readonly Attempt[]): (readonly Attempt[])[] {
  const ids = attempts.map(({ exchange }) => exchange.connection?.id);
  if (ids.every((id) => id === ids[0])) return [];
  const connections = [...new Set(ids)];
  const runs = ids.filter((id, i) => id !== ids[i - 1]).length;
  return runs > connections.length ? connections.map((id) => attempts.filter((_, i) => ids[i] === id)) : [];
}

/**
 * Merges operations that one client gave up and another did later: they may have been handed over to a worker that
 * empties the queue, or to the same program under another name.
 */
export function mergeHandedOver(begun: readonly OperationDraft[], history: History): OperationDraft[] {
  const next = new Map<OperationDraft, OperationDraft>();
  for (const group of groupsOf(begun)) linkHandedOver(group, next, history);
  return mergeHandedBack(mergeChains(begun, next), history);
}

/** Merges what one client tried and gave up between two attempts of another: it was handed over, and handed back. */
function mergeHandedBack(begun: readonly OperationDraft[], history: History): OperationDraft[] {
  const merged = new Set<OperationDraft>();
  for (const group of groupsOf(begun)) {
    let open: OperationDraft[] = [];
    for (const one of group) {
      const from = one.attempts[0]?.start ?? 0;
      open = open.filter(({ attempts }) => (attempts.at(-1)?.start ?? 0) > from);
      const around = isGivenUp(one, history) ? open.find((other) => isHandedBack(one, other, history)) : undefined;
      if (around) {
        merged.add(one);
        insertAttempts(around, one);
      } else if (one.attempts.length > 1) open.push(one);
    }
  }
  return begun.filter((one) => !merged.has(one));
}

/** True when one client began after another had failed, and gave up before that one tried again. */
function isHandedBack({ attempts }: OperationDraft, other: OperationDraft, { callers }: History): boolean {
  const [first, last] = [attempts[0], attempts.at(-1)];
  const at = other.attempts.findLastIndex(({ start }) => first !== undefined && start < first.start);
  const [before, after] = [other.attempts[at], other.attempts.at(-1)];
  if (!first || !last || !before || !after || !isRetryable(before)) return false;
  if (callers.keyOf(first.exchange) === callers.keyOf(after.exchange)) return false;
  return first.start >= (before.end ?? Infinity) && after.start >= (last.end ?? Infinity);
}

/** Groups the operations that only their clients distinguish. */
function groupsOf(begun: readonly OperationDraft[]): OperationDraft[][] {
  const groups = new Map<string, OperationDraft[]>();
  for (const one of begun) {
    // No client stores a read for later.
    if (isSingleClientKey(one.key) || isReadOperation(one)) continue;
    appendTo(groups, one.key.text, one);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function linkHandedOver(
  group: readonly OperationDraft[],
  next: Map<OperationDraft, OperationDraft>,
  history: History,
): void {
  const givenUp = new Set<OperationDraft>();
  for (const one of group) {
    const before = [...givenUp].find((other) => isAfter(one, other, history));
    if (before) {
      next.set(before, one);
      givenUp.delete(before);
    }
    if (isGivenUp(one, history)) givenUp.add(one);
  }
}

function isGivenUp({ attempts, endpoint }: OperationDraft, history: History): boolean {
  const last = attempts.at(-1);
  return last !== undefined && isRetryable(last) && !isConfirmedByRead(attempts, { history, endpoint });
}

/** True when another client began after this one had given up. */
function isAfter({ attempts: [first] }: OperationDraft, { attempts }: OperationDraft, { callers }: History): boolean {
  const last = attempts.at(-1);
  if (!first || !last || callers.keyOf(first.exchange) === callers.keyOf(last.exchange)) return false;
  return first.start >= (last.end ?? Infinity);
}
