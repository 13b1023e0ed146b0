/** A moment in milliseconds since 1970-01-01T00:00:00Z. The whole program counts time in these. */
export type Instant = number;

const timestampPattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})$/i;
const earliestYear = 1900;
const latestYear = 2200;

const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/**
 * Reads an ISO 8601 timestamp with a UTC offset (`2026-03-01T10:00:00+01:00`); undefined when it isn't one,
 * names a day that doesn't exist, or lies outside the years 1900 to 2200.
 */
export function parseTimestamp(text: string): Instant | undefined {
  const match = timestampPattern.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second] = match.map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (year < earliestYear || year > latestYear || month < 1 || month > 12) return undefined;
  if (day < 1 || day > daysInMonth(year, month)) return undefined;
  if ((hour ?? 0) > 23 || (minute ?? 0) > 59 || (match[6] !== undefined && (second ?? 0) > 59)) return undefined;
  const offset = match[8]?.toUpperCase() ?? 'Z';
  const offsetMinutes = offset === 'Z' ? 0 : Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  if (offsetMinutes > 14 * 60) return undefined;
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const local = Date.UTC(year, month - 1, day, hour, minute, match[6] === undefined ? 0 : second, milliseconds);
  return offset.startsWith('-') ? local + offsetMinutes * 60_000 : local - offsetMinutes * 60_000;
}

/** Writes a moment as an ISO 8601 timestamp in UTC, to the millisecond. */
export const toTimestamp = (instant: Instant): string => new Date(instant).toISOString();

/** Moves a moment by whole calendar months in UTC; the 31st becomes the last day of a shorter month. */
export function addMonths(instant: Instant, months: number): Instant {
  const from = new Date(instant);
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1));
  const day = Math.min(from.getUTCDate(), daysInMonth(first.getUTCFullYear(), first.getUTCMonth() + 1));
  const dayStart = Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate());
  return Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), day) + (instant - dayStart);
}

/** How a clock is set, apart from what moment it shows: comes back with a snapshot, without turning real time back. */
export type ClockSetting = { readonly frozenAt: Instant } | { readonly offset: number };

/**
 * A tenant's time. It runs with real time until it is frozen, can be set and moved, and is the only place
 * that reads the machine's clock.
 */
export class Clock {
  #setting: ClockSetting;

  constructor(setting: ClockSetting = { offset: 0 }) {
    this.#setting = setting;
  }

  get frozen(): boolean {
    return 'frozenAt' in this.#setting;
  }

  get setting(): ClockSetting {
    return this.#setting;
  }

  now(): Instant {
    return 'frozenAt' in this.#setting ? this.#setting.frozenAt : Date.now() + this.#setting.offset;
  }

  restore(setting: ClockSetting): void {
    this.#setting = setting;
  }

  freeze(): void {
    this.#setting = { frozenAt: this.now() };
  }

  resume(): void {
    this.#setting = { offset: this.now() - Date.now() };
  }

  /** Shows the given moment from now on; a frozen clock stays frozen there, a running one runs on from there. */
  set(instant: Instant): void {
    this.#setting = this.frozen ? { frozenAt: instant } : { offset: instant - Date.now() };
  }
}

/** Milliseconds of real time from an arbitrary start, never going back: for durations, not for moments. */
export const monotonic = (): number => performance.now();

/** Calls back after so many milliseconds of real time; does not keep the process alive. Answers how to call it off. */
export function after(milliseconds: number, callback: () => void): () => void {
  // Node fires at once for delays over 2^31 ms; waking early is harmless, the caller looks at its clock again.
  const timer = setTimeout(callback, Math.min(milliseconds, 2 ** 31 - 1));
  timer.unref();
  return () => clearTimeout(timer);
}
