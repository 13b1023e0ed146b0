/** Shows a tenant as it was at an earlier request. */
import type { Exchange } from '../exchange/exchange.ts';
import type { ClockSetting, Instant } from '../time/clock.ts';
import { mapResult } from '../time/steps.ts';
import type { Steps } from '../time/steps.ts';
import type { Moment } from './state-history.ts';
import { Tenant } from './tenant.ts';

/** Says on which side of a request: before its work was done, or after. */
export type RequestSide = 'before' | 'after';

/** Describes a tenant at a request. */
export interface PastMoment extends Moment {
  readonly at: Instant;
}

/** Returns the steps to what a tenant was right before or right after a request; undefined if too much has changed since. */
export function momentOf(tenant: Tenant, exchange: Exchange, side: RequestSide): Steps<PastMoment> | undefined {
  const { clock, history, scheduler, state } = tenant;
  const { sideEffects, at } = exchange;
  const after = sideEffects.stateVersion;
  const version = side === 'after' ? after : history.versionBefore(after, sideEffects);
  const steps = history.momentAt(version, { state, clock: clock.setting, isHeld: scheduler.isHeld });
  return (
    steps && mapResult(steps, (moment) => ({ ...moment, at: 'frozenAt' in moment.clock ? moment.clock.frozenAt : at }))
  );
}

/** Returns a tenant of its own to read a past moment from; nothing is sent or executed for it. */
export const tenantToRead = ({ name, settings }: Tenant, { state, at }: PastMoment): Tenant =>
  new Tenant({ name, settings, seedState: state, savedClock: { frozenAt: at }, handlers: {} });

/** Returns a tenant of its own that stays as this one is now: work in turns reads from it, whatever comes in between. */
export const captureTenant = ({
  name,
  settings,
  seedState,
  state,
  clock,
  faults,
  journal,
  history,
  lineage,
}: Tenant): Tenant =>
  new Tenant({
    name,
    settings,
    seedState,
    savedState: state,
    savedClock: { frozenAt: clock.now() },
    handlers: {},
    faults,
    journal: journal.capture(),
    history: history.capture(),
    // What is set back later concerns none of the states that are captured.
    lineage: lineage.capture(),
  });

/** Lets a tenant start from a past moment of another: with its state, its clock and its queue. */
export function startFrom(tenant: Tenant, { state, clock, isHeld, at }: PastMoment): void {
  const setting: ClockSetting = { frozenAt: at };
  tenant.setClock(() => {
    tenant.clock.restore(setting);
    if (!('frozenAt' in clock)) tenant.clock.resume();
  }, state);
  if (isHeld) tenant.scheduler.holdQueue();
  else tenant.scheduler.armTimer();
}
