import type { ApiError } from '../exchange/api-error.ts';
import type { ListPeek, OrderedList } from '../state/ordered-list.ts';
import type { AnyTable, Table } from '../state/state.ts';
import type { Instant } from '../time/clock.ts';
import type { Job, TimerOptions } from '../time/jobs.ts';
import type { TenantSettings } from './settings.ts';

/**
 * Shows handlers, jobs and hooks the part of a tenant that they work with: its rows, the moment, ids and queued work.
 * Nothing here sets the clock, ends a transaction or puts an earlier state back.
 */
export interface TenantContext {
  readonly name: string;
  readonly settings: TenantSettings;
  /** Holds the id of the exchange that the current transaction belongs to. */
  readonly currentExchange: string | undefined;
  /** Returns the moment of the current transaction, which is the same for everything that it does. */
  now(): Instant;
  get<Row>(table: Table<Row>, key: string): Row | undefined;
  /** Answers whether there is a row of this key. */
  has(table: AnyTable, key: string): boolean;
  /** Returns the row that holds this value of a unique index. */
  find<Row>(table: Table<Row>, index: string, value: string): Row | undefined;
  list(table: AnyTable, index: string, of: string): OrderedList;
  /** Reads from a list at once; unlike what `list` returns, it is not to be kept, since it changes with its rows. */
  peek(table: AnyTable, index: string, of: string): ListPeek;
  /** Returns the rows of a list in its order. */
  listRows<Row>(table: Table<Row>, index: string, of: string): Row[];
  all<Row>(table: Table<Row>): Generator<Row>;
  count(table: AnyTable): number;
  put<Row>(table: Table<Row>, row: Row): Row;
  remove<Row>(table: Table<Row>, key: string): void;
  /** Draws the next number of a sequence, from 1 on; a rollback gives it back. */
  next(sequence: string): number;
  newId(): string;
  /** Returns an id for somebody who remembers it: it never comes again, not after a reset and not in another run. */
  newEventId(): string;
  warn(code: string, message: string): void;
  /** Returns the variant of an assumption in force (default: `default`), and records that the response rests on it. */
  assumption(id: string): string;
  /** Carries out one item of a larger transaction: an API error rolls back this item alone and is returned. */
  savepoint<T>(work: () => T): SavepointResult<T>;
  /** Queues a job; without a delay it runs at the end of the current transaction, before the response goes out. */
  enqueue(kind: string, payload: unknown, delay?: number): Job;
  /** Schedules a timer, replacing the one that has this key. */
  scheduleTimer(timer: TimerOptions): void;
  cancelTimer(key: string): void;
}

export type SavepointResult<T> = { readonly result: T } | { readonly error: ApiError };
