import { countUp, replaceRow } from './draft.ts';
import type { Replacement } from './draft.ts';
import type { OrderedList } from './ordered-list.ts';
import { countRows, findKey, getRow, listOf, rowsOf } from './state.ts';
import type { AnyTable, Owner, State, Table } from './state.ts';

/** A tenant's state as it is worked on: read and written row by row, and a value again whenever it is looked at as one. */
export class Rows {
  #state: State;
  /** What is under way changes its own state in place, as long as nobody looks at it as a value. */
  #owner: Owner | undefined;

  constructor(state: State) {
    this.#state = state;
  }

  /** The state as it is now, which stays as it is: whatever is still to change is copied first. */
  get value(): State {
    if (this.#owner) this.#owner = {};
    return this.#state;
  }

  /** The state only to be compared with itself: to see whether anything was written. */
  get current(): State {
    return this.#state;
  }

  take(state: State): void {
    this.#state = state;
  }

  /** From here on what is written is written in place. */
  own(): void {
    this.#owner = {};
  }

  disown(): void {
    this.#owner = undefined;
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

  replace<Row>(table: Table<Row>, replacement: Replacement<Row>): void {
    this.#state = replaceRow(this.#state, table, replacement, this.#owner);
  }

  next(sequence: string): number {
    this.#state = countUp(this.#state, sequence, this.#owner);
    return this.#state.sequences[sequence] ?? 0;
  }
}
