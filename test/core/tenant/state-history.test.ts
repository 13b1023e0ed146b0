import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SideEffects } from '../../../src/core/exchange/exchange.ts';
import { emptyState } from '../../../src/core/state/state.ts';
import type { State } from '../../../src/core/state/state.ts';
import { UnitOfWork } from '../../../src/core/state/unit-of-work.ts';
import { StateHistory } from '../../../src/core/tenant/state-history.ts';
import { finish } from '../../../src/core/time/steps.ts';
import { table, told } from '../../support/state.ts';
import type { Row } from '../../support/state.ts';

const id = fc.integer({ min: 0, max: 40 }).map((n) => `row ${n}`);
const row = fc.record({ id, group: fc.constantFrom('a', 'b'), order: fc.integer({ min: 0, max: 9 }) });
const write = fc.oneof(
  { weight: 6, arbitrary: fc.record({ put: row }) },
  { weight: 3, arbitrary: fc.record({ remove: id }) },
  { weight: 2, arbitrary: fc.record({ draw: fc.constantFrom('n', 'm') }) },
);
const transactions = fc.array(fc.array(write, { minLength: 1, maxLength: 6 }), { maxLength: 60, size: 'max' });

type Write = Partial<{ readonly put: Row; readonly remove: string; readonly draw: string }>;

function apply(rows: UnitOfWork, effects: SideEffects, { put, remove = '', draw }: Write): void {
  if (draw !== undefined) return void rows.next(draw);
  const key = put?.id ?? remove;
  const before = rows.get(table, key);
  if (!put && !before) return;
  rows.replace({ table, key, before, after: put });
  effects.recordChange({ table: table.name, key, before, after: put });
}

function commit(rows: UnitOfWork, history: StateHistory, writes: readonly Write[]): void {
  const by = new SideEffects();
  rows.begin();
  for (const one of writes) apply(rows, by, one);
  if (rows.writeCount > 0) history.record({ by, draws: rows.draws, isInJournal: true });
}

const clock = { frozenAt: 0 };
const stateAt = (history: StateHistory, version: number, state: State): unknown => {
  const steps = history.momentAt(version, { state, clock, isHeld: false });
  return steps && told(finish(steps).state);
};

describe('the history of a state', () => {
  it.each([2, 20, 1000])('tells every earlier one, with one kept as a value after %i writes', (between) => {
    fc.assert(
      fc.property(transactions, (done) => {
        const rows = new UnitOfWork(emptyState);
        const history = new StateHistory(10_000, rows, () => {}, between);
        const seen = new Map([[0, told(emptyState)]]);
        for (const writes of done) {
          commit(rows, history, writes);
          seen.set(history.version, told(rows.value));
        }
        for (const [version, then] of seen) expect(stateAt(history, version, rows.value)).toEqual(then);
      }),
      { numRuns: 60 },
    );
  });

  it('tells none from before what it has forgotten', () => {
    const rows = new UnitOfWork(emptyState);
    // Each transaction counts like two writes.
    const history = new StateHistory(60, rows, () => {}, 20);
    for (let n = 0; n < 50; n++) commit(rows, history, [{ put: { id: `row ${n}`, group: 'a', order: n } }]);
    expect(history.oldest).toBe(20);
    expect(stateAt(history, 19, rows.value)).toBeUndefined();
    expect(stateAt(history, 20, rows.value)).toMatchObject({ rows: { length: 20 } });
  });

  it('counts what a value keeps alive as it is replaced, and gives it back with the value', () => {
    const rows = new UnitOfWork(emptyState);
    const added: number[] = [];
    const history = new StateHistory(200, rows, (bytes) => added.push(bytes), 20);
    for (let n = 0; n < 300; n++) commit(rows, history, [{ put: { id: `row ${n % 7}`, group: 'a', order: n } }]);
    expect(Math.max(...added)).toBeLessThan(5000);
    expect(history.bytes).toBeGreaterThan(10_000);
    history.forgetBefore(history.version);
    expect([history.bytes, added.reduce((sum, bytes) => sum + bytes, 0)]).toEqual([0, 0]);
  });
});
