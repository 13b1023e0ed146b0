/**
 * Plans the moment at which a challenge runs out of time. Nothing is written then, since its status follows from the
 * clock; the moment is planned so that whoever lets time pass hears of it.
 */
import type { Instant } from '../../core/time/clock.ts';
import { timerJob, timers } from '../../core/time/jobs.ts';
import type { TimerOptions } from '../../core/time/jobs.ts';
import { mapInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { getRow, allRows, withRowsInSteps } from '../../core/state/state.ts';
import type { State } from '../../core/state/state.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { retailerIn } from '../retailer/operations.ts';
import type { AssignedChallenge } from './lookup.ts';
import { challengeExpiryOf, challengeStatusOf } from './progress.ts';
import { challengeDefinitions } from './schema.ts';
import type { Challenge } from './schema.ts';

const endKey = ({ id }: Challenge): string => `challenges/${id}`;

function planOf(held: AssignedChallenge, now: Instant): TimerOptions | undefined {
  const dueAt = challengeStatusOf(held, now) === 'Active' ? challengeExpiryOf(held) : undefined;
  const payload = { challengeId: held.challenge.id };
  return dueAt === undefined ? undefined : { key: endKey(held.challenge), kind: 'challenges.end', dueAt, payload };
}

/** Plans the end of a challenge that is under way, and none for one that isn't any more. */
export function scheduleExpiry(tenant: TenantContext, held: AssignedChallenge): void {
  const plan = planOf(held, tenant.now());
  if (plan) tenant.scheduleTimer(plan);
  else tenant.cancelTimer(endKey(held.challenge));
}

/** Lets a challenge run out of time: that it is reported is all there is to it. */
export function expireChallenge(): void {}

/** Returns a state with the ends of its challenges planned. */
export function* withExpiryTimers(state: State, challenges: readonly Challenge[], now: Instant): Steps<State> {
  const { timeZone } = retailerIn(state);
  const planned = yield* mapInSteps(challenges, (challenge) => {
    const definition = getRow(state, challengeDefinitions, challenge.definitionId);
    const plan = definition && planOf({ challenge, definition, timeZone }, now);
    return plan ? [timerJob(plan, now)] : [];
  });
  return yield* withRowsInSteps(state, timers, [...allRows(state, timers), ...planned.flat()]);
}
