import { setFlagsFromString } from 'node:v8';

/** Limits the garbage that V8 lets grow before it collects all of it, as a percentage of what lives. */
const percent = 150;

/**
 * Keeps the heap within a multiple of what lives: by itself V8 lets it grow up to four times. Keeps the space for young
 * objects as large as the start needed it: a larger one is collected less often, but all wait longer each time, since the
 * journal keeps some of what each request made. After a quiet time V8 makes it smaller still, and it stays so: small
 * requests are as fast, large bulks 7 % slower. Belongs after the start, since kept code is taken back under the flags
 * alone that it was kept under (scripts/compile-cache.mjs).
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
  setFlagsFromString('--semi-space-growth-factor=1');
}
