/** Generates fixtures of any size reproducibly: the same options give the same bytes. */
import { parseTimestamp } from '../../core/time/clock.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { fixtureSections } from '../../service/fixture-sections.ts';
import { resources } from '../../service/resources.ts';
import type { Resource } from '../../service/resource/resource.ts';
import type { GeneratedAmount, GeneratedSection } from '../../service/resource/generated-rows.ts';
import type { AmountOf, GeneratorContext, RetailerSetup } from '../../service/resource/generator-context.ts';
import type { ContactType } from '../../service/retailer/schema.ts';
import { loadCountries } from './countries.ts';
import type { Locale } from './countries.ts';
import { dateBefore, relativeDate } from './dates.ts';

/** Holds the amounts that whoever generates a fixture may name, by their names. */
export const generatedAmounts: Readonly<Record<string, GeneratedAmount>> = Object.assign(
  {},
  ...resources.map(({ generated }: Resource) => generated?.amounts),
);

export interface GenerateOptions {
  /** Says how many rows there are (default: as `generatedAmounts` has it). */
  readonly amounts?: Readonly<Record<string, number>>;
  readonly seed: number;
  readonly locale: Locale;
  /** Sets the timestamp that dates count back from (default: the time of loading the fixture). */
  readonly now?: string | undefined;
  /** Names the contact types to generate, the most common first (default: all of the retailer's). */
  readonly types?: readonly string[] | undefined;
  /** Describes the retailer that the contacts belong to. */
  readonly setup: RetailerSetup;
  /** Holds sections that are written as they are, in front of what is generated. */
  readonly copied?: Readonly<Record<string, unknown>>;
}

/** Returns those sections of a fixture that a generated one has as well. */
export const copiedSections = (fixture: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    fixtureSections.flatMap(({ name, isCopied }) =>
      isCopied && Object.hasOwn(fixture, name) ? [[name, fixture[name]]] : [],
    ),
  );

/** Holds a part of the fixture's text, and the number of rows that end in it. */
export interface FixtureChunk {
  readonly text: string;
  readonly rows: number;
}

const rowsPerChunk = 500;

/** Generates a fixture in chunks, one row a line. Throws `InputError` for an unknown type or invalid timestamp. */
export async function* generateFixture(options: GenerateOptions): AsyncGenerator<FixtureChunk> {
  const context = await contextOf(options);
  const head = { ...options.setup, ...options.copied };
  yield { text: `{\n${Object.entries(head).map(sectionText).join(',\n')}`, rows: 0 };
  for (const { name, count, rowOf } of await loadSections())
    yield* sectionChunks(name, count(context.amountOf), (n) => rowOf(context, n));
  yield { text: '\n}\n', rows: 0 };
}

/** Returns the number of rows that are generated for a fixture. */
export async function countGeneratedRows({ amounts }: Pick<GenerateOptions, 'amounts'>): Promise<number> {
  const amountOf = amountsOf(amounts);
  return (await loadSections()).reduce((sum, { count }) => sum + count(amountOf), 0);
}

async function loadSections(): Promise<GeneratedSection[]> {
  const sections = await Promise.all(
    resources.map(async ({ generated }: Resource) => (await generated?.sections()) ?? []),
  );
  return sections.flat();
}

const amountsOf =
  (named: GenerateOptions['amounts']): AmountOf =>
  (name) => {
    const amount = named?.[name] ?? generatedAmounts[name]?.default;
    if (amount === undefined) throw new Error(`no noun declares the amount "${name}"`);
    return amount;
  };

async function contextOf({ amounts, seed, locale, now, types, setup }: GenerateOptions): Promise<GeneratorContext> {
  const instant = now === undefined ? undefined : parseTimestamp(now);
  if (now !== undefined && instant === undefined) {
    throw new InputError(`--now: "${now}" is not an ISO 8601 timestamp with a UTC offset, as 2026-03-01T12:00:00Z`);
  }
  return {
    seed,
    amountOf: amountsOf(amounts),
    setup,
    types: typesFrom(setup, types ?? []),
    countries: await loadCountries(locale),
    ago: instant === undefined ? relativeDate : dateBefore(instant),
  };
}

function typesFrom(setup: RetailerSetup, names: readonly string[]): GeneratorContext['types'] {
  const [first, ...others] = names.map((name) => typeNamed(setup, name));
  return first ? [first, ...others] : setup.contactTypes;
}

/** Finds a contact type by name, ignoring case. */
function typeNamed({ contactTypes }: RetailerSetup, name: string): ContactType {
  const type = contactTypes.find(({ id }) => id.toLowerCase() === name.toLowerCase());
  if (type) return type;
  const known = contactTypes.map(({ id }) => id);
  const hint = didYouMean(name, known);
  throw new InputError(`--types: there is no contact type "${name}"; there are ${known.join(', ')}${hint}`);
}

const sectionText = ([name, content]: readonly [string, unknown]): string =>
  `"${name}": ${JSON.stringify(content, undefined, 2)}`;

function* sectionChunks(name: string, count: number, rowOf: (number: number) => object): Generator<FixtureChunk> {
  yield { text: `,\n"${name}": [`, rows: 0 };
  for (let from = 1; from <= count; from += rowsPerChunk) {
    const rows = Math.min(rowsPerChunk, count - from + 1);
    const lines = Array.from({ length: rows }, (_, i) => JSON.stringify(rowOf(from + i)));
    yield { text: `${from === 1 ? '' : ','}\n${lines.join(',\n')}`, rows };
  }
  yield { text: '\n]', rows: 0 };
}
