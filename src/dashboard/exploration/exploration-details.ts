/** Shows what was found, what runs, and the points of a cell, with links to the tenants of their runs. */
import { chip, h } from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';
import { shortened } from '../ui/shortened.ts';
import { phaseWords, placeInMap, signOf } from './map-rows.ts';
import type { MapCell } from './map-rows.ts';
import type { ShownExploration, ShownFinding, ShownPoint } from './shown-exploration.ts';

/** Links to views of the tenant of a run. */
const tenantLinks = (tenant: string): Child => [
  'see ',
  ['timeline', 'verdict'].map((view, i) => [
    i > 0 && ' and ',
    h('a', { href: `#${encodeURIComponent(tenant)}/${view}` }, view),
  ]),
  ' of ',
  h('bdi', {}, shortened(tenant)),
];

function runWords({ run, tenant, status }: ShownPoint, isLive: boolean): Child {
  if (tenant !== undefined) return h('p', {}, tenantLinks(tenant));
  if (run === undefined) return undefined;
  const isGone = isLive && status !== 'equivalent';
  return h('p', { class: 'faint' }, `run ${run}${isGone ? '; its tenant is gone' : ''}`);
}

/** Shows a point of the selected cell; `onSelect` goes to another point. */
const pointItem = (point: ShownPoint, isLive: boolean, onSelect: (id: string) => void): HTMLElement => {
  const { id, reason, witness } = point;
  const { status, sign, words } = signOf(point);
  const toWitness = witness !== undefined && h('button', { type: 'button' }, shortened(witness));
  if (toWitness) toWitness.addEventListener('click', () => onSelect(witness ?? ''));
  return h(
    'li',
    {},
    h('p', {}, h('span', { class: `point ${status}` }, `${sign} ${words}`), ' ', h('code', {}, h('bdi', {}, id))),
    reason !== undefined && h('p', {}, h('bdi', {}, reason)),
    toWitness && h('p', {}, 'its witness: ', toWitness),
    runWords(point, isLive),
  );
};

/** Shows all points of a cell. */
export function cellDetails(cell: MapCell, { running }: ShownExploration, onSelect: (id: string) => void): Child {
  const [first] = cell.points;
  if (!first) return undefined;
  const { endpoint, fault } = placeInMap(first.id);
  const isLive = running.length > 0;
  return [
    h('h3', {}, h('bdi', {}, shortened(endpoint)), ` · ${fault}`),
    h('p', { class: 'faint' }, phaseWords(first.phase)),
    h(
      'ul',
      { class: 'points' },
      cell.points.map((point) => pointItem(point, isLive, onSelect)),
    ),
  ];
}

/** Shows a finding; `onSelect` goes to its first point in the map. */
export function findingItem(finding: ShownFinding, onSelect: (id: string) => void): HTMLElement {
  const { name, message, advice, faults, points, isShrunk, tenant } = finding;
  const [point] = points;
  const toMap = point !== undefined && h('button', { type: 'button' }, 'Show in the map');
  if (toMap) toMap.addEventListener('click', () => onSelect(point ?? ''));
  return h(
    'li',
    { class: 'found' },
    h('p', {}, '✗ ', h('bdi', {}, `${shortened(name)}: ${message}`), ' ', !isShrunk && chip('being shrunk', 'pending')),
    h(
      'ul',
      {},
      faults.map((fault) => h('li', {}, h('bdi', {}, fault))),
    ),
    h('p', { class: 'advice' }, `→ ${advice}`),
    h('p', { class: 'actions' }, toMap, tenant !== undefined && h('span', {}, tenantLinks(tenant))),
  );
}

export const runItem = ({ title, tenant }: ShownExploration['running'][number]): HTMLElement =>
  h('li', {}, h('a', { href: `#${encodeURIComponent(tenant)}/timeline` }, shortened(tenant)), ' ', h('bdi', {}, title));
