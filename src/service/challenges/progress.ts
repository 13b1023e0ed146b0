/** Derives a challenge's progress from its checkpoints and the clock; none of it is stored. */
import { parseTimestamp } from '../../core/time/clock.ts';
import { addLocalMonths } from '../../core/time/time-zone.ts';
import type { Instant } from '../../core/time/clock.ts';
import type { AssignedChallenge } from './lookup.ts';

type ChallengeStatus = 'Completed' | 'NotCompleted' | 'Active';

/** Completed stays so for good; what isn't when its months are over can't be completed any more. */
export function challengeStatusOf(held: AssignedChallenge, now: Instant): ChallengeStatus {
  const { challenge, definition } = held;
  if (challenge.completedCheckpoints >= definition.requiredNumberOfCheckpoints) return 'Completed';
  const end = challengeExpiryOf(held);
  return end !== undefined && now >= end ? 'NotCompleted' : 'Active';
}

/** Returns the moment from which a challenge can't be completed any more; undefined when there is none. */
export function challengeExpiryOf({ challenge, definition, timeZone }: AssignedChallenge): Instant | undefined {
  if (definition.expirationMonths === 0) return undefined;
  return addLocalMonths(parseTimestamp(challenge.challengeStart) ?? 0, definition.expirationMonths, timeZone);
}
