import { setSequence, replaceRow } from './row-changes.ts';
import type { RowReplacement } from './row-changes.ts';
import type { ListPeek, OrderedList } from './ordered-list.ts';
import { countRows, findKey, getRow, hasRow, orderedListOf, allRows } from './state.ts';
import type { AnyTable, EditToken, RowChange, State, Table } from './state.ts';
import type { Steps } from '../time/steps.ts';

/** Limits the changes that are undone before others may have their turn. */
const changesAtOnce = 100;

/** Describes a number drawn, and the one before. */
export interface SequenceDraw {
  readonly sequence: string;
  readonly before: number | undefined;
  /** Holds the draw from another sequence before it, if the transaction made one: they are linked, as most are alone. */
  readonly earlier: SequenceDraw | undefined;
}

const isDrawn = (draw: SequenceDraw | undefined, sequence: string): boolean =>
  draw !== undefined && (draw.sequence === sequence || isDrawn(draw.earlier, sequence));

/** Describes a row that was replaced, or a number that was drawn. */
type Write = RowReplacement<never> | SequenceDraw;

/** Returns the state as it was before a write, which must be the last of those that are not undone. */
const undoWrite = (state: State, write: Write, owner: EditToken): State =>
  'table' in write
    ? replaceRow(state, { ...write, before: write.after, after: write.before }, owner)
    : setSequence(state, write.sequence, write.before, owner);

/** Describes what a transaction wrote. */
export interface CommittedWrites {
  readonly changes: readonly RowChange[];
  /** Holds the first number that it drew of each sequence. */
  readonly draws: SequenceDraw | undefined;
}

/** Reads rows: of a tenant, or of a state on its way to become one's. */
export type RowReader = Pick<UnitOfWork, 'get' | 'has' | 'find' | 'listRows'>;

/**
 * Holds a tenant's state as it is worked on: read and written row by row, in place as long as nobody looks at it as a
 * value, and what was written taken back row by row, the last first.
 */
export class UnitOfWork {
  #state: State;
  #editToken: EditToken = {};
  /** Holds the undo log of the current transaction. */
  #written: Write[] = [];
  /** Holds the first number of each sequence that the current transaction drew. */
  #draws: SequenceDraw | undefined;
  /** Holds the tables that were ever written, by their names. */
  readonly #tables = new Map<string, Table<never>>();

  constructor(state: State) {
    this.#state = state;
  }

  /** Returns the state as it is now, which stays as it is: whatever is still to change is copied first. */
  get value(): State {
    this.#editToken = {};
    return this.#state;
  }

  /** Returns the first number that the current transaction drew of each sequence. */
  get draws(): SequenceDraw | undefined {
    return this.#draws;
  }

  /** Returns the number of writes of the current transaction. */
  get writeCount(): number {
    return this.#written.length;
  }

  replaceState(state: State): void {
    this.#state = state;
  }

  /** Takes up what was worked on apart, beginning with the same state, as one transaction. */
  adopt(apart: UnitOfWork): void {
    this.#state = apart.value;
    this.#written = apart.#written;
    this.#draws = apart.#draws;
    for (const [name, table] of apart.#tables) this.#tables.set(name, table);
  }

  /** From here on it is another piece of work. */
  begin(): void {
    if (this.#written.length > 0) this.#written = [];
    this.#draws = undefined;
  }

  /** Returns a state as it was before a transaction, which must be the last of those that are not undone. */
  *undo(state: State, { changes, draws }: CommittedWrites, owner: EditToken): Steps<State> {
    let earlier = state;
    for (let draw = draws; draw; draw = draw.earlier) earlier = setSequence(earlier, draw.sequence, draw.before, owner);
    for (let i = changes.length - 1; i >= 0; i--) {
      if (i % changesAtOnce === changesAtOnce - 1) yield;
      const { table: name, key, before, after } = changes[i] as RowChange;
      const table = this.#tables.get(name);
      // Rows of a table are its own: whose they are, only the table asks.
      if (table)
        earlier = replaceRow<never>(earlier, { table, key, before: after as never, after: before as never }, owner);
    }
    return earlier;
  }

  /** Takes back what was written after the first so many. */
  rollBackTo(first: number): void {
    while (this.#written.length > first) {
      const last = this.#written.pop();
      if (last) this.#state = undoWrite(this.#state, last, this.#editToken);
    }
  }

  get<Row>(table: Table<Row>, key: string): Row | undefined {
    return getRow(this.#state, table, key);
  }

  has(table: AnyTable, key: string): boolean {
    return hasRow(this.#state, table, key);
  }

  find<Row>(table: Table<Row>, index: string, value: string): Row | undefined {
    const key = findKey(this.#state, table, index, value);
    return key === undefined ? undefined : getRow(this.#state, table, key);
  }

  list(table: AnyTable, index: string, of: string): OrderedList {
    return orderedListOf(this.#state, table, index, of).shown();
  }

  /** Returns a list for one reading at once, after which it may still be added to in place. */
  peek(table: AnyTable, index: string, of: string): ListPeek {
    return orderedListOf(this.#state, table, index, of);
  }

  listRows<Row>(table: Table<Row>, index: string, of: string): Row[] {
    const rows: Row[] = [];
    for (const { key } of this.list(table, index, of)) {
      const row = this.get(table, key);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  all<Row>(table: Table<Row>): Generator<Row> {
    return allRows(this.value, table);
  }

  count(table: AnyTable): number {
    return countRows(this.#state, table);
  }

  replace<Row>(replacement: RowReplacement<Row>): void {
    this.#state = replaceRow(this.#state, replacement, this.#editToken);
    // Whose row it is, only its own table asks.
    const write = replacement as unknown as RowReplacement<never>;
    this.#written.push(write);
    this.#tables.set(write.table.name, write.table);
  }

  next(sequence: string): number {
    const before = this.#state.sequences[sequence];
    const number = (before ?? 0) + 1;
    this.#state = setSequence(this.#state, sequence, number, this.#editToken);
    const draw = { sequence, before, earlier: this.#draws };
    this.#written.push(draw);
    if (!isDrawn(this.#draws, sequence)) this.#draws = draw;
    return number;
  }
}
