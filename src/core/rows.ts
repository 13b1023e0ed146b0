import { countTo, replaceRow } from './draft.ts';
import type { Replacement } from './draft.ts';
import type { OrderedList } from './ordered-list.ts';
import { countRows, findKey, getRow, listOf, rowsOf } from './state.ts';
import type { AnyTable, Owner, State, Table } from './state.ts';

/** A number drawn, and the one before. */
interface Drawn {
  readonly sequence: string;
  readonly before: number | undefined;
}

/** Reads rows: of a tenant, or of a state on its way to become one's. */
export type Reader = Pick<Rows, 'get' | 'find'>;

/**
 * A tenant's state as it is worked on: read and written row by row, in place as long as nobody looks at it as a value,
 * and what was written taken back row by row, the last first.
 */
export class Rows {
  #state: State;
  #owner: Owner = {};
  /** What was written since the work under way began. */
  #written: (Replacement<never> | Drawn)[] = [];

  constructor(state: State) {
    this.#state = state;
  }

  /** The state as it is now, which stays as it is: whatever is still to change is copied first. */
  get value(): State {
    this.#owner = {};
    return this.#state;
  }

  /** How much was written since the work under way began. */
  get written(): number {
    return this.#written.length;
  }

  take(state: State): void {
    this.#state = state;
  }

  /** From here on it is another piece of work. */
  begin(): void {
    if (this.#written.length > 0) this.#written = [];
  }

  /** Takes back what was written after the first so many. */
  undo(first: number): void {
    while (this.#written.length > first) {
      const step = this.#written.pop();
      if (step) this.#state = 'table' in step ? this.#putBack(step) : this.#countBack(step);
    }
  }

  #putBack({ table, key, before, after }: Replacement<never>): State {
    return replaceRow(this.#state, { table, key, before: after, after: before }, this.#owner);
  }

  #countBack({ sequence, before }: Drawn): State {
    return countTo(this.#state, sequence, before, this.#owner);
  }

  get<Row>(table: Table<Row>, key: string): Row | undefined {
    return getRow(this.#state, table, key);
  }

  find<Row>(table: Table<Row>, index: string, value: string): Row | undefined {
    const key = findKey(this.#state, table, index, value);
    return key === undefined ? undefined : getRow(this.#state, table, key);
  }

  list(table: AnyTable, index: string, of: string): OrderedList {
    return listOf(this.#state, table, index, of);
  }

  listed<Row>(table: Table<Row>, index: string, of: string): Row[] {
    const rows: Row[] = [];
    for (const { key } of this.list(table, index, of)) {
      const row = this.get(table, key);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  all<Row>(table: Table<Row>): Generator<Row> {
    return rowsOf(this.value, table);
  }

  count(table: AnyTable): number {
    return countRows(this.#state, table);
  }

  replace<Row>(replacement: Replacement<Row>): void {
    this.#state = replaceRow(this.#state, replacement, this.#owner);
    // Whose row it is, only its own table asks.
    this.#written.push(replacement as unknown as Replacement<never>);
  }

  next(sequence: string): number {
    const before = this.#state.sequences[sequence];
    const number = (before ?? 0) + 1;
    this.#state = countTo(this.#state, sequence, number, this.#owner);
    this.#written.push({ sequence, before });
    return number;
  }
}
