import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { putRow, removeRow } from '../../../src/core/state/row-changes.ts';
import { OrderedList } from '../../../src/core/state/ordered-list.ts';
import { emptyState, allRows, orderedEntry, orderedListOf } from '../../../src/core/state/state.ts';
import type { EditToken, IndexEntry, State, Table } from '../../../src/core/state/state.ts';
import { countUp, table, told } from '../../support/state.ts';
import type { Row } from '../../support/state.ts';

const id = fc.integer({ min: 0, max: 30 }).map((n) => `row ${n}`);
const row = fc.record({ id, group: fc.constantFrom('a', 'b', 'c'), order: fc.integer({ min: 0, max: 9 }) });
const writing = [
  fc.record({ kind: fc.constant('put'), row }),
  fc.record({ kind: fc.constant('remove'), id }),
  fc.record({ kind: fc.constant('count') }),
] as const;
const savepoint = fc.record({ kind: fc.constantFrom('begin', 'undo', 'keep') });
const steps = fc.array(fc.oneof(...writing, ...writing, savepoint), { maxLength: 150, size: 'max' });

type Step = { readonly kind: string; readonly row?: Row; readonly id?: string };

function write(state: State, { kind, row: put, id: gone = '' }: Step, owner?: EditToken): State {
  if (kind === 'count') return countUp(state, 'n', owner);
  return put ? putRow(state, table, put, owner) : removeRow(state, table, gone, owner);
}

describe('a changed row', () => {
  it('changes in place what nobody else has seen, as it would change copies', () => {
    fc.assert(
      fc.property(steps, (taken: readonly Step[]) => {
        let [state, model, owner] = [emptyState, emptyState, {}];
        const savepoints: { readonly state: State; readonly model: State }[] = [];
        const kept: { readonly state: State; readonly model: State }[] = [{ state, model }];
        for (const step of taken) {
          if (step.kind === 'undo') ({ state, model } = savepoints.pop() ?? { state, model });
          else if (step.kind === 'begin' || step.kind === 'keep') {
            (step.kind === 'begin' ? savepoints : kept).push({ state, model });
            owner = {};
          } else [state, model] = [write(state, step, owner), write(model, step)];
          expect(told(state)).toEqual(told(model));
        }
        for (const then of [...kept, ...savepoints]) expect(told(then.state)).toEqual(told(then.model));
      }),
    );
  });

  it('gives the very state back to its owner, and a copy to anybody else', () => {
    const owner = {};
    const own = putRow(emptyState, table, { id: 'row 1', group: 'a', order: 1 }, owner);
    expect(countUp(own, 'n', owner)).toBe(own);
    expect(putRow(own, table, { id: 'row 2', group: 'a', order: 2 }, owner)).toBe(own);
    expect(countUp(own, 'n')).not.toBe(own);
    expect([own.sequences, [...allRows(own, table)].length]).toEqual([{ n: 1 }, 2]);
  });

  it('stands in each list of its table at the place that it has there, alike or not', () => {
    interface Placed {
      readonly id: string;
      readonly first: IndexEntry;
      readonly second: IndexEntry;
      readonly third: IndexEntry;
    }
    const order = fc.integer({ min: 0, max: 2 });
    const bare = fc.record({ of: fc.constantFrom('a', 'b'), order, tie: order });
    // All entries of a list have equally many amounts.
    const counted = fc.record({ of: fc.constantFrom('a', 'b'), order, tie: order, amounts: fc.tuple(order) });
    const placed = fc.record({ id, first: bare, second: bare, third: counted });
    const listed: Table<Placed> = {
      name: 'placed',
      scope: 'state',
      key: ({ id: key }) => key,
      lists: { first: ({ first }) => first, second: ({ second }) => second, third: ({ third }) => third },
    };
    fc.assert(
      fc.property(fc.array(placed, { maxLength: 60, size: 'max' }), (drawn: readonly Placed[]) => {
        const owner = {};
        const state = drawn.reduce((before, one) => putRow(before, listed, one, owner), emptyState);
        const rows = [...new Map(drawn.map((one) => [one.id, one])).values()];
        for (const name of ['first', 'second', 'third'] as const) {
          for (const of of ['a', 'b']) {
            const inside = rows.filter((one) => one[name].of === of);
            const expected = OrderedList.from(inside.map((one) => orderedEntry(one.id, one[name])));
            const list = orderedListOf(state, listed, name, of);
            expect([[...list], list.sums()]).toEqual([[...expected], expected.sums()]);
          }
        }
      }),
    );
  });
});
