import { FinnishSSN } from 'finnish-ssn';
import personnummer from 'personnummer';
import { afterEach, describe, expect, it } from 'vitest';
import { generateFixture } from '../../../src/storage/generate/generate-fixture.ts';
import type { GenerateOptions } from '../../../src/storage/generate/generate-fixture.ts';
import { retailerSetupSchema } from '../../../src/service/resource/generator-context.ts';
import { folderWith, tidyFolders } from '../../support/folders.ts';
import { openSim } from '../../support/open-sim.ts';

afterEach(tidyFolders);

const setup = retailerSetupSchema.parse({
  retailer: {
    name: 'Generated',
    groupCurrency: 'SEK',
    exchangeRates: { EUR: 11 },
    contactAttributes: [{ name: 'city' }],
  },
  contactTypes: [
    { id: 'Member', name: 'Member', keyAttribute: 'memberNumber', requiresOneOf: ['email', 'mobilePhone'] },
    { id: 'Contact', name: 'Contact', keyAttribute: 'email', required: ['mobilePhone'] },
  ],
  stores: [
    { externalId: '100', name: 'Stockholm', countryCode: 'SE', currency: 'SEK' },
    { externalId: '200', name: 'Helsinki', countryCode: 'FI', currency: 'EUR' },
  ],
  consents: [{ id: 'newsletter', name: 'Newsletter', metaData: { displayText: {}, linkText: {}, conditionText: {} } }],
});

/** Asks for amounts by their names, and for the rest as options. */
interface Asked extends Partial<Omit<GenerateOptions, 'amounts'>> {
  readonly contacts?: number;
  readonly receiptsPerContact?: number;
  readonly promotions?: number;
}

async function textOf({
  contacts = 20,
  receiptsPerContact = 2,
  promotions = 3,
  ...options
}: Asked = {}): Promise<string> {
  const usual = { amounts: { contacts, receiptsPerContact, promotions }, seed: 1, locale: 'mixed', setup } as const;
  let text = '';
  for await (const chunk of generateFixture({ ...usual, ...options })) text += chunk.text;
  return text;
}

const fixtureOf = async (options: Asked = {}) => JSON.parse(await textOf(options));

/** The values of a field of generated contacts, those that have it. */
async function valuesOf(field: string, options: Asked): Promise<string[]> {
  const { contacts } = await fixtureOf({ receiptsPerContact: 0, ...options });
  return contacts.flatMap((contact: Record<string, string>) => contact[field] ?? []);
}

