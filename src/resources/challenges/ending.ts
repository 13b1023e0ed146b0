/**
 * The moment at which a challenge runs out of time. Nothing is written then, since its status follows from the clock
 * the moment is planned so that whoever lets time pass is told of it.
 */
import type { Instant } from '../../core/clock.ts';
import { timerOf, timers } from '../../core/jobs.ts';
import type { Plan } from '../../core/jobs.ts';
import { getRow, rowsOf, withRows } from '../../core/state.ts';
import type { State } from '../../core/state.ts';
import type { Tenant } from '../../core/tenant.ts';
import type { HeldChallenge } from './lookup.ts';
import { endOf, statusOf } from './progress.ts';
import { challengeDefinitions } from './schema.ts';
import type { Challenge } from './schema.ts';

const endKey = ({ id }: Challenge): string => `challenges/${id}`;

function planOf(held: HeldChallenge, now: Instant): Plan | undefined {
  const dueAt = statusOf(held, now) === 'Active' ? endOf(held) : undefined;
  const payload = { challengeId: held.challenge.id };
  return dueAt === undefined ? undefined : { key: endKey(held.challenge), kind: 'challenges.end', dueAt, payload };
}

/** Plans the end of a challenge that is under way, and none for one that isn't any more. */
export function planEnd(tenant: Tenant, held: HeldChallenge): void {
  const plan = planOf(held, tenant.now());
  if (plan) tenant.plan(plan);
  else tenant.unplan(endKey(held.challenge));
}

/** Lets a challenge run out of time: being told of is all there is to it. */
export function endChallenge(): void {}

/** A state with the ends of its challenges planned. */
export function withEnds(state: State, challenges: readonly Challenge[], now: Instant): State {
  const planned = challenges.flatMap((challenge) => {
    const definition = getRow(state, challengeDefinitions, challenge.definitionId);
    const plan = definition && planOf({ challenge, definition }, now);
    return plan ? [timerOf(plan, now)] : [];
  });
  return withRows(state, timers, [...rowsOf(state, timers), ...planned]);
}
