import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { isClosedForNext, isDone, isIndeterminate, isRetryable } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { hasOwnKey, isReadOperation } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import type { Policy } from '../policy.ts';
import { wasGivenUpBefore } from '../evidence/bursts.ts';
import { isDescribed } from '../evidence/duplicate-effects.ts';
import { leftUndone, neverDelivered } from '../evidence/never-delivered.ts';
import { fail, inconclusive, indexPerJournal, note, requestLine } from './retry-rule.ts';
import type { RetryEvidence, RetryRule, RuleFinding } from './retry-rule.ts';

export const deliversLater: RetryRule = {
  id: 'R9',
  title: 'given-up writes are delivered later, once, in order',
  basis: {
    source: 'specification',
    text: 'General rule 2: “The caller keeps a local fallback for extended outages.”',
  },
  advice:
    'Keep undelivered requests in a queue on disk; deliver the oldest first, and remove each one when its response arrives.',
  certainty: 'response',
  judge(operation, evidence) {
    if (isReadOperation(operation)) return [];
    return [
      ...neverDelivered(operation, evidence),
      ...leftUndone(operation, evidence),
      ...deliveredTwice(operation, evidence),
      ...(outOfOrder(evidence).get(operation) ?? []),
    ];
  },
};

function deliveredTwice(operation: Operation, { policy, history, lagBetween }: RetryEvidence): RuleFinding[] {
  const delivered = lateDelivery(operation, policy);
  if (!delivered) return [];
  const again = operation.clientAttempts.filter(({ start }) => start > (delivered.end ?? delivered.start));
  const [next, ...more] = again;
  if (!next) return [];
  const message = `${requestLine(delivered)} was delivered later, and then sent again`;
  // The program died before it had noted the response, and the key did what it is for.
  const isByRestart =
    history.restarts.between(delivered.exchange, next.exchange) !== undefined ||
    isClosedForNext(delivered, next, lagBetween);
  if (isByRestart && more.length === 0 && hasOwnKey(operation) && !isDescribed(next))
    return [
      note(
        `${message} once its client had been started again; its key kept it from taking effect twice`,
        delivered,
        next,
      ),
    ];
  const found = operation.endpoint?.retry === 'idempotent' ? note : fail;
  return [found(message, delivered, again)];
}

/** Returns the attempt by which a given-up operation was delivered at last. */
function lateDelivery(operation: Operation, policy: Policy): Attempt | undefined {
  const { clientAttempts: own, endpoint } = operation;
  const at = own.findIndex((attempt, i) => isDone(attempt) || isAlreadyDone(attempt, i));
  const delivered = own[at];
  // The first attempt of all has none before it that was given up.
  return delivered && at > 0 && wasGivenUpBefore(operation, delivered, policy) ? delivered : undefined;

  /** After a lost response, "already redeemed" means success. */
  function isAlreadyDone({ outcome, exchange }: Attempt, i: number): boolean {
    const isConflict = outcome === 'rejected' && exchange.status === 409;
    return endpoint?.retry === 'once' && isConflict && own.slice(0, i).some(isIndeterminate);
  }
}

interface LateDelivery {
  readonly operation: Operation;
  readonly delivered: Attempt;
  /** Is the attempt by which it had its turn: what was refused then, or whose job failed, is corrected when it can be. */
  readonly turn: Attempt;
}

/** Returns the first attempt after a pause that got a final response. */
const turnOf = (operation: Operation, delivered: Attempt, policy: Policy): Attempt =>
  operation.clientAttempts.find(
    (one) => !isRetryable(one) && one.outcome !== 'in-flight' && wasGivenUpBefore(operation, one, policy),
  ) ?? delivered;

/** Finds given-up operations of an endpoint that did not reach the service in the order in which they began. */
const outOfOrder = indexPerJournal(function* (evidence): Steps<ReadonlyMap<Operation, RuleFinding[]>> {
  const { operations, policy, history } = evidence;
  const found = new Map<Operation, RuleFinding[]>();
  const latest = new Map<string, LateDelivery>();
  yield* forEachInSteps(operations, (operation) => {
    const delivered = isReadOperation(operation) ? undefined : lateDelivery(operation, policy);
    if (!delivered) return;
    // Each client that can be distinguished has a queue of its own.
    const id = `${operation.endpoint?.id} ${history.callers.keyOf((operation.attempts[0] ?? delivered).exchange)}`;
    const known = latest.get(id);
    const late = { operation, delivered, turn: turnOf(operation, delivered, policy) };
    const isEarlier = known && known.turn.start > delivered.start;
    if (isEarlier) found.set(operation, [wrongOrder(late, known, evidence)]);
    else latest.set(id, late);
  });
  return found;
});

function wrongOrder(
  { operation, delivered }: LateDelivery,
  { operation: earlier }: LateDelivery,
  { history, evicted }: RetryEvidence,
): RuleFinding {
  const first = earlier.attempts[0] ?? delivered;
  const message = `${requestLine(delivered)} (${delivered.exchange.id}) was delivered before ${first.exchange.id}, which began before it`;
  const [these = [], those = []] = [operation, earlier].map(({ attempts }) => attempts.map(({ exchange }) => exchange));
  // Several tills keep a queue each.
  if (!history.isSingleClient(these, those)) return note(`${message}; perhaps by another client`, delivered);
  if (evicted > 0) return inconclusive(`${message}; but the journal has dropped older requests`, delivered);
  if (!these.some((one) => those.some((other) => history.callers.compare(one, other) === 'same'))) {
    const doubt = 'but nothing shows that one client sent both: an x-sim-client for each client would';
    return inconclusive(`${message}; ${doubt}`, delivered);
  }
  return fail(message, delivered);
}
