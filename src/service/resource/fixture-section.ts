/** Declares how a noun reads its part of a fixture file. */
import type * as z from 'zod';
import type { Instant } from '../../core/time/clock.ts';
import type { State } from '../../core/state/state.ts';

/** Labels the ids that a fixture draws from its seed. */
export const fixtureIdLabel = 'fixture';

/** Holds what a section may use while it is loaded. */
export interface FixtureContext {
  /** Holds the moment that relative dates count from; they are timestamps by the time a section sees them. */
  readonly now: Instant;
  /** Ids for rows that bring none: the same ones for the same file and seed. */
  readonly newId: () => string;
  /** Stops loading with an error that names the file and the place in it, as `contacts[3].email`. */
  readonly fail: (path: string, message: string) => never;
  /** Notes such an error and goes on, so that one look at a file tells everything that is wrong with it. */
  readonly report: (path: string, message: string) => void;
}

interface FixtureSectionOptions<Schema extends z.ZodType> {
  /** Holds the key in the fixture file. */
  readonly name: string;
  /** The schema of what stands under the key: mostly a list of strict objects. */
  readonly schema: Schema;
  /** Holds the content for a fixture that does not name it (default: nothing). */
  readonly absent?: z.input<Schema>;
  /** The sections that must be loaded before it, beside those of nouns that stand before its own. */
  readonly after?: readonly string[];
  /** Adds the section's rows to the state. */
  readonly load: (state: State, content: z.output<Schema>, context: FixtureContext) => State;
}

/** One section of a fixture file; `load` is called with what `schema` parsed. */
export interface FixtureSection {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly absent?: unknown;
  readonly after?: readonly string[];
  readonly load: (state: State, content: never, context: FixtureContext) => State;
}

export const fixtureSection = <Schema extends z.ZodType>(options: FixtureSectionOptions<Schema>): FixtureSection =>
  options;

interface DuplicateOptions<Field extends string> {
  readonly section: string;
  /** Holds the field that tells rows apart. */
  readonly field: Field;
  readonly context: FixtureContext;
}

/** The rows of a section but those whose telling field an earlier row has too, in whatever case; these are reported. */
export function withoutDuplicates<Field extends string, Row extends { readonly [F in Field]: string | number }>(
  rows: readonly Row[],
  { section, field, context }: DuplicateOptions<Field>,
): Row[] {
  const places = new Map<string, number>();
  return rows.filter((row, i) => {
    const value = String(row[field]).toLowerCase();
    const first = places.get(value);
    if (first === undefined) places.set(value, i);
    else context.report(`${section}[${i}].${field}`, `"${row[field]}" is the ${field} of ${section}[${first}] already`);
    return first === undefined;
  });
}
