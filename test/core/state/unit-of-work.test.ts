import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { putRow, removeRow } from '../../../src/core/state/row-changes.ts';
import type { OrderedList } from '../../../src/core/state/ordered-list.ts';
import { UnitOfWork } from '../../../src/core/state/unit-of-work.ts';
import { emptyState, orderedListOf } from '../../../src/core/state/state.ts';
import type { State } from '../../../src/core/state/state.ts';
import { countUp, table, told } from '../../support/state.ts';
import type { Row } from '../../support/state.ts';

const id = fc.integer({ min: 0, max: 120 }).map((n) => `row ${n}`);
const row = fc.record({ id, group: fc.constantFrom('a', 'b', 'c'), order: fc.integer({ min: 0, max: 9 }) });
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ put: row }) },
    { weight: 3, arbitrary: fc.record({ remove: id }) },
    { weight: 1, arbitrary: fc.constant({ count: true }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom({ mark: true }, { undo: true }, { begin: true }, { look: true }, { list: true }),
    },
  ),
  { maxLength: 150, size: 'max' },
);

type Step = Partial<Record<'count' | 'mark' | 'undo' | 'begin' | 'look' | 'list', true>> & {
  readonly put?: Row;
  readonly remove?: string;
};

/** A step on rows and on a state that is copied at each. */
function write(rows: UnitOfWork, model: State, { put, remove, count }: Step): State {
  const key = put?.id ?? remove ?? '';
  const before = rows.get(table, key);
  if (put || before) rows.replace({ table, key, before, after: put });
  if (count) rows.next('n');
  if (put) return putRow(model, table, put);
  return count ? countUp(model, 'n') : removeRow(model, table, key);
}

describe('a unit of work', () => {
  it('writes in place, takes back what was written, and leaves alone what somebody has looked at', () => {
    fc.assert(
      fc.property(steps, (taken: readonly Step[]) => {
        const rows = new UnitOfWork(emptyState);
        let model = emptyState;
        let marks: { readonly written: number; readonly model: State }[] = [];
        const seen: { readonly state: State; readonly model: State }[] = [];
        const lists: (readonly [OrderedList, OrderedList])[] = [];
        for (const step of taken) {
          if (step.begin) {
            rows.begin();
            marks = [];
          } else if (step.mark) marks.push({ written: rows.writeCount, model });
          else if (step.undo) {
            const mark = marks.pop();
            if (mark) rows.rollBackTo(mark.written);
            model = mark?.model ?? model;
          } else if (step.look) seen.push({ state: rows.value, model });
          else if (step.list)
            lists.push([rows.list(table, 'byGroup', 'a'), orderedListOf(model, table, 'byGroup', 'a')]);
          else model = write(rows, model, step);
          expect(rows.peek(table, 'byGroup', 'b').sums()).toEqual(orderedListOf(model, table, 'byGroup', 'b').sums());
        }
        seen.push({ state: rows.value, model });
        for (const then of seen) expect(told(then.state)).toEqual(told(then.model));
        for (const [list, expected] of lists) expect([...list]).toEqual([...expected]);
      }),
      { numRuns: 1000 },
    );
  });

  it('changes nothing when another row holds a unique value', () => {
    const rows = new UnitOfWork(emptyState);
    const [first, other] = [
      { id: 'row 1', group: 'a', order: 1, alias: 'x' },
      { id: 'row 2', group: 'a', order: 2, alias: 'x' },
    ];
    rows.replace({ table, key: first.id, before: undefined, after: first });
    const before = told(rows.value);
    expect(() => rows.replace({ table, key: other.id, before: undefined, after: other })).toThrow('row 1');
    expect([told(rows.value), rows.writeCount]).toEqual([before, 1]);
  });
});
