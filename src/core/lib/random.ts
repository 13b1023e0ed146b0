/** Is the only source of chance: everything drawn here follows from a seed and a label, never from the machine. */

const mix = (hash: number, value: number): number => {
  let mixed = Math.imul(hash ^ value, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

/** Returns a 32-bit digest of a text, spread evenly; `salt` gives independent digests of the same text. */
export function hash32(text: string, salt = 0): number {
  let hash = mix(0x9e3779b9, salt);
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash, text.length);
}

/** Returns a number in [0, 1) that depends on nothing but the seed and the label. */
export const seededRandom = (seed: number, label: string): number => hash32(label, seed) / 2 ** 32;

/** Returns bytes that depend on nothing but the seed and the label. */
export function seededBytes(seed: number, label: string, count: number): Uint8Array {
  const base = hash32(label, seed);
  const bytes = new Uint8Array(count);
  for (let i = 0; i < count; i++) bytes[i] = mix(base, i);
  return bytes;
}

const hexDigits = Buffer.from('0123456789abcdef');
const guidBuffer = Buffer.alloc(36, '-');

/** Writes the last four hexadecimal digits of a number. */
function writeHex(at: number, value: number): void {
  for (let i = 0; i < 4; i++) guidBuffer[at + i] = hexDigits[(value >>> (12 - 4 * i)) & 15] as number;
}

/** Returns a GUID in the form of version 4 that depends on nothing but the seed, the label and the number. */
export function seededGuid(seed: number, label: string, number: number): string {
  const base = hash32(label, seed);
  const a = mix(base, number);
  const b = (mix(mix(base, 0x51ed270b), number) & 0xffff0fff) | 0x4000;
  const c = (mix(mix(base, 0x2545f491), number) & 0x3fffffff) | 0x80000000;
  const d = mix(mix(base, 0x6a09e667), number);
  // Put together in a buffer: joined of parts, a text takes twice the room for as long as it is kept.
  writeHex(0, a >>> 16);
  writeHex(4, a);
  writeHex(9, b >>> 16);
  writeHex(14, b);
  writeHex(19, c >>> 16);
  writeHex(24, c);
  writeHex(28, d >>> 16);
  writeHex(32, d);
  return guidBuffer.toString('latin1');
}

const guidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns the canonical form of a GUID (A-53: compared without case), or undefined when the text isn't one. */
export function normalizeGuid(text: string): string | undefined {
  const lower = text.toLowerCase();
  return guidPattern.test(lower) ? lower : undefined;
}
