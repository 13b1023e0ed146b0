/** Sorts requests into the lanes of the timeline. */
import type { ShownOperation } from '../../api/api-types.ts';
import { endOf, startOf } from './time-axis.ts';
import type { TimeSpan, TimeKind } from './time-axis.ts';
import type { TimelineRow } from './timeline-rows.ts';

/** Says what has a lane of its own. */
export type LaneKind = 'operation' | 'endpoint' | 'client';

export interface Lane {
  readonly label: string;
  /** Holds the requests by their begin. */
  readonly rows: readonly TimelineRow[];
  /** Holds the operation whose attempts these are, if the verdict has named one. */
  readonly operation: ShownOperation | undefined;
}

/** With more operations in sight, those of one attempt share a lane with others of their endpoint. */
const mostSingleLanes = 40;

interface LaneOptions {
  readonly kind: LaneKind;
  readonly time: TimeKind;
  readonly span: TimeSpan;
  /** Holds the operations of several attempts or with findings. */
  readonly operations: readonly ShownOperation[];
}

/** Returns the lanes of the requests in a span, in the order in which they begin. */
export function lanesOf(rows: readonly TimelineRow[], { kind, time, span, operations }: LaneOptions): Lane[] {
  const inSpan = rows.filter((row) => startOf(row, time) <= span.to && endOf(row, time, span.to) >= span.from);
  if (kind !== 'operation') return grouped(inSpan, (row) => (kind === 'client' ? row.client : row.endpoint));
  const byRequest = new Map(operations.flatMap((one) => one.attempts.map(({ request }) => [request, one] as const)));
  const own = new Set(inSpan.map((row) => byRequest.get(row.id) ?? row.id));
  const isShared = own.size > mostSingleLanes;
  const lanes = new Map<unknown, { label: string; rows: TimelineRow[]; operation: ShownOperation | undefined }>();
  for (const row of inSpan) {
    const operation = byRequest.get(row.id);
    const key = operation ?? (isShared ? row.endpoint : row.id);
    const lane = lanes.get(key);
    if (lane) lane.rows.push(row);
    else
      lanes.set(key, {
        label: operation ? operationLabel(operation) : `${row.endpoint}${isShared ? '' : ` #${row.number}`}`,
        rows: [row],
        operation,
      });
  }
  const all = [...lanes.values()];
  // What is shared begins early and says little.
  return isShared ? all.toSorted((a, b) => Number(a.operation === undefined) - Number(b.operation === undefined)) : all;
}

function grouped(rows: readonly TimelineRow[], nameOf: (row: TimelineRow) => string): Lane[] {
  const lanes = new Map<string, TimelineRow[]>();
  for (const row of rows) {
    const lane = lanes.get(nameOf(row));
    if (lane) lane.push(row);
    else lanes.set(nameOf(row), [row]);
  }
  return [...lanes].map(([label, own]) => ({ label, rows: own, operation: undefined }));
}

const operationLabel = ({ endpoint, requestLine, key }: ShownOperation): string =>
  [endpoint ?? requestLine, key.value].filter(Boolean).join(' ');

/** Marks a change of the clock other than its own running. */
export interface ClockMark {
  /** Holds the first request after it. */
  readonly row: TimelineRow;
  /** Says by how many ms the clock was moved. */
  readonly by: number;
}

/** A running clock and a busy machine differ by less, in ms. */
const clockNoise = 1000;

/** Finds where the clock was moved between two requests. */
export function clockMarks(rows: readonly TimelineRow[]): ClockMark[] {
  const marks: ClockMark[] = [];
  for (let i = 1; i < rows.length; i++) {
    const [before, row] = [rows[i - 1], rows[i]];
    if (!before || !row || row.at === before.at) continue;
    const by = row.at - before.at - (row.startedAt - before.startedAt);
    if (Math.abs(by) >= clockNoise) marks.push({ row, by });
  }
  return marks;
}
