/** Draws all requests over the time as columns, and lets the user select a part of it. */
import { h } from '../../ui/elements.ts';
import { fitCanvas } from './canvas.ts';
import type { Colours } from './colours.ts';
import { outcomeColour } from './shapes.ts';
import { startOf } from './time-axis.ts';
import type { TimeSpan, TimeKind } from './time-axis.ts';
import type { RequestOutcome, TimelineRow } from './timeline-rows.ts';

interface OverviewContent {
  readonly rows: readonly TimelineRow[];
  readonly time: TimeKind;
  readonly whole: TimeSpan;
  readonly span: TimeSpan;
  readonly colours: Colours;
}

const columnWidth = 4;
const height = 44;
const order: readonly RequestOutcome[] = ['ok', 'rejected', 'server-error', 'no-response', 'in-flight'];

/** Creates the overview; `onSelect` gets the span that was brushed. */
export function timelineOverview(onSelect: (span: TimeSpan) => void) {
  const canvas = h('canvas', { 'aria-hidden': 'true' });
  const element = h('div', { class: 'overview', title: 'Drag to select a part of the time' }, canvas);
  let shown: OverviewContent | undefined;
  let dragFrom: number | undefined;
  let dragTo = 0;

  const timeAt = (x: number): number => {
    if (!shown) return 0;
    const { from, to } = shown.whole;
    return from + Math.min(1, Math.max(0, x / element.clientWidth)) * (to - from);
  };
  const draw = (): void => {
    if (!shown) return;
    const { rows, time, whole, span, colours } = shown;
    const { context, width } = fitCanvas(canvas, element.clientWidth, height);
    const xOf = (at: number): number => ((at - whole.from) / (whole.to - whole.from)) * width;
    const columns = columnsOf(rows, (row) => Math.floor(xOf(startOf(row, time)) / columnWidth));
    const most = Math.max(1, ...[...columns.values()].map((counts) => [...counts.values()].reduce((a, b) => a + b, 0)));
    for (const [column, counts] of columns) {
      let y = height;
      for (const outcome of order) {
        const count = counts.get(outcome);
        if (count === undefined) continue;
        const size = Math.max(2, (count / most) * (height - 4));
        y -= size;
        context.fillStyle = outcomeColour(outcome, colours);
        context.fillRect(column * columnWidth, y, columnWidth - 1, size);
      }
    }
    const selected = dragFrom === undefined ? span : sorted(timeAt(dragFrom), timeAt(dragTo));
    const [left, right] = [xOf(selected.from), xOf(selected.to)];
    context.globalAlpha = 0.7;
    context.fillStyle = colours.code;
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, width - right, height);
    context.globalAlpha = 1;
    context.strokeStyle = colours.accent;
    context.lineWidth = 2;
    context.strokeRect(left + 1, 1, Math.max(2, right - left - 2), height - 2);
  };
  const place = (event: PointerEvent): number => event.clientX - element.getBoundingClientRect().left;

  element.addEventListener('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId);
    dragFrom = dragTo = place(event);
  });
  element.addEventListener('pointermove', (event) => {
    if (dragFrom === undefined) return;
    dragTo = place(event);
    draw();
  });
  element.addEventListener('pointerup', () => {
    const from = dragFrom;
    dragFrom = undefined;
    if (from !== undefined && Math.abs(dragTo - from) > 3) onSelect(sorted(timeAt(from), timeAt(dragTo)));
    else draw();
  });
  return {
    element,
    draw: (content: OverviewContent): void => {
      shown = content;
      draw();
    },
  };
}

const sorted = (a: number, b: number): TimeSpan => ({ from: Math.min(a, b), to: Math.max(a, b) });

/** Counts the requests of each column by their outcome. */
function columnsOf(
  rows: readonly TimelineRow[],
  columnOf: (row: TimelineRow) => number,
): Map<number, Map<RequestOutcome, number>> {
  const columns = new Map<number, Map<RequestOutcome, number>>();
  for (const row of rows) {
    const column = columnOf(row);
    const counts = columns.get(column) ?? new Map<RequestOutcome, number>();
    counts.set(row.outcome, (counts.get(row.outcome) ?? 0) + 1);
    columns.set(column, counts);
  }
  return columns;
}
