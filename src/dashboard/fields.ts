/** What rows have, as lists of facts and as tables. */
import { folded, inline, json, make, momentOf } from './elements.ts';
import type { Child } from './elements.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** So many columns fit beside each other. */
const most = 7;
const guid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const isSaid = (value: unknown): boolean => value !== null && value !== undefined && value !== '';

const words = (value: unknown): string =>
  typeof value === 'string' && timestamp.test(value) ? momentOf(value) : inline(value);

/** The fields that say something, with those of objects in their place. */
function fieldsOf(value: Fields, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    if (!isSaid(one)) return [];
    if (typeof one === 'object' && !Array.isArray(one)) return fieldsOf(one as Fields, `${prefix}${name}.`);
    return [[prefix + name, one]];
  });
}

const fact = ([name, value]: readonly [string, unknown]): HTMLElement =>
  make('div', {}, make('dt', {}, name), make('dd', {}, words(value)));

export const factList = (value: Fields): Child => make('dl', {}, fieldsOf(value).map(fact));

/** Whether a value is worth a place in a table: long ids are not, and neither is what has parts. */
const isShort = (value: unknown): boolean => isSaid(value) && typeof value !== 'object' && !guid.test(String(value));

const columnsOf = (items: readonly Fields[]): string[] =>
  [...new Set(items.flatMap((item) => Object.keys(item).filter((name) => isShort(item[name]))))].slice(0, most);

const heading = (name: string): HTMLElement => make('th', { scope: 'col' }, name);

function rowOf(item: Fields, columns: readonly string[]): HTMLElement {
  const cells = columns.map((name) => make('td', {}, isShort(item[name]) && words(item[name])));
  return make('tr', {}, cells, make('td', {}, folded('all', make('pre', {}, json(item)))));
}

/** A table of what the items have in short fields; each can be seen whole. */
export function tableOf(items: readonly Fields[]): Child {
  const columns = columnsOf(items);
  const head = make('thead', {}, make('tr', {}, [...columns, ''].map(heading)));
  const rows = items.map((item) => rowOf(item, columns));
  return make('div', { class: 'table' }, make('table', {}, head, make('tbody', {}, rows)));
}
