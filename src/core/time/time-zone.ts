/** Counts calendar months as people in a time zone do. */
import { addMonths } from './clock.ts';
import type { Instant } from './clock.ts';

const hour = 3_600_000;

/** Lists zones of the Union's rule, with their hours in winter: the runtime's own time zones take 15 ms to load. */
const unionZones: Readonly<Record<string, number>> = {
  'Europe/Stockholm': 1,
  'Europe/Oslo': 1,
  'Europe/Copenhagen': 1,
  'Europe/Berlin': 1,
  'Europe/Helsinki': 2,
};

/** The rule is the same since then. */
const unionRuleSince = Date.UTC(1996, 0, 1);

/** Returns one o'clock UTC on the last Sunday of a month of 31 days. */
function lastSunday(year: number, month: number): Instant {
  const last = Date.UTC(year, month, 31, 1);
  return last - new Date(last).getUTCDay() * 24 * hour;
}

interface Summer {
  readonly start: Instant;
  readonly end: Instant;
}

const summers = new Map<number, Summer>();

/** Returns the summer time of a year, computed once: timestamps have at most three hundred years. */
function summerOf(year: number): Summer {
  const known = summers.get(year);
  if (known) return known;
  const summer = { start: lastSunday(year, 2), end: lastSunday(year, 9) };
  summers.set(year, summer);
  return summer;
}

function unionOffset(instant: Instant, winterHours: number): number {
  const { start, end } = summerOf(new Date(instant).getUTCFullYear());
  return (winterHours + (instant >= start && instant < end ? 1 : 0)) * hour;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const numeric = 'numeric';
  const fields = {
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  } as const;
  const made = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...fields });
  formatters.set(timeZone, made);
  return made;
}

/** Returns by how many ms the clocks of a zone are ahead of UTC at a moment. */
export function utcOffsetOf(timeZone: string, instant: Instant): number {
  const winterHours = unionZones[timeZone];
  if (winterHours !== undefined && instant >= unionRuleSince) return unionOffset(instant, winterHours);
  if (timeZone === 'UTC') return 0;
  const parts = formatterOf(timeZone).formatToParts(instant);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  const day = [part('year'), part('month') - 1, part('day')] as const;
  return Date.UTC(...day, part('hour'), part('minute'), part('second')) - Math.floor(instant / 1000) * 1000;
}

/** True when the runtime knows a time zone of this name. */
export function isTimeZone(name: string): boolean {
  if (name === 'UTC' || unionZones[name] !== undefined) return true;
  try {
    return formatterOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** Moves a moment by whole months on the clocks of a zone; an hour that they skip becomes the one after it. */
export function addLocalMonths(instant: Instant, months: number, timeZone: string): Instant {
  const offset = utcOffsetOf(timeZone, instant);
  const shifted = addMonths(instant + offset, months);
  const offsetThen = utcOffsetOf(timeZone, shifted - offset);
  const moved = shifted - offsetThen;
  const offsetThere = utcOffsetOf(timeZone, moved);
  return offsetThere === offsetThen ? moved : shifted - Math.min(offsetThen, offsetThere);
}
