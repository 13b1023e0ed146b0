/** Resets a tenant to its start, or restores a snapshot. */
import type { ResetScope } from './reset-scopes.ts';
import { startVersion } from './state-lineage.ts';
import { logicalClockSequence } from './webhook-outbox.ts';
import { mergeTablesByScope } from '../state/state.ts';
import type { TenantSnapshot } from './snapshots.ts';
import type { State } from '../state/state.ts';
import type { Tenant } from './tenant.ts';

/** Returns the state with the chosen parts as they were at the start. */
export const stateAfterReset = ({ state, seedState }: Tenant, chosen: readonly ResetScope[]): State =>
  mergeTablesByScope(state, seedState, new Set<string>(chosen));

/**
 * Puts back the chosen parts as they were at the start, all of them or none. What was put back may be due by a clock that
 * was not: whoever resets does that next.
 */
export function resetTenant(tenant: Tenant, chosen: readonly ResetScope[]): void {
  const { clock, settings, state } = tenant;
  const setting = chosen.includes('clock') ? settings.clock : clock.setting;
  const next = stateAfterReset(tenant, chosen);
  const isPartial = chosen.includes('state') !== chosen.includes('webhooks');
  tenant.setClock(() => clock.restore(setting), isPartial ? withTurnSkipped(next, state) : next);
  if (chosen.includes('queue')) tenant.scheduler.resumeQueue();
  if (chosen.includes('journal')) tenant.journal.clear();
  if (chosen.includes('state')) {
    tenant.lineage.setBack(tenant.history.version, startVersion);
    tenant.journal.forgetDeleted();
  }
  if (chosen.includes('faults')) {
    tenant.faults.reset();
    tenant.releaseHeldRequests();
  }
  tenant.notifyRestored({ scopes: chosen });
}

/**
 * Leaves out a turn when records of what was exchanged with a point master are put back or removed: by the gap, its report
 * knows that the master has seen more than what is on record.
 */
function withTurnSkipped(next: State, present: State): State {
  const turn = Math.max(next.sequences[logicalClockSequence] ?? 0, present.sequences[logicalClockSequence] ?? 0);
  const sequences = { ...next.sequences, [logicalClockSequence]: turn + 1 };
  return turn === 0 ? next : { ...next, sequences, editToken: undefined };
}

export function saveSnapshot({ snapshots, state, clock, scheduler: agenda, history }: Tenant, name: string): void {
  const { version } = history;
  snapshots.take(name, { state, clock: clock.setting, held: agenda.isHeld, takenAt: clock.now(), version });
}

/** Puts back what the snapshot of this name holds, some of which may be due next. */
export function restoreSnapshot(tenant: Tenant, name: string, snapshot: TenantSnapshot): void {
  tenant.setClock(() => tenant.clock.restore(snapshot.clock), withTurnSkipped(snapshot.state, tenant.state));
  tenant.lineage.setBack(tenant.history.version, snapshot.version);
  if (snapshot.held) tenant.scheduler.holdQueue();
  else tenant.scheduler.resumeQueue();
  tenant.notifyRestored({ snapshot: name });
}
