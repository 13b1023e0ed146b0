/** Lists the countries that generated contacts live in, and loads their names and addresses. */
import type { Country, GeneratorContext } from '../../service/resource/generator-context.ts';

/** Lists the countries by their locale. */
const countries = {
  sv: { code: 'SE', culture: 'sv-SE', phonePrefix: '+4670' },
  fi: { code: 'FI', culture: 'fi-FI', phonePrefix: '+35840' },
  nb: { code: 'NO', culture: 'nb-NO', phonePrefix: '+479' },
  da: { code: 'DK', culture: 'da-DK', phonePrefix: '+452' },
} as const;

type SingleLocale = keyof typeof countries;
export type Locale = SingleLocale | 'mixed';
export const locales = [...(Object.keys(countries) as SingleLocale[]), 'mixed'] as const;

export async function loadCountries(locale: Locale): Promise<GeneratorContext['countries']> {
  const [first, ...others] = locale === 'mixed' ? (['sv', 'fi', 'nb', 'da'] as const) : ([locale] as const);
  return [await loadCountry(first), ...(await Promise.all(others.map(loadCountry)))];
}

async function loadCountry(locale: SingleLocale): Promise<Country> {
  const fakers = await import('./faker-locales.ts');
  return { ...countries[locale], faker: fakers[locale] };
}
