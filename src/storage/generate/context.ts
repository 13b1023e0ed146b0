/** Prepares the input of all generated rows. */
import type { Faker } from '@faker-js/faker';
import * as z from '../../core/validation/deferred-zod.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import type { Instant } from '../../core/time/clock.ts';
import { seededGuid } from '../../core/lib/random.ts';
import { consentSchema } from '../../service/consents/schema.ts';
import { contactTypeSchema, retailerSchema, storeSchema } from '../../service/retailer/schema.ts';
import type { ContactType } from '../../service/retailer/schema.ts';

/** Describes the retailer whose contacts are generated, as sections of a fixture. */
export const retailerSetupSchema = z.object({
  retailer: retailerSchema,
  contactTypes: z.tuple([contactTypeSchema], contactTypeSchema),
  stores: z.tuple([storeSchema], storeSchema),
  consents: z.array(consentSchema),
  // These are copied: no generated row refers to them.
  pointDefinitions: z.array(z.unknown()).optional(),
  challengeDefinitions: z.array(z.unknown()).optional(),
});

export type RetailerSetup = z.infer<typeof retailerSetupSchema>;

/** Lists the countries by their locale. Seven digits follow the phone's prefix. */
const countries = {
  sv: { code: 'SE', culture: 'sv-SE', phonePrefix: '+4670' },
  fi: { code: 'FI', culture: 'fi-FI', phonePrefix: '+35840' },
  nb: { code: 'NO', culture: 'nb-NO', phonePrefix: '+479' },
  da: { code: 'DK', culture: 'da-DK', phonePrefix: '+452' },
} as const;

type SingleLocale = keyof typeof countries;
export type Locale = SingleLocale | 'mixed';
export const locales = [...(Object.keys(countries) as SingleLocale[]), 'mixed'] as const;

export interface Country {
  readonly code: string;
  readonly culture: string;
  readonly phonePrefix: string;
  readonly faker: Faker;
}

export interface GeneratorContext {
  readonly seed: number;
  readonly setup: RetailerSetup;
  /** Lists the types of contacts to generate, the most common first. */
  readonly types: readonly [ContactType, ...ContactType[]];
  readonly countries: readonly [Country, ...Country[]];
  /** Returns the time so many minutes ago, or ahead when negative. */
  readonly ago: (minutes: number) => string;
}

export async function loadCountries(locale: Locale): Promise<GeneratorContext['countries']> {
  const [first, ...others] = locale === 'mixed' ? (['sv', 'fi', 'nb', 'da'] as const) : ([locale] as const);
  return [await loadCountry(first), ...(await Promise.all(others.map(loadCountry)))];
}

async function loadCountry(locale: SingleLocale): Promise<Country> {
  const fakers = await import('./faker-locales.ts');
  return { ...countries[locale], faker: fakers[locale] };
}

/** Returns the country of the n-th contact. */
export const countryOf = ({ countries: countryList }: GeneratorContext, n: number): Country =>
  countryList[n % countryList.length] ?? countryList[0];

export const contactId = ({ seed }: GeneratorContext, n: number): string => seededGuid(seed, 'generate/contact', n);

const minutesPerDay = 24 * 60;
export const days = (count: number): number => count * minutesPerDay;

/** Returns a date relative to the time of loading, so that the fixture never gets old. */
export function relativeDate(minutes: number): string {
  const distance = Math.abs(minutes);
  const [wholeDays, hours, rest] = [
    Math.floor(distance / minutesPerDay),
    Math.floor(distance / 60) % 24,
    distance % 60,
  ];
  const time = `${hours > 0 ? `${hours}H` : ''}${rest > 0 ? `${rest}M` : ''}`;
  return `${minutes < 0 ? '+' : '-'}P${wholeDays}D${time === '' ? '' : `T${time}`}`;
}

export const dateBefore =
  (now: Instant) =>
  (minutes: number): string =>
    toTimestamp(now - minutes * 60_000);
