/** What becomes of tenants when the scenario that they follow is replaced by another version of it. */
import type { Tenant } from '../core/tenant/tenant.ts';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import type { TenantFactory } from './tenant-factory.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import type { ScenarioSpec } from '../scenario/scenario-schema.ts';
import { diffScenarios, needsNewTenants, setupOf } from '../scenario/setup.ts';
import type { ScenarioChange, ScenarioSetup } from '../scenario/setup.ts';

/** What has come of a new version of the scenario. */
export interface ScenarioReload extends ScenarioChange {
  /** Tenants that were made anew, since that is what the change takes. */
  readonly recreated: readonly string[];
}

interface Following {
  readonly maker: Pick<TenantFactory, 'scenario' | 'recreate'>;
  readonly tenants: TenantRegistry;
  /** Whether states are kept, so that no tenant may start anew. */
  readonly isKept: boolean;
}

export function reloadScenario(written: ScenarioSpec, { maker, tenants, isKept }: Following): ScenarioReload {
  const before = maker.scenario;
  const following = [...tenants].filter((tenant) => scenarioOf(tenant).written === before);
  const change = diffScenarios(before, written);
  maker.scenario = written;
  try {
    if (isKept || !needsNewTenants(change)) {
      for (const tenant of following) scenarioOf(tenant).assertNoIdConflicts(written);
      for (const tenant of following) revise(tenant, written, change);
      return { ...change, recreated: [] };
    }
    const anew = following.map((tenant) => maker.recreate(tenant));
    for (const tenant of anew) tenants.replace(tenant);
    return { ...change, recreated: anew.map(({ name }) => name) };
  } catch (error) {
    maker.scenario = before;
    throw error;
  }
}

function revise(tenant: Tenant, written: ScenarioSpec, { changed, removed }: ScenarioChange): void {
  scenarioOf(tenant).revise(written);
  // What holds a call up may be gone.
  if (changed.length + removed.length > 0) tenant.releaseHeldRequests();
}

interface TakingUp {
  readonly tenants: TenantRegistry;
  readonly makeAnew: (old: Tenant, setup: ScenarioSetup & { readonly scenario: ScenarioSpec }) => Tenant;
}

/** Has one tenant take up a scenario; one that says how the tenant is set up makes it anew. Answers the tenant. */
export function applyScenario(tenant: Tenant, scenario: ScenarioSpec, { tenants, makeAnew }: TakingUp): Tenant {
  const setup = setupOf(scenario);
  if (Object.keys(setup).length === 0) {
    scenarioOf(tenant).replace(scenario);
    tenant.releaseHeldRequests();
    return tenant;
  }
  const anew = makeAnew(tenant, { ...setup, scenario });
  tenants.replace(anew);
  return anew;
}