describe('a generated fixture', () => {
  it('is the same for the same seed, byte for byte', async () => {
    expect(await textOf()).toBe(await textOf());
  });

  it('is another one for another seed', async () => {
    const [one, two] = [await fixtureOf(), await fixtureOf({ seed: 2 })];
    expect(one.contacts[0]).not.toEqual(two.contacts[0]);
    expect(one.receipts[0]).not.toEqual(two.receipts[0]);
  });

  it('begins like a larger one', async () => {
    const [small, large] = [await fixtureOf({ contacts: 5 }), await fixtureOf({ contacts: 50 })];
    expect(large.contacts.slice(0, 5)).toEqual(small.contacts);
    expect(large.receipts.slice(0, 10)).toEqual(small.receipts);
  });

  it('holds as many rows as asked for', async () => {
    const { contacts, receipts, promotions, promotionAssignments } = await fixtureOf({ contacts: 1200 });
    const counts = [contacts, receipts, promotions, promotionAssignments].map(({ length }) => length);
    expect(counts).toEqual([1200, 2400, 3, 1200]);
  });

  it('may be empty', async () => {
    const { contacts, receipts } = await fixtureOf({ contacts: 0 });
    expect([contacts, receipts]).toEqual([[], []]);
  });

  it('loads into a sim', async () => {
    const { get } = await openSim({ fixtures: folderWith({ 'generated.json': await textOf() }) });
    const { contacts } = JSON.parse(await textOf());
    expect((await get('/api/v3/contacts/count')).body).toBe(20);
    expect((await get(`/api/v3/contacts/${contacts[7].id}`)).body.email).toBe(contacts[7].email);
    expect((await get(`/api/v3/transactions?contactId=${contacts[7].id}`)).body.totalCount).toBe(2);
    expect((await get(`/api/v3/promotion-assignments?contactId=${contacts[7].id}`)).body).toHaveLength(1);
  });

  it('counts its dates from when it is loaded, so that it never ages', async () => {
    expect(await textOf()).not.toMatch(/"\d{4}-\d\d-\d\dT/);
    expect((await fixtureOf()).receipts[0].createdDate).toMatch(/^-P\d+D(T(\d+H)?(\d+M)?)?$/);
  });

  it('counts its dates back from a given moment', async () => {
    const { receipts } = await fixtureOf({ now: '2026-03-01T12:00:00Z' });
    const dates = receipts.map(({ createdDate }: { createdDate: string }) => createdDate).toSorted();
    expect(dates[0] >= '2023-03-02').toBe(true);
    expect(dates.at(-1) < '2026-03-01T12').toBe(true);
  });

  it('refuses a moment that is none, and a contact type that the retailer does not have', async () => {
    await expect(textOf({ now: 'yesterday' })).rejects.toThrow('--now: "yesterday" is not an ISO 8601 timestamp');
    await expect(textOf({ types: ['Membr'] })).rejects.toThrow('there are Member, Contact; did you mean "Member"?');
  });

  it('gives out the contact types asked for', async () => {
    expect(new Set(await valuesOf('contactType', { types: ['contact'] }))).toEqual(new Set(['Contact']));
    expect(new Set(await valuesOf('contactType', {}))).toEqual(new Set(['Member', 'Contact']));
  });
});

describe('generated people', () => {
  const many = { contacts: 3000, promotions: 0 };

  it('have Swedish personal numbers that are valid, different and nobody’s', async () => {
    const numbers = await valuesOf('socialSecurityNumber', { ...many, locale: 'sv' });
    expect(numbers.length).toBeGreaterThan(1500);
    expect(new Set(numbers).size).toBe(numbers.length);
    // Types describe an ES module, what is loaded is the class itself.
    const { valid } = personnummer as unknown as typeof personnummer.default;
    expect(numbers.filter((number) => !valid(number) || !/-9[89]\d\d$/.test(number))).toEqual([]);
  });

  it('have Finnish personal numbers that are valid, different and nobody’s', async () => {
    const numbers = await valuesOf('socialSecurityNumber', { ...many, locale: 'fi' });
    expect(numbers.length).toBeGreaterThan(1500);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.filter((number) => !FinnishSSN.validate(number) || number[7] !== '9')).toEqual([]);
  });

  it.each(['nb', 'da'] as const)('have no personal number in %s, which the service does not know', async (locale) => {
    expect(await valuesOf('socialSecurityNumber', { ...many, locale })).toEqual([]);
  });

  it.each(['email', 'mobilePhone', 'memberNumber', 'id'])('share no %s', async (field) => {
    const values = await valuesOf(field, many);
    expect(values.length).toBeGreaterThan(2000);
    expect(new Set(values).size).toBe(values.length);
  });

  it('have phones of their country and plain e-mail addresses', async () => {
    const { contacts } = await fixtureOf(many);
    const prefixes: Record<string, RegExp> = {
      SE: /^\+4670\d{7}$/,
      FI: /^\+35840\d{7}$/,
      NO: /^\+479\d{7}$/,
      DK: /^\+452\d{7}$/,
    };
    for (const { countryCode, mobilePhone, email } of contacts) {
      if (mobilePhone !== undefined) expect(mobilePhone).toMatch(prefixes[countryCode] ?? /none/);
      if (email !== undefined) expect(email).toMatch(/^[a-z][a-z-]*\.[a-z][a-z-]*\.\d+@example\.com$/);
    }
  });
});
