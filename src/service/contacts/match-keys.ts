/** Defines the keys that contacts are distinguished by: when they are well formed, and when two mean the same. */
import { FinnishSSN } from 'finnish-ssn';
import personnummerModule from 'personnummer';
import { memoizeRecent } from '../../core/lib/memoize-recent.ts';

export const matchKeyTypes = ['email', 'mobilePhone', 'memberNumber', 'externalId', 'socialSecurityNumber'] as const;

export type MatchKeyType = (typeof matchKeyTypes)[number];

// The package's types describe an ES module; what Node loads is the class itself.
const personnummer = personnummerModule as unknown as typeof personnummerModule.default;

const emailPattern = /^[^\s@"]{1,64}@[^\s@]{1,250}\.[^\s@.]{2,}$/u;
const phonePattern = /^(?:\+|00)([1-9]\d{6,14})$/;

/** Two e-mail addresses that differ in case alone are the same. */
function normalizeEmail(email: string): string | undefined {
  const trimmed = email.trim();
  return emailPattern.test(trimmed) ? trimmed.toLowerCase() : undefined;
}

/**
 * Returns country code and number (E.164), however they were spaced; the "(0)" in +46 (0)70 is not dialled behind a
 * country code.
 */
function normalizePhone(phone: string): string | undefined {
  const digits = phonePattern.exec(phone.replace('(0)', '').replaceAll(/[\s().-]/g, ''))?.[1];
  return digits === undefined ? undefined : `+${digits}`;
}

/** Returns a Swedish number with its century, however it was written, and a Finnish one in capitals. */
function normalizePersonalNumber(personalNumber: string): string | undefined {
  const trimmed = personalNumber.trim();
  if (FinnishSSN.validate(trimmed.toUpperCase())) return trimmed.toUpperCase();
  return personnummer.valid(trimmed) ? personnummer.parse(trimmed).format(true) : undefined;
}

const normalizeText = (text: string): string | undefined => text.trim() || undefined;

/** A key is looked at over and over: as it is checked, for each index that it stands in, and by the verdict. */
const normalizers: Readonly<Record<MatchKeyType, (value: string) => string | undefined>> = {
  email: memoizeRecent(normalizeEmail),
  mobilePhone: memoizeRecent(normalizePhone),
  memberNumber: normalizeText,
  externalId: normalizeText,
  socialSecurityNumber: memoizeRecent(normalizePersonalNumber),
};

/** Returns the form that a key is stored and looked up by; undefined when it is not well formed. */
export const normalizeMatchKey = (type: MatchKeyType, value: string): string | undefined => normalizers[type](value);

/** Explains a key that is not well formed. */
export const matchKeyFormats: Readonly<Record<MatchKeyType, string>> = {
  email: 'must be an e-mail address',
  mobilePhone: 'must be a phone number with its country code, as +46701234567',
  memberNumber: 'must not be blank',
  externalId: 'must not be blank',
  socialSecurityNumber: 'must be a Swedish or Finnish personal identity number',
};
