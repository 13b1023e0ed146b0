import { parseTimestamp, toTimestamp } from '../time/clock.ts';
import type { Instant } from '../time/clock.ts';

/** Says how often a rule fires, at which of the subjects that match it, when, and by what chance. */
export interface Activation {
  readonly limit: number;
  readonly skip: number;
  readonly nth: ReadonlySet<number> | undefined;
  readonly operation: ReadonlySet<number> | undefined;
  readonly attempt: ReadonlySet<number> | undefined;
  readonly from: Instant;
  readonly until: Instant;
  readonly probability: number;
}

/** Holds the fields that rules of any kind have for when they fire. */
export interface ActivationSpec {
  readonly fault: unknown;
  readonly times?: number | undefined;
  readonly skip?: number | undefined;
  readonly nth?: number | readonly number[] | undefined;
  readonly operation?: number | readonly number[] | undefined;
  readonly attempt?: number | readonly number[] | undefined;
  readonly probability?: number | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** Draws a number in [0, 1) by name: the same name, the same number. */
export type Sampler = (name: string) => number;

export function compileActivation(spec: ActivationSpec, faults: number): Activation {
  const { times = Array.isArray(spec.fault) ? 1 : Number.POSITIVE_INFINITY, skip = 0, probability = 1 } = spec;
  return {
    limit: times * faults,
    skip,
    nth: numbersOf(spec.nth),
    operation: numbersOf(spec.operation),
    attempt: numbersOf(spec.attempt),
    from: instantOf(spec.from) ?? Number.NEGATIVE_INFINITY,
    until: instantOf(spec.until) ?? Number.POSITIVE_INFINITY,
    probability,
  };
}

const numbersOf = (numbers: ActivationSpec['nth']): ReadonlySet<number> | undefined =>
  numbers === undefined ? undefined : new Set([numbers].flat());

const instantOf = (timestamp: string | undefined): Instant | undefined =>
  timestamp === undefined ? undefined : parseTimestamp(timestamp);

/** Says which attempt a subject is, of which of the operations that the rule has matched; both count from 1. */
export interface OperationPlace {
  readonly operation: number;
  readonly attempt: number;
}

interface ActivationContext {
  /** Counts the subjects that the rule has matched, this one included. */
  readonly matched: number;
  /** Holds its place among the operations, where the rule selects by it. */
  readonly place: OperationPlace | undefined;
  /** Counts how often it has fired. */
  readonly fired: number;
  readonly now: Instant;
  readonly sampler: Sampler | undefined;
}

const rounded = (number: number): number => Math.round(number * 10_000) / 10_000;

/** Returns why the rule does not fire, in words that are made only when somebody reads them; undefined when it does. */
export function whyInactive(
  { limit, skip, nth, operation, attempt, from, until, probability }: Activation,
  { matched, place, fired, now, sampler }: ActivationContext,
): (() => string) | undefined {
  if (nth && !nth.has(matched))
    return () => `it is number ${matched} of those that match, the rule wants ${[...nth].join(', ')}`;
  if (matched <= skip)
    return () => `it is number ${matched} of those that match, the rule passes over the first ${skip}`;
  if (place && operation && !operation.has(place.operation))
    return () =>
      `it is of operation ${place.operation} of those that match, the rule wants ${[...operation].join(', ')}`;
  if (place && attempt && !attempt.has(place.attempt))
    return () => `it is attempt ${place.attempt} of its operation, the rule wants ${[...attempt].join(', ')}`;
  if (now < from) return () => `its window begins ${toTimestamp(from)}, the clock shows ${toTimestamp(now)}`;
  if (now >= until) return () => `its window ended ${toTimestamp(until)}, the clock shows ${toTimestamp(now)}`;
  if (fired >= limit) return () => `it has fired ${fired} of ${limit} ${limit === 1 ? 'time' : 'times'} already`;
  const drawn = probability < 1 && sampler ? sampler('probability') : 0;
  return drawn < probability ? undefined : () => `its probability ${probability} drew ${rounded(drawn)}`;
}
