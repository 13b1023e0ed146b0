/** Shows requests over the time, by operation, endpoint or client, and those of a part of it as a list. */
import type { ShownOperation, Verdict } from '../../api/api-types.ts';
import type { RequestQuery } from '../../api/request-pages.ts';
import { forgetContactNames } from '../../contact/contact-names.ts';
import { addressOf } from '../../ui/address.ts';
import { button, field, h, pluralize, reportErrors, select } from '../../ui/elements.ts';
import type { View } from '../../ui/view.ts';
import { requestDetail } from '../request-detail.ts';
import { requestList } from '../request-list.ts';
import type { RequestSelection } from '../request-list.ts';
import { requestEvents } from '../requests.ts';
import { readColours } from './colours.ts';
import { findingStrip } from './findings.ts';
import type { NamedFinding } from './findings.ts';
import { bringIntoSight } from '../../ui/sight.ts';
import { clockMarks, lanesOf } from './lanes.ts';
import type { LaneKind } from './lanes.ts';
import { timelineLegend } from './legend.ts';
import { timelineOverview } from './overview.ts';
import { timelinePicture } from './picture.ts';
import { endOf, durationText, spanText, startOf, wholeSpan } from './time-axis.ts';
import type { TimeSpan, TimeKind } from './time-axis.ts';
import { TimelineRows } from './timeline-rows.ts';
import type { TimelineRow } from './timeline-rows.ts';
import type { PlacedWebhook } from './lane-drawing.ts';

export interface TimelineView extends View {
  /** Marks the operations that the verdict is about. */
  readonly showVerdict: (verdict: Verdict) => void;
}

const laneKinds = [
  ['operation', 'Operations'],
  ['endpoint', 'Endpoints'],
  ['client', 'Clients'],
] as const;

const timeKinds = [
  ['real', 'Real time'],
  ['virtual', 'Simulated time'],
] as const;

const usualText = 'Point at a bar to read what it is; drag to select a part of the time.';
const allNumbers = [0, Infinity] as const;
/** Leaves so many ms at least between the ends of a span. */
const shortestSpan = 1;

const open = (row: TimelineRow): void => void (location.hash = addressOf('timeline', row.id));

