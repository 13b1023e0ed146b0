/** How a tenant goes back to what it was: to its start, or to a snapshot. */
import type { Scope } from './scopes.ts';
import { mergeScopes } from './state.ts';
import type { Tenant } from './tenant.ts';

/** What was put back as it was: parts of a tenant as they were at the start, or all that a snapshot holds. */
export type PutBack = { readonly scopes: readonly Scope[] } | { readonly snapshot: string };

/** Puts back the chosen parts as they were at the start, all of them or none. */
export function resetTenant(tenant: Tenant, chosen: readonly Scope[]): void {
  const { clock, settings, state, seedState } = tenant;
  const setting = chosen.includes('clock') ? settings.clock : clock.setting;
  tenant.turn(() => clock.restore(setting), mergeScopes(state, seedState, new Set<string>(chosen)));
  if (chosen.includes('queue')) tenant.agenda.letGo();
  if (chosen.includes('journal')) tenant.journal.clear();
  if (chosen.includes('faults')) {
    tenant.faults.restart();
    tenant.endHeld();
  }
  tenant.returned({ scopes: chosen });
  // What was put back may be due by a clock that was not.
  tenant.agenda.runDue();
}

export function keepSnapshot({ snapshots, state, clock, agenda }: Tenant, name: string): void {
  snapshots.take(name, { state, clock: clock.setting, held: agenda.held, takenAt: clock.now() });
}

/** Answers whether there is a snapshot of this name. */
export function restoreSnapshot(tenant: Tenant, name: string): boolean {
  const snapshot = tenant.snapshots.get(name);
  if (!snapshot) return false;
  tenant.turn(() => tenant.clock.restore(snapshot.clock), snapshot.state);
  if (snapshot.held) tenant.agenda.hold();
  else tenant.agenda.letGo();
  tenant.returned({ snapshot: name });
  tenant.agenda.runDue();
  return true;
}
