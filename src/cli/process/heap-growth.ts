import { setFlagsFromString } from 'node:v8';

/** Limits the garbage that V8 lets grow before it collects all of it, as a percentage of what lives. */
const percent = 150;

/**
 * Keeps the heap within a multiple of what lives: by itself V8 lets it grow up to four times. Belongs after the start,
 * since kept code is taken back under the flags alone that it was kept under (scripts/compile-cache.mjs).
 */
export const boundHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${percent}`);
