/** Prepares the input of all generated rows. */
import type { Faker } from '@faker-js/faker';
import * as z from '../../core/validation/deferred-zod.ts';
import { seededGuid } from '../../core/lib/random.ts';
import { consentSchema } from '../consents/schema.ts';
import { contactTypeSchema, retailerSchema, storeSchema } from '../retailer/schema.ts';
import type { ContactType } from '../retailer/schema.ts';

/** Describes the retailer whose contacts are generated, as sections of a fixture. */
export const retailerSetupSchema = z.object({
  retailer: retailerSchema,
  contactTypes: z.tuple([contactTypeSchema], contactTypeSchema),
  stores: z.tuple([storeSchema], storeSchema),
  consents: z.array(consentSchema),
});

export type RetailerSetup = z.infer<typeof retailerSetupSchema>;

export interface Country {
  readonly code: string;
  readonly culture: string;
  /** Begins the numbers of mobile phones; seven digits follow. */
  readonly phonePrefix: string;
  readonly faker: Faker;
}

/** Returns how many of something were asked for, by the name that a noun gave it. */
export type AmountOf = (name: string) => number;

export interface GeneratorContext {
  readonly seed: number;
  readonly amountOf: AmountOf;
  readonly setup: RetailerSetup;
  /** Lists the types of contacts to generate, the most common first. */
  readonly types: readonly [ContactType, ...ContactType[]];
  readonly countries: readonly [Country, ...Country[]];
  /** Returns the time so many minutes ago, or ahead when negative. */
  readonly ago: (minutes: number) => string;
}

/** Returns the country of the n-th contact. */
export const countryOf = ({ countries: countryList }: GeneratorContext, n: number): Country =>
  countryList[n % countryList.length] ?? countryList[0];

export const contactId = ({ seed }: GeneratorContext, n: number): string => seededGuid(seed, 'generate/contact', n);

export const minutesPerDay = 24 * 60;
export const days = (count: number): number => count * minutesPerDay;
