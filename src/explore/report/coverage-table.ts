/** Counts what has become of the points, by what they are about: never as one number. */
import type { PointFate, PointStatus } from '../coverage.ts';
import { killLevel } from '../experiment.ts';
import { incidentOf } from '../probes.ts';

/** Lists the statuses in the order of columns, with the words for them. */
export const statusWords: Readonly<Record<PointStatus, string>> = {
  found: 'found',
  tried: 'tried',
  together: 'tried with others',
  kept: 'tried last time',
  equivalent: 'equivalent',
  undecided: 'undecided',
  unreachable: 'never met',
  'not-tried': 'not tried',
};

/** Lists the statuses in the order of columns. They are the object's own keys, which TypeScript widens. */
export const statuses = Object.keys(statusWords) as PointStatus[];

/** Counts the points of one fault, phase, level or endpoint. */
export interface CoverageRow {
  readonly name: string;
  readonly counts: Readonly<Record<PointStatus, number>>;
}

export interface CoverageGroup {
  readonly by: 'fault' | 'phase' | 'level' | 'endpoint';
  readonly rows: readonly CoverageRow[];
}

/** Matches the end of every id: the endpoint or event, which of its requests, and the fault. */
const place = /([\w.]+)(?:#[\d.]+| for good| \d+ ×)\/([\w-]+)$/;

/** Lists when a fault hits: before the work of a request, between the work and the end of its response, after that, or a webhook. */
export const pointPhases = ['before', 'after', 'response', 'webhook'] as const;

export type Phase = (typeof pointPhases)[number];

const killPhases: Readonly<Record<string, Phase>> = {
  'killed-before': 'before',
  'killed-work': 'after',
  'killed-response': 'response',
};

/** Returns when the fault of a point hits. */
export function phaseOf({ id }: Pick<PointFate, 'id'>): Phase {
  const { probe } = placeOf(id);
  return killPhases[probe] ?? incidentOf(probe).phase;
}

/** Returns the endpoint and the fault that a point is about; of several, the last. */
export function placeOf(id: string): { readonly endpoint: string; readonly probe: string } {
  const [, endpoint = '', probe = ''] = place.exec(id) ?? [];
  return { endpoint, probe };
}

const levels = ['single faults', 'lasting faults', 'outages', 'second faults', 'webhooks', 'kills'];

const groups: Readonly<Record<CoverageGroup['by'], (point: PointFate) => string>> = {
  fault: ({ id }) => placeOf(id).probe,
  phase: ({ id, level }) => (level === killLevel ? 'kill' : incidentOf(placeOf(id).probe).phase),
  level: ({ level }) => `${level} ${levels[level - 1] ?? ''}`.trimEnd(),
  endpoint: ({ id }) => placeOf(id).endpoint,
};

export const coverageGroups = (points: readonly PointFate[]): CoverageGroup[] =>
  // The object's own keys.
  (Object.keys(groups) as CoverageGroup['by'][]).map((by) => ({ by, rows: rowsOf(points, groups[by]) }));

function rowsOf(points: readonly PointFate[], nameOf: (point: PointFate) => string): CoverageRow[] {
  const rows = new Map<string, Record<PointStatus, number>>();
  for (const point of points) {
    const name = nameOf(point);
    const counts = rows.get(name) ?? noneOfEach();
    counts[point.status]++;
    rows.set(name, counts);
  }
  return [...rows].map(([name, counts]) => ({ name, counts }));
}

function noneOfEach(): Record<PointStatus, number> {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0]));
  // Every status is a key.
  return counts as Record<PointStatus, number>;
}

/** Returns the table as cells: a head, and for each group a line with its name before its rows. */
export function coverageCells(points: readonly PointFate[]): string[][] {
  const used = statuses.filter((status) => points.some((point) => point.status === status));
  return [
    ['', ...used.map((status) => statusWords[status])],
    ...coverageGroups(points).flatMap(({ by, rows }) => [
      [`by ${by}`, ...used.map(() => '')],
      ...rows.map(({ name, counts }) => [`  ${name}`, ...used.map((status) => String(counts[status] || ''))]),
    ]),
  ];
}

/** Returns each reason of the points with this status, with their number and the first of them. */
export function reasonsFor(
  points: readonly PointFate[],
  status: PointStatus,
): { readonly reason: string; readonly ids: readonly string[] }[] {
  const byReason = new Map<string, string[]>();
  for (const { id, reason = '' } of points.filter((point) => point.status === status))
    byReason.set(reason, [...(byReason.get(reason) ?? []), id]);
  return [...byReason].map(([reason, ids]) => ({ reason, ids }));
}
