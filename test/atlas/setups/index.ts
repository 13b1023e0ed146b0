import type { Setup } from '../setup.ts';
import { go } from './go.ts';
import { javaSetups } from './java.ts';
import { javascript } from './javascript.ts';
import { csharpSetups, perlSetups, shellSetups } from './others.ts';
import { phpSetups } from './php.ts';
import { python } from './python.ts';
import { rubySetups } from './ruby.ts';

/** Every set-up of the atlas. */
export const setups: readonly Setup[] = [
  ...javascript,
  ...python,
  ...go,
  ...javaSetups,
  ...phpSetups,
  ...rubySetups,
  ...csharpSetups,
  ...perlSetups,
  ...shellSetups,
];
