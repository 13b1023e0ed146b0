/** Plots the points of an account over time: active, pending and expiring, with receipts and promotions on the same axis. */
import { formatDay, parseMoment } from '../ui/timestamps.ts';
import type { ContactCard, ContactPointsJson } from '../api/api-types.ts';

type Account = ContactPointsJson['accounts'][number];
type Level = Account['past'][number];

const namespace = 'http://www.w3.org/2000/svg';

function svg(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: (Node | string)[]
): SVGElement {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

const height = 230;
const plot = { left: 52, right: 14, top: 12, bottom: 66 } as const;
const year = 365 * 86_400_000;

/** Holds what is marked on the axis below the points. */
export interface Marks {
  readonly receipts: readonly string[];
  readonly promotions: readonly string[];
}

interface Scale {
  readonly x: (at: number) => number;
  readonly y: (points: number) => number;
}

/** Returns round numbers from 0 up to at least the largest. */
function ticksOf(largest: number): number[] {
  const rough = Math.max(largest, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.ceil(Math.max(largest, 1) / step) + 1 }, (_, i) => i * step);
}

/** Returns a line that keeps each level until the next, and the last until an end. */
function stepLine(levels: readonly Level[], of: 'active' | 'pending', { x, y }: Scale, end: number): string {
  const points = levels.map((level) => ({ at: parseMoment(level.at), value: level[of] }));
  const [first] = points;
  if (!first) return '';
  const rest = points.slice(1).map(({ at, value }) => `H${x(at)}V${y(value)}`);
  return `M${x(first.at)} ${y(first.value)}${rest.join('')}H${x(end)}`;
}

/** Returns a date as the axis shows it: a month of a year where the axis is long. */
const dateText = (at: number, span: number): string => formatDay(at).slice(0, span > year ? 7 : 10);

interface Frame extends Scale {
  readonly start: number;
  readonly end: number;
  readonly now: number;
  readonly width: number;
  readonly ticks: readonly number[];
}

function frameOf(
  { past, future, expiring }: Account,
  { receipts, promotions }: Marks,
  now: number,
  width: number,
): Frame {
  const moments = [...past, ...future, ...expiring].map(({ at }) => parseMoment(at));
  const earliest = [...moments, ...[...receipts, ...promotions].map(parseMoment)].filter((at) => at <= now);
  const start = Math.min(now - 86_400_000, ...earliest);
  const end = Math.max(now + (now - start) * 0.08, ...moments.filter((at) => at > now && at < now + 2 * year));
  const ticks = ticksOf(Math.max(...[...past, ...future].map(({ active, pending }) => Math.max(active, pending)), 0));
  const inner = { width: width - plot.left - plot.right, height: height - plot.top - plot.bottom };
  return {
    start,
    end,
    now,
    width,
    ticks,
    x: (at) => Math.round(plot.left + ((Math.min(Math.max(at, start), end) - start) / (end - start)) * inner.width),
    y: (points) => Math.round(plot.top + inner.height * (1 - Math.max(0, points) / (ticks.at(-1) ?? 1))),
  };
}

function axes({ x, y, start, end, now, width, ticks }: Frame): SVGElement[] {
  const bottom = height - plot.bottom;
  const dates = Array.from(
    { length: width < 500 ? 3 : 5 },
    (_, i, count = width < 500 ? 2 : 4) => start + ((end - start) * i) / count,
  );
  return [
    ...ticks.map((points) =>
      svg(
        'g',
        { class: 'tick' },
        svg('line', { x1: plot.left, x2: width - plot.right, y1: y(points), y2: y(points) }),
        svg('text', { x: plot.left - 6, y: y(points) + 4, 'text-anchor': 'end' }, String(points)),
      ),
    ),
    ...dates.map((at, i) =>
      svg(
        'text',
        {
          class: 'date',
          x: x(at),
          y: height - 6,
          'text-anchor': i === 0 ? 'start' : i === dates.length - 1 ? 'end' : 'middle',
        },
        dateText(at, end - start),
      ),
    ),
    svg('line', { class: 'now', x1: x(now), x2: x(now), y1: plot.top, y2: bottom + 44 }),
    svg('text', { class: 'now', x: x(now) - 4, y: plot.top + 10, 'text-anchor': 'end' }, 'now'),
  ];
}

/** Returns a mark of each moment in a row below the plot, each with a title. */
function markRow(
  frame: Frame,
  moments: readonly string[],
  row: number,
  { shape, name }: { shape: string; name: string },
): SVGElement[] {
  const y = height - plot.bottom + 16 + row * 18;
  return [
    svg('text', { class: 'row', x: plot.left - 6, y: y + 4, 'text-anchor': 'end' }, name),
    ...moments
      .filter((at) => parseMoment(at) >= frame.start && parseMoment(at) <= frame.end)
      .map((at) =>
        svg(
          'text',
          { class: `mark ${name}`, x: frame.x(parseMoment(at)), y: y + 4, 'text-anchor': 'middle' },
          shape,
          svg('title', {}, `${name}: ${at.slice(0, 10)}`),
        ),
      ),
  ];
}

const expiryMark = (frame: Frame, { at, amount }: Account['expiring'][number]): SVGElement =>
  svg(
    'text',
    { class: 'expiry', x: frame.x(parseMoment(at)), y: height - plot.bottom + 1, 'text-anchor': 'middle' },
    '▼',
    svg('title', {}, `${amount} points expire on ${at.slice(0, 10)}`),
  );

/** Describes the plot to those who do not see it. */
function describe({ definition, past, expiring }: Account, now: string): string {
  const { active = 0, pending = 0 } = past.findLast(({ at }) => at <= now) ?? {};
  const next = expiring[0];
  return `${definition} over time: ${active} active and ${pending} pending now${next ? `, ${next.amount} expire on ${next.at.slice(0, 10)}` : ''}`;
}

/** Draws the plot of one account. */
export function pointsPlot(account: Account, marks: Marks, now: string): SVGElement {
  const { past, future, expiring } = account;
  const width = Math.max(320, Math.min(960, document.documentElement.clientWidth - 70));
  const frame = frameOf(account, marks, parseMoment(now), width);
  const last = past.at(-1);
  const ahead = last ? [{ ...last, at: now }, ...future] : future;
  return svg(
    'svg',
    { class: 'points-plot', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': describe(account, now) },
    ...axes(frame),
    svg('path', { class: 'active', d: stepLine(past, 'active', frame, frame.now) }),
    svg('path', { class: 'pending', d: stepLine(past, 'pending', frame, frame.now) }),
    svg('path', { class: 'active ahead', d: stepLine(ahead, 'active', frame, frame.end) }),
    svg('path', { class: 'pending ahead', d: stepLine(ahead, 'pending', frame, frame.end) }),
    ...expiring.filter(({ at }) => parseMoment(at) <= frame.end).map((one) => expiryMark(frame, one)),
    ...markRow(frame, marks.receipts, 0, { shape: '●', name: 'receipts' }),
    ...markRow(frame, marks.promotions, 1, { shape: '◆', name: 'offers' }),
  );
}

/** Returns the moments of receipts and promotions on a card. */
export function marksOf(card: Pick<ContactCard, 'receipts' | 'promotions'>): Marks {
  return {
    receipts: card.receipts.items.map(({ createdDate }) => createdDate),
    promotions: card.promotions.items.map(({ assignedOn }) => assignedOn),
  };
}
