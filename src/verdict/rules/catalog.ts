import { retriesAfterFailure } from './r01-retry-after-failure.ts';
import { leavesWellAlone } from './r02-final-responses.ts';
import { correctsFirst } from './r03-validation-errors.ts';
import { keepsContent } from './r04-same-content.ts';
import { keepsKey } from './r05-same-key.ts';
import { pausesLongEnough } from './r06-backoff.ts';
import { knowsWhenToStop } from './r07-attempt-limit.ts';
import { oneAtATime } from './r08-overlap.ts';
import { deliversLater } from './r09-store-and-forward.ts';
import { takesEffectOnce } from './r10-once-only.ts';
import { looksFirst } from './r11-read-back.ts';
import { noStorm } from './r12-retry-storm.ts';
import { outlivesRestart } from './r13-lost-over-restart.ts';
import { onceOverRestarts } from './r14-doubled-over-restart.ts';
import { knowsBeforeCreating } from './r15-failed-lookup.ts';
import { thereInTheEnd } from './r16-missing-in-the-end.ts';
import type { RetryRule } from './retry-rule.ts';

/** Lists every rule that clients are held to, by number. */
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
  outlivesRestart,
  onceOverRestarts,
  knowsBeforeCreating,
  thereInTheEnd,
];
