/** Rules that test code adds while a sim runs. */
import { InputError } from '../core/lib/input-error.ts';
import { defaultTenantName } from '../core/tenant/registry.ts';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import type { ActiveFaultRule } from '../faults/fault-rules.ts';
import type { RuleInput, RuleSpec } from '../faults/rule-schema.ts';

interface Whose {
  /** Whose calls are meant; those of `default` unless given. */
  readonly tenant?: string;
}

export interface SimFaults {
  /**
   * Adds a rule before all others and answers its id; it is in force when the promise is met. Throws `InputError` that
   * names every mistake: `await sim.faults.add({ match: { endpoint: 'createReceipt' }, fault: ['504', '504'] })`.
   */
  readonly add: (rule: RuleInput, whose?: Whose) => Promise<string>;
  /** Takes away all rules that were added, and ends the calls that a fault holds up. */
  readonly clear: (whose?: Whose) => void;
}

export const createSimFaults = (tenants: TenantRegistry): SimFaults => ({
  add: async (sent, { tenant } = {}) => {
    // No start waits for the schemas of rules.
    const { parseRule: readRule } = await import('../scenario/validate.ts');
    const rule = readRule(sent);
    return addRule(tenants, rule, tenantOf(rule, tenant)).rule.id;
  },
  clear: ({ tenant = defaultTenantName } = {}) => {
    const known = tenants.get(tenant);
    if (!known) return;
    scenarioOf(known).faults.clearAdded();
    known.releaseHeldRequests();
  },
});

function tenantOf({ match }: RuleSpec, named: string | undefined): string {
  const meant = match?.tenant;
  if (meant === undefined || named === undefined || meant === named) return named ?? meant ?? defaultTenantName;
  throw new InputError(`match.tenant is "${meant}", and the rule is added for "${named}": leave one of them out.`);
}

function addRule(tenants: TenantRegistry, rule: RuleSpec, tenant: string): ActiveFaultRule {
  const { faults } = scenarioOf(tenants.getOrCreate(tenant));
  if (faults.has(rule.id))
    throw new InputError(`There is a rule "${rule.id}" already; give this one another id, or none.`);
  return faults.add(rule);
}
