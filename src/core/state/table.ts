/** Describes tables: how rows are keyed and listed, and what a table is made of. */
import type { OrderedList } from './ordered-list.ts';
import type { PersistentMap } from './persistent-map.ts';

/** Describes a row's entry in a list of its table: whose list, and in which order. */
export interface IndexEntry {
  readonly of: string;
  readonly order: number;
  /** Decides between rows of the same order: a number that grows with every row. */
  readonly tie?: number;
  readonly amounts?: readonly number[];
}

/** Declares a table: how rows are keyed, which values are unique, and which lists rows stand in. */
export interface Table<Row> {
  readonly name: string;
  /** Names the scope of a reset that empties it. */
  readonly scope: 'state' | 'queue' | 'webhooks';
  readonly key: (row: Row) => string;
  readonly unique?: Readonly<Record<string, (row: Row) => readonly string[]>>;
  readonly lists?: Readonly<Record<string, (row: Row) => IndexEntry | undefined>>;
  /** Names fields that hold instants, with dots leading into objects and lists: people are shown timestamps. */
  readonly timestampFields?: readonly string[];
}

/**
 * Identifies who may still change in place what it made: each part of a state notes it, and nobody else has seen that
 * part yet. Whoever hands a state out, or keeps it to come back to, goes on under another owner.
 */
export type EditToken = object;

export interface TableValue {
  readonly scope: Table<never>['scope'];
  readonly rows: PersistentMap<unknown>;
  readonly unique: Readonly<Record<string, PersistentMap<string>>>;
  readonly lists: Readonly<Record<string, PersistentMap<OrderedList>>>;
  readonly editToken: EditToken | undefined;
}
