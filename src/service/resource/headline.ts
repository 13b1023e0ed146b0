import type { Table } from '../../core/state/state.ts';

/** Names the fields of a row, and with a dot those of the objects in it: `attributes.email`. */
type RowField<Row> = {
  [Name in keyof Row & string]: Name | InnerField<Name, NonNullable<Row[Name]>>;
}[keyof Row & string];
type InnerField<Name extends string, Value> = Value extends readonly unknown[]
  ? never
  : Value extends object
    ? `${Name}.${keyof Value & string}`
    : never;

/** Says which fields of a table's rows are shown first where a row was created or deleted. */
export interface Headline {
  readonly table: string;
  readonly fields: readonly string[];
  /** Names a field of created rows that is added up, and the unit of its sum, as `points`. */
  readonly sum?: RowSum;
}

interface RowSum<Field extends string = string> {
  readonly field: Field;
  readonly unit: string;
}

/** Declares the headline of a table, by fields that its rows have. */
export const headline = <Row>(
  { name: table }: Pick<Table<Row>, 'name' | 'key'>,
  fields: readonly RowField<Row>[],
  sum?: RowSum<RowField<Row>>,
): Headline => ({ table, fields, ...(sum && { sum }) });
