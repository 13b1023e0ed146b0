import type { Setup } from '../setup.ts';
import { javascript } from './javascript.ts';

/** Every set-up of the atlas. */
export const setups: readonly Setup[] = [...javascript];
