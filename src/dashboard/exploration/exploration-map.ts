/** Draws the map of an exploration, and changes in it only what has changed. */
import { h, replaceContent } from '../ui/elements.ts';
import { shortened } from '../ui/shortened.ts';
import { cellLabel, layOut, phaseWords, signOfCell } from './map-rows.ts';
import type { MapCell, MapGroup, MapLayout } from './map-rows.ts';
import type { ShownPoint } from './shown-exploration.ts';

interface DrawnCell {
  readonly element: HTMLButtonElement;
  cell: MapCell;
  label: string;
}

/** Moves by so many rows and columns. */
const moves: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

export interface ExplorationMap {
  readonly element: HTMLElement;
  readonly show: (points: readonly ShownPoint[]) => void;
  /** Returns the points of the selected cell. */
  readonly selected: () => MapCell | undefined;
  /** Selects the cell of a point, and moves the focus to it. */
  readonly select: (point: string) => void;
}

/** Creates an empty map; `onSelect` hears of a cell that was selected. */
export function explorationMap(onSelect: () => void): ExplorationMap {
  const table = h('table', { class: 'exploration' });
  const element = h('div', { class: 'table' }, table);
  const open = new Set<string>();
  let points: readonly ShownPoint[] = [];
  let cells = new Map<string, DrawnCell>();
  let drawn = '';
  let selectedKey: string | undefined;

  function drawCell(cell: MapCell | undefined, group: MapGroup): HTMLElement {
    if (!cell) return h('td', { class: 'no-point' });
    const button = h('button', { type: 'button', 'data-key': cell.key, tabindex: '-1' });
    button.addEventListener('click', () => selectKey(cell.key));
    const one: DrawnCell = { element: button, cell, label: '' };
    cells.set(cell.key, one);
    update(one, cell, group);
    return h('td', {}, button);
  }

  function update(one: DrawnCell, cell: MapCell, { name }: MapGroup): void {
    one.cell = cell;
    const { status, sign } = signOfCell(cell);
    const label = cellLabel(cell, shortened(name));
    if (one.label === label) return;
    one.label = label;
    one.element.textContent = sign;
    one.element.className = `point ${status}`;
    one.element.setAttribute('aria-label', label);
    one.element.title = label;
  }

  function updateGroup(group: MapGroup): void {
    for (const cell of group.rows.flatMap((row) => row.cells)) {
      const one = cell && cells.get(cell.key);
      if (one) update(one, cell, group);
    }
  }

  function drawGroup(group: MapGroup, columns: number): HTMLElement {
    const { name, endpoint, requests, what, rows } = group;
    const isOpen = open.has(endpoint);
    const toggle =
      requests > 1 &&
      h('button', { type: 'button', class: 'toggle', 'aria-expanded': String(isOpen) }, `${requests} ${what}`);
    if (toggle)
      toggle.addEventListener('click', () => {
        if (!open.delete(endpoint)) open.add(endpoint);
        show(points);
        focusToggle(endpoint);
      });
    const head = h(
      'th',
      { colspan: String(columns + 1), scope: 'rowgroup', 'data-endpoint': endpoint },
      h('bdi', { title: name }, shortened(name)),
      ' ',
      toggle,
    );
    return h(
      'tbody',
      { class: name === endpoint ? '' : 'of-request' },
      h('tr', {}, head),
      rows.map(({ phase, label, cells: some }) =>
        h(
          'tr',
          { 'data-phase': phase },
          h('th', { scope: 'row', title: phaseWords(phase) }, label),
          some.map((cell) => drawCell(cell, group)),
        ),
      ),
    );
  }

  function focusToggle(endpoint: string): void {
    const head = [...table.querySelectorAll('th')].find((one) => one.dataset['endpoint'] === endpoint);
    head?.querySelector('button')?.focus();
  }

  function draw({ faults, groups }: MapLayout): void {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['key'] : undefined;
    cells = new Map();
    replaceContent(
      table,
      h('caption', { class: 'hidden-label' }, 'Requests and phases down, faults across'),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('td'),
          faults.map((fault) => h('th', { scope: 'col' }, h('span', {}, fault))),
        ),
      ),
      groups.map((group) => drawGroup(group, faults.length)),
    );
    if (focused !== undefined) cells.get(focused)?.element.focus();
  }

  function show(now: readonly ShownPoint[]): void {
    points = now;
    const layout = layOut(points, (endpoint) => open.has(endpoint));
    const shape = JSON.stringify([
      layout.faults,
      layout.groups.map(({ name, requests, rows }) => [
        name,
        requests,
        rows.map((row) => row.cells.map((cell) => cell?.key)),
      ]),
    ]);
    if (shape === drawn) layout.groups.forEach(updateGroup);
    else draw(layout);
    drawn = shape;
    mark();
  }

  /** Marks the selected cell; one cell of all can be reached by Tab, the others by the arrows. */
  function mark(): void {
    const current = cells.get(selectedKey ?? '') ?? cells.values().next().value;
    for (const { element: button } of cells.values()) {
      button.tabIndex = button === current?.element ? 0 : -1;
      if (button.dataset['key'] === selectedKey) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
  }

  function selectKey(key: string): void {
    selectedKey = key;
    mark();
    onSelect();
  }

  table.addEventListener('keydown', (event) => {
    const [rows, columns] = moves[event.key] ?? [0, 0];
    const from = event.target instanceof HTMLElement ? event.target.closest('td') : null;
    if (!from || (rows === 0 && columns === 0)) return;
    event.preventDefault();
    const next = neighbour(table, from, rows, columns);
    if (!next) return;
    next.tabIndex = 0;
    next.focus();
  });

  return {
    element,
    show,
    selected: () => cells.get(selectedKey ?? '')?.cell,
    select: (id) => {
      const found = [...cells.values()].find(({ cell }) => cell.points.some((point) => point.id === id));
      if (!found) return;
      selectKey(found.cell.key);
      found.element.focus();
    },
  };
}

/** Returns the next cell in a direction that has points. */
function neighbour(
  table: HTMLTableElement,
  from: HTMLTableCellElement,
  rows: number,
  columns: number,
): HTMLButtonElement | undefined {
  const lines = [...table.querySelectorAll<HTMLTableRowElement>('tbody tr[data-phase]')];
  const row = from.parentElement instanceof HTMLTableRowElement ? lines.indexOf(from.parentElement) : -1;
  for (let [r, c] = [row + rows, from.cellIndex + columns]; ; r += rows, c += columns) {
    const cell = lines[r]?.cells[c];
    if (!cell) return undefined;
    const button = cell.querySelector('button');
    if (button) return button;
  }
}
