import type { Stalls } from '../../core/stalls.ts';
import type { Tenant } from '../../core/tenant.ts';
import type { Attempt } from '../attempt.ts';
import type { Operation } from '../operation.ts';
import type { Policy } from '../policy.ts';

/** `remark` changes no verdict. */
export type Weight = 'fail' | 'inconclusive' | 'remark';

/** What a rule found in an operation. */
export interface Found {
  readonly weight: Weight;
  readonly message: string;
  readonly attempts: readonly Attempt[];
}

/** What rules look at beside the operation. */
export interface Evidence {
  readonly tenant: Tenant;
  readonly policy: Policy;
  readonly stalls: Stalls;
  /** Every operation of the journal, this one included, in the order in which they were begun. */
  readonly operations: readonly Operation[];
  /** Whether what befell an attempt was over later: its rule has no more to do, or the endpoint served another call. */
  readonly isBackAfter: (attempt: Attempt) => boolean;
  /** Ids of the endpoints that were called between two moments. */
  readonly calledBetween: (from: number, to: number) => readonly string[];
}

/** One thing that a client has to get right. */
export interface RetryRule {
  readonly id: string;
  readonly title: string;
  /** The sentence of the specification, or of the design, that it rests on. */
  readonly sentence: string;
  /** How to mend a client that broke it. */
  readonly advice: string;
  readonly check: (operation: Operation, evidence: Evidence) => readonly Found[];
}

export const fail = (message: string, ...attempts: readonly Attempt[]): Found => ({
  weight: 'fail',
  message,
  attempts,
});

export const inconclusive = (message: string, ...attempts: readonly Attempt[]): Found => ({
  weight: 'inconclusive',
  message,
  attempts,
});

export const remark = (message: string, ...attempts: readonly Attempt[]): Found => ({
  weight: 'remark',
  message,
  attempts,
});

/** What an attempt ended with, in words. */
export function endOf({ told, exchange }: Attempt): string {
  if (told === 'open') return 'is still under way';
  if (told !== 'lost') return `was answered ${exchange.status}`;
  if (exchange.delivered?.end === 'client') return 'was given up by the caller before it was answered';
  return exchange.status === undefined ? 'got no answer' : 'got an answer that was cut short';
}

/** `POST /api/v3/receipts` */
export const callOf = ({ exchange: { method, path } }: Attempt): string => `${method} ${path}`;

export const seconds = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
