/** Draws the lanes of the timeline with their axis and marks, and returns what was drawn where. */
import { statusMarks } from '../../../format/timeline.ts';
import { byHarm } from '../../verdict/finding-order.ts';
import type { Colours } from './colours.ts';
import { describeClockMark, describeWebhook } from './descriptions.ts';
import { drawBar, drawEffect, drawFault, drawWebhook } from './shapes.ts';
import type { Bar } from './shapes.ts';
import { endOf, durationText, startOf, ticksOf } from './time-axis.ts';
import type { TimeSpan, TimeKind } from './time-axis.ts';
import type { ClockMark, Lane } from './lanes.ts';
import type { TimelineRow, WebhookMark } from './timeline-rows.ts';

/** Says where the parts of a lane are, in pixels. */
export interface LaneShape {
  /** Holds the room to the left of the time. */
  readonly left: number;
  readonly height: number;
  /** Limits the length of a name. */
  readonly nameWidth: number;
  /** Counts from the top of the lane. */
  readonly nameMiddle: number;
  readonly barMiddle: number;
  /** Limits the lanes in sight; the others are scrolled to. */
  readonly most: number;
}

/** A narrower picture has no room for names next to the bars that distinguish them: they stand above. */
const narrow = 520;

export function laneShapeOf(width: number): LaneShape {
  if (width < narrow) return { left: 8, height: 42, nameWidth: width, nameMiddle: 12, barMiddle: 28, most: 8 };
  const left = Math.round(Math.min(260, width * 0.3));
  return { left, height: 24, nameWidth: left, nameMiddle: 12, barMiddle: 12, most: 14 };
}

const hasNamesBeside = ({ nameWidth, left }: LaneShape): boolean => nameWidth === left;

/** Holds the height of axis and marks above the lanes. */
export const headHeight = 44;
const barHeight = 10;
const font = '12px system-ui, sans-serif';

export interface PlacedWebhook {
  readonly mark: WebhookMark;
  /** Counts as the axis does. */
  readonly at: number;
}

export interface LaneContent {
  readonly lanes: readonly Lane[];
  readonly time: TimeKind;
  readonly span: TimeSpan;
  /** Holds the begin of the first request, from which real time counts. */
  readonly origin: number;
  readonly clockMarks: readonly ClockMark[];
  readonly webhooks: readonly PlacedWebhook[];
  readonly colours: Colours;
  /** Holds the id of the request that is shown in full, or has the focus. */
  readonly chosen: string;
  readonly focused: string;
  /** Holds the ids of the requests that a selected finding is about. */
  readonly marked: ReadonlySet<string>;
}

/** Describes a drawn thing that can be pointed at. */
export interface Target extends Bar {
  readonly row?: TimelineRow;
  readonly lane?: Lane;
  readonly text?: string;
}

interface Place {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly shape: LaneShape;
  readonly scrollTop: number;
}

/** Draws what is in sight. */
export function drawLanes(content: LaneContent, place: Place): Target[] {
  const { context, width, height, shape, scrollTop } = place;
  const { lanes, span, colours } = content;
  const xOf = (at: number): number =>
    shape.left + ((at - span.from) / (span.to - span.from)) * (width - shape.left - 12);
  const drawing: Drawing = { ...content, ...place, xOf, targets: [] };
  context.font = font;
  context.textBaseline = 'middle';
  const first = Math.max(0, Math.floor(scrollTop / shape.height));
  const last = Math.min(lanes.length, Math.ceil((scrollTop + height - headHeight) / shape.height) + 1);
  clipped(context, { x: 0, y: headHeight, width, height: height - headHeight }, () => {
    drawGrid(drawing, headHeight, height);
    for (let i = first; i < last; i++) {
      const lane = lanes[i];
      if (lane) drawLane(drawing, lane, headHeight + i * shape.height - scrollTop);
    }
  });
  drawHead(drawing);
  if (hasNamesBeside(shape)) {
    context.fillStyle = colours.line;
    context.fillRect(shape.left - 1, 0, 1, height);
  }
  return drawing.targets;
}

