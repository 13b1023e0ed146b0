/** Formats the dates of generated rows. */
import { toTimestamp } from '../../core/time/clock.ts';
import type { Instant } from '../../core/time/clock.ts';
import { minutesPerDay } from '../../service/resource/generator-context.ts';

/** Returns a date relative to the time of loading, so that the fixture never gets old. */
export function relativeDate(minutes: number): string {
  const distance = Math.abs(minutes);
  const [wholeDays, hours, rest] = [
    Math.floor(distance / minutesPerDay),
    Math.floor(distance / 60) % 24,
    distance % 60,
  ];
  const time = `${hours > 0 ? `${hours}H` : ''}${rest > 0 ? `${rest}M` : ''}`;
  return `${minutes < 0 ? '+' : '-'}P${wholeDays}D${time === '' ? '' : `T${time}`}`;
}

export const dateBefore =
  (now: Instant) =>
  (minutes: number): string =>
    toTimestamp(now - minutes * 60_000);
