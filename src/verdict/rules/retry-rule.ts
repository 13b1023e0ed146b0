import type { Tenant } from '../../core/tenant/tenant.ts';
import { isAbortedByClient } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import type { History } from '../history/history.ts';
import type { Operation } from '../history/operations.ts';
import type { Policy } from '../policy.ts';

/** `remark` changes no verdict. */
export type FindingLevel = 'fail' | 'inconclusive' | 'remark';

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
  /** The sentence of the specification, or of the design, that it rests on. */
  readonly sentence: string;
  /** How to mend a client that broke it. */
  readonly advice: string;
  /** Whether it goes by moments alone, and itself looks whether they can be trusted. */
  readonly isTimed?: true;
  readonly check: (operation: Operation, evidence: RetryEvidence) => readonly RuleFinding[];
}

const found =
  (weight: FindingLevel) =>
  (message: string, ...attempts: readonly Attempt[]): RuleFinding => ({ level: weight, message, attempts });

export const fail = found('fail');
export const inconclusive = found('inconclusive');
export const note = found('remark');

/** What an attempt ended with, in words. */
export function describeOutcome(attempt: Attempt): string {
  const { outcome: told, exchange } = attempt;
  if (told === 'open') return 'is still under way';
  if (told !== 'lost') return `was answered ${exchange.status}`;
  if (isAbortedByClient(attempt)) return 'was given up by the caller before it was answered';
  return exchange.status === undefined ? 'got no answer' : 'got an answer that was cut short';
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
