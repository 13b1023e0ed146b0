import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countEffects, effectsOf } from '../../../src/core/state/effects.ts';
import type { RowChange } from '../../../src/core/state/state.ts';

const table = 'things';

describe('the effects of an exchange', () => {
  it('tells what became of each row, field by field, into objects', () => {
    const first = { name: 'a', size: { wide: 1, high: 2 }, tags: ['x'] };
    const changed = { name: 'a', size: { wide: 1, high: 3 }, tags: ['x', 'y'] };
    expect(
      effectsOf([
        { table, key: '1', before: first, after: changed },
        { table, key: '2', after: { name: 'b', note: null } },
        { table, key: '3', before: { name: 'c' } },
      ]),
    ).toEqual([
      {
        table,
        key: '1',
        change: 'updated',
        fields: { 'size.high': { from: 2, to: 3 }, tags: { from: ['x'], to: ['x', 'y'] } },
      },
      { table, key: '2', change: 'created', fields: { name: { to: 'b' }, note: { to: null } } },
      { table, key: '3', change: 'deleted', fields: { name: { from: 'c' } } },
    ]);
  });

  it('joins several changes of a row, and drops a row that ends as it began', () => {
    const [one, two, three] = [{ n: 1 }, { n: 2 }, { n: 3 }];
    expect(
      effectsOf([
        { table, key: '1', before: one, after: two },
        { table, key: '2', after: one },
        { table, key: '1', before: two, after: three },
        { table, key: '2', before: one },
      ]),
    ).toEqual([{ table, key: '1', change: 'updated', fields: { n: { from: 1, to: 3 } } }]);
  });

  it('leaves out what others did to the row in between', () => {
    expect(
      effectsOf([
        { table, key: '1', before: { mine: 1, theirs: 1 }, after: { mine: 2, theirs: 1 } },
        { table, key: '1', before: { mine: 2, theirs: 5 }, after: { mine: 3, theirs: 5 } },
      ]),
    ).toEqual([{ table, key: '1', change: 'updated', fields: { mine: { from: 1, to: 3 } } }]);
  });
});

describe('the number of effects', () => {
  const row = fc.option(fc.record({ name: fc.constantFrom('Ada', 'Bo'), points: fc.integer({ max: 1 }) }), {
    nil: undefined,
  });
  const change: fc.Arbitrary<RowChange> = fc.record({
    table: fc.constantFrom('contacts', 'receipts'),
    key: fc.constantFrom('1', '2', '3', '4', '5'),
    before: row,
    after: row,
  });

  it.each([4, 40])('is that of their list, among %i changes at the most', (maxLength) => {
    fc.assert(
      fc.property(fc.array(change, { maxLength, size: 'max' }), (changes) => {
        expect(countEffects(changes)).toBe(effectsOf(changes).length);
      }),
    );
  });
});
