import type { PolicySpec } from '../scenario/policy-schema.ts';
import { defaultClientHeader } from './history/callers.ts';

/** Describes a policy with its defaults. Durations are in ms. */
export interface Policy {
  readonly maxAttempts: number | undefined;
  readonly minBackoff: readonly number[];
  readonly tolerance: number;
  /** Sets the time after which the client stops waiting for a response, if that is declared. */
  readonly timeout: number | undefined;
  readonly ignoreFields: readonly string[];
  /** Names the header by which clients say who they are, in lower case. */
  readonly clientHeader: string;
  readonly deduplicationWindow: number;
  readonly storeAndForwardAfter: number | undefined;
  /** Says what it is when a write that got 429, 502 or 503 is never delivered. */
  readonly giveUp: 'fail' | 'note';
  readonly retryStorm: {
    readonly maxPerSecond: number;
    /** True when the limit also holds for a client that sends one request at a time. */
    readonly isDeclared: boolean;
    readonly maxConcurrent: number;
  };
}

const defaults = {
  tolerance: 50,
  deduplicationWindow: 0,
  maxPerSecond: 50,
  maxConcurrent: 10,
  giveUp: 'fail',
} as const;

export const policyWithDefaults = (spec: PolicySpec = {}): Policy => ({
  maxAttempts: spec.maxAttempts,
  minBackoff: [spec.minBackoff ?? []].flat(),
  tolerance: spec.tolerance ?? defaults.tolerance,
  timeout: spec.timeout,
  // A list of its own: what contents are without these fields is kept as long as somebody judges by this policy.
  ignoreFields: [...(spec.ignoreFields ?? [])],
  clientHeader: spec.clientHeader?.toLowerCase() ?? defaultClientHeader,
  deduplicationWindow: spec.deduplicationWindow ?? defaults.deduplicationWindow,
  storeAndForwardAfter: spec.storeAndForward?.after,
  giveUp: spec.giveUp ?? defaults.giveUp,
  // the live service asks callers to stay under 50 calls a second.
  retryStorm: {
    maxPerSecond: spec.retryStorm?.maxPerSecond ?? defaults.maxPerSecond,
    isDeclared: spec.retryStorm?.maxPerSecond !== undefined,
    maxConcurrent: spec.retryStorm?.maxConcurrent ?? defaults.maxConcurrent,
  },
});

/** Returns the shortest declared pause after so many attempts of a burst. */
export const declaredBackoff = ({ minBackoff }: Pick<Policy, 'minBackoff'>, attempts: number): number =>
  minBackoff[Math.min(attempts, minBackoff.length) - 1] ?? 0;
