/**
 * Generates births for test data, with personal identity numbers that are valid and belong to nobody.
 * Swedish serials 980 to 999 and Finnish ones 900 to 999 are reserved for that by the authorities.
 */
import { hash32 } from '../../core/lib/random.ts';

export interface Birth {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly sex: 'female' | 'male';
  /** Distinguishes people born on the same day; undefined when that country has no serial left. */
  readonly serial: number | undefined;
}

const firstYear = 1930;
const years = 78;
// Days that every month has: no calendar is needed.
const daysInMonth = 28;
const days = years * 12 * daysInMonth;
/** Shares no divisor with `days`, so that every day is used once before any is used again. */
const stride = 7919;

const serials = { SE: { first: 980, count: 20 }, FI: { first: 900, count: 100 } } as const;

export type NumberedCountry = keyof typeof serials;

export const isNumberedCountry = (country: string): country is NumberedCountry => Object.hasOwn(serials, country);

/** Generates the birth of the n-th person, from 1; no two of a country get the same number. */
export function birthOf(n: number, seed: number, country: NumberedCountry = 'FI'): Birth {
  const { first, count } = serials[country];
  const slot = (n * stride + hash32('birth', seed)) % days;
  const round = Math.floor(n / days);
  const serial = first + ((round + hash32(String(slot), seed)) % count);
  return {
    year: firstYear + Math.floor(slot / (12 * daysInMonth)),
    month: (Math.floor(slot / daysInMonth) % 12) + 1,
    day: (slot % daysInMonth) + 1,
    sex: serial % 2 === 0 ? 'female' : 'male',
    serial: round < count ? serial : undefined,
  };
}

const twoDigits = (value: number): string => String(value % 100).padStart(2, '0');

export const birthDate = ({ year, month, day }: Birth): string => `${year}-${twoDigits(month)}-${twoDigits(day)}`;

/** Formats the personal identity number as that country does. */
export function personalNumber({ year, month, day, serial }: Birth, country: NumberedCountry): string | undefined {
  if (serial === undefined) return undefined;
  if (country === 'FI') {
    const digits = `${twoDigits(day)}${twoDigits(month)}${twoDigits(year)}`;
    return `${digits}${year < 2000 ? '-' : 'A'}${serial}${finnishCheck(`${digits}${serial}`)}`;
  }
  const digits = `${twoDigits(year)}${twoDigits(month)}${twoDigits(day)}${serial}`;
  return `${year}${twoDigits(month)}${twoDigits(day)}-${serial}${luhnCheck(digits)}`;
}

const finnishCheck = (digits: string): string => '0123456789ABCDEFHJKLMNPRSTUVWXY'.charAt(Number(digits) % 31);

function luhnCheck(digits: string): number {
  const products = [...digits].map((digit, i) => Number(digit) * (i % 2 === 0 ? 2 : 1));
  const sum = products.reduce((total, product) => total + (product > 9 ? product - 9 : product), 0);
  return (10 - (sum % 10)) % 10;
}
