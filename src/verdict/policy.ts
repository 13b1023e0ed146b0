import type { WrittenPolicy } from '../scenario/policy-schema.ts';

/** A policy with all that wasn't declared filled in. Lengths of time are in ms. */
export interface Policy {
  readonly attempts: number | undefined;
  readonly minPause: readonly number[];
  readonly tolerance: number;
  readonly volatile: readonly string[];
  readonly window: number;
  readonly fallbackAfter: number | undefined;
  readonly storm: {
    readonly perSecond: number;
    /** Whether the client is held to it even where it makes one call at a time. */
    readonly isDeclared: boolean;
    readonly atOnce: number;
  };
}

const defaults = { tolerance: 50, window: 0, perSecond: 50, atOnce: 10 } as const;

export const policyOf = (written: WrittenPolicy = {}): Policy => ({
  attempts: written.attempts,
  minPause: [written.minPause ?? []].flat(),
  tolerance: written.tolerance ?? defaults.tolerance,
  volatile: written.volatile ?? [],
  window: written.window ?? defaults.window,
  fallbackAfter: written.fallback?.after,
  // the live service asks callers to stay under 50 calls a second.
  storm: {
    perSecond: written.storm?.perSecond ?? defaults.perSecond,
    isDeclared: written.storm?.perSecond !== undefined,
    atOnce: written.storm?.atOnce ?? defaults.atOnce,
  },
});

/** The shortest pause declared before the attempt after so many of a run. */
export const declaredPause = ({ minPause }: Policy, attempts: number): number =>
  minPause[Math.min(attempts, minPause.length) - 1] ?? 0;
