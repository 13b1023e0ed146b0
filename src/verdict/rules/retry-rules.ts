import { looksFirst, takesEffectOnce } from './effects.ts';
import { deliversLater } from './store-and-forward.ts';
import { knowsWhenToStop, oneAtATime, pausesLongEnough } from './pacing.ts';
import { correctsFirst, keepsContent, keepsKey, leavesWellAlone, retriesAfterFailure } from './repeating.ts';
import type { RetryRule } from './retry-rule.ts';
import { noStorm } from './retry-storm.ts';

/** Every rule that clients are held to, by number. */
export const retryRules: readonly RetryRule[] = [
  retriesAfterFailure,
  leavesWellAlone,
  correctsFirst,
  keepsContent,
  keepsKey,
  pausesLongEnough,
  knowsWhenToStop,
  oneAtATime,
  deliversLater,
  takesEffectOnce,
  looksFirst,
  noStorm,
];
