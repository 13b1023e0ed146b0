/** Who sent a request: what several callers do to one contact, promotion or account must not be taken for one's retries. */
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { OperationKey } from '../../core/exchange/operation-key.ts';
import { isRetryable } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { mergeChains } from './chains.ts';
import type { History } from './history.ts';
import type { OperationDraft } from './operations.ts';
import { isConfirmedByRead } from './read-back.ts';

/** The program that a caller says it is, and the key that it came with. */
export const clientIdentity = ({ request, keyDigest }: Exchange): string =>
  `${request.headers['user-agent'] ?? ''} ${keyDigest ?? ''}`;

/** Whether a key is of one operation alone, and no content or promotion that others may mean as well. */
export const isSingleClientKey = ({ value }: OperationKey): boolean => value !== undefined;

/** Whether two requests with the same content were certainly sent by one caller. */
export function isSameClient(before: Attempt, next: Attempt, history: History): boolean {
  if (next.isTransparentRetry) return true;
  const [left, right] = [before.exchange, next.exchange];
  if (clientIdentity(left) !== clientIdentity(right)) return false;
  return !history.isParallel || (left.connection !== undefined && left.connection.id === right.connection?.id);
}

/** Attempts by the connections that they came by, where they came by turns: A, B, A again; else none. */
export function splitByConnection(attempts: readonly Attempt[]): (readonly Attempt[])[] {
  const ids = attempts.map(({ exchange }) => exchange.connection?.id);
  const lanes = [...new Set(ids)];
  const runs = ids.filter((id, i) => id !== ids[i - 1]).length;
  return runs > lanes.length ? lanes.map((lane) => attempts.filter((_, i) => ids[i] === lane)) : [];
}

/**
 * What one caller has left, and another does later, may have been handed on: to a worker that empties the queue, or
 * to the same program under another name.
 */
export function mergeHandedOver(begun: readonly OperationDraft[], history: History): OperationDraft[] {
  const next = new Map<OperationDraft, OperationDraft>();
  for (const alike of groupsOf(begun)) handOn(alike, next, history);
  return mergeChains(begun, next);
}

/** Operations that are told apart by their callers alone. */
function groupsOf(begun: readonly OperationDraft[]): OperationDraft[][] {
  const groups = new Map<string, OperationDraft[]>();
  for (const one of begun) {
    if (isSingleClientKey(one.key)) continue;
    const group = groups.get(one.key.text);
    if (group) group.push(one);
    else groups.set(one.key.text, [one]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function handOn(alike: readonly OperationDraft[], next: Map<OperationDraft, OperationDraft>, history: History): void {
  const left = new Set<OperationDraft>();
  for (const one of alike) {
    const before = [...left].find((other) => isAfter(one, other));
    if (before) {
      next.set(before, one);
      left.delete(before);
    }
    if (isLeft(one, history)) left.add(one);
  }
}

function isLeft({ attempts, endpoint }: OperationDraft, history: History): boolean {
  const last = attempts.at(-1);
  return (
    last !== undefined && isRetryable(last) && !isConfirmedByRead(attempts, { history, endpoint, until: Infinity })
  );
}

/** Whether another caller began after this one had given up. */
function isAfter({ attempts: [first] }: OperationDraft, { attempts }: OperationDraft): boolean {
  const last = attempts.at(-1);
  if (!first || !last || clientIdentity(first.exchange) === clientIdentity(last.exchange)) return false;
  return first.start >= (last.end ?? Infinity);
}
