/** Declares how a noun reads its part of a fixture file. */
import type * as z from 'zod';
import { arrayOf } from '../../core/validation/field-types.ts';
import type { Instant } from '../../core/time/clock.ts';
import type { Pause, State } from '../../core/state/state.ts';
import type { Steps } from '../../core/time/steps.ts';

/** Labels the ids that a fixture draws from its seed. */
export const fixtureIdLabel = 'fixture';

/** Holds what a section may use while it is loaded. */
export interface FixtureContext {
  /** Holds the moment that relative dates count from; they are timestamps by the time a section sees them. */
  readonly now: Instant;
  /** Returns ids for rows that bring none: the same ones for the same file and seed. */
  readonly newId: () => string;
  /** Stops loading with an error that names the file and the place in it, as `contacts[3].email`. */
  readonly fail: (path: string, message: string) => never;
  /** Notes such an error and goes on, so that one look at a file tells everything that is wrong with it. */
  readonly report: (path: string, message: string) => void;
  /**
   * True when a large fixture is loaded in the hope that nothing is wrong with it: whatever is wrong ends the attempt,
   * and all of it is loaded again, with reports. `withRowsInSteps` finds what two rows share.
   */
  readonly isAttempt?: boolean;
  /** Counts the items of the section, where it is known before they are read. */
  readonly count?: number | undefined;
}

interface FixtureSectionOptions<Schema extends z.ZodType> {
  /** Holds the key in the fixture file. */
  readonly name: string;
  /** Says what the section holds, for docs and the JSON schema. */
  readonly description: string;
  /** Holds the schema of what stands under the key: mostly a list of strict objects. */
  readonly schema: Schema;
  /** Holds the content for a fixture that does not name it (default: nothing). */
  readonly absent?: z.input<Schema>;
  /** Names the sections that must be loaded before it, apart from those of nouns that stand before its own. */
  readonly after?: readonly string[];
  /** True for definitions: a generated fixture has those of the default fixture. */
  readonly isCopied?: boolean;
  /** Adds the section's rows to the state. */
  readonly load: (state: State, content: z.output<Schema>, context: FixtureContext) => Steps<State>;
}

interface ItemSectionOptions<Item extends z.ZodType> extends Pick<FixtureSection, 'name' | 'description' | 'after'> {
  /** Holds the schema of each item of the list under the key. */
  readonly item: Item;
  /**
   * Adds the section's rows to the state. The items may be read again from a file each time that they are gone through.
   */
  readonly load: (state: State, items: Iterable<z.output<Item>>, context: FixtureContext) => Steps<State>;
}

/** Describes one section of a fixture file; `load` is called with what `schema` parsed. */
export interface FixtureSection {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType;
  /** Holds the schema of an item, where `load` accepts items one by one: so a list may be larger than the memory. */
  readonly item?: z.ZodType;
  readonly absent?: unknown;
  readonly after?: readonly string[];
  readonly isCopied?: boolean;
  readonly load: (state: State, content: never, context: FixtureContext) => Steps<State>;
}

export const fixtureSection = <Schema extends z.ZodType>(options: FixtureSectionOptions<Schema>): FixtureSection =>
  options;

/** Declares a section with a list that may be long. */
export const itemSection = <Item extends z.ZodType>({
  item,
  ...options
}: ItemSectionOptions<Item>): FixtureSection => ({
  ...options,
  schema: arrayOf(item),
  item,
});

interface DuplicateOptions<Field extends string> {
  readonly section: string;
  /** Holds the field that tells rows apart. */
  readonly field: Field;
  readonly context: FixtureContext;
}

/**
 * Returns the rows of a section but those whose telling field an earlier row has too, in whatever case; these are
 * reported.
 */
export const withoutDuplicates = <Field extends string, Row extends RowWith<Field>>(
  rows: readonly Row[],
  options: DuplicateOptions<Field>,
): Row[] => [...distinctRows(rows, options)].filter((row) => row !== undefined);

type RowWith<Field extends string> = { readonly [F in Field]: string | number };

/** Yields these rows one by one. */
export function* distinctRows<Field extends string, Row extends RowWith<Field>>(
  rows: Iterable<Row | Pause>,
  { section, field, context }: DuplicateOptions<Field>,
): Generator<Row | Pause> {
  const places = new Map<string, number>();
  let i = 0;
  for (const row of rows) {
    if (row === undefined) {
      yield;
      continue;
    }
    const value = String(row[field]).toLowerCase();
    const first = places.get(value);
    if (first === undefined) {
      places.set(value, i);
      yield row;
    } else {
      context.report(`${section}[${i}].${field}`, `"${row[field]}" is the ${field} of ${section}[${first}] already`);
      yield;
    }
    i++;
  }
}
