/** Updates tenants when the scenario that they follow is replaced by another version. */
import type { Tenant } from '../core/tenant/tenant.ts';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import type { TenantFactory } from './tenant-factory.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import type { ScenarioSpec } from '../scenario/scenario-schema.ts';
import { diffScenarios, needsNewTenants, setupOf } from '../scenario/setup.ts';
import type { ScenarioChange, ScenarioSetup } from '../scenario/setup.ts';

/** Describes what a new version of the scenario changed. */
export interface ScenarioReload extends ScenarioChange {
  /** Names the tenants that had to be recreated. */
  readonly recreated: readonly string[];
}

interface ReloadTarget {
  readonly tenantFactory: Pick<TenantFactory, 'scenario' | 'recreate'>;
  readonly tenants: TenantRegistry;
  /** True when a file keeps the states, so that no tenant may be recreated. */
  readonly isPersistent: boolean;
}

export function reloadScenario(
  spec: ScenarioSpec,
  { tenantFactory, tenants, isPersistent }: ReloadTarget,
): ScenarioReload {
  const before = tenantFactory.scenario;
  const following = [...tenants].filter((tenant) => scenarioOf(tenant).spec === before);
  const change = diffScenarios(before, spec);
  tenantFactory.scenario = spec;
  try {
    if (isPersistent || !needsNewTenants(change)) {
      for (const tenant of following) scenarioOf(tenant).assertNoIdConflicts(spec);
      for (const tenant of following) revise(tenant, spec, change);
      return { ...change, recreated: [] };
    }
    const recreated = recreateAll(following, tenantFactory);
    for (const tenant of recreated) tenants.replace(tenant);
    return { ...change, recreated: recreated.map(({ name }) => name) };
  } catch (error) {
    tenantFactory.scenario = before;
    throw error;
  }
}

/** Recreates all of them or none. */
function recreateAll(olds: readonly Tenant[], { recreate }: ReloadTarget['tenantFactory']): readonly Tenant[] {
  const recreated: Tenant[] = [];
  try {
    for (const old of olds) recreated.push(recreate(old));
    return recreated;
  } catch (error) {
    for (const tenant of recreated) tenant.close();
    throw error;
  }
}

function revise(tenant: Tenant, spec: ScenarioSpec, { changed, removed }: ScenarioChange): void {
  scenarioOf(tenant).revise(spec);
  // The rule that holds a request may be gone.
  if (changed.length + removed.length > 0) tenant.releaseHeldRequests();
}

interface ScenarioTarget {
  readonly tenants: TenantRegistry;
  readonly recreate: (old: Tenant, setup: ScenarioSetup & { readonly scenario: ScenarioSpec }) => Tenant;
}

/** Applies a scenario to the tenant that has this one's name by then, or a new one; its fixtures are read in turns before that. */
export async function applyScenarioInTurns(
  tenant: Tenant,
  scenario: ScenarioSpec,
  target: ScenarioTarget & Pick<TenantFactory, 'withSeed'>,
): Promise<Tenant> {
  const setup = setupOf(scenario);
  if (Object.keys(setup).length === 0) return applyScenario(tenant, scenario, target);
  const start = { name: tenant.name, model: tenant, setup: { ...setup, scenario } };
  return target.withSeed(start, () => applyScenario(target.tenants.getOrCreate(tenant.name), scenario, target));
}

/** Applies a scenario to a tenant, and returns it; a scenario with a set-up recreates the tenant. */
export function applyScenario(tenant: Tenant, scenario: ScenarioSpec, { tenants, recreate }: ScenarioTarget): Tenant {
  const setup = setupOf(scenario);
  if (Object.keys(setup).length === 0) {
    scenarioOf(tenant).replace(scenario);
    tenant.releaseHeldRequests();
    return tenant;
  }
  const recreated = recreate(tenant, { ...setup, scenario });
  tenants.replace(recreated);
  return recreated;
}
