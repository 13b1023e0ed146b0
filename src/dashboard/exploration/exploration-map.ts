/** Draws what an exploration tried as a map: requests down, faults across, and what became of each point. */
import { h, pluralize } from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';

/** Describes one point of `explore.json`: a fault at a request, and what became of it. */
interface ExploredPoint {
  readonly id: string;
  readonly status: string;
  readonly reason?: string;
}

export interface ExplorationFile {
  readonly verdict: string;
  readonly reason: string;
  readonly points: readonly ExploredPoint[];
}

/** Lists the statuses, the one that a cell shows first in front, each with its sign: colour alone tells nobody. */
const signs: readonly (readonly [status: string, sign: string, words: string])[] = [
  ['found', '✗', 'broke the client'],
  ['undecided', '?', 'not sure'],
  ['not-tried', '·', 'not tried'],
  ['unreachable', '–', 'never met'],
  ['tried', '✓', 'tried'],
  ['together', '✓', 'tried with others'],
  ['kept', '✓', 'tried last time'],
  ['equivalent', '=', 'as another point'],
];

/** Matches the end of every id: the endpoint or event, which of its requests, and the fault. */
const place = /([\w.]+)(?:#[\d.]+| for good| \d+ ×)\/([\w-]+)$/;

const isPoint = (value: unknown): value is ExploredPoint =>
  typeof value === 'object' && value !== null && 'id' in value && 'status' in value && typeof value.id === 'string';

/** Reads the text of a file. Throws an error that says what is wrong with it. */
export function readExploration(text: string, name: string): ExplorationFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${name}: is not JSON (${why})`, { cause: error });
  }
  const points: unknown = typeof json === 'object' && json !== null && 'points' in json ? json.points : undefined;
  if (Array.isArray(points) && points.every(isPoint)) return json as ExplorationFile;
  throw new Error(`${name}: has no points; expected the explore.json that loyalty-sim explore --report json writes`);
}

type Cells = Map<string, Map<string, ExploredPoint[]>>;

/** Groups the points by endpoint and fault. */
function cellsOf(points: readonly ExploredPoint[]): Cells {
  const cells: Cells = new Map();
  for (const point of points) {
    const [, endpoint = point.id, fault = 'other'] = place.exec(point.id) ?? [];
    const row = cells.get(endpoint) ?? new Map<string, ExploredPoint[]>();
    cells.set(endpoint, row.set(fault, [...(row.get(fault) ?? []), point]));
  }
  return cells;
}

function cell(points: readonly ExploredPoint[] | undefined): HTMLElement {
  if (!points) return h('td', { class: 'no-point' });
  const [status, sign, words] = signs.find(([known]) => points.some((one) => one.status === known)) ?? ['', '?', ''];
  const lines = points.map((one) => `${one.id}: ${one.status}${one.reason === undefined ? '' : ` (${one.reason})`}`);
  return h(
    'td',
    { class: `point ${status}`, title: lines.join('\n') },
    h('span', { 'aria-hidden': 'true' }, sign),
    h('span', { class: 'hidden-label' }, words),
  );
}

/** Draws the map, with its legend. */
export function explorationMap({ verdict, reason, points }: ExplorationFile): Child {
  const cells = cellsOf(points);
  const faults = [...new Set([...cells.values()].flatMap((row) => [...row.keys()]))].toSorted();
  const used = signs.filter(([status]) => points.some((one) => one.status === status));
  return [
    h('p', { class: `word ${verdict.toLowerCase()}` }, verdict),
    h('p', {}, reason),
    h(
      'p',
      { class: 'faint' },
      `${pluralize(points.length, 'point')}: ${used.map(([, sign, words]) => `${sign} ${words}`).join(', ')}`,
    ),
    h(
      'div',
      { class: 'table', tabindex: '0' },
      h(
        'table',
        { class: 'exploration' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('td'),
            faults.map((fault) => h('th', { scope: 'col' }, fault)),
          ),
        ),
        h(
          'tbody',
          {},
          [...cells].map(([endpoint, row]) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, endpoint),
              faults.map((fault) => cell(row.get(fault))),
            ),
          ),
        ),
      ),
    ),
  ];
}
