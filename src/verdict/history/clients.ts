/** Distinguishes clients: what several clients do to one contact or promotion is no retry of one client. */
import { appendTo } from '../../core/lib/collections.ts';
import { withIndexes } from '../../core/time/index-in-steps.ts';
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { OperationKey } from '../../core/exchange/operation-key.ts';
import { isRetryable } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { isProxied } from './callers.ts';
import type { Callers } from './callers.ts';
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
  // Behind a proxy all look like one that sends one request at a time.
  if (isProxied(left) || isProxied(right)) return false;
  return !history.isParallel && history.callers.keyOf(left) === history.callers.keyOf(right);
}

/** Splits attempts by connection when connections alternate (A, B, A); returns none otherwise. */
export function splitByConnection(attempts: readonly Attempt[]): (readonly Attempt[])[] {
  const ids = attempts.map(({ exchange }) => exchange.connection?.id);
  if (ids.every((id) => id === ids[0])) return [];
  const runs = ids.filter((id, i) => id !== ids[i - 1]).length;
  const byConnection = new Map<number | undefined, Attempt[]>();
  for (const attempt of attempts) appendTo(byConnection, attempt.exchange.connection?.id, attempt);
  return runs > byConnection.size ? [...byConnection.values()] : [];
}

/**
 * Merges operations that one client gave up and another did later: they may have been handed over to a worker that
 * empties the queue, or to the same program under another name.
 */
export function* mergeHandedOver(begun: readonly OperationDraft[], history: History): Steps<readonly OperationDraft[]> {
  const next = new Map<OperationDraft, OperationDraft>();
  for (const group of yield* groupsOf(begun, history)) {
    for (const [before, one] of yield* withIndexes(() => handedOver(group, history))) next.set(before, one);
    yield;
  }
  return yield* mergeHandedBack(next.size === 0 ? begun : mergeChains(begun, next), history);
}

/** Merges what two clients tried in turns, as long as it failed: it was handed over, and handed back. */
function* mergeHandedBack(begun: readonly OperationDraft[], history: History): Steps<readonly OperationDraft[]> {
  const merged = new Set<OperationDraft>();
  for (const group of yield* groupsOf(begun, history)) {
    yield;
    let open: OperationDraft[] = [];
    for (const one of group) {
      const from = one.attempts[0]?.start ?? 0;
      open = open.filter((other) => lastStart(other) > from);
      const before = open.find((other) => isHandedBack(one, other, history));
      if (before) {
        merged.add(one);
        insertAttempts(before, one);
      } else open.push(one);
    }
  }
  return merged.size === 0 ? begun : begun.filter((one) => !merged.has(one));
}

const lastStart = ({ attempts }: OperationDraft): number => attempts.at(-1)?.start ?? 0;

/** True when two clients took turns until one of them gave up: each began after the other had failed. */
function isHandedBack(one: OperationDraft, other: OperationDraft, history: History): boolean {
  const [givenUp, goingOn] = lastStart(one) < lastStart(other) ? [one, other] : [other, one];
  const at = goingOn.attempts.findIndex(({ start }) => start > lastStart(givenUp));
  const next = goingOn.attempts[at];
  const [first] = givenUp.attempts;
  if (!first || !next || !isGivenUp(givenUp, history)) return false;
  if (history.callers.keyOf(first.exchange) === history.callers.keyOf(next.exchange)) return false;
  const turns = [...givenUp.attempts, ...goingOn.attempts.slice(0, at)].toSorted((a, b) => a.start - b.start);
  return turns.every((attempt, i) => isRetryable(attempt) && (turns[i + 1] ?? next).start >= (attempt.end ?? Infinity));
}

/** Groups the operations that only their clients distinguish, where there are several. */
function* groupsOf(begun: readonly OperationDraft[], { callers }: History): Steps<OperationDraft[][]> {
  const groups = new Map<string, OperationDraft[]>();
  yield* forEachInSteps(begun, (one) => {
    // No client stores a read for later.
    if (!isSingleClientKey(one.key) && !isReadOperation(one)) appendTo(groups, one.key.text, one);
  });
  const shared: OperationDraft[][] = [];
  yield* forEachInSteps([...groups.values()], (group) => {
    if (group.length > 1 && !isOfOneCaller(group, callers)) shared.push(group);
  });
  return shared;
}

function isOfOneCaller(group: readonly OperationDraft[], callers: Callers): boolean {
  const sent = group.flatMap(({ attempts }) => attempts);
  const first = sent[0] && callers.keyOf(sent[0].exchange);
  return sent.every(({ exchange }) => callers.keyOf(exchange) === first);
}

/** Returns the operations that were handed over, each with the one that went on with it. */
function handedOver(group: readonly OperationDraft[], history: History): ReadonlyMap<OperationDraft, OperationDraft> {
  const next = new Map<OperationDraft, OperationDraft>();
  const givenUp = new Set<OperationDraft>();
  for (const one of group) {
    const before = [...givenUp].find((other) => isAfter(one, other, history));
    if (before) {
      next.set(before, one);
      givenUp.delete(before);
    }
    if (isGivenUp(one, history)) givenUp.add(one);
  }
  return next;
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
