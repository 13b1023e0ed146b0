import { isDeepStrictEqual } from 'node:util';
import type { FaultSelector, FaultPlan } from '../core/exchange/fault-plan.ts';
import { OptionError } from '../core/exchange/api-error.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { Signal } from '../core/lib/signal.ts';
import { createActiveRule } from '../faults/active-rule.ts';
import type { ActiveRule } from '../faults/active-rule.ts';
import { RuleIndex } from '../faults/rule-index.ts';
import { PointMasterRuleSet } from '../faults/point-master-rules.ts';
import type { PointMasterAvailability } from '../faults/point-master-rules.ts';
import { compileRule } from '../faults/compiled-rule.ts';
import type { CompiledRule } from '../faults/compiled-rule.ts';
import { assignIds } from '../faults/rule-ids.ts';
import type { PolicySpec } from './policy-schema.ts';
import type { ScenarioSpec } from './scenario-schema.ts';
import type { RuleSpec } from '../faults/rule-schema.ts';
import { WebhookRuleSet } from '../faults/webhook-rules.ts';

export type { ActiveRule } from '../faults/active-rule.ts';

interface ScenarioEnvironment extends PointMasterAvailability {
  /** Declared for every scenario. */
  readonly policy?: PolicySpec | undefined;
}

/** A tenant's active scenario, with what has become of its rules so far. */
export class Scenario implements FaultPlan {
  /** Told when there are other rules than before. */
  readonly changed = new Signal();
  /** What goes wrong with what is sent to its webhook. */
  readonly webhooks: WebhookRuleSet;
  /** What goes wrong with the point master beside the simulator. */
  readonly master: PointMasterRuleSet;
  readonly #tenant: string;
  readonly #policy: PolicySpec | undefined;
  #written: ScenarioSpec;
  #scenarioRules: readonly ActiveRule[];
  /** Added while running; the newest first. */
  #added: readonly ActiveRule[] = [];
  #numbered = 0;
  /** By endpoint and method; made when there is such a call. */
  #selectors = new Map<string | undefined, Map<string, FaultSelector | undefined>>();

  /** Throws an `OptionError` for rules that nobody here could follow. */
  constructor(tenant: string, written: ScenarioSpec = {}, side: ScenarioEnvironment = { hasPointMaster: false }) {
    this.#tenant = tenant;
    this.#written = written;
    this.#policy = side.policy;
    this.webhooks = new WebhookRuleSet(written.webhooks);
    this.master = new PointMasterRuleSet(written.master, side);
    this.#scenarioRules = this.#plan();
  }

  get written(): ScenarioSpec {
    return this.#written;
  }

  /** What the client is held to: the scenario's own counts more than that of the options. */
  get policy(): PolicySpec {
    return { ...this.#policy, ...this.#written.policy };
  }

  /** Rules in the order in which they are asked. */
  get rules(): readonly ActiveRule[] {
    return [...this.#added, ...this.#scenarioRules];
  }

  has(id: string | undefined): boolean {
    return this.rules.some(({ rule }) => rule.id === id);
  }

  selectorFor(method: string, endpoint: string | undefined): FaultSelector | undefined {
    let byMethod = this.#selectors.get(endpoint);
    if (!byMethod) this.#selectors.set(endpoint, (byMethod = new Map<string, FaultSelector | undefined>()));
    const known = byMethod.get(method);
    if (known || byMethod.has(method)) return known;
    const met = this.rules.filter(({ rule }) => rule.matcher.mayApplyTo(endpoint));
    const concern = met.length === 0 ? undefined : new RuleIndex(met, method);
    byMethod.set(method, concern);
    return concern;
  }

  /** Puts a rule before all others. */
  add(written: RuleSpec): ActiveRule {
    const active = createActiveRule(compileRule(written, written.id ?? this.#nextId()), 'added');
    this.#activate({ added: [active, ...this.#added] });
    return active;
  }

  /** Takes an added rule away; answers whether there was one. */
  remove(id: string): boolean {
    const left = this.#added.filter(({ rule }) => rule.id !== id);
    const isFound = left.length < this.#added.length;
    this.#activate({ added: left });
    return isFound;
  }

  /** Takes all added rules away; answers how many there were. */
  clearAdded(): number {
    const { length } = this.#added;
    this.#activate({ added: [] });
    return length;
  }

  reset(): void {
    this.webhooks.restart(this.#written.webhooks);
    this.master.replace(this.#written.master);
    this.#activate({ planned: this.#plan(), added: [] });
  }

  /** Throws an `OptionError` when rules of a scenario can't stand beside those that were added. */
  assertNoIdConflicts(written: ScenarioSpec): void {
    const added = new Set(this.#added.map(({ rule }) => rule.id));
    const rules = this.#plan(written).flatMap(({ rule }) => (added.has(rule.id) ? [rule.id] : []));
    for (const [section, [id]] of Object.entries({
      rules,
      webhooks: this.webhooks.findConflictingIds(written.webhooks),
    })) {
      if (id === undefined) continue;
      const path = section === 'rules' ? 'faults' : 'webhooks/faults';
      const wayOut = `give it another, or DELETE /__admin/${path}/${id} first`;
      throw new OptionError(section, `one has the id "${id}", as has a rule that was added while running; ${wayOut}`);
    }
  }

  /** Takes up another scenario; rules that were added stay. */
  replace(written: ScenarioSpec): void {
    this.assertNoIdConflicts(written);
    this.master.replace(written.master);
    this.#written = written;
    this.webhooks.replace(written.webhooks);
    this.#activate({ planned: this.#plan() });
  }

  /** Takes up another version of the scenario: rules that are as they were keep what they have counted. */
  revise(written: ScenarioSpec): void {
    this.master.revise(written.master);
    const before = this.#scenarioRules;
    const same = ({ rule }: ActiveRule): ActiveRule | undefined =>
      before.find((known) => known.rule.id === rule.id && isDeepStrictEqual(known.rule.written, rule.written));
    this.#written = written;
    this.webhooks.revise(written.webhooks);
    this.#activate({ planned: this.#plan().map((fresh) => same(fresh) ?? fresh) });
  }

  #activate({ planned = this.#scenarioRules, added = this.#added }): void {
    this.#scenarioRules = planned;
    this.#added = added;
    this.#selectors = new Map();
    this.changed.emit();
  }

  /** Rules that are meant for other tenants are none of this one's. */
  #plan(written = this.#written): readonly ActiveRule[] {
    return rulesOf(written)
      .filter(({ written: { match } }) => match?.tenant === undefined || match.tenant === this.#tenant)
      .map((rule) => createActiveRule(rule, 'scenario'));
  }

  #nextId(): string {
    const id = `fault-${++this.#numbered}`;
    return this.has(id) ? this.#nextId() : id;
  }
}

const made = new WeakMap<ScenarioSpec, readonly CompiledRule[]>();

/** A scenario's rules, made ready once for all tenants. */
function rulesOf(written: ScenarioSpec): readonly CompiledRule[] {
  const known = made.get(written);
  if (known) return known;
  const rules = assignIds(written.rules ?? [], 'rule').map(([id, rule]) => compileRule(rule, id));
  made.set(written, rules);
  return rules;
}

/** A tenant's scenario. */
export function scenarioOf({ faults }: Tenant): Scenario {
  if (faults instanceof Scenario) return faults;
  throw new Error('this tenant was made without a scenario');
}
