import * as fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hash32 } from '../../../src/core/lib/random.ts';
import { putRow, removeRow } from '../../../src/core/state/row-changes.ts';
import { RowCollector, PackedRows, PackedTexts, TextCollector } from '../../../src/core/state/packed-rows.ts';
import {
  allRows,
  countRows,
  diffStates,
  emptyState,
  findKey,
  getRow,
  hasRow,
  mergeTablesByScope,
  orderedListOf,
  packTablesFrom,
  withRows,
} from '../../../src/core/state/state.ts';
import type { State } from '../../../src/core/state/state.ts';
import { table } from '../../support/state.ts';
import type { Row } from '../../support/state.ts';

let takeBack = (): void => {};
afterEach(() => takeBack());

/** Loads rows twice: as objects, and packed. */
function loadTwice(rows: readonly Row[]): [plain: State, packed: State] {
  const plain = withRows(emptyState, table, rows);
  takeBack = packTablesFrom(1);
  const packed = withRows(emptyState, table, rows);
  takeBack();
  return [plain, packed];
}

/** All that a state tells, with the order in which it tells it. */
const toldOf = (state: State, ids: readonly string[]): unknown => ({
  rows: [...allRows(state, table)],
  count: countRows(state, table),
  each: ids.map((id) => [getRow(state, table, id), hasRow(state, table, id)]),
  found: ids.flatMap((id) => ['a', 'b', 'c'].map((group) => findKey(state, table, 'byName', `${group}/${id}`))),
  aliases: ids.map((id) => findKey(state, table, 'byAlias', id)),
  lists: ['a', 'b', 'c'].map((of) => {
    const list = orderedListOf(state, table, 'byGroup', of);
    return [[...list], list.sums(), list.page(1, 5, 'descending')];
  }),
});

/** Names of which two have the same hash, and so lie in one place of a map. */
const twins: string[] = [];

beforeAll(() => {
  const seen = new Map<number, string>();
  for (let n = 0; twins.length < 4; n++) {
    const other = seen.get(hash32(`c${n}`));
    if (other !== undefined) twins.push(other, `c${n}`);
    seen.set(hash32(`c${n}`), `c${n}`);
  }
});

const id = fc.integer({ min: 0, max: 40 }).map((n) => (n < 4 ? (twins[n] ?? '') : `row ${n}`));
const row = fc
  .record({
    id,
    group: fc.constantFrom('a', 'b', 'c'),
    order: fc.oneof(fc.integer({ min: -3, max: 9 }), fc.constantFrom(-0, 1.5, 2 ** 53)),
    alias: fc.option(fc.constant('alias'), { nil: undefined }),
  })
  .map(({ alias, ...rest }): Row => (alias === undefined ? rest : { ...rest, alias: `${alias} of ${rest.id}` }));
const rows = fc.uniqueArray(row, { selector: (one) => one.id, maxLength: 40, size: 'max' });
const step = fc.oneof(
  row,
  id,
  fc.constantFrom(...(['keep', 'reset', 'restore'] as const)).map((kind) => ({ kind })),
);

