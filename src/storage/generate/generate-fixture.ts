/** Generates fixtures of any size reproducibly: the same options give the same bytes. */
import { parseTimestamp } from '../../core/time/clock.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import type { ContactType } from '../../service/retailer/schema.ts';
import { generateContact } from './contact.ts';
import { dateBefore, loadCountries, relativeDate } from './context.ts';
import type { GeneratorContext, Locale, RetailerSetup } from './context.ts';
import { generateAssignment, generatePromotion } from './promotion.ts';
import { generateReceipt } from './receipt.ts';

export interface GenerateOptions {
  readonly contacts: number;
  readonly receiptsPerContact: number;
  readonly promotions: number;
  readonly seed: number;
  readonly locale: Locale;
  /** Sets the timestamp that dates count back from (default: the time of loading the fixture). */
  readonly now?: string | undefined;
  /** Names the contact types to generate, the most common first (default: all of the retailer's). */
  readonly types?: readonly string[] | undefined;
  /** Describes the retailer that the contacts belong to. */
  readonly setup: RetailerSetup;
}

/** Holds a part of the fixture's text, and the number of rows that end in it. */
export interface FixtureChunk {
  readonly text: string;
  readonly rows: number;
}

const rowsPerChunk = 500;

/** Generates a fixture in chunks, one row a line. Throws `InputError` for an unknown type or invalid timestamp. */
export async function* generateFixture(options: GenerateOptions): AsyncGenerator<FixtureChunk> {
  const { contacts, receiptsPerContact, promotions, setup } = options;
  const context = await contextOf(options);
  const assignments = promotions > 0 ? contacts : 0;
  yield { text: `{\n${Object.entries(setup).map(sectionText).join(',\n')}`, rows: 0 };
  yield* sectionChunks('contacts', contacts, (n) => generateContact(context, n));
  yield* sectionChunks('promotions', promotions, (p) => generatePromotion(context, p));
  yield* sectionChunks('promotionAssignments', assignments, (n) => generateAssignment(context, n, promotions));
  yield* sectionChunks('receipts', contacts * receiptsPerContact, (i) => {
    const n = Math.ceil(i / receiptsPerContact);
    return generateReceipt(context, n, i - (n - 1) * receiptsPerContact);
  });
  yield { text: '\n}\n', rows: 0 };
}

/** Returns the number of rows that are generated for a fixture. */
export const fixtureRowCount = ({ contacts, receiptsPerContact, promotions }: GenerateOptions): number =>
  contacts * (1 + receiptsPerContact) + promotions + (promotions > 0 ? contacts : 0);

async function contextOf({ seed, locale, now, types, setup }: GenerateOptions): Promise<GeneratorContext> {
  const instant = now === undefined ? undefined : parseTimestamp(now);
  if (now !== undefined && instant === undefined) {
    throw new InputError(`--now: "${now}" is not an ISO 8601 timestamp with a UTC offset, as 2026-03-01T12:00:00Z`);
  }
  return {
    seed,
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
