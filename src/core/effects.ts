/** What was done to the rows of a state, told field by field. */
import type { Change } from './state.ts';

/** A field before and after; the side on which it wasn't there is absent. */
export interface FieldChange {
  readonly from?: unknown;
  readonly to?: unknown;
}

/** What became of one row. */
export interface Effect {
  readonly table: string;
  readonly key: string;
  readonly change: 'created' | 'updated' | 'removed';
  /** By name, with dots leading into objects: `attributes.street`. */
  readonly fields: Readonly<Record<string, FieldChange>>;
}

/** How many effects some changes have. */
export function countEffects(changes: readonly Change[]): number {
  let count = 0;
  for (const spans of spansByRow(changes)) {
    const [only, other] = spans;
    if (!only) continue;
    // Which fields they are costs more than whether there are any.
    const isChanged = other ? effectOf(spans).length > 0 : !isSameRow(only.before, only.after);
    if (isChanged) count++;
  }
  return count;
}

function isSameRow(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (typeof before !== 'object' || typeof after !== 'object' || !before || !after) return isSame(before, after);
  if (Array.isArray(before) || Array.isArray(after)) return isSame(before, after);
  const [left, right] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...left.keys(), ...right.keys()])].every((name) => isSameRow(left.get(name), right.get(name)));
}

/** The effects of some changes, one for each row that isn't as it was before. */
export const effectsOf = (changes: Iterable<Change>): Effect[] => [...spansByRow(changes)].flatMap(effectOf);

/** What became of each row, without what others did to it in between. */
function spansByRow(changes: Iterable<Change>): Iterable<Change[]> {
  const byRow = new Map<string, Change[]>();
  for (const change of changes) {
    const row = `${change.table}/${change.key}`;
    const spans = byRow.get(row) ?? [];
    if (spans.length === 0) byRow.set(row, spans);
    extend(spans, change);
  }
  return byRow.values();
}

/** Joins a change to the one before it, unless somebody else changed the row in between. */
function extend(spans: Change[], change: Change): void {
  const last = spans.at(-1);
  if (last && last.after === change.before) spans[spans.length - 1] = { ...last, after: change.after };
  else spans.push(change);
}

function effectOf(spans: readonly Change[]): Effect[] {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return [];
  const fields = new Map<string, FieldChange>();
  for (const { before, after } of spans) {
    for (const [name, change] of changedFields(before, after)) {
      const earlier = fields.get(name);
      fields.set(name, earlier ? fieldChange(earlier.from, change.to) : change);
    }
  }
  const changed = [...fields].filter(([, { from, to }]) => !isSame(from, to));
  if (changed.length === 0) return [];
  const change = first.before === undefined ? 'created' : last.after === undefined ? 'removed' : 'updated';
  return [{ table: first.table, key: first.key, change, fields: Object.fromEntries(changed) }];
}

function changedFields(before: unknown, after: unknown): Map<string, FieldChange> {
  const [left, right] = [flatten(before), flatten(after)];
  const changed = new Map<string, FieldChange>();
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const change = fieldChange(left.get(name), right.get(name));
    if (!isSame(change.from, change.to)) changed.set(name, change);
  }
  return changed;
}

const fieldChange = (from: unknown, to: unknown): FieldChange => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The fields of a row with those of the objects inside it; a list counts as one value. */
function flatten(row: unknown, path = '', fields = new Map<string, unknown>()): Map<string, unknown> {
  const entries = typeof row === 'object' && row !== null && !Array.isArray(row) ? Object.entries(row) : [];
  if (entries.length === 0 && path !== '') fields.set(path, row);
  for (const [name, value] of entries) flatten(value, path === '' ? name : `${path}.${name}`, fields);
  return fields;
}
