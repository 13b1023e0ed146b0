/** Describes operations: what a client meant to do, with the attempts by which it tried. */
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { pushAll } from '../../core/lib/collections.ts';
import { idempotencyKeyOf } from '../../core/exchange/operation-key.ts';
import type { OperationKey } from '../../core/exchange/operation-key.ts';
import type { Policy } from '../policy.ts';
import type { Attempt } from './attempt.ts';
import { forgetDoneWork } from '../state/done-work.ts';
import type { History } from './history.ts';

export interface Operation {
  readonly key: OperationKey;
  /** Is undefined when no endpoint serves the path. */
  readonly endpoint: Endpoint | undefined;
  readonly attempts: readonly Attempt[];
  /** Lists the attempts as the client knows them: a transparent retry is part of the attempt before it. */
  readonly clientAttempts: readonly Attempt[];
  /** Lists the first attempts of other writes that did its work again: in parts, or by another endpoint. */
  readonly repeatedAs?: readonly Attempt[] | undefined;
  /** True when those did all of its work. */
  readonly isRepeatedWhole?: boolean | undefined;
  /**
   * Holds the first attempt of a later write that differs in its key and times alone, and came too late for a prompt
   * repeat.
   */
  readonly resembledBy?: Attempt | undefined;
}

/** Groups requests with one key, as long as they are attempts of one operation. */
export interface OperationDraft extends Pick<Operation, 'key' | 'endpoint'> {
  readonly attempts: Attempt[];
  repeatedAs?: readonly Attempt[];
  isRepeatedWhole?: boolean;
  resembledBy?: Attempt | undefined;
}

export interface GroupingContext {
  readonly history: History;
  readonly policy: Policy;
}

const readMethods: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

export const isReadOperation = ({ endpoint, attempts }: Pick<Operation, 'endpoint' | 'attempts'>): boolean =>
  endpoint === undefined ? readMethods.has(attempts[0]?.exchange.method) : endpoint.retry === 'safe';

/** Returns the key that all attempts carry in the place that their endpoint names, whether a test id is there as well or not. */
export function ownKeyOf({ endpoint, attempts }: Pick<Operation, 'endpoint' | 'attempts'>): string | undefined {
  const place = endpoint?.idempotencyKey;
  if (place === undefined) return undefined;
  const isInBody = place !== 'path' && !place.startsWith('header.');
  let key: string | undefined;
  let before: Attempt | undefined;
  for (const attempt of attempts) {
    // Most repeats are copies, and a key in a body is found by reading it.
    if (isInBody && before && before.exchange.request.body === attempt.exchange.request.body) continue;
    const own = idempotencyKeyOf(attempt.exchange, place);
    if (before && own !== key) return undefined;
    [before, key] = [attempt, own];
  }
  return key;
}

/** True when a write carries a key of its own, by which the service knows a repeat: a test id next to it is none. */
export const hasOwnKey = (operation: Pick<Operation, 'endpoint' | 'attempts' | 'key'>): boolean =>
  operation.key.by === 'own-key' || (operation.key.by === 'test-id' && ownKeyOf(operation) !== undefined);

/** Returns the number of the request by which an operation began. */
export const beginOf = ({ attempts: [first] }: Operation): number => first?.exchange.number ?? 0;

/** A test id that the client chose cannot change between attempts. */
export const isSameTest = ({ key: a }: Pick<Operation, 'key'>, { key: b }: Pick<Operation, 'key'>): boolean =>
  (a.by === 'test-id') === (b.by === 'test-id') && (a.by !== 'test-id' || a.value === b.value);

export type AttemptPair = readonly [before: Attempt, next: Attempt];

/** Pairs each attempt with the one before it. */
export function consecutivePairs(attempts: readonly Attempt[]): AttemptPair[] {
  const pairs: AttemptPair[] = [];
  for (let i = 1; i < attempts.length; i++) pairs.push([attempts[i - 1] as Attempt, attempts[i] as Attempt]);
  return pairs;
}

/** Adds the attempts of one operation to another, in order of time. */
export function insertAttempts({ attempts }: OperationDraft, one: OperationDraft): void {
  pushAll(attempts, one.attempts);
  forgetDoneWork(attempts);
  attempts.sort((a, b) => a.start - b.start);
}

/** Merges each operation with the operations that continue it. */
export function mergeChains(
  begun: readonly OperationDraft[],
  next: ReadonlyMap<OperationDraft, OperationDraft>,
): OperationDraft[] {
  if (next.size === 0) return [...begun];
  const taken = new Set(next.values());
  return begun.filter((one) => !taken.has(one)).map((one) => (next.has(one) ? chainFrom(one, next) : one));
}

function chainFrom(one: OperationDraft, next: ReadonlyMap<OperationDraft, OperationDraft>): OperationDraft {
  const attempts = [...one.attempts];
  for (let follower = next.get(one); follower; follower = next.get(follower)) pushAll(attempts, follower.attempts);
  const { repeatedAs, isRepeatedWhole, resembledBy } = lastOf(one, next);
  return {
    ...one,
    attempts,
    resembledBy,
    ...(repeatedAs && { repeatedAs }),
    ...(isRepeatedWhole && { isRepeatedWhole }),
  };
}

function lastOf(one: OperationDraft, next: ReadonlyMap<OperationDraft, OperationDraft>): OperationDraft {
  let last = one;
  for (let follower = next.get(one); follower; follower = next.get(follower)) last = follower;
  return last;
}
