import type { Table } from '../../core/state/state.ts';
import type { TenantContext } from '../../core/tenant/context.ts';

/** Names the rows of one table, so that a request is also about what it changed. */
export interface RowNames {
  readonly table: string;
  readonly namesOf: (row: never) => readonly string[];
  /** Says which keys lead to a row, if any does. */
  readonly keys?: RowKeys<never> | undefined;
}

/** Names the keys that lead to the rows of a table. */
export interface RowKeys<Row> {
  /** Returns the names of those that lead to a row, now or once. */
  readonly namesOf: (row: Row) => readonly string[];
  /** True when the same lead to a row before and after a change: to compare them takes less long than to name them. */
  readonly areKept: (before: Row, after: Row) => boolean;
}

/**
 * Says which thing of a noun is meant by the ids and keys of requests. Names are texts of a kind and a value. A thing has one
 * name by which all of its ids are compared, and as long as it does not exist the name of the key that was sent.
 */
export interface SubjectNames {
  /** Holds, by the kind of a subject, the names of the things that an id may mean. */
  readonly kinds: Readonly<Record<string, (tenant: TenantContext, id: string) => readonly string[]>>;
  readonly rows?: readonly RowNames[];
}

/** Declares how the rows of a table are named. */
export const rowNames = <Row>(
  { name: table }: Pick<Table<Row>, 'name' | 'key'>,
  namesOf: (row: Row) => readonly string[],
  keys?: RowKeys<Row>,
): RowNames => ({ table, namesOf, keys });
