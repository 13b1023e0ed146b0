import type { Basis, FindingLevel } from '../../core/validation/finding.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { isAbortedByClient } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import type { History } from '../history/history.ts';
import type { Operation } from '../history/operations.ts';
import type { Policy } from '../policy.ts';

/** What a rule found in an operation. */
export interface RuleFinding {
  readonly level: FindingLevel;
  readonly message: string;
  readonly attempts: readonly Attempt[];
}

/** What rules look at beside the operation. */
export interface RetryEvidence {
  readonly tenant: Tenant;
  readonly policy: Policy;
  readonly history: History;
  /** How long the simulator itself was kept from working around these moments, in ms. */
  readonly lagBetween: (from: number, to: number) => number;
  /** Every operation of the journal, this one included, in the order in which they were begun. */
  readonly operations: readonly Operation[];
  /** When it is judged, in ms of real time. */
  readonly now: number;
  /** How many requests the journal has dropped. */
  readonly evicted: number;
  /** Whether what befell an attempt was over later: its rule has no more to do, or the endpoint served another call. */
  readonly hasRecoveredAfter: (attempt: Attempt) => boolean;
  /** Whether work that the attempt has set going is still to be done. */
  readonly isPending: (attempt: Attempt) => boolean;
}

/** One thing that a client has to get right. */
export interface RetryRule {
  readonly id: string;
  readonly title: string;
  /** What it rests on; only `specification` has a quotation, between “ and ”. */
  readonly basis: Basis;
  /** How to mend a client that broke it. */
  readonly advice: string;
  /** Whether it goes by moments alone, and itself looks whether they can be trusted. */
  readonly isTimed?: true;
  readonly check: (operation: Operation, evidence: RetryEvidence) => readonly RuleFinding[];
}

const found =
  (level: FindingLevel) =>
  (message: string, ...attempts: readonly Attempt[]): RuleFinding => ({ level, message, attempts });

export const fail = found('fail');
export const inconclusive = found('inconclusive');
export const note = found('note');

/** Describes how an attempt ended, as the predicate of a sentence. */
export function describeOutcome(attempt: Attempt): string {
  const { outcome, exchange } = attempt;
  if (outcome === 'in-flight') return 'is still in flight';
  if (outcome !== 'no-response') return `got status ${exchange.status}`;
  if (isAbortedByClient(attempt)) return 'was aborted by the client before it got a response';
  return exchange.status === undefined ? 'got no response' : 'got a truncated response';
}

/** `POST /api/v3/receipts` */
export const requestLine = ({ exchange: { method, path } }: Attempt): string => `${method} ${path}`;

export const formatDuration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

/** What is found in a journal as a whole, worked out when its first operation is judged. */
export function memoizePerJournal<T>(work: (evidence: RetryEvidence) => T): (evidence: RetryEvidence) => T {
  const done = new WeakMap<RetryEvidence, { readonly result: T }>();
  return (evidence) => {
    const known = done.get(evidence) ?? { result: work(evidence) };
    done.set(evidence, known);
    return known.result;
  };
}
