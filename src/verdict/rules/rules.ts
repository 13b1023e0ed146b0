import { looksFirst, takesEffectOnce } from './effects.ts';
import { deliversLater } from './fallback.ts';
import { knowsWhenToStop, oneAtATime, pausesLongEnough } from './pacing.ts';
import { correctsFirst, keepsContent, keepsKey, leavesWellAlone, retriesAfterFailure } from './repeating.ts';
import type { RetryRule } from './rule.ts';
import { noStorm } from './storm.ts';

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
