/** From attempts to operations: which requests were tries of one and the same intention. */
import type { Endpoint } from '../core/endpoint.ts';
import type { Exchange } from '../core/journal.ts';
import { operationKey } from '../core/operation-key.ts';
import type { OperationKey } from '../core/operation-key.ts';
import { attemptOf, isBeside, isToRepeat } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { looseContent } from './content.ts';
import type { Policy } from './policy.ts';
import { isTransportRepeat } from './transport.ts';

/** What a caller meant to do, with its attempts in order. */
export interface Operation {
  readonly key: OperationKey;
  /** Undefined when nothing is served there. */
  readonly endpoint: Endpoint | undefined;
  readonly attempts: readonly Attempt[];
  /** The keys of its attempts, where the caller gave the same intention several. */
  readonly keys: readonly string[];
}

export const isRead = ({ endpoint, attempts }: Operation): boolean =>
  endpoint === undefined ? attempts[0]?.exchange.method === 'GET' : endpoint.retry === 'read';

/** Attempts that the caller made itself. */
export const ownAttempts = ({ attempts }: Operation): readonly Attempt[] =>
  attempts.filter(({ isTransport }) => !isTransport);

export type Pair = readonly [before: Attempt, next: Attempt];

/** Each attempt that the caller made itself with the one before it. */
export const pairsOf = (operation: Operation): Pair[] => {
  const own = ownAttempts(operation);
  return own.slice(1).flatMap((next, i) => {
    const before = own[i];
    return before ? [[before, next] as const] : [];
  });
};

interface Open {
  readonly key: OperationKey;
  readonly endpoint: Endpoint | undefined;
  readonly attempts: Attempt[];
  /** How many writes the journal had seen when its last attempt was made. */
  writes: number;
}

/** The operations of a journal's exchanges, in the order in which they were begun. */
export function operationsOf(
  exchanges: Iterable<Exchange>,
  endpoints: readonly Endpoint[],
  policy: Policy,
): Operation[] {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint] as const));
  const latest = new Map<string, Open>();
  const begun: Open[] = [];
  let writes = 0;
  for (const exchange of exchanges) {
    const endpoint = byId.get(exchange.endpoint ?? '');
    const key = operationKey(exchange, endpoint);
    const known = latest.get(key.text);
    const isWrite = endpoint !== undefined && endpoint.retry !== 'read';
    const attempt = attemptOf(exchange, isTransportRepeat(known?.attempts.at(-1), exchange));
    const open = known && belongs(known, attempt, { writes, policy }) ? known : { key, endpoint, attempts: [], writes };
    if (open !== known) {
      latest.set(key.text, open);
      begun.push(open);
    }
    open.attempts.push(attempt);
    if (isWrite) writes++;
    open.writes = writes;
  }
  return joinRenamed(begun, policy);
}

interface Seen {
  readonly writes: number;
  readonly policy: Policy;
}

/** Whether a request with the same key is another try, and not the same thing meant anew. */
function belongs({ key, endpoint, attempts, writes }: Open, attempt: Attempt, { writes: now, policy }: Seen): boolean {
  const last = attempts.at(-1);
  if (!last || key.by !== 'content') return true;
  const isReading = endpoint === undefined || endpoint.retry === 'read';
  if (isToRepeat(last) || last.told === 'open') return !isReading || attempts.length < (policy.attempts ?? Infinity);
  // Looking again is free. What was refused may be asked again when something else has changed since.
  if (last.told !== 'success') return writes === now;
  return !isReading && (isBeside(last, attempt) || attempt.start - (last.end ?? last.start) <= policy.window);
}

/**
 * A caller that makes a new key or a new time stamp for each attempt begins what looks like another operation. It
 * is taken for the same one when the first was left after a single attempt, undelivered.
 */
function joinRenamed(begun: readonly Open[], policy: Policy): Operation[] {
  const alike = new Map<string, Open[]>();
  for (const open of begun.filter(isWriteWithKey)) {
    const content = contentOf(open, policy);
    const known = alike.get(content);
    if (known) known.push(open);
    else alike.set(content, [open]);
  }
  const next = new Map<Open, Open>();
  for (const opens of alike.values()) {
    for (const [i, open] of opens.entries()) {
      const follower = opens[i + 1];
      if (follower && isLeft(open)) next.set(open, follower);
    }
  }
  const followers = new Set(next.values());
  return begun.filter((open) => !followers.has(open)).map((open) => operationFrom(chainFrom(open, next)));
}

const isWriteWithKey = ({ endpoint, key }: Open): boolean =>
  endpoint !== undefined && endpoint.retry !== 'read' && key.by !== 'test-id';

function contentOf({ endpoint, attempts }: Open, policy: Policy): string {
  const ownField = endpoint?.ownKey?.startsWith('body.') ? [endpoint.ownKey.slice('body.'.length)] : [];
  return `${endpoint?.id} ${looseContent(attempts[0]?.exchange, [...policy.volatile, ...ownField])}`;
}

/** One attempt that came to nothing, and no other under its key. */
function isLeft({ attempts }: Open): boolean {
  const [only, second] = attempts.filter(({ isTransport }) => !isTransport);
  return only !== undefined && second === undefined && isToRepeat(only);
}

function chainFrom(open: Open, next: ReadonlyMap<Open, Open>): Open[] {
  const chain = [open];
  for (let follower = next.get(open); follower; follower = next.get(follower)) chain.push(follower);
  return chain;
}

function operationFrom(opens: readonly Open[]): Operation {
  const [first] = opens;
  if (!first) throw new Error('an operation has at least one attempt');
  const { key, endpoint } = first;
  return {
    key,
    endpoint,
    attempts: opens.flatMap(({ attempts }) => attempts),
    keys: opens.map((open) => open.key.value ?? open.key.text),
  };
}
