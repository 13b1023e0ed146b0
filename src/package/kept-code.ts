import { createHash } from 'node:crypto';

/** Holds the length of the digest that stands before the kept code, in bytes. */
export const keptDigestLength = 32;

/**
 * Returns the code that V8 compiled of a text; undefined when it was kept for another text. V8 itself would take the code
 * of any text of the same length.
 */
export function keptCodeOf(text: Buffer, kept: Buffer): Buffer | undefined {
  const digest = createHash('sha256').update(text).digest();
  return digest.equals(kept.subarray(0, keptDigestLength)) ? kept.subarray(keptDigestLength) : undefined;
}
