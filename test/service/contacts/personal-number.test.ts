import { FinnishSSN } from 'finnish-ssn';
import personnummerModule from 'personnummer';
import { describe, expect, it } from 'vitest';
import { birthOf, personalNumber } from '../../../src/service/contacts/personal-number.ts';
import type { NumberedCountry } from '../../../src/service/contacts/personal-number.ts';

// The types describe an ES module; what is loaded is the class itself.
const personnummer = personnummerModule as unknown as typeof personnummerModule.default;

const numbersOf = (country: NumberedCountry, count: number, seed = 1): (string | undefined)[] =>
  Array.from({ length: count }, (_, i) => personalNumber(birthOf(i + 1, seed, country), country));

describe('personal numbers', () => {
  // More than there are days to be born on.
  it.each(['SE', 'FI'] as const)('never come twice in %s', (country) => {
    expect(new Set(numbersOf(country, 120_000)).size).toBe(120_000);
  });

  it('are left out when a country has no more of them', () => {
    expect(personalNumber(birthOf(520_000, 1, 'SE'), 'SE')).toMatch(/^\d{8}-9[89]\d\d$/);
    expect(personalNumber(birthOf(530_000, 1, 'SE'), 'SE')).toBeUndefined();
  });

  it('say the sex that the person has', () => {
    const births = Array.from({ length: 500 }, (_, i) => birthOf(i + 1, 1, 'SE'));
    const sexes = births.map((birth) =>
      personnummer.parse(personalNumber(birth, 'SE') ?? '').isFemale() ? 'female' : 'male',
    );
    expect(sexes).toEqual(births.map(({ sex }) => sex));
    expect(new Set(sexes).size).toBe(2);
  });

  it.each([1, 2, 3])('have the right check characters, seed %i', (seed) => {
    expect(numbersOf('SE', 2000, seed).filter((number) => !personnummer.valid(number ?? ''))).toEqual([]);
    expect(numbersOf('FI', 2000, seed).filter((number) => !FinnishSSN.validate(number ?? ''))).toEqual([]);
  });
});
