import { parseLength } from '../../core/lib/duration.ts';
import { InputError } from '../../core/lib/input-error.ts';

/** Parses a length of time, in ms. Throws `InputError` that names its flag. */
export function parseLengthFlag(flag: string, text: string): number {
  const length = parseLength(text);
  if (length !== undefined) return length;
  throw new InputError(`${flag}: must be a length of time such as 30s or 2m, not "${text}"`);
}