describe('a packed table', () => {
  it('tells and changes what one of objects does, in the same order', () => {
    fc.assert(
      fc.property(rows, fc.array(step, { maxLength: 60, size: 'max' }), (loaded, steps) => {
        const start = loadTwice(loaded);
        const ids = [...new Set([...loaded.map((one) => one.id), ...twins, 'row 7', 'row 30'])];
        let [plain, packed] = start;
        let owners = [{}, {}];
        const kept = [start];
        for (const one of steps) {
          if (typeof one === 'string') {
            plain = removeRow(plain, table, one, owners[0]);
            packed = removeRow(packed, table, one, owners[1]);
          } else if ('kind' in one) {
            if (one.kind === 'keep') kept.push([plain, packed]);
            else if (one.kind === 'restore') [plain, packed] = kept.at(-1) ?? start;
            else {
              plain = mergeTablesByScope(plain, start[0], new Set(['state']));
              packed = mergeTablesByScope(packed, start[1], new Set(['state']));
            }
            owners = [{}, {}];
          } else {
            plain = putRow(plain, table, one, owners[0]);
            packed = putRow(packed, table, one, owners[1]);
          }
          expect(getRow(packed, table, 'row 7')).toEqual(getRow(plain, table, 'row 7'));
        }
        kept.push([plain, packed], [emptyState, emptyState]);
        for (const [before, packedBefore] of kept) {
          expect(toldOf(packedBefore, ids)).toEqual(toldOf(before, ids));
          for (const [after, packedAfter] of kept) {
            expect([...diffStates(packedBefore, packedAfter)]).toEqual([...diffStates(before, after)]);
          }
        }
      }),
    );
  });

  it('gives the same object for a row as long as somebody has it', () => {
    const [, packed] = loadTwice([{ id: 'row 1', group: 'a', order: 1 }]);
    const first = getRow(packed, table, 'row 1');
    expect(getRow(packed, table, 'row 1')).toBe(first);
    expect([...allRows(packed, table)][0]).toBe(first);
  });

  it.each([
    ['a key', { id: 'row 1', group: 'b', order: 2 }, 'rows: two rows share a key'],
    ['a unique value', { id: 'row 2', group: 'b', order: 2, alias: 'x' }, 'rows: two rows share a value of byAlias'],
  ])('refuses two rows that share %s, as one of objects does', (_, second, message) => {
    const both: Row[] = [{ id: 'row 1', group: 'a', order: 1, alias: 'x' }, second];
    expect(() => withRows(emptyState, table, both)).toThrow(message);
    takeBack = packTablesFrom(1);
    expect(() => withRows(emptyState, table, both)).toThrow(message);
  });

  it('is made of a table with so many rows, and of no smaller one', () => {
    takeBack = packTablesFrom(3);
    const loaded = [1, 2, 3].map((n): Row => ({ id: `row ${n}`, group: 'a', order: n }));
    const few = withRows(emptyState, table, loaded.slice(1));
    const many = withRows(emptyState, table, loaded);
    expect(getRow(few, table, 'row 2')).toBe(loaded[1]);
    expect(getRow(many, table, 'row 2')).not.toBe(loaded[1]);
    expect(getRow(many, table, 'row 2')).toEqual(loaded[1]);
  });
});

describe('packed rows', () => {
  it.each([
    { id: 'a', number: -0 },
    { id: 'a', number: Number.POSITIVE_INFINITY },
    { id: 'a', numbers: [1, Number.NaN] },
    { id: 'a', deep: { list: [{ amount: -0 }] } },
    { id: 'a', text: '\ud800 half a pair, and \u2028 a line' },
    { id: 'a', '\udc00': 'a name of half a pair' },
    JSON.parse('{"id":"a","__proto__":{"polluted":true},"constructor":1}'),
    { id: 'a', text: 'å'.repeat(5_000_000) },
    { '10': 'ten', '2': 'two', id: 'a' },
  ])('come back as they were: %#', (odd) => {
    const collector = new RowCollector();
    collector.add({ id: 'before' });
    collector.add(odd);
    const packed = new PackedRows(collector.finish());
    const back = packed.at(1);
    expect(back).toEqual(odd);
    expect(Object.keys(back)).toEqual(Object.keys(odd));
    expect(packed.at(0)).toEqual({ id: 'before' });
  });

  it('keep any texts apart, where one buffer ends and the next begins', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '\ud800', 'x'.repeat(1_300_000), 'ö'.repeat(1_000_000), '€'.repeat(1_398_101)),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
        const collector = new TextCollector();
        for (const one of texts) collector.add(one);
        const packed = new PackedTexts(collector.finish());
        expect(texts.every((one, i) => packed.at(i) === one)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