export function timelineView(): TimelineView {
  const rows = new TimelineRows();
  let operations: readonly ShownOperation[] = [];
  let query: RequestQuery = {};
  let span: TimeSpan | undefined;
  let chosen = '';
  /** Holds the requests of the finding that was selected. */
  let marked: ReadonlySet<string> = new Set();
  /** Holds the first and the last number of the requests that the list shows with it. */
  let listed: readonly [first: number, last: number] = allNumbers;
  let isPlanned = false;

  const laneSelect = select({ name: 'lanes' }, laneKinds);
  const timeSelect = select({ name: 'time' }, timeKinds);
  const line = h('p', { class: 'line', role: 'status' }, usualText);
  const note = h('span', { class: 'faint' });
  // The options are the only values that the fields have.
  const laneKind = (): LaneKind => laneSelect.value as LaneKind;
  const timeKind = (): TimeKind => timeSelect.value as TimeKind;

  const setText = (text: string): void => {
    line.textContent = text === '' ? usualText : text;
  };
  const picture = timelinePicture({
    onSpan: (wanted) => setSpan(wanted),
    onFit: () => list.showAll(),
    onOpen: open,
    onText: setText,
  });
  const overview = timelineOverview((wanted) => setSpan(wanted));
  const legend = timelineLegend();
  const detail = requestDetail('timeline');
  const list = requestList('timeline', {
    onFilter: (wanted) => {
      query = wanted;
      void reportErrors(read);
    },
  });
  const strip = findingStrip((named) => showFinding(named));

  const read = async (): Promise<void> => {
    await rows.read(query);
    drawSoon();
  };
  const drawSoon = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      draw();
    });
  };
  const draw = (): void => {
    if (!element.isConnected) return;
    const time = timeKind();
    const whole = wholeSpan(rows.list, time);
    const shown = span ?? whole;
    const colours = readColours();
    const [first] = rows.list;
    const inList = rows.list.filter(({ number }) => number >= listed[0] && number <= listed[1]);
    const lanes = lanesOf(inList, { kind: laneKind(), time, span: shown, operations });
    overview.draw({ rows: rows.list, time, whole, span: shown, colours });
    picture.draw({
      lanes,
      time,
      span: shown,
      origin: first?.startedAt ?? 0,
      clockMarks: clockMarks(rows.list),
      webhooks: placedWebhooks(rows, time),
      colours,
      chosen,
      marked,
    });
    legend.draw(colours);
    const left = rows.omitted > 0 ? `, ${rows.omitted} older ones left out` : '';
    const still = time === 'virtual' && isStill(rows.list) ? ' · the clock stands still: see real time' : '';
    note.textContent = `${pluralize(lanes.length, 'lane')} · ${durationText(shown.to - shown.from)}${left}${still}`;
  };

  /** Shows a part of the time, and only its requests in the list; undefined shows all. */
  const setSpan = (wanted: TimeSpan | undefined): void => {
    const whole = wholeSpan(rows.list, timeKind());
    const isAll = !wanted || (wanted.from <= whole.from && wanted.to >= whole.to);
    span = isAll ? undefined : withinBounds(wanted, whole);
    marked = new Set();
    listed = allNumbers;
    strip.mark(undefined);
    list.select(span && timeSelection(span));
    drawSoon();
  };
  const timeSelection = (wanted: TimeSpan): RequestSelection => ({
    label: spanText(wanted, timeKind(), rows.list[0]?.startedAt ?? 0),
    query: spanQuery(rows.list, wanted, timeKind()),
    remove: () => setSpan(undefined),
  });
  /** Shows the requests of a finding, with what came between them. */
  const showFinding = async (named: NamedFinding): Promise<void> => {
    const { operation, finding } = named;
    // What is searched for may be something else.
    list.clearFields();
    await read();
    const own = new Set([...operation.attempts.map(({ request }) => request), ...finding.requests]);
    const found = rows.list.filter(({ id }) => own.has(id));
    const [first] = found;
    if (!first) return;
    const tight = wholeSpan(found, timeKind());
    const margin = Math.max(50, (tight.to - tight.from) * 0.3);
    laneSelect.value = 'operation';
    setSpan({ from: tight.from - margin, to: tight.to + margin });
    marked = own;
    // Others may have come between, but not those of the margin; lanes and list show the same.
    listed = [first.number, found.at(-1)?.number ?? first.number];
    strip.mark(named);
    list.select({ label: finding.rule, query: numberQuery(found), remove: () => setSpan(undefined) });
    open(first);
    picture.reveal(first.id);
    drawSoon();
  };

  for (const kind of [laneSelect, timeSelect]) {
    kind.addEventListener('input', () => {
      if (kind === timeSelect) setSpan(undefined);
      drawSoon();
    });
  }
  const bar = h(
    'div',
    { class: 'toolbar' },
    field('Lanes', laneSelect),
    field('Time', timeSelect),
    h(
      'span',
      { class: 'zoom' },
      button('−', () => picture.zoomOut(), { 'aria-label': 'Zoom out', title: 'Zoom out (−)' }),
      button('+', () => picture.zoomIn(), { 'aria-label': 'Zoom in', title: 'Zoom in (+, or the wheel with Ctrl)' }),
      list.all,
    ),
    list.filters,
    note,
  );
  const section = h(
    'section',
    { class: 'picture', 'aria-label': 'Timeline' },
    bar,
    overview.element,
    picture.element,
    line,
    legend.element,
  );
  const element = h(
    'div',
    { class: 'timeline' },
    list.toolbar,
    list.notice,
    strip.element,
    h('div', { class: 'columns' }, h('div', { class: 'lanes-and-list' }, section, list.list), detail.element),
  );
  new ResizeObserver(drawSoon).observe(section);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawSoon);

  return {
    name: 'timeline',
    title: 'Timeline',
    element,
    refreshOn: requestEvents,
    onEvent: ({ event }) => {
      if (/^(journal\.cleared|tenant\.replaced|stream\.opened)$/.test(event)) {
        rows.forget();
        forgetContactNames();
        setSpan(undefined);
      }
    },
    refresh: async (about) => {
      const isOther = about !== chosen;
      chosen = about;
      list.choose(about);
      await Promise.all([read(), list.refresh(), detail.show(about)]);
      if (!isOther || about === '') return;
      picture.reveal(about);
      drawSoon();
      // The lanes stay in sight with the request, unless it was selected in the list.
      bringIntoSight(detail.element, list.list.contains(document.activeElement) ? detail.element : picture.element);
    },
    showVerdict: (verdict) => {
      ({ operations } = verdict);
      void reportErrors(() => strip.show(verdict));
      drawSoon();
    },
  };
}

/** True when all requests came at one moment of the clock. */
const isStill = (rows: readonly TimelineRow[]): boolean => rows.length > 1 && rows.at(0)?.at === rows.at(-1)?.at;

function withinBounds({ from, to }: TimeSpan, whole: TimeSpan): TimeSpan {
  const middle = (from + to) / 2;
  const half = Math.max(shortestSpan, to - from) / 2;
  return { from: Math.max(whole.from, middle - half), to: Math.min(whole.to, middle + half) };
}

/** Returns the query that selects the requests of a span. */
function spanQuery(rows: readonly TimelineRow[], span: TimeSpan, time: TimeKind): RequestQuery {
  const found = rows.filter((row) => startOf(row, time) <= span.to && endOf(row, time, span.to) >= span.from);
  return numberQuery(found);
}

/** Returns the query that selects these requests, and those between them. */
function numberQuery(rows: readonly TimelineRow[]): RequestQuery {
  // Nothing has a number below 1.
  const [first, last] = [rows[0]?.number ?? 1, rows.at(-1)?.number ?? 0];
  return { since: String(first - 1), until: String(last) };
}

/** Puts webhooks on the axis: in real time behind the request that caused them, since only their clock is known. */
function placedWebhooks(rows: TimelineRows, time: TimeKind): PlacedWebhook[] {
  if (time === 'virtual') return rows.webhooks.map((mark) => ({ mark, at: mark.at }));
  const byId = new Map(rows.list.map((row) => [row.id, row]));
  return rows.webhooks.flatMap((mark) => {
    const cause = byId.get(mark.exchange ?? '');
    const next = cause && rows.list.find((row) => row.number > cause.number && row.at >= mark.at && mark.at > cause.at);
    if (!cause) return [];
    return [{ mark, at: next?.startedAt ?? cause.startedAt + (cause.ms ?? 0) }];
  });
}
