/** What becomes of tenants when the scenario that they follow is replaced by another version of it. */
import type { Tenant } from '../core/tenant.ts';
import type { Tenants } from '../core/tenants.ts';
import type { TenantMaker } from '../tenant-maker.ts';
import { scenarioOf } from './scenario.ts';
import type { WrittenScenario } from './scenario-schema.ts';
import { changeBetween, needsNewTenants, setupOf } from './setup.ts';
import type { ScenarioChange, ScenarioSetup } from './setup.ts';

/** What has come of a new version of the scenario. */
export interface ScenarioReplaced extends ScenarioChange {
  /** Tenants that were made anew, since that is what the change takes. */
  readonly anew: readonly string[];
}

interface Following {
  readonly maker: Pick<TenantMaker, 'scenario' | 'makeAnew'>;
  readonly tenants: Tenants;
  /** Whether states are kept, so that no tenant may start anew. */
  readonly isKept: boolean;
}

export function replaceScenario(written: WrittenScenario, { maker, tenants, isKept }: Following): ScenarioReplaced {
  const before = maker.scenario;
  const following = [...tenants].filter((tenant) => scenarioOf(tenant).written === before);
  const change = changeBetween(before, written);
  maker.scenario = written;
  try {
    if (isKept || !needsNewTenants(change)) {
      for (const tenant of following) scenarioOf(tenant).check(written);
      for (const tenant of following) revise(tenant, written, change);
      return { ...change, anew: [] };
    }
    const anew = following.map((tenant) => maker.makeAnew(tenant));
    for (const tenant of anew) tenants.replace(tenant);
    return { ...change, anew: anew.map(({ name }) => name) };
  } catch (error) {
    maker.scenario = before;
    throw error;
  }
}

function revise(tenant: Tenant, written: WrittenScenario, { changed, removed }: ScenarioChange): void {
  scenarioOf(tenant).revise(written);
  // What holds a call up may be gone.
  if (changed.length + removed.length > 0) tenant.endHeld();
}

interface TakingUp {
  readonly tenants: Tenants;
  readonly makeAnew: (old: Tenant, setup: ScenarioSetup & { readonly scenario: WrittenScenario }) => Tenant;
}

/** Has one tenant take up a scenario; one that says how the tenant is set up makes it anew. Answers the tenant. */
export function takeUpScenario(tenant: Tenant, scenario: WrittenScenario, { tenants, makeAnew }: TakingUp): Tenant {
  const setup = setupOf(scenario);
  if (Object.keys(setup).length === 0) {
    scenarioOf(tenant).replace(scenario);
    tenant.endHeld();
    return tenant;
  }
  const anew = makeAnew(tenant, { ...setup, scenario });
  tenants.replace(anew);
  return anew;
}
