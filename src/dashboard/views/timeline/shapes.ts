/** Draws requests: each outcome has a colour and a shape of its own. */
import type { Colours } from './colours.ts';
import type { RequestOutcome, TimelineRow } from './timeline-rows.ts';

type Canvas = CanvasRenderingContext2D;

/** Describes a bar on the canvas, in pixels. */
export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const outcomeColour = (outcome: RequestOutcome, colours: Colours): string =>
  ({
    'in-flight': colours.accent,
    ok: colours.good,
    rejected: colours.warn,
    'server-error': colours.bad,
    'no-response': colours.bad,
  })[outcome];

/** Draws the bar of a request: full, hatched, crossed out or open, by what the client received. */
export function drawBar(canvas: Canvas, bar: Bar, row: Pick<TimelineRow, 'outcome'>, colours: Colours): void {
  const { x, y, width, height } = bar;
  const colour = outcomeColour(row.outcome, colours);
  canvas.fillStyle = colour;
  canvas.strokeStyle = colour;
  canvas.lineWidth = 1.5;
  if (row.outcome === 'ok') canvas.fillRect(x, y, width, height);
  else if (row.outcome === 'in-flight') strokeDashed(canvas, bar);
  else if (row.outcome === 'no-response') drawLost(canvas, bar, colours);
  else {
    canvas.fillStyle = colours.card;
    canvas.fillRect(x, y, width, height);
    hatch(canvas, bar, row.outcome === 'server-error');
    canvas.strokeRect(x + 0.75, y + 0.75, Math.max(1, width - 1.5), height - 1.5);
  }
}

function strokeDashed(canvas: Canvas, { x, y, width, height }: Bar): void {
  canvas.setLineDash([3, 3]);
  canvas.strokeRect(x + 0.75, y + 0.75, Math.max(1, width - 1.5), height - 1.5);
  canvas.setLineDash([]);
}

/** Draws a bar whose end is missing, and a cross where the response should have come. */
function drawLost(canvas: Canvas, { x, y, width, height }: Bar, colours: Colours): void {
  const [end, middle] = [x + width, y + height / 2];
  canvas.fillStyle = colours.card;
  canvas.fillRect(x, y, width, height);
  canvas.beginPath();
  canvas.moveTo(end, y + 0.75);
  canvas.lineTo(x + 0.75, y + 0.75);
  canvas.lineTo(x + 0.75, y + height - 0.75);
  canvas.lineTo(end, y + height - 0.75);
  canvas.stroke();
  canvas.lineWidth = 2;
  canvas.beginPath();
  canvas.moveTo(end - 1, middle - 4);
  canvas.lineTo(end + 7, middle + 4);
  canvas.moveTo(end - 1, middle + 4);
  canvas.lineTo(end + 7, middle - 4);
  canvas.stroke();
}

/** Fills a bar with lines, one way for a rejected request and both ways for an error of the server. */
function hatch(canvas: Canvas, { x, y, width, height }: Bar, isCrossed: boolean): void {
  canvas.save();
  canvas.beginPath();
  canvas.rect(x, y, width, height);
  canvas.clip();
  canvas.lineWidth = 1;
  canvas.beginPath();
  for (let at = x - height; at < x + width; at += 5) {
    canvas.moveTo(at, y + height);
    canvas.lineTo(at + height, y);
    if (!isCrossed) continue;
    canvas.moveTo(at, y);
    canvas.lineTo(at + height, y + height);
  }
  canvas.stroke();
  canvas.restore();
}

/** Draws the triangle of a fault: at the begin of the bar when it came before the work, else at its end. */
export function drawFault(canvas: Canvas, { x, y, width }: Bar, phase: 'before' | 'after', colours: Colours): void {
  const at = phase === 'before' ? x + 1 : x + width - 1;
  canvas.fillStyle = colours.bad;
  canvas.beginPath();
  canvas.moveTo(at - 5, y - 6);
  canvas.lineTo(at + 5, y - 6);
  canvas.lineTo(at, y + 1);
  canvas.fill();
}

/** Draws the diamond of a request that has changed something. */
export function drawEffect(canvas: Canvas, { x, y, width, height }: Bar, colours: Colours): void {
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  canvas.fillStyle = colours.text;
  canvas.strokeStyle = colours.card;
  canvas.lineWidth = 1.5;
  canvas.beginPath();
  canvas.moveTo(middleX, middleY - 4);
  canvas.lineTo(middleX + 4, middleY);
  canvas.lineTo(middleX, middleY + 4);
  canvas.lineTo(middleX - 4, middleY);
  canvas.closePath();
  canvas.stroke();
  canvas.fill();
}

/** Draws the mark of a webhook attempt: a triangle that points up, hollow when it was not delivered. */
export function drawWebhook(canvas: Canvas, x: number, y: number, colours: Colours, isDelivered: boolean): void {
  canvas.fillStyle = isDelivered ? colours.good : colours.card;
  canvas.strokeStyle = isDelivered ? colours.good : colours.bad;
  canvas.lineWidth = 1.5;
  canvas.beginPath();
  canvas.moveTo(x - 5, y + 4);
  canvas.lineTo(x + 5, y + 4);
  canvas.lineTo(x, y - 5);
  canvas.closePath();
  canvas.fill();
  canvas.stroke();
}
