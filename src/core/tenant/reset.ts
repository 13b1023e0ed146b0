/** Resets a tenant to its start, or restores a snapshot. */
import type { ResetScope } from './reset-scopes.ts';
import { startVersion } from './state-lineage.ts';
import { mergeTablesByScope } from '../state/state.ts';
import type { Tenant } from './tenant.ts';

/**
 * Puts back the chosen parts as they were at the start, all of them or none. What was put back may be due by a clock that
 * was not: whoever resets does that next.
 */
export function resetTenant(tenant: Tenant, chosen: readonly ResetScope[]): void {
  const { clock, settings, state, seedState } = tenant;
  const setting = chosen.includes('clock') ? settings.clock : clock.setting;
  tenant.setClock(() => clock.restore(setting), mergeTablesByScope(state, seedState, new Set<string>(chosen)));
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

export function saveSnapshot({ snapshots, state, clock, scheduler: agenda, history }: Tenant, name: string): void {
  const { version } = history;
  snapshots.take(name, { state, clock: clock.setting, held: agenda.isHeld, takenAt: clock.now(), version });
}

/** Puts back what a snapshot holds, some of which may be due next, and answers whether there is one of this name. */
export function restoreSnapshot(tenant: Tenant, name: string): boolean {
  const snapshot = tenant.snapshots.get(name);
  if (!snapshot) return false;
  tenant.setClock(() => tenant.clock.restore(snapshot.clock), snapshot.state);
  tenant.lineage.setBack(tenant.history.version, snapshot.version);
  if (snapshot.held) tenant.scheduler.holdQueue();
  else tenant.scheduler.resumeQueue();
  tenant.notifyRestored({ snapshot: name });
  return true;
}
