import * as z from '../../core/validation/deferred-zod.ts';
import type { Table } from '../../core/state/state.ts';
import type { TenantContext } from '../../core/tenant/context.ts';

/** Says whose card is shown, and how much of each list. */
export interface CardContext {
  readonly tenant: TenantContext;
  readonly contactId: string;
  /** Holds the number of rows to show of each list, the latest first. */
  readonly limit: number;
  /** Holds the path that links start from, with the tenant's prefix. */
  readonly self: { readonly path: string; readonly query: Readonly<Record<string, string>> };
}

/** Describes one part of a contact's card. */
export interface CardSection<Value = unknown> {
  readonly schema: z.ZodType<Value>;
  readonly read: (context: CardContext) => Value;
}

/** Holds the parts that a noun adds to a contact's card, by their keys. */
export type CardSections = Readonly<Record<string, CardSection>>;

/** Describes a list of which the latest items are shown. */
export interface LatestItems<Item> {
  readonly totalCount: number;
  readonly items: readonly Item[];
}

export const latestItemsSchema = <Item>(item: z.ZodType<Item>) =>
  z.strictObject({ totalCount: z.int(), items: z.array(item) });

interface RowList<Row> {
  readonly table: Table<Row>;
  /** Holds the list of the table (default: `byContact`). */
  readonly list?: string;
  /** Holds the owner of the list (default: the contact). */
  readonly of?: string;
}

/** Returns the latest rows of a list as they are shown; a row that is not shown counts in the total alone. */
export function latestItems<Row, Item>(
  { tenant, limit, contactId }: CardContext,
  { table, list = 'byContact', of = contactId }: RowList<Row>,
  show: (row: Row) => Item | undefined,
): LatestItems<Item> {
  const rows = tenant.list(table, list, of);
  const latest = rows.page(0, limit, 'descending').flatMap((key) => tenant.get(table, key) ?? []);
  return { totalCount: rows.size, items: latest.flatMap((row) => show(row) ?? []) };
}

interface LatestRowsOptions<Row, Item> {
  readonly table: Table<Row>;
  readonly item: z.ZodType<Item>;
  readonly show: (row: Row, context: CardContext) => Item | undefined;
}

/** Declares the latest rows that a table has of the contact. */
export const latestRows = <Row, Item>({
  table,
  item,
  show,
}: LatestRowsOptions<Row, Item>): CardSection<LatestItems<Item>> => ({
  schema: latestItemsSchema(item),
  read: (context) => latestItems(context, { table }, (row) => show(row, context)),
});

/** Describes the integer that an id goes by where the specification declares one. */
export const integerIdSchema = z
  .int()
  .describe('Taken in the place of its id where the specification declares an integer');
