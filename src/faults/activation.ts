/** Whether a rule that matches a call may fire: how often, at which calls, when, and by what chance. */
import { parseTimestamp, toTimestamp } from '../core/time/clock.ts';
import type { Instant } from '../core/time/clock.ts';
import type { Sampler } from './sampling.ts';
import type { RuleSpec } from './rule-schema.ts';

export interface Activation {
  readonly limit: number;
  readonly skip: number;
  readonly nth: ReadonlySet<number> | undefined;
  readonly from: Instant;
  readonly until: Instant;
  readonly probability: number;
}

/** What rules of any kind say of how often they fire. */
type ActivationSpec = Pick<RuleSpec, 'times' | 'skip' | 'nth' | 'probability' | 'from' | 'until'> & {
  readonly fault: unknown;
  readonly match?: Pick<NonNullable<RuleSpec['match']>, 'nth'> | undefined;
};

export function compileActivation(written: ActivationSpec, faults: number): Activation {
  const { times = Array.isArray(written.fault) ? 1 : Number.POSITIVE_INFINITY, skip = 0, probability = 1 } = written;
  const nth = written.nth ?? written.match?.nth;
  return {
    limit: times * faults,
    skip,
    nth: nth === undefined ? undefined : new Set([nth].flat()),
    from: instantOf(written.from) ?? Number.NEGATIVE_INFINITY,
    until: instantOf(written.until) ?? Number.POSITIVE_INFINITY,
    probability,
  };
}

const instantOf = (timestamp: string | undefined): Instant | undefined =>
  timestamp === undefined ? undefined : parseTimestamp(timestamp);

interface ActivationContext {
  /** How many calls the rule has matched, this one included. */
  readonly matched: number;
  /** How often it has fired. */
  readonly fired: number;
  readonly now: Instant;
  readonly dice: Sampler | undefined;
}

const rounded = (number: number): number => Math.round(number * 10_000) / 10_000;

/** What keeps the rule from firing, in words made when they are asked for; undefined when nothing does. */
export function whyInactive(
  budget: Activation,
  { matched, fired, now, dice }: ActivationContext,
): (() => string) | undefined {
  const { limit, skip, nth, from, until, probability } = budget;
  if (nth && !nth.has(matched))
    return () => `it is call ${matched} of those that match, the rule wants ${[...nth].join(', ')}`;
  if (matched <= skip) return () => `it is call ${matched} of those that match, the rule passes over the first ${skip}`;
  if (now < from) return () => `its window begins ${toTimestamp(from)}, the clock shows ${toTimestamp(now)}`;
  if (now >= until) return () => `its window ended ${toTimestamp(until)}, the clock shows ${toTimestamp(now)}`;
  if (fired >= limit) return () => `it has fired ${fired} of ${limit} ${limit === 1 ? 'time' : 'times'} already`;
  const drawn = probability < 1 && dice ? dice('probability') : 0;
  return drawn < probability ? undefined : () => `its probability ${probability} drew ${rounded(drawn)}`;
}
