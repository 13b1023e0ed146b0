import { hash32 } from '../../core/lib/random.ts';
import type { ContactType } from '../retailer/schema.ts';
import { contactId, countryOf, days } from '../resource/generator-context.ts';
import type { GeneratorContext, Country } from '../resource/generator-context.ts';
import type { GeneratedSection } from '../resource/generated-rows.ts';
import { rowSampler } from '../resource/row-sampler.ts';
import type { RowSampler } from '../resource/row-sampler.ts';
import { birthDate, birthOf, isNumberedCountry, personalNumber } from './personal-number.ts';
import type { Birth } from './personal-number.ts';

export const generatedContacts: readonly GeneratedSection[] = [
  { name: 'contacts', count: (amountOf) => amountOf('contacts'), rowOf: generateContact },
];

type ContactFields = Readonly<Record<string, string | undefined>>;

/** Sets the percentage of contacts that have a field that their type doesn't require. */
const fieldPercents: Readonly<Record<string, number>> = {
  email: 95,
  mobilePhone: 90,
  socialSecurityNumber: 60,
  externalId: 30,
};

/** Lies far above the numbers that the service assigns itself, so that the two don't collide. */
const firstMemberNumber = 5_000_000;

/** Generates the n-th contact: the same one however many are generated. */
function generateContact(context: GeneratorContext, n: number): object {
  const { seed, types, ago } = context;
  const sampler = rowSampler(seed, `contact/${n}`);
  const country = countryOf(context, n);
  const birth = birthOf(n, seed, isNumberedCountry(country.code) ? country.code : undefined);
  const person = personOf(seed, { n, country, birth });
  // Four of five contacts are of the first type.
  const type = types[sampler.percent('other type', 20) ? sampler.between('type', 1, types.length - 1) : 0] ?? types[0];
  return {
    id: contactId(context, n),
    contactType: type.id,
    ...fieldsFor(type, sampler, { ...person, ...keysOf(seed, { n, country, birth }, person) }),
    ...retailerFields(context, { country, birth }),
    createdOn: ago(days(sampler.between('created', 1100, 2200))),
    preferences: {
      acceptsEmail: sampler.percent('acceptsEmail', 70),
      acceptsPostal: sampler.percent('acceptsPostal', 40),
      acceptsSms: sampler.percent('acceptsSms', 50),
    },
    consents: consentsOf(context, sampler),
  };
}

interface Individual {
  readonly n: number;
  readonly country: Country;
  readonly birth: Birth;
}

/** Generates a person's name and address; faker is seeded for each person, so that none depends on those before. */
function personOf(seed: number, { n, country: { code, faker }, birth: { sex } }: Individual) {
  faker.seed([seed, n]);
  return {
    firstName: faker.person.firstName(sex),
    lastName: faker.person.lastName(sex),
    street: faker.location.streetAddress(),
    countryCode: code,
  };
}

function keysOf(seed: number, { n, country, birth }: Individual, name: ReturnType<typeof personOf>): ContactFields {
  return {
    email: `${emailPart(name.firstName)}.${emailPart(name.lastName)}.${n}@example.com`,
    mobilePhone: `${country.phonePrefix}${subscriberNumber(n, seed)}`,
    memberNumber: String(firstMemberNumber + n),
    externalId: `CRM-${n}`,
    socialSecurityNumber: isNumberedCountry(country.code) ? personalNumber(birth, country.code) : undefined,
  };
}

/** Returns the retailer's own contact fields. */
function retailerFields({ setup }: GeneratorContext, { country, birth }: Omit<Individual, 'n'>): ContactFields {
  const { faker, culture } = country;
  const values: ContactFields = {
    zipCode: faker.location.zipCode(),
    city: faker.location.city(),
    birthDay: birthDate(birth),
    gender: birth.sex,
    language: culture,
  };
  const known = new Set(setup.retailer.contactAttributes.map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
}

/** Leaves out some of the fields that the contact's type doesn't require. */
function fieldsFor(
  { keyAttribute, required, requiresOneOf }: ContactType,
  sampler: RowSampler,
  fields: ContactFields,
): ContactFields {
  const needed = new Set([keyAttribute, ...required, ...requiresOneOf.slice(0, 1)]);
  const has = (name: string): boolean => needed.has(name) || sampler.percent(name, fieldPercents[name] ?? 100);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => has(name)));
}

/** Generates consents: some given, some denied, some not set. */
function consentsOf({ setup, ago }: GeneratorContext, sampler: RowSampler): object[] {
  return setup.consents.flatMap(({ id }) => {
    if (!sampler.percent(`${id}/asked`, 80)) return [];
    const date = ago(days(sampler.between(`${id}/date`, 1, 1000)));
    const source = sampler.oneOf(`${id}/source`, ['POS', 'ECOM']);
    return [{ id, value: sampler.percent(`${id}/value`, 75), date, source }];
  });
}

const subscribers = 10_000_000;

/** Returns seven digits, unique to a contact: the factor and the number of subscribers are coprime. */
const subscriberNumber = (n: number, seed: number): string =>
  String((n * 7_654_321 + hash32('phone', seed)) % subscribers).padStart(7, '0');

const letters: Readonly<Record<string, string>> = { ø: 'o', æ: 'ae', ð: 'd', þ: 'th', ß: 'ss', ł: 'l' };

/** Converts a name to a part of an e-mail address. */
const emailPart = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[øæðþßł]/g, (letter) => letters[letter] ?? '')
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
