import { memoizeRecent } from '../lib/memoize-recent.ts';

/** Counts a moment in milliseconds since 1970-01-01T00:00:00Z. The whole program counts time in these. */
export type Instant = number;

const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2}))$/i;
const earliestYear = 1900;
const latestYear = 2200;
const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (daysOfMonths[month - 1] ?? 0);

const digitAt = (text: string, at: number): number => text.charCodeAt(at) - 48;

const twoDigits = (text: string, at: number): number => digitAt(text, at) * 10 + digitAt(text, at + 1);

/**
 * Reads an ISO 8601 timestamp with a UTC offset (`2026-03-01T10:00:00+01:00`); undefined when it isn't one,
 * names a day that doesn't exist, or lies outside the years 1900 to 2200.
 */
export const parseTimestamp = memoizeRecent(function readTimestamp(text: string): Instant | undefined {
  const match = timestampPattern.exec(text);
  if (!match) return undefined;
  const [, fraction = '', sign, offsetHours, offsetMinutes] = match;
  // Digit by digit: a large fixture has millions of them.
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)];
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), text[16] === ':' ? twoDigits(text, 17) : 0];
  if (year < earliestYear || year > latestYear || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = sign === undefined ? 0 : Number(offsetHours) * 60 + Number(offsetMinutes);
  if (offset > 14 * 60 || Number(offsetMinutes) > 59) return undefined;
  const milliseconds = fraction === '' ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'));
  const local = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
  return sign === '-' ? local + offset * 60_000 : local - offset * 60_000;
});

/** Writes a moment as an ISO 8601 timestamp in UTC, to the millisecond. */
export const toTimestamp = memoizeRecent((instant: Instant): string => new Date(instant).toISOString());

const usualForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns a timestamp in the usual form of ISO 8601: as it is, or in UTC where it is readable and odd, as `…T10:00z`. */
export function normalizeTimestamp(text: string): string {
  if (usualForm.test(text)) return text;
  const instant = parseTimestamp(text);
  return instant === undefined ? text : toTimestamp(instant);
}

/** Makes a Date for libraries that ask for one. */
export const toDate = (instant: Instant): Date => new Date(instant);

/** Moves a moment by whole calendar months in UTC; the 31st becomes the last day of a shorter month. */
export function addMonths(instant: Instant, months: number): Instant {
  const from = new Date(instant);
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1));
  const day = Math.min(from.getUTCDate(), daysInMonth(first.getUTCFullYear(), first.getUTCMonth() + 1));
  const dayStart = Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate());
  return Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), day) + (instant - dayStart);
}

/** Holds the setting of a clock, apart from the moment it shows; comes back with a snapshot, without turning real time back. */
export type ClockSetting = { readonly frozenAt: Instant } | { readonly offset: number };

/**
 * Holds a tenant's time. It runs with real time until it is frozen, can be set and moved, and is the only place that
 * reads the machine's clock.
 */
export class Clock {
  #setting: ClockSetting;
  #moved = 0;

  constructor(setting: ClockSetting = { offset: 0 }) {
    this.#setting = setting;
  }

  get isFrozen(): boolean {
    return 'frozenAt' in this.#setting;
  }

  get setting(): ClockSetting {
    return this.#setting;
  }

  /** Returns the way (ms) that the clock was moved on and back altogether, whatever it shows now. */
  get moved(): number {
    return this.#moved;
  }

  now(): Instant {
    return shownBy(this.#setting, Date.now());
  }

  restore(setting: ClockSetting): void {
    const real = Date.now();
    this.#moved += Math.abs(shownBy(setting, real) - shownBy(this.#setting, real));
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
    this.restore(this.isFrozen ? { frozenAt: instant } : { offset: instant - Date.now() });
  }
}

/** Returns what a clock shows at a moment of real time. */
const shownBy = (setting: ClockSetting, real: Instant): Instant =>
  'frozenAt' in setting ? setting.frozenAt : real + setting.offset;

/** Returns the moment of the machine's own clock, for whoever is in no tenant's time. */
export const systemNow = (): Instant => Date.now();

/** Holds what the machine offers, before a test framework replaces it by time of its own. */
const machine = { setTimeout, clearTimeout, setImmediate, hrtime: process.hrtime };

const start = process.hrtime();

const toMilliseconds = ([seconds, nanoseconds]: readonly [number, number]): number =>
  seconds * 1000 + nanoseconds / 1e6;

/**
 * Returns the milliseconds of real time since the program's start, never going back: for durations, not for moments.
 * `performance` takes as long, but loading it is 1 % of a start.
 */
export const monotonicNow = (): number => toMilliseconds(process.hrtime(start));

/** Returns ms of real time as the machine counts them, whatever a test framework has made of `process.hrtime`. */
export const machineNow = (): number => toMilliseconds(machine.hrtime(start));

/** Calls back after so many milliseconds of real time; does not keep the process alive. Answers how to call it off. */
export function startTimer(milliseconds: number, callback: () => void): () => void {
  // Node fires at once for delays over 2^31 ms; waking early is harmless, the caller looks at its clock again.
  const timer = setTimeout(callback, Math.min(milliseconds, 2 ** 31 - 1));
  timer.unref();
  return () => clearTimeout(timer);
}

/** Does the same by a timer of the machine, which goes off while a test framework holds all others. */
export function startMachineTimer(milliseconds: number, callback: () => void): () => void {
  const timer = machine.setTimeout(callback, milliseconds);
  timer.unref();
  return () => machine.clearTimeout(timer);
}

/** Calls back at the end of this turn of the event loop, also while a test framework holds all timers. */
export const atEndOfTurn = (callback: () => void): void => void machine.setImmediate(callback);

/** Resolves after so many milliseconds of real time, and keeps the process alive until then. */
export const sleepFor = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds));
