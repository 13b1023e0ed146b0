/** Judges what a client does with writes that it could not deliver. */
import { isRetryable, isIndeterminate, pauseBetween } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { isReadOperation } from '../history/operations.ts';
import type { Operation } from '../history/operations.ts';
import type { Policy } from '../policy.ts';
import { isConfirmedByRead } from '../history/read-back.ts';
import { requestLine, fail, inconclusive, memoizePerJournal, note, formatDuration } from './retry-rule.ts';
import type { RetryEvidence, RuleFinding, RetryRule } from './retry-rule.ts';

/** Where none is declared: a pause so long, in ms, and so many times as long as any before it, is no retry's. */
const usualFallback = { atLeast: 1000, times: 5 } as const;

/** Runs of attempts, parted by pauses so long that the client must have given up in between. */
export function splitIntoBursts(
  { clientAttempts: own }: Operation,
  { storeAndForwardAfter: fallbackAfter }: Policy,
): (readonly Attempt[])[] {
  const bursts: Attempt[][] = [];
  let longest = Infinity;
  for (const attempt of own) {
    const current = bursts.at(-1);
    const before = current?.at(-1);
    const pause = before === undefined ? 0 : pauseBetween(before, attempt);
    const { atLeast, times } = usualFallback;
    if (current && pause < (fallbackAfter ?? Math.max(atLeast, times * longest))) {
      current.push(attempt);
      longest = current.length === 2 ? pause : Math.max(longest, pause);
    } else {
      bursts.push([attempt]);
      longest = Infinity;
    }
  }
  return bursts;
}

/** Whether an operation had been given up once before this attempt. */
export function wasGivenUpBefore(operation: Operation, attempt: Attempt, policy: Policy): boolean {
  const [first = []] = splitIntoBursts(operation, policy);
  return first.every(isRetryable) && !first.includes(attempt);
}

/** The attempt by which a given-up operation was delivered at last. */
function lateDelivery(operation: Operation, policy: Policy): Attempt | undefined {
  const { clientAttempts: own, endpoint } = operation;
  const at = own.findIndex((attempt, i) => attempt.outcome === 'success' || isDoneAlready(own.slice(0, i), attempt));
  const done = own[at];
  return done && wasGivenUpBefore(operation, done, policy) ? done : undefined;

  /** To be told that it is done already is a success where the answers before were missing. */
  function isDoneAlready(before: readonly Attempt[], { outcome, exchange }: Attempt): boolean {
    return (
      endpoint?.retry === 'once' && outcome === 'rejected' && exchange.status === 409 && before.some(isIndeterminate)
    );
  }
}

export const deliversLater: RetryRule = {
  id: 'R9',
  title: 'given-up writes are delivered later, once, in order',
  basis: {
    source: 'specification',
    text: 'General rule 2: “The caller keeps a local fallback for extended outages.”',
  },
  advice:
    'Keep undelivered requests in a queue on disk; deliver the oldest first, and remove each one when its response arrives.',
  check(operation, evidence) {
    if (isReadOperation(operation)) return [];
    return [
      ...lost(operation, evidence),
      ...replayed(operation, evidence),
      ...(overtaken(evidence).get(operation) ?? []),
    ];
  },
};

/** Nothing that was given up is lost while the declared fallback waits. */
export function unlessStillWaiting(
  found: RuleFinding,
  { policy: { storeAndForwardAfter: fallbackAfter }, now, tenant }: RetryEvidence,
): RuleFinding {
  const last = found.attempts.at(-1);
  if (fallbackAfter === undefined || !last) return found;
  // A test may move the tenant's clock instead of waiting.
  const waited = Math.max(now - (last.end ?? last.start), tenant.clock.now() - last.exchange.at);
  if (waited >= fallbackAfter) return found;
  const why = `its fallback is not due yet: declared: ${formatDuration(fallbackAfter)}`;
  return inconclusive(`${found.message}; but ${why}`, ...found.attempts);
}

function lost({ clientAttempts: own, attempts, endpoint }: Operation, evidence: RetryEvidence): RuleFinding[] {
  const { history } = evidence;
  const last = own.at(-1);
  if (!last || own.length < 2 || !isRetryable(last) || !evidence.hasRecoveredAfter(last)) return [];
  if (isConfirmedByRead(attempts, { history, endpoint, until: Infinity })) return [];
  const message = `${requestLine(last)} was given up after ${own.length} attempts and never delivered, though the service recovered`;
  if (last.outcome === 'throttled') return [note(message, last)];
  return [unlessStillWaiting(fail(message, last), evidence)];
}

function replayed(operation: Operation, { policy }: RetryEvidence): RuleFinding[] {
  const done = lateDelivery(operation, policy);
  if (!done) return [];
  const again = operation.clientAttempts.filter(({ start }) => start > (done.end ?? done.start));
  if (again.length === 0) return [];
  const found = operation.endpoint?.retry === 'idempotent' ? note : fail;
  return [found(`${requestLine(done)} was delivered later, and then sent again`, done, ...again)];
}

interface LateDelivery {
  readonly operation: Operation;
  readonly done: Attempt;
}

/** Given-up operations of an endpoint are to reach the service in the order in which they were begun. */
const overtaken = memoizePerJournal(
  ({ operations, policy, history, evicted }: RetryEvidence): Map<Operation, RuleFinding[]> => {
    const found = new Map<Operation, RuleFinding[]>();
    const latest = new Map<string | undefined, LateDelivery>();
    for (const operation of operations) {
      const done = isReadOperation(operation) ? undefined : lateDelivery(operation, policy);
      if (!done) continue;
      const id = operation.endpoint?.id;
      const known = latest.get(id);
      if (known && known.done.start > done.start) found.set(operation, [wrongOrder({ operation, done }, known)]);
      else latest.set(id, { operation, done });
    }
    return found;

    function wrongOrder({ operation, done }: LateDelivery, { operation: earlier }: LateDelivery): RuleFinding {
      const first = earlier.attempts[0] ?? done;
      const message = `${requestLine(done)} (${done.exchange.id}) was delivered before ${first.exchange.id}, which began before it`;
      const [these, those] = [operation, earlier].map(({ attempts }) => attempts.map(({ exchange }) => exchange));
      // Several tills keep a queue each.
      if (!history.isSingleClient(these ?? [], those ?? [])) return note(`${message}; perhaps by another client`, done);
      if (evicted > 0) return inconclusive(`${message}; but the journal has dropped older requests`, done);
      return fail(message, done);
    }
  },
);
