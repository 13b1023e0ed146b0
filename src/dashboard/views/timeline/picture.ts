/** Draws the lanes of the timeline as a picture that can be pointed at, zoomed, and gone through by keys. */
import { h } from '../../ui/elements.ts';
import { fitCanvas } from './canvas.ts';
import { describeRow } from './descriptions.ts';
import { drawLanes, headHeight, laneShapeOf } from './lane-drawing.ts';
import type { LaneContent, Target } from './lane-drawing.ts';
import { startOf, zoomed } from './time-axis.ts';
import type { TimeSpan } from './time-axis.ts';
import type { TimelineRow } from './timeline-rows.ts';

interface PictureHandlers {
  readonly onSpan: (span: TimeSpan) => void;
  readonly onFit: () => void;
  readonly onOpen: (row: TimelineRow) => void;
  readonly onText: (text: string) => void;
}

const zoomStep = 0.6;

type PictureContent = Omit<LaneContent, 'focused'>;

export function timelinePicture({ onSpan, onFit, onOpen, onText }: PictureHandlers) {
  const canvas = h('canvas', { 'aria-hidden': 'true' });
  const space = h('div');
  const element = h(
    'div',
    {
      class: 'lanes',
      tabindex: '0',
      role: 'application',
      'aria-label': 'Timeline: arrows go from attempt to attempt, Enter opens one, + and − zoom, 0 shows all',
    },
    canvas,
    space,
  );
  let content: PictureContent | undefined;
  let targets: readonly Target[] = [];
  let focused: TimelineRow | undefined;
  /** Holds the id of a request that is to be scrolled to. */
  let wanted = '';

  const shapeNow = () => laneShapeOf(element.clientWidth);
  const draw = (): void => {
    if (!content) return;
    const { lanes } = content;
    const shape = shapeNow();
    const height = headHeight + Math.min(shape.most, Math.max(3, lanes.length)) * shape.height;
    element.style.height = `${height + 2}px`;
    space.style.height = `${Math.max(0, lanes.length * shape.height + headHeight - height)}px`;
    const lane = wanted === '' ? -1 : lanes.findIndex(({ rows }) => rows.some(({ id }) => id === wanted));
    wanted = '';
    if (lane >= 0) scrollToLane(lane);
    const { context, width } = fitCanvas(canvas, element.clientWidth, height);
    const shown = { ...content, focused: focused?.id ?? '' };
    const { scrollTop } = element;
    targets = drawLanes(shown, { context, width, height, shape, scrollTop });
  };

  const scrollToLane = (index: number): void => {
    const laneHeight = shapeNow().height;
    const top = index * laneHeight;
    const room = element.clientHeight - headHeight - laneHeight;
    element.scrollTop = Math.min(Math.max(element.scrollTop, top - room), top);
  };
  const targetAt = ({ clientX, clientY }: MouseEvent): Target | undefined => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    const near = 4;
    return targets.findLast(
      (one) =>
        x >= one.x - near && x <= one.x + one.width + near && y >= one.y - near && y <= one.y + one.height + near,
    );
  };
  const timeAt = ({ clientX }: MouseEvent, { span }: PictureContent): number => {
    const box = canvas.getBoundingClientRect();
    const { left } = laneShapeOf(box.width);
    const part = (clientX - box.left - left) / (box.width - left - 12);
    return span.from + Math.min(1, Math.max(0, part)) * (span.to - span.from);
  };
  const textOf = ({ row, lane, text = '' }: Target): string =>
    row ? describeRow(row, lane?.operation, content?.origin ?? 0) : text;

  let downAt: { readonly x: number; readonly time: number } | undefined;
  element.addEventListener('pointerdown', (event) => {
    if (content && event.button === 0 && event.offsetX < element.clientWidth)
      downAt = { x: event.clientX, time: timeAt(event, content) };
  });
  element.addEventListener('pointerup', (event) => {
    const from = downAt;
    downAt = undefined;
    if (!from || !content) return;
    const to = timeAt(event, content);
    if (Math.abs(event.clientX - from.x) > 8) {
      onSpan({ from: Math.min(from.time, to), to: Math.max(from.time, to) });
      return;
    }
    const target = targetAt(event);
    const row = target?.row ?? (target?.lane?.operation && target.lane.rows[0]);
    if (row) onOpen(row);
  });
  element.addEventListener('pointermove', (event) => {
    const target = targetAt(event);
    element.style.cursor = target?.row || target?.lane?.operation ? 'pointer' : 'default';
    onText(target ? textOf(target) : '');
  });
  element.addEventListener('pointerleave', () => onText(''));
  element.addEventListener('scroll', () => requestAnimationFrame(draw), { passive: true });
  element.addEventListener(
    'wheel',
    (event) => {
      const { deltaX, deltaY } = event;
      if (!content) return;
      const { span } = content;
      if (Math.abs(deltaX) > Math.abs(deltaY) || event.shiftKey) pan(span, (deltaX || deltaY) / 1000);
      // Without a key the wheel scrolls, unless there is nothing to scroll.
      else if (event.ctrlKey || event.metaKey || element.scrollHeight <= element.clientHeight)
        onSpan(zoomed(span, deltaY > 0 ? 1 / 0.85 : 0.85, timeAt(event, content)));
      else return;
      event.preventDefault();
    },
    { passive: false },
  );

  const pan = (span: TimeSpan, part: number): void => {
    const by = (span.to - span.from) * part;
    onSpan({ from: span.from + by, to: span.to + by });
  };
  const zoom = (factor: number): void => {
    if (!content) return;
    const { span, time } = content;
    const middle = (span.from + span.to) / 2;
    onSpan(zoomed(span, factor, focused ? startOf(focused, time) : middle));
  };
  const focus = (laneIndex: number, row: TimelineRow | undefined): void => {
    if (!row || !content) return;
    focused = row;
    scrollToLane(laneIndex);
    draw();
    onText(describeRow(row, content.lanes[laneIndex]?.operation, content.origin));
  };
  const move = (lanesOn: number, rowsOn: number): void => {
    const { lanes = [] } = content ?? {};
    const at = lanes.findIndex(({ rows }) => rows.some(({ id }) => id === focused?.id));
    if (at < 0) return focus(0, lanes[0]?.rows[0]);
    const laneIndex = Math.min(lanes.length - 1, Math.max(0, at + lanesOn));
    const rows = lanes[laneIndex]?.rows ?? [];
    const rowIndex = lanesOn === 0 ? rows.findIndex(({ id }) => id === focused?.id) + rowsOn : 0;
    // Behind the last attempt of a lane comes the next lane.
    if (rowIndex >= rows.length) return focus(laneIndex + 1, lanes[laneIndex + 1]?.rows[0]);
    if (rowIndex < 0) return focus(laneIndex - 1, lanes[laneIndex - 1]?.rows.at(-1));
    focus(laneIndex, rows[rowIndex]);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => move(0, 1),
    ArrowLeft: () => move(0, -1),
    ArrowDown: () => move(1, 0),
    ArrowUp: () => move(-1, 0),
    Enter: () => focused && onOpen(focused),
    '+': () => zoom(zoomStep),
    '-': () => zoom(1 / zoomStep),
    '0': onFit,
  };
  element.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  element.addEventListener('blur', () => {
    focused = undefined;
    draw();
  });

  return {
    element,
    zoomIn: () => zoom(zoomStep),
    zoomOut: () => zoom(1 / zoomStep),
    draw: (shown: PictureContent): void => {
      content = shown;
      draw();
    },
    /** Scrolls to the lane of a request when it is drawn next. */
    reveal: (id: string): void => {
      wanted = id;
    },
  };
}
