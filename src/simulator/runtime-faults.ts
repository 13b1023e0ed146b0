/** Lets test code add fault rules while a sim runs. */
import { InputError } from '../core/lib/input-error.ts';
import { defaultTenantName } from '../core/tenant/registry.ts';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import type { ActiveFaultRule } from '../faults/fault-rules.ts';
import type { RuleInput, RuleSpec } from '../faults/rule-schema.ts';
import { checkOptions, kinds } from '../core/lib/argument-checks.ts';

interface FaultTarget {
  /** Names the tenant whose requests are meant (default: `default`). */
  readonly tenant?: string;
}

export interface SimFaults {
  /**
   * Adds a rule before all others and returns its id; it is active when the promise resolves. Throws `InputError` that
   * names every mistake: `await sim.faults.add({ match: { endpoint: 'createReceipt' }, fault: ['504', '504'] })`.
   */
  readonly add: (rule: RuleInput, target?: FaultTarget) => Promise<string>;
  /** Removes all rules that were added, and releases the requests that a fault holds. */
  readonly clear: (target?: FaultTarget) => void;
}

const targetOptions = { tenant: kinds.text };

export const createSimFaults = (tenants: TenantRegistry): SimFaults => ({
  add: async (given, target = {}) => {
    checkOptions('faults.add', target, targetOptions);
    // Imported here, so that no start waits for the schemas of rules.
    const { parseRule } = await import('../scenario/validate.ts');
    const rule = parseRule(given);
    return addRule(tenants, rule, tenantOf(rule, target.tenant)).rule.id;
  },
  clear: (target = {}) => {
    checkOptions('faults.clear', target, targetOptions);
    const { tenant = defaultTenantName } = target;
    const existing = tenants.get(tenant);
    if (!existing) return;
    scenarioOf(existing).faults.clearAdded();
    existing.releaseHeldRequests();
  },
});

function tenantOf({ match }: RuleSpec, named: string | undefined): string {
  const matched = match?.tenant;
  if (matched === undefined || named === undefined || matched === named) return named ?? matched ?? defaultTenantName;
  throw new InputError(`match.tenant is "${matched}", and the rule is added for "${named}": leave one of them out.`);
}

function addRule(tenants: TenantRegistry, rule: RuleSpec, tenant: string): ActiveFaultRule {
  const { faults } = scenarioOf(tenants.getOrCreate(tenant));
  if (faults.has(rule.id))
    throw new InputError(`There is a rule "${rule.id}" already; give this one another id, or leave the id out.`);
  return faults.add(rule);
}
