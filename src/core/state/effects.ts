/** Lists the changes of rows field by field. */
import type { RowChange } from './state.ts';

/** Describes a field before and after; the side on which it wasn't there is absent. */
export interface FieldChange {
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Describes how one row changed. */
export interface Effect {
  readonly table: string;
  readonly key: string;
  readonly change: 'created' | 'updated' | 'deleted';
  /** Names each field, with dots leading into objects: `attributes.street`. */
  readonly fields: Readonly<Record<string, FieldChange>>;
}

/** Counts the effects of changes without listing their fields. */
export function countEffects(changes: readonly RowChange[]): number {
  const [first, second] = changes;
  // Most requests change one row, or none.
  if (!first) return 0;
  if (!second) return isSameRow(first.before, first.after) ? 0 : 1;
  let count = 0;
  if (areOfDifferentRows(changes)) {
    for (const { before, after } of changes) if (!isSameRow(before, after)) count++;
    return count;
  }
  for (const spans of changesByRow(changes)) {
    const [only, other] = spans;
    // Which fields they are costs more than whether there are any.
    if (only && (other ? effectOf(spans) : !isSameRow(only.before, only.after))) count++;
  }
  return count;
}

/** Returns the effects of some changes, one for each row that isn't as it was before. */
export function effectsOf(changes: Iterable<RowChange>): Effect[] {
  const effects: Effect[] = [];
  for (const spans of changesByRow(changes)) {
    const effect = effectOf(spans);
    if (effect) effects.push(effect);
  }
  return effects;
}

/** True when few changes are of as many rows; they need not be grouped. */
function areOfDifferentRows(changes: readonly RowChange[]): boolean {
  if (changes.length > fewChanges) return false;
  for (const change of changes)
    for (const before of changes) {
      if (before === change) break;
      if (before.key === change.key && before.table === change.table) return false;
    }
  return true;
}

/** Groups changes by row, leaving out what others did to it in between. */
function changesByRow(changes: Iterable<RowChange>): Iterable<RowChange[]> {
  return Array.isArray(changes) && changes.length <= fewChanges ? groupFew(changes) : groupMany(changes);
}

/** So few changes are compared with each other faster than they are found by a text. */
const fewChanges = 24;

function groupFew(changes: readonly RowChange[]): RowChange[][] {
  const groups: RowChange[][] = [];
  for (const change of changes) {
    const spans = groups.find(([first]) => first?.key === change.key && first.table === change.table);
    if (spans) appendChange(spans, change);
    else groups.push([change]);
  }
  return groups;
}

function groupMany(changes: Iterable<RowChange>): Iterable<RowChange[]> {
  const byRow = new Map<string, RowChange[]>();
  for (const change of changes) {
    const row = `${change.table}/${change.key}`;
    const spans = byRow.get(row);
    if (spans) appendChange(spans, change);
    else byRow.set(row, [change]);
  }
  return byRow.values();
}

/** Joins a change to the one before it, unless somebody else changed the row in between. */
function appendChange(spans: RowChange[], change: RowChange): void {
  const last = spans.at(-1);
  if (last && last.after === change.before) spans[spans.length - 1] = { ...last, after: change.after };
  else spans.push(change);
}

function effectOf(spans: readonly RowChange[]): Effect | undefined {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return undefined;
  const fields: Record<string, FieldChange> = {};
  if (first === last) collectFieldChanges(fields, '', first.before, first.after);
  else mergeFieldChanges(fields, spans);
  if (isEmpty(fields)) return undefined;
  const change = first.before === undefined ? 'created' : last.after === undefined ? 'deleted' : 'updated';
  return { table: first.table, key: first.key, change, fields };
}

/** Merges the changes of one row: a field that is again as it was before the first has not changed. */
function mergeFieldChanges(fields: Record<string, FieldChange>, spans: readonly RowChange[]): void {
  for (const { before, after } of spans) {
    const changed: Record<string, FieldChange> = {};
    collectFieldChanges(changed, '', before, after);
    for (const [name, { from, to }] of Object.entries(changed)) {
      fields[name] = fieldChange(Object.hasOwn(fields, name) ? fields[name]?.from : from, to);
    }
  }
  for (const [name, { from, to }] of Object.entries(fields)) if (isSameValue(from, to)) delete fields[name];
}

/** Notes each field that changed, with those of the objects inside it; a list counts as one value. */
function collectFieldChanges(fields: Record<string, FieldChange>, path: string, before: unknown, after: unknown): void {
  const [left, right] = [fieldsOf(before), fieldsOf(after)];
  if (!left && !right) {
    if (!isSameValue(before, after)) fields[path] = fieldChange(before, after);
    return;
  }
  if (!left && before !== undefined) fields[path] = { from: before };
  if (!right && after !== undefined) fields[path] = { to: after };
  const start = path === '' ? '' : `${path}.`;
  for (const name in left) collectFieldChanges(fields, start + name, left[name], fieldOf(right, name));
  for (const name in right) {
    if (!left || !Object.hasOwn(left, name)) collectFieldChanges(fields, start + name, undefined, right[name]);
  }
}

type FieldRecord = Readonly<Record<string, unknown>>;

/** Returns the fields of an object that has any. */
const fieldsOf = (value: unknown): FieldRecord | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isEmpty(value)
    ? (value as FieldRecord)
    : undefined;

const fieldOf = (inside: FieldRecord | undefined, name: string): unknown =>
  inside && Object.hasOwn(inside, name) ? inside[name] : undefined;

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

function isSameRow(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  const [left, right] = [fieldsOf(before), fieldsOf(after)];
  if (!left || !right) return isSameValue(before, after);
  for (const name in left) if (!isSameRow(left[name], fieldOf(right, name))) return false;
  for (const name in right) if (!Object.hasOwn(left, name) && right[name] !== undefined) return false;
  return true;
}

/** Returns a change as it is shown: a side that isn't there is left out. */
export const fieldChange = (from: unknown, to: unknown): FieldChange =>
  from === undefined ? { to } : to === undefined ? { from } : { from, to };

const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
