import { isHeldOpen, overlaps } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { consecutivePairs, isReadOperation } from '../history/operation.ts';
import { fail, requestLine } from './retry-rule.ts';
import type { RetryRule } from './retry-rule.ts';
import { unlessSimulatorWasLate } from '../evidence/timing.ts';

export const oneAtATime: RetryRule = {
  id: 'R8',
  title: 'attempts of one operation do not overlap',
  basis: {
    source: 'specification',
    text: 'General rule 1: “Calls are synchronous: the caller waits for the response.”',
  },
  advice: 'Wait for the response, or close the connection, before the next attempt; lock each operation.',
  certainty: 'timing',
  judge(operation, evidence) {
    if (isReadOperation(operation)) return [];
    return consecutivePairs(operation.clientAttempts)
      .filter(([before, next]) => isOverlapping(before, next, evidence.policy.tolerance))
      .map(([before, next]) => {
        const message = `${requestLine(next)} was sent again while the previous attempt was in flight`;
        const early = (isHeldOpen(before) ? Infinity : (before.end ?? Infinity)) - next.start;
        return unlessSimulatorWasLate(fail(message, before, next), { evidence, early });
      });
  },
};

/** A client without a response may know so a little before the simulator notices. */
function isOverlapping(before: Attempt, next: Attempt, tolerance: number): boolean {
  if (isHeldOpen(before)) return true;
  if (before.outcome === 'no-response') return next.start < (before.end ?? Infinity) - tolerance;
  return overlaps(before, next);
}
