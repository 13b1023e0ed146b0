import type { ExecutedJob } from '../core/time/scheduler.ts';
import { addMonths, parseTimestamp, toTimestamp } from '../core/time/clock.ts';
import { durationForms, parseDuration } from '../core/lib/duration.ts';
import type { Duration } from '../core/lib/duration.ts';
import { InputError } from '../core/lib/input-error.ts';
import { advanceTo, freezing, resumeClock } from '../core/time/advance-time.ts';
import type { Tenant } from '../core/tenant/tenant.ts';

/** Controls a tenant's clock. Each promise resolves when all jobs due by then are executed. */
export interface SimClock {
  /** Returns its time, such as `2026-03-01T12:00:00.000Z`. */
  readonly now: () => string;
  /** Advances time: `await sim.clock.advance('30d')`, or in ms. Throws `InputError` for an invalid duration. */
  readonly advance: (duration: string | number) => Promise<readonly ExecutedJob[]>;
  /** Sets the time, with a UTC offset; going back undoes nothing. Throws `InputError` for an invalid timestamp. */
  readonly set: (timestamp: string) => Promise<readonly ExecutedJob[]>;
  /** Stops time: now, or at this moment. */
  readonly freeze: (timestamp?: string) => Promise<void>;
  /** Lets time continue. */
  readonly resume: () => void;
}

export const createSimClock = (tenantNow: () => Tenant): SimClock => ({
  now: () => toTimestamp(tenantNow().clock.now()),
  advance: async (given) => {
    const { months, milliseconds } = readDuration(given);
    const tenant = tenantNow();
    return advanceTo(tenant, addMonths(tenant.clock.now(), months) + milliseconds);
  },
  set: async (timestamp) => advanceTo(tenantNow(), readTimestamp(timestamp)),
  freeze: async (timestamp) => {
    const moment = timestamp === undefined ? undefined : readTimestamp(timestamp);
    const tenant = tenantNow();
    await tenant.takeInTurns(freezing(tenant));
    if (moment !== undefined) await advanceTo(tenant, moment);
  },
  resume: () => void resumeClock(tenantNow()),
});

function readDuration(given: string | number): Duration {
  // JavaScript may pass anything.
  const read = typeof given === 'number' ? { months: 0, milliseconds: given } : parseDuration(String(given));
  if (read && read.months >= 0 && read.milliseconds >= 0) return read;
  throw new InputError(`clock.advance: must be ${durationForms}, and not negative, not "${given}"`);
}

function readTimestamp(given: string): number {
  const read = parseTimestamp(given);
  if (read !== undefined) return read;
  throw new InputError(`clock: must be a timestamp with a UTC offset, as 2026-03-01T12:00:00Z, not "${given}"`);
}
