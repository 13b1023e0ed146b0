/** What a client does with what it could not deliver. */
import { isToRepeat } from '../attempt.ts';
import type { Attempt } from '../attempt.ts';
import { isRead, ownAttempts } from '../operation.ts';
import type { Operation, Pair } from '../operation.ts';
import type { Policy } from '../policy.ts';
import { isFoundDone } from './effects.ts';
import { callOf, fail } from './rule.ts';
import type { Evidence, Found, RetryRule } from './rule.ts';

/** Runs of attempts, parted by pauses so long that the client must have given up in between. */
export function burstsOf(operation: Operation, { fallbackAfter }: Policy): (readonly Attempt[])[] {
  const bursts: Attempt[][] = [];
  let last: Attempt | undefined;
  for (const attempt of ownAttempts(operation)) {
    const pause = last === undefined ? Number.POSITIVE_INFINITY : attempt.start - (last.end ?? last.start);
    const current = bursts.at(-1);
    if (current && pause < (fallbackAfter ?? Number.POSITIVE_INFINITY)) current.push(attempt);
    else bursts.push([attempt]);
    last = attempt;
  }
  return bursts;
}

/** Whether an operation had been given up once before this attempt. */
export function isGivenUp(operation: Operation, attempt: Attempt, policy: Policy): boolean {
  const [first = []] = burstsOf(operation, policy);
  return policy.fallbackAfter !== undefined && first.every(isToRepeat) && !first.includes(attempt);
}

const isDone = ({ told }: Attempt): boolean => told === 'success';

/** The attempt by which a given-up operation was delivered at last. */
function deliveryOf(operation: Operation, policy: Policy): Attempt | undefined {
  const done = ownAttempts(operation).find(isDone);
  return done && isGivenUp(operation, done, policy) ? done : undefined;
}

export const deliversLater: RetryRule = {
  id: 'R9',
  title: 'what was given up is delivered later, once, in order',
  sentence: 'General rule 2: The caller keeps a local fallback for extended outages.',
  advice: 'Keep undelivered calls in a queue on disk; deliver the oldest first, and take each out when it is answered.',
  check(operation, evidence) {
    if (isRead(operation)) return [];
    return [...lost(operation, evidence), ...replayed(operation, evidence), ...overtaken(operation, evidence)];
  },
};

function lost(operation: Operation, evidence: Evidence): Found[] {
  const own = ownAttempts(operation);
  const last = own.at(-1);
  if (!last || own.length < 2 || !isToRepeat(last)) return [];
  if (!evidence.isBackAfter(last) || isFoundDone(operation, last, evidence)) return [];
  return [
    fail(
      `${callOf(last)} was given up after ${own.length} attempts and never delivered, though the service came back`,
      last,
    ),
  ];
}

function replayed(operation: Operation, { policy }: Evidence): Found[] {
  const done = deliveryOf(operation, policy);
  if (!done) return [];
  const again = ownAttempts(operation).filter(({ start }) => start > (done.end ?? done.start));
  return again.length === 0 ? [] : [fail(`${callOf(done)} was delivered later, and then sent again`, done, ...again)];
}

/** Given-up operations are to reach the service in the order in which they were begun. */
function overtaken(operation: Operation, { operations, policy }: Evidence): Found[] {
  const done = deliveryOf(operation, policy);
  if (!done) return [];
  const begunBefore = operations.slice(0, operations.indexOf(operation));
  const late = begunBefore.find((earlier) => {
    const delivered = isRead(earlier) ? undefined : deliveryOf(earlier, policy);
    return delivered !== undefined && delivered.start > done.start;
  });
  const [first] = late?.attempts ?? [];
  if (!first) return [];
  return [
    fail(
      `${callOf(done)} (${done.exchange.id}) was delivered before ${first.exchange.id}, which was begun before it`,
      done,
    ),
  ];
}

/** Each attempt with the one before it, burst by burst. */
export const pairsByBurst = (operation: Operation, policy: Policy): (readonly Pair[])[] =>
  burstsOf(operation, policy).map((burst) =>
    burst.slice(1).flatMap((next, i) => {
      const before = burst[i];
      return before ? [[before, next] as const] : [];
    }),
  );
