/** Shows the fields of rows as lists and as tables. */
import { collapsible, formatInline, json, h } from './elements.ts';
import { exactMoment, moment } from './moments.ts';
import type { Child } from './elements.ts';

export type RowFields = Readonly<Record<string, unknown>>;

/** Limits the columns to what fits. */
const most = 7;
const guidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const isSaid = (value: unknown): boolean => value !== null && value !== undefined && value !== '';

const shown = (value: unknown): Child =>
  typeof value === 'string' && timestamp.test(value) ? exactMoment(value) : formatInline(value);

/** Shows a value, and says a timestamp in words besides. */
const shownInFull = (value: unknown): Child =>
  typeof value === 'string' && timestamp.test(value)
    ? [exactMoment(value), ' ', h('span', { class: 'faint' }, '(', moment(value), ')')]
    : formatInline(value);

/** Returns the fields that have a value, with the fields of objects in their place. */
function fieldsOf(value: RowFields, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    if (!isSaid(one)) return [];
    if (typeof one === 'object' && !Array.isArray(one)) return fieldsOf(one as RowFields, `${prefix}${name}.`);
    return [[prefix + name, one]];
  });
}

const fact = ([name, value]: readonly [string, unknown]): HTMLElement =>
  h('div', {}, h('dt', {}, name), h('dd', {}, shownInFull(value)));

export const fieldList = (value: RowFields): Child => h('dl', {}, fieldsOf(value).map(fact));

/** True for values that fit a table: no ids, no objects and no lists. */
const isShort = (value: unknown): boolean =>
  isSaid(value) && typeof value !== 'object' && !guidPattern.test(String(value));

const columnsOf = (items: readonly RowFields[]): string[] =>
  [...new Set(items.flatMap((item) => Object.keys(item).filter((name) => isShort(item[name]))))].slice(0, most);

const heading = (name: string): HTMLElement => h('th', { scope: 'col' }, name);

function rowOf(item: RowFields, columns: readonly string[]): HTMLElement {
  const cells = columns.map((name) => h('td', {}, isShort(item[name]) && shown(item[name])));
  return h('tr', {}, cells, h('td', {}, collapsible('all', h('pre', {}, json(item)))));
}

/** Shows the short fields of items as a table; each item can be unfolded. */
export function rowTable(items: readonly RowFields[]): Child {
  const columns = columnsOf(items);
  const head = h(
    'thead',
    {},
    h('tr', {}, columns.map(heading), h('th', { scope: 'col' }, h('span', { class: 'hidden-label' }, 'In full'))),
  );
  const rows = items.map((item) => rowOf(item, columns));
  return h('div', { class: 'table' }, h('table', {}, head, h('tbody', {}, rows)));
}
