import { addMonths, toTimestamp } from '../core/clock.ts';
import type { Instant } from '../core/clock.ts';
import { parseDuration } from '../core/duration.ts';

/** A duration with its sign, `-P30D` or `+P1Y2M3DT4H`: that long before or after now. */
export const relativeDatePattern =
  /^[+-]P(?=[\dT])(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/;

/** Makes every relative date in the data a timestamp, in place: a copy would double what a large fixture costs. */
export function dateFrom(data: unknown, now: Instant): void {
  const known = new Map<string, string>();
  const dateOf = (text: string): string => {
    const timestamp = known.get(text) ?? timestampOf(text, now);
    known.set(text, timestamp);
    return timestamp;
  };
  dateWith(data, dateOf);
}

function dateWith(data: unknown, dateOf: (text: string) => string): void {
  if (typeof data !== 'object' || data === null) return;
  // Any object that isn't null can be indexed by the names of its own fields.
  const fields = data as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const inner = fields[name];
    if (typeof inner === 'object') dateWith(inner, dateOf);
    else if (typeof inner === 'string' && inner[1] === 'P' && relativeDatePattern.test(inner))
      fields[name] = dateOf(inner);
  }
}

function timestampOf(relative: string, now: Instant): string {
  const duration = parseDuration(relative.replace(/^\+/, ''));
  return duration === undefined ? relative : toTimestamp(addMonths(now, duration.months) + duration.milliseconds);
}