interface Drawing extends LaneContent, Place {
  readonly xOf: (at: number) => number;
  readonly targets: Target[];
}

function clipped(context: CanvasRenderingContext2D, { x, y, width, height }: Bar, draw: () => void): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  draw();
  context.restore();
}

const ticksIn = ({ span, width, shape, time, origin }: Drawing) =>
  ticksOf(span, Math.max(2, Math.floor((width - shape.left) / 90)), { kind: time, origin });

function drawGrid(drawing: Drawing, top: number, bottom: number): void {
  const { context, colours, xOf, shape } = drawing;
  context.fillStyle = colours.line;
  for (const { at } of ticksIn(drawing))
    if (xOf(at) >= shape.left) context.fillRect(Math.round(xOf(at)), top, 1, bottom);
}

function drawLabel({ context, shape, colours }: Drawing, lane: Lane, middle: number): void {
  const { operation, label, rows } = lane;
  const colour = { PASS: colours.good, FAIL: colours.bad, INCONCLUSIVE: colours.warn };
  const count = rows.length > 1 ? ` ×${rows.length}` : '';
  if (operation) {
    context.fillStyle = colour[operation.verdict];
    context.font = `bold ${font}`;
    context.fillText(statusMarks[operation.verdict], 6, middle);
    context.font = font;
  }
  context.fillStyle = colours.text;
  const room = shape.nameWidth - 30 - context.measureText(count).width;
  context.fillText(shortened(context, label, room) + count, 20, middle);
}

/** Limits the characters of a label: each of them takes time to measure. */
const mostDrawn = 100;

/** Matches what turns the direction of a text around, or is no letter: nothing isolates it on a canvas. */
// oxlint-disable-next-line no-control-regex
const unseen = /[\u0000-\u001f\u202a-\u202e\u2066-\u2069]/g;

/** Returns as much of a text as has room, with its end, which often distinguishes it from others. */
function shortened(context: CanvasRenderingContext2D, whole: string, room: number): string {
  const text = whole.slice(0, mostDrawn).replaceAll(unseen, '�');
  if (context.measureText(text).width <= room) return text;
  const withoutMiddle = (length: number): string =>
    `${text.slice(0, Math.ceil(length / 2))}…${text.slice(text.length - Math.floor(length / 2))}`;
  let length = text.length - 1;
  while (length > 4 && context.measureText(withoutMiddle(length)).width > room) length--;
  return withoutMiddle(length);
}

function drawLane(drawing: Drawing, lane: Lane, top: number): void {
  const { context, colours, shape, width, height, targets } = drawing;
  const middle = top + shape.barMiddle;
  if (lane.rows.some(({ id }) => drawing.marked.has(id))) drawMark(drawing, top);
  context.fillStyle = colours.line;
  context.fillRect(0, top + shape.height - 1, width, 1);
  drawLabel(drawing, lane, top + shape.nameMiddle);
  targets.push({ x: 0, y: top, width: shape.nameWidth, height: shape.height, lane, text: labelText(lane) });
  clipped(context, { x: shape.left, y: headHeight, width: width - shape.left, height }, () => {
    if (lane.operation) joinAttempts(drawing, lane, middle);
    let [lastX, lastLook] = [-Infinity, ''];
    for (const row of lane.rows) {
      const bar = barOf(drawing, row, middle);
      const look = `${row.outcome} ${row.phase} ${row.effects > 0}`;
      // One bar stands for all that look the same in the same place.
      if (
        bar.x + bar.width < lastX + 1.5 &&
        look === lastLook &&
        row.id !== drawing.chosen &&
        row.id !== drawing.focused
      )
        continue;
      [lastX, lastLook] = [bar.x + bar.width, look];
      drawRequest(drawing, row, bar);
      targets.push({ ...bar, row, lane });
    }
  });
}

