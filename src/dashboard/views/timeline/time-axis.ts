/** Makes the axis of the timeline: real time since the first request, or the tenant's clock. */
import { formatDateTime, formatInstant } from '../../ui/timestamps.ts';
import type { TimelineRow } from './timeline-rows.ts';

/** Says which clock the axis shows. */
export type TimeKind = 'real' | 'virtual';

/** Describes a part of the axis, in ms. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

export const startOf = (row: TimelineRow, kind: TimeKind): number => (kind === 'real' ? row.startedAt : row.at);

/** Returns the end of a request on the axis; one that is in flight ends where the axis does. */
export const endOf = (row: TimelineRow, kind: TimeKind, now: number): number =>
  row.ms === undefined ? Math.max(now, startOf(row, kind)) : startOf(row, kind) + row.ms;

/** Returns the span that shows all requests, with a margin on both sides. */
export function wholeSpan(rows: readonly TimelineRow[], kind: TimeKind): TimeSpan {
  let [from, to] = [Infinity, -Infinity];
  for (const row of rows) {
    from = Math.min(from, startOf(row, kind));
    to = Math.max(to, startOf(row, kind) + (row.ms ?? 0));
  }
  if (from > to) return { from: 0, to: 1000 };
  const margin = Math.max(5, (to - from) * 0.02);
  return { from: from - margin, to: to + margin };
}

/** Returns the part of a span around a place that is so many times as long. */
export function zoomed({ from, to }: TimeSpan, factor: number, around: number): TimeSpan {
  return { from: around - (around - from) * factor, to: around + (to - around) * factor };
}

/** Names a part of the time: `1.2 s – 3.4 s` since the first request, or from moment to moment on the clock. */
export const spanText = ({ from, to }: TimeSpan, kind: TimeKind, origin: number): string =>
  kind === 'real'
    ? `${durationText(from - origin)} – ${durationText(to - origin)}`
    : `${formatDateTime(formatInstant(from))} – ${formatDateTime(formatInstant(to))}`;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500]
  .concat([1, 2, 5, 10, 15, 30].map((n) => n * second))
  .concat([1, 2, 5, 10, 15, 30].map((n) => n * minute))
  .concat([1, 2, 3, 6, 12].map((n) => n * hour))
  .concat([1, 2, 7, 14, 30, 90, 180, 365, 1825].map((n) => n * day));

export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** Returns the ticks of a span, at most so many; `origin` is where real time counts from. */
export function ticksOf(
  { from, to }: TimeSpan,
  most: number,
  { kind, origin }: { kind: TimeKind; origin: number },
): Tick[] {
  const step = steps.find((one) => (to - from) / one <= most) ?? (to - from) / most;
  const base = kind === 'real' ? origin : 0;
  const ticks: Tick[] = [];
  for (let at = Math.ceil((from - base) / step) * step + base; at <= to; at += step) {
    ticks.push({ at, text: kind === 'real' ? `${durationText(at - base)}` : instantText(at, step) });
  }
  return ticks;
}

function instantText(at: number, step: number): string {
  const text = formatInstant(at);
  if (step >= day) return text.slice(0, 10);
  return step >= second ? text.slice(11, 19) : text.slice(11, 23);
}

/** Returns `+30 d`, `2 h 5 min`, `1.5 s` or `20 ms`: the two largest units. */
export function durationText(milliseconds: number): string {
  const size = Math.abs(milliseconds);
  const sign = milliseconds < 0 ? '−' : '';
  if (size < second) return `${sign}${Math.round(size)} ms`;
  if (size < minute) return `${sign}${Math.round(size / 10) / 100} s`;
  if (size < hour) return sign + twoUnits(size, [minute, 'min'], [second, 's']);
  return sign + (size < day ? twoUnits(size, [hour, 'h'], [minute, 'min']) : twoUnits(size, [day, 'd'], [hour, 'h']));
}

type Unit = readonly [length: number, name: string];

function twoUnits(size: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const count = Math.round(size / small);
  const perLarge = large / small;
  const rest = count % perLarge;
  return `${Math.floor(count / perLarge)} ${largeName}${rest > 0 ? ` ${rest} ${smallName}` : ''}`;
}

/** Says when a request came, on both clocks. */
export const timeText = (row: TimelineRow, origin: number): string =>
  `${formatDateTime(formatInstant(row.at))} on the clock, ${durationText(row.startedAt - origin)} after the first`;
