import { setFlagsFromString } from 'node:v8';

/** The garbage that V8 lets grow before it collects all of it, as a percentage of what lives. */
const percent = 150;

/**
 * Keeps the heap within a multiple of what lives: by itself V8 lets it grow up to four times. Belongs after the start,
 * since code that was compiled before is only taken back under the same flags.
 */
export const boundHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${percent}`);