function labelText({ label, operation, rows }: Lane): string {
  const [finding] = operation?.findings.toSorted(byHarm) ?? [];
  if (finding) return `${label} · ${finding.rule}: ${finding.message}`;
  return rows.length > 1 ? `${label} · ${rows.length} requests` : label;
}

/** Sets a lane off from the others. */
function drawMark({ context, colours, shape, width }: Drawing, top: number): void {
  context.fillStyle = colours.code;
  context.fillRect(0, top, width, shape.height);
  context.fillStyle = colours.accent;
  context.fillRect(0, top, 4, shape.height);
}

const shortest = 14;

function barOf({ xOf, time, span }: Drawing, row: TimelineRow, middle: number): Bar {
  const x = xOf(startOf(row, time));
  const width = Math.max(shortest, xOf(endOf(row, time, span.to)) - x);
  return { x, y: middle - barHeight / 2 + 1, width, height: barHeight };
}

/** Joins the attempts of an operation by a line. */
function joinAttempts(drawing: Drawing, { rows }: Lane, middle: number): void {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || first === last) return;
  const { context, colours } = drawing;
  const [from, to] = [barOf(drawing, first, middle), barOf(drawing, last, middle)];
  context.fillStyle = colours.faint;
  context.fillRect(from.x, middle, to.x - from.x, 2);
}

function drawRequest({ context, colours, chosen, focused }: Drawing, row: TimelineRow, bar: Bar): void {
  drawBar(context, bar, row, colours);
  if (row.phase !== 'none') drawFault(context, bar, row.phase, colours);
  if (row.effects > 0) drawEffect(context, bar, colours);
  if (row.id !== chosen && row.id !== focused) return;
  context.strokeStyle = colours.accent;
  context.lineWidth = 2;
  context.strokeRect(bar.x - 4, bar.y - 4, bar.width + 8, bar.height + 8);
}

function drawHead(drawing: Drawing): void {
  const { context, colours, xOf, shape, width, height, targets, time } = drawing;
  context.fillStyle = colours.line;
  context.fillRect(0, headHeight - 1, width, 1);
  context.fillStyle = colours.faint;
  const titles = [time === 'real' ? 'real time' : 'simulated time', 'clock and webhooks'];
  for (const [i, title] of hasNamesBeside(shape) ? titles.entries() : [])
    context.fillText(shortened(context, title, shape.left - 26), 20, i === 0 ? 10 : 31);
  clipped(context, { x: shape.left, y: 0, width: width - shape.left, height }, () => {
    for (const { at, text } of ticksIn(drawing)) {
      context.fillStyle = colours.faint;
      context.fillText(text, xOf(at) + 3, 10);
      context.fillStyle = colours.line;
      context.fillRect(Math.round(xOf(at)), 0, 1, headHeight);
    }
    for (const { mark, at } of drawing.webhooks) {
      drawWebhook(context, xOf(at), 31, colours, mark.status !== null && mark.status < 300);
      targets.push({ x: xOf(at) - 6, y: 24, width: 12, height: 14, text: describeWebhook(mark) });
    }
    for (const mark of drawing.clockMarks) drawClockMark(drawing, mark);
  });
}

/** Draws a line through all lanes where the clock was moved, and says by how much. */
function drawClockMark({ context, colours, xOf, time, height, targets }: Drawing, mark: ClockMark): void {
  const x = Math.round(xOf(startOf(mark.row, time))) - 3;
  context.strokeStyle = colours.accent;
  context.lineWidth = 1.5;
  context.setLineDash([4, 3]);
  context.beginPath();
  context.moveTo(x, 20);
  context.lineTo(x, height);
  context.stroke();
  context.setLineDash([]);
  const text = `${mark.by > 0 ? '+' : ''}${durationText(mark.by)}`;
  const width = context.measureText(text).width + 8;
  context.fillStyle = colours.accent;
  context.fillRect(x, 23, width, 16);
  context.fillStyle = colours.card;
  context.fillText(text, x + 4, 31);
  targets.push({ x, y: 22, width, height: 18, text: describeClockMark(mark) });
}
