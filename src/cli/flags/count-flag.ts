/** Parses the number of a flag such as `--jobs 8`. */
import { InputError } from '../../core/lib/input-error.ts';

/** Returns the number. Throws `InputError` for anything but a whole number from 1. */
export function parseCount(flag: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InputError(`${flag}: must be a whole number from 1, not "${text}"`);
}
