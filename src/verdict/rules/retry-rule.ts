import type { Basis, FindingLevel } from '../../core/validation/finding.ts';
import { finish } from '../../core/time/steps.ts';
import { IndexInSteps } from '../../core/time/index-in-steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { isAbortedByClient } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import type { History } from '../history/history.ts';
import type { Operation } from '../history/operation.ts';
import type { Pauses } from '../history/pauses.ts';
import type { Policy } from '../policy.ts';

export interface RuleFinding {
  readonly level: FindingLevel;
  readonly message: string;
  readonly attempts: readonly Attempt[];
  /** Tells how to fix it where the rule's own advice does not fit. */
  readonly advice?: string;
  /** True for what is wrong whether the client has seen the responses before it or not. */
  readonly isUnconditional?: boolean;
}

/** Holds the evidence that rules share, in addition to the operation that they judge. */
export interface RetryEvidence {
  readonly tenant: Tenant;
  readonly policy: Policy;
  readonly history: History;
  /** Returns how long the simulator itself was blocked around these moments, in ms; of shorter times than `shortest` nothing. */
  readonly lagBetween: (from: number, to: number, shortest?: number) => number;
  /** Lists all operations of the journal, this one included, by their begin. */
  readonly operations: readonly Operation[];
  /** Holds the moment of judging, in ms of real time. */
  readonly now: number;
  /** Holds the pauses that the client makes between attempts. */
  readonly pauses: Pauses;
  /** True when the client is known to have ended: it sends nothing more by itself. */
  readonly hasClientEnded: boolean;
  /** Counts the requests that the journal has dropped. */
  readonly evicted: number;
  /** True when the fault of an attempt was over later: its rule is exhausted, or the endpoint served another request. */
  readonly hasRecoveredAfter: (attempt: Attempt) => boolean;
  /** True when the attempt has queued work that is still to be done. */
  readonly isPending: (attempt: Attempt) => boolean;
}

/** Describes one thing that a client has to get right: a file of its own, and a line in `catalog.ts`. */
export interface RetryRule {
  readonly id: string;
  readonly title: string;
  /** Only a basis of the source `specification` has a quotation, between “ and ”. */
  readonly basis: Basis;
  /** Tells how to fix a client that broke it. */
  readonly advice: string;
  /**
   * Decides when a failure is downgraded to inconclusive. `response`: when the client may not have seen the response
   * that the journal shows. `timing`: when the simulator was late; the rule itself checks that.
   */
  readonly certainty: 'response' | 'timing';
  /** True for a rule that also judges operations in which nothing was repeated, and nothing had to be. */
  readonly judgesPlain?: boolean;
  readonly judge: (operation: Operation, evidence: RetryEvidence) => readonly RuleFinding[];
}

/** Takes attempts, and lists of them: more than some 100,000 can't be passed one by one. */
const found =
  (level: FindingLevel) =>
  (message: string, ...attempts: readonly (Attempt | readonly Attempt[])[]): RuleFinding => ({
    level,
    message,
    attempts: attempts.flat(),
  });

export const fail = found('fail');
export const inconclusive = found('inconclusive');
export const note = found('note');

/** Describes how an attempt ended, as the predicate of a sentence. */
export function describeOutcome(attempt: Attempt): string {
  const { outcome, exchange } = attempt;
  if (outcome === 'in-flight') return 'is still in flight';
  if (attempt.hasFailedJob) return `got status ${exchange.status}, and its job failed`;
  if (outcome !== 'no-response') return `got status ${exchange.status}`;
  if (attempt.hasTimedOut) return 'got no response within its declared timeout';
  if (isAbortedByClient(attempt)) return 'was aborted by the client before it got a response';
  return exchange.status === undefined ? 'got no response' : 'got a truncated response';
}

/** Says when work that was done twice is right. */
export const meantAsNew =
  'unless it was meant as a new operation: its own time stamp, or an x-sim-test-id for each, would tell';

/** Describes how the work of a write was done again, after "was repeated". */
export const describeOtherForm = (repeats: readonly Attempt[]): string =>
  `as ${shortList(repeats.map((next) => `${requestLine(next)} (${next.exchange.id})`))}`;

/** Returns `POST /api/v3/receipts`. */
export const requestLine = ({ exchange: { method, path } }: Attempt): string => `${method} ${path}`;

/** Returns the first three names, and the number of the others. */
export const shortList = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;

export const formatDuration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

/** Keeps something for each journal, from when a rule first asks for it. */
export function memoizePerJournal<T>(make: (evidence: RetryEvidence) => T): (evidence: RetryEvidence) => T {
  const kept = new WeakMap<RetryEvidence, { readonly made: T }>();
  return (evidence) => {
    const known = kept.get(evidence);
    if (known) return known.made;
    const made = make(evidence);
    kept.set(evidence, { made });
    return made;
  };
}

/** Keeps something for each operation of a journal: rules may find something in each of its very many attempts. */
export function memoizePerOperation<T>(
  make: (operation: Operation, evidence: RetryEvidence) => T,
): (operation: Operation, evidence: RetryEvidence) => T {
  const keptOf = memoizePerJournal(() => new WeakMap<Operation, { readonly made: T }>());
  return (operation, evidence) => {
    const kept = keptOf(evidence);
    const known = kept.get(operation);
    if (known) return known.made;
    const made = make(operation, evidence);
    kept.set(operation, { made });
    return made;
  };
}

/** Finds something in a journal as a whole, in steps, when a rule first asks for it. */
export function indexPerJournal<T>(make: (evidence: RetryEvidence) => Steps<T>): (evidence: RetryEvidence) => T {
  const indexOf = memoizePerJournal((evidence) => new IndexInSteps(() => make(evidence)));
  return (evidence) => indexOf(evidence).value;
}

/** Counts the attempts up to which an operation is judged at once. */
const attemptsAtOnce = 200;

/** True for an operation of so many attempts that others have their turn while it is judged. */
export const isLong = ({ attempts }: Operation): boolean => attempts.length > attemptsAtOnce;

const longOperations = memoizePerJournal(({ operations }) => new Set(operations.filter(isLong)));

/** Keeps something of the last operation: one rule after the other looks at it. */
function memoizeLast<T>(
  make: (operation: Operation, evidence: RetryEvidence) => T,
): (operation: Operation, evidence: RetryEvidence) => T {
  const kept = new WeakMap<RetryEvidence, { operation: Operation; made: T }>();
  return (operation, evidence) => {
    const last = kept.get(evidence);
    if (last?.operation === operation) return last.made;
    const made = make(operation, evidence);
    if (last) [last.operation, last.made] = [operation, made];
    else kept.set(evidence, { operation, made });
    return made;
  };
}

/**
 * Finds something in an operation when a rule first asks for it: in steps if it is long, and itself one of the journal's. What
 * is made of it again each time that the work begins again is never ready.
 */
export function indexPerOperation<T>(
  make: (operation: Operation, evidence: RetryEvidence) => Steps<T>,
): (operation: Operation, evidence: RetryEvidence) => T {
  const indexOf = memoizePerOperation((operation, evidence) => new IndexInSteps(() => make(operation, evidence)));
  const ofShort = memoizeLast((operation, evidence) => finish(make(operation, evidence)));
  return (operation, evidence) =>
    isLong(operation) && longOperations(evidence).has(operation)
      ? indexOf(operation, evidence).value
      : ofShort(operation, evidence);
}
