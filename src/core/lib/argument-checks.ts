/** Checks what test code passes to a function or method, which may be JavaScript without types. */
import { InputError } from './input-error.ts';
import { didYouMean } from './suggest.ts';

interface Kind {
  /** Says what a value of this kind must be. */
  readonly words: string;
  readonly includes: (value: unknown) => boolean;
}

export const kinds = {
  text: { words: 'must be a text', includes: (value) => typeof value === 'string' },
  flag: { words: 'must be true or false', includes: (value) => typeof value === 'boolean' },
  list: { words: 'must be a list', includes: Array.isArray },
  callback: { words: 'must be a function', includes: (value) => typeof value === 'function' },
  port: {
    words: 'must be a whole number from 0 to 65535',
    includes: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
  },
  duration: {
    words: 'must be a number of milliseconds, 0 or more',
    includes: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
  },
  wholeNumber: { words: 'must be a whole number', includes: Number.isSafeInteger },
  // Checked by the method itself.
  any: { words: '', includes: () => true },
} as const satisfies Readonly<Record<string, Kind>>;

/** Throws `InputError` for options that are no object, that a method does not have, or of the wrong kind. */
export function checkOptions<Options extends object>(
  method: string,
  given: Options,
  known: Readonly<Record<keyof Options & string, Kind>>,
): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new InputError(`${method}: must be an object with ${Object.keys(known).join(', ')}${received(given)}`);
  const wrong = Object.entries(given).flatMap(([name, value]) => optionError(name, value, known));
  if (wrong.length > 0) throw new InputError(`${method}: ${wrong.join('; ')}`);
}

function optionError(name: string, value: unknown, known: Readonly<Record<string, Kind>>): string[] {
  const kind = Object.hasOwn(known, name) ? known[name] : undefined;
  const names = Object.keys(known);
  if (!kind) return [`${name}: is not an option${didYouMean(name, names) || `; there are ${names.join(', ')}`}`];
  return value === undefined || kind.includes(value) ? [] : [`${name}: ${kind.words}${received(value)}`];
}

/** Throws `InputError` for a value that is none of these words. */
export function checkWord(method: string, given: unknown, words: readonly string[]): void {
  if (words.some((word) => word === given)) return;
  const hint = typeof given === 'string' ? didYouMean(given, words) : '';
  throw new InputError(`${method}: must be one of ${words.join(', ')}${received(given)}${hint}`);
}

/** Throws `InputError` for an argument of the wrong kind. */
export function checkArgument(method: string, given: unknown, kind: Kind): void {
  if (!kind.includes(given)) throw new InputError(`${method}: ${kind.words}${received(given)}`);
}

function received(value: unknown): string {
  if (Array.isArray(value)) return ', not a list';
  if (typeof value === 'object' && value !== null) return ', not an object';
  return typeof value === 'function' ? ', not a function' : `, not ${JSON.stringify(value)}`;
}
