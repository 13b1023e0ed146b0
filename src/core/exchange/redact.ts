/** Keeps personal numbers and keys out of logs and reports. */
import { redactedText, isSecretName } from './redaction.ts';

// Swedish with 10 or 12 digits (coordination numbers add 60 to the day), and Finnish; not as a part of ids.
const day = String.raw`(?:0[1-9]|[12]\d|3[01])`;
const month = String.raw`(?:0[1-9]|1[0-2])`;
const sign = String.raw`(?:[-+]|%2[bBdD])`;
const swedish = String.raw`(?:(?:18|19|20)\d\d|\d\d)${month}(?:${day}|[67]\d|8\d|9[01])${sign}?\d{4}`;
const finnish = String.raw`${day}${month}\d\d(?:${sign}|[A-FU-Ya-fu-y])\d{3}[0-9A-Ya-y]`;
const personalNumber = new RegExp(String.raw`(?<![\w-])(?:${swedish}|${finnish})(?![\w-])`, 'g');

const parameter = /(?<=^|[?&])([\w.%-]+)=[^&\s]*/g;

const withoutKey = (sent: string, name: string): string =>
  name.toLowerCase() === 'socialsecuritynumber' || isSecretName(name) ? `${name}=${redactedText}` : sent;

/** Matches the text between the separators of a URL. */
const urlPart = /[^\s/?&=]+/g;

/** Decodes percent-encoded ASCII. */
const decoded = (part: string): string =>
  part.replaceAll(/%[0-7][\da-f]/gi, (code) => String.fromCodePoint(Number.parseInt(code.slice(1), 16)));

const withoutEncoded = (part: string): string =>
  part.includes('%') && decoded(part).search(personalNumber) >= 0 ? redactedText : part;

/** Redacts every text inside a value, however deep. */
export function redactAll(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(redactAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactAll(inner)]));
}

/** Replaces personal numbers, and parameters that hold one or a key. */
export const redact = (text: string): string =>
  text.replaceAll(parameter, withoutKey).replaceAll(personalNumber, redactedText).replaceAll(urlPart, withoutEncoded);
