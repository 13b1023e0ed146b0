/** Arranges points as a map: requests and phases down, faults across. */
import { pluralize } from '../ui/elements.ts';
import type { ShownPoint } from './shown-exploration.ts';

/** Describes a status; several points of a cell show the first of this list that one of them has. */
interface Sign {
  readonly status: string;
  /** Tells besides the colour. */
  readonly sign: string;
  readonly words: string;
}

export const signs: readonly Sign[] = [
  { status: 'found', sign: '✗', words: 'broke the client' },
  { status: 'undecided', sign: '?', words: 'not sure' },
  { status: 'running', sign: '▸', words: 'running' },
  { status: 'planned', sign: '○', words: 'planned' },
  { status: 'not-tried', sign: '·', words: 'not tried' },
  { status: 'unreachable', sign: '–', words: 'never met' },
  { status: 'tried', sign: '✓', words: 'passed' },
  { status: 'together', sign: '✓', words: 'passed with other faults' },
  { status: 'kept', sign: '✓', words: 'passed last time' },
  { status: 'equivalent', sign: '=', words: 'as another point' },
];

const otherSign: Sign = { status: 'other', sign: '?', words: 'another status' };

export const signOf = ({ status }: Pick<ShownPoint, 'status'>): Sign =>
  signs.find((one) => one.status === status) ?? otherSign;

const phaseNames: readonly (readonly [phase: string, short: string, words: string])[] = [
  ['before', 'before', 'before the work: nothing was done'],
  ['after', 'after', 'after the work: it was done, and the client does not know'],
  ['response', 'later', 'after the response'],
  ['webhook', 'webhook', 'at the delivery of a webhook'],
];

export const phaseWords = (phase: string): string => phaseNames.find(([name]) => name === phase)?.[2] ?? 'at any time';

/** Matches the end of every id: the endpoint or event, which of its requests, and the fault. */
const place = /([\w.]+)(?:#[\d.]+| for good| \d+ ×)\/([\w-]+)$/;

/** Holds where a point stands in the map. */
interface Place {
  readonly endpoint: string;
  /** Names its request, or several. */
  readonly request: string;
  /** Names the fault without its phase, so that the same fault has one column. */
  readonly fault: string;
}

export function placeInMap(id: string): Place {
  const [, endpoint = id, fault = 'other'] = place.exec(id) ?? [];
  const request = fault === 'other' ? id : id.slice(0, -fault.length - 1);
  return { endpoint, request, fault: fault.replace(/-(?:before|after|work|response)$/, '') };
}

export interface MapCell {
  readonly key: string;
  readonly points: readonly ShownPoint[];
}

interface PhaseRow {
  readonly phase: string;
  readonly label: string;
  /** Holds a cell for each fault, where there is one. */
  readonly cells: readonly (MapCell | undefined)[];
}

export interface MapGroup {
  readonly name: string;
  readonly endpoint: string;
  /** Counts the requests that it sums up. */
  readonly requests: number;
  /** Names what it sums up. */
  readonly what: string;
  readonly rows: readonly PhaseRow[];
}

export interface MapLayout {
  readonly faults: readonly string[];
  readonly groups: readonly MapGroup[];
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

interface PlacedPoint {
  readonly point: ShownPoint;
  readonly place: Place;
}

/** Returns the layout; an endpoint that is open has a group for each of its requests. */
export function layOut(points: readonly ShownPoint[], isOpen: (endpoint: string) => boolean): MapLayout {
  const placed = points.map((point): PlacedPoint => ({ point, place: placeInMap(point.id) }));
  const faults = [...new Set(placed.map((one) => one.place.fault))].toSorted();
  const byEndpoint = groupBy(placed, (one) => one.place.endpoint);
  const groups = [...byEndpoint].flatMap(([endpoint, all]) => {
    const byRequest = groupBy(all, (one) => one.place.request);
    const isEach = [...byRequest.keys()].every((request) => /^[\w.]+#[\d.]+$/.test(request));
    const what = isEach ? 'requests' : 'requests and outages';
    const whole = { endpoint, requests: byRequest.size, what };
    if (!isOpen(endpoint)) return [{ ...whole, name: endpoint, rows: rowsOf(endpoint, all, faults) }];
    const parts = [...byRequest].map(([name, some]) => ({
      endpoint,
      requests: 1,
      what: '',
      name,
      rows: rowsOf(name, some, faults),
    }));
    return [{ ...whole, name: endpoint, rows: [] }, ...parts];
  });
  return { faults, groups };
}

function rowsOf(name: string, placed: readonly PlacedPoint[], faults: readonly string[]): PhaseRow[] {
  const cells = groupBy(placed, ({ point, place: { fault } }) => `${point.phase}/${fault}`);
  const cellAt = (phase: string, fault: string): MapCell | undefined => {
    const found = cells.get(`${phase}/${fault}`);
    return found && { key: `${name}/${phase}/${fault}`, points: found.map(({ point }) => point) };
  };
  const known = [...phaseNames.map(([phase]) => phase), ''];
  return known
    .filter((phase) =>
      placed.some(({ point }) => point.phase === phase || (phase === '' && !known.includes(point.phase))),
    )
    .map((phase) => ({
      phase,
      label: phaseNames.find(([one]) => one === phase)?.[1] ?? 'any',
      cells: faults.map((fault) => cellAt(phase, fault)),
    }));
}

/** Returns the sign that a cell shows. */
export const signOfCell = ({ points }: MapCell): Sign =>
  signs.find(({ status }) => points.some((point) => point.status === status)) ?? otherSign;

/** Counts the points of each status: `2 passed, 1 planned`. */
function countWords(points: readonly ShownPoint[]): string {
  const counts = groupBy(points, (point) => signOf(point).words);
  return [...counts].map(([words, some]) => `${some.length} ${words}`).join(', ');
}

/** Names a cell for whoever does not see where it stands. */
export function cellLabel({ points }: MapCell, name: string): string {
  const [first] = points;
  if (!first) return name;
  const { fault } = placeInMap(first.id);
  return `${name}, ${fault} ${phaseWords(first.phase)}: ${pluralize(points.length, 'point')}, ${countWords(points)}`;
}
