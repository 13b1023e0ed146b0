import type { PolicySpec } from '../scenario/policy-schema.ts';

/** A policy with all that wasn't declared filled in. Lengths of time are in ms. */
export interface Policy {
  readonly maxAttempts: number | undefined;
  readonly minBackoff: readonly number[];
  readonly tolerance: number;
  readonly ignoreFields: readonly string[];
  readonly deduplicationWindow: number;
  readonly storeAndForwardAfter: number | undefined;
  readonly retryStorm: {
    readonly perSecond: number;
    /** Whether the client is held to it even where it makes one call at a time. */
    readonly isDeclared: boolean;
    readonly atOnce: number;
  };
}

const defaults = { tolerance: 50, window: 0, perSecond: 50, atOnce: 10 } as const;

export const policyWithDefaults = (written: PolicySpec = {}): Policy => ({
  maxAttempts: written.attempts,
  minBackoff: [written.minPause ?? []].flat(),
  tolerance: written.tolerance ?? defaults.tolerance,
  ignoreFields: written.volatile ?? [],
  deduplicationWindow: written.window ?? defaults.window,
  storeAndForwardAfter: written.fallback?.after,
  // the live service asks callers to stay under 50 calls a second.
  retryStorm: {
    perSecond: written.storm?.perSecond ?? defaults.perSecond,
    isDeclared: written.storm?.perSecond !== undefined,
    atOnce: written.storm?.atOnce ?? defaults.atOnce,
  },
});

/** The shortest pause declared before the attempt after so many of a run. */
export const declaredBackoff = ({ minBackoff: minPause }: Policy, attempts: number): number =>
  minPause[Math.min(attempts, minPause.length) - 1] ?? 0;
