/** Says how far a moment is from another, as people do. */
import { parseMoment } from './timestamps.ts';

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const units = [
  ['year', 365.25 * 86_400_000],
  ['month', 30.44 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Returns `5 months ago`, `in 3 days` or `now`. */
export function relativeTime(timestamp: string, now: string): string {
  const difference = parseMoment(timestamp) - parseMoment(now);
  const unit = units.find(([, length]) => Math.abs(difference) >= length);
  return unit ? words.format(Math.round(difference / unit[1]), unit[0]) : 'now';
}
