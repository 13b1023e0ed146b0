/** Parses the lines of snapshots and logs, each about a seed or a tenant. */
import * as z from '../../core/validation/deferred-zod.ts';
import type { Table } from '../../core/state/state.ts';
import { tenantNamePattern } from '../../core/tenant/registry.ts';
import { tables } from '../../service/tables.ts';
import { corrupt } from './corruption.ts';
import type { FileLocation } from './corruption.ts';
import { sumSchema } from './line-sums.ts';

const tableByName: ReadonlyMap<string, Table<never>> = new Map(tables.map((table) => [table.name, table]));

/** Returns a table by name. Throws when `tables` doesn't list it: it could not be read again. */
export function persistedTable(name: string): Table<never> {
  const table = tableByName.get(name);
  if (!table) throw new Error(`table ${name} is not listed in service/tables.ts, so it can't be saved`);
  return table;
}

/** Holds a row with its table and key; null when it was removed. */
export type PersistedRow = readonly [table: string, key: string, row: object | null];

const isRow = (value: unknown): value is object | null => typeof value === 'object' && !Array.isArray(value);

function rowDefect(value: unknown): string | undefined {
  const mistake = 'must be [table, key, row]';
  if (!Array.isArray(value) || value.length !== 3) return mistake;
  const [name, key, row]: unknown[] = value;
  if (typeof name !== 'string' || typeof key !== 'string' || !isRow(row)) return mistake;
  const table = tableByName.get(name);
  if (!table) return `there is no table "${name}"; there are ${[...tableByName.keys()].join(', ')}`;
  return row === null || keyOf(table, row) === key ? undefined : `the row of ${name} does not have the key "${key}"`;
}

function keyOf(table: Table<never>, row: object): string | undefined {
  try {
    // The row may be of another table, and then have no such key.
    return table.key(row as never);
  } catch {
    return undefined;
  }
}

const savedRow = z.custom<PersistedRow>((value) => rowDefect(value) === undefined, {
  error: ({ input }) => rowDefect(input) ?? '',
});

const entrySchema = z
  .strictObject({
    /** Numbers the commit, in a log; a large commit has several lines, all but the last marked `more`. */
    n: z.int().min(1).optional(),
    more: z.literal(true).optional(),
    /** Holds the number of the last commit that had been forced to the disk. */
    forced: z.int().min(0).optional(),
    /** Names the seed that the line describes or, with a tenant, that the tenant now starts from. */
    seed: z.string().optional(),
    tenant: z.string().regex(tenantNamePattern).optional(),
    /** Holds the tenant's own options, where they differ from the sim's. */
    setup: z.record(z.string(), z.unknown()).optional(),
    removed: z.literal(true).optional(),
    clock: z.union([z.strictObject({ frozenAt: z.number() }), z.strictObject({ offset: z.number() })]).optional(),
    /** Holds all sequences when any has changed. */
    sequences: z.record(z.string(), z.int().min(0)).optional(),
    rows: z.array(savedRow).optional(),
    sum: sumSchema,
  })
  .refine(({ seed, tenant }) => seed !== undefined || tenant !== undefined, { error: 'must have a seed or a tenant' });

export type PersistedEntry = z.infer<typeof entrySchema>;

/** Holds an entry with its location. */
export interface LocatedEntry {
  readonly entry: PersistedEntry;
  readonly location: FileLocation;
}

/** Parses the JSON of a line. */
export function parseLine(text: string | undefined, location: FileLocation): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    throw corrupt(location, text === undefined ? 'this is not text in UTF-8' : 'this is not valid JSON');
  }
}

/** Parses a line about a seed or a tenant. */
export function parseEntry(text: string | undefined, location: FileLocation): PersistedEntry {
  const parsed = entrySchema.safeParse(parseLine(text, location));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw corrupt(location, path === '' ? (issue?.message ?? '') : `${path}: ${issue?.message}`);
}
