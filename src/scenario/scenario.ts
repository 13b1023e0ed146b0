import { OptionError } from '../core/lib/input-error.ts';
import type { FaultPlan, FaultSelector } from '../core/exchange/fault-plan.ts';
import { RuleSet } from '../core/lib/rule-set.ts';
import { Signal } from '../core/lib/signal.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import type { Steps } from '../core/time/steps.ts';
import { faultRuleKind } from '../faults/fault-rules.ts';
import type { ActiveFaultRule } from '../faults/fault-rules.ts';
import { importRuleKind } from '../faults/import-rules.ts';
import { pointMasterRuleKind } from '../faults/point-master-rules.ts';
import { RuleIndex } from '../faults/rule-index.ts';
import { webhookRuleKind } from '../faults/webhook-rules.ts';
import type { PolicySpec } from './policy-schema.ts';
import type { ScenarioSpec } from './scenario-schema.ts';

interface ScenarioEnvironment {
  /** True when a point master runs next to the simulator, to which rules can be handed. */
  readonly hasPointMaster: boolean;
  /** Holds the policy declared for every scenario. */
  readonly policy?: PolicySpec | undefined;
  /** Holds the codes of warnings that fail every verdict. */
  readonly failOnWarnings?: readonly string[] | undefined;
}

/** Compiles the rules of a scenario, so that nobody waits for that while it takes effect. */
export function* compileRules({ rules = [], webhooks = [], pointMaster = [], imports = [] }: ScenarioSpec): Steps {
  yield* faultRuleKind.compileInSteps(rules);
  yield* webhookRuleKind.compileInSteps(webhooks);
  yield* pointMasterRuleKind.compileInSteps(pointMaster);
  yield* importRuleKind.compileInSteps(imports);
}

/** Holds a tenant's active scenario, with what has become of its rules so far. */
export class Scenario implements FaultPlan {
  /** Emits when the rules change. */
  readonly changed = new Signal();
  /** Holds the rules about requests. */
  readonly faults;
  /** Holds the rules about what is sent to the tenant's webhook. */
  readonly webhooks;
  /** Holds the rules about the point master next to the simulator. */
  readonly pointMaster;
  /** Holds the rules about the import of files. */
  readonly imports;
  readonly #environment: ScenarioEnvironment;
  #spec: ScenarioSpec;
  /** Holds selectors by endpoint and method, each made for the first such request. */
  #selectors = new Map<string | undefined, Map<string, FaultSelector | undefined>>();

  /** Throws an `OptionError` for rules that nobody here could follow. */
  constructor(tenant: string, spec: ScenarioSpec = {}, environment: ScenarioEnvironment = { hasPointMaster: false }) {
    this.#environment = environment;
    this.#assertPointMaster(spec);
    this.#spec = spec;
    this.faults = new RuleSet(faultRuleKind, spec.rules, {
      accepts: ({ match }) => match?.tenant === undefined || match.tenant === tenant,
    });
    this.webhooks = new RuleSet(webhookRuleKind, spec.webhooks);
    this.pointMaster = new RuleSet(pointMasterRuleKind, spec.pointMaster);
    this.imports = new RuleSet(importRuleKind, spec.imports);
    this.faults.changed.subscribe(() => this.#emitChanged());
  }

  get spec(): ScenarioSpec {
    return this.#spec;
  }

  /** Returns the policy that the client is held to: the scenario's own counts more than that of the options. */
  get policy(): PolicySpec {
    return { ...this.#environment.policy, ...this.#spec.policy };
  }

  /** Returns the codes of warnings that fail the verdict. */
  get failOnWarnings(): readonly string[] {
    return this.#environment.failOnWarnings ?? [];
  }

  /** Returns the rules about requests, in the order in which they are evaluated. */
  get rules(): readonly ActiveFaultRule[] {
    return this.faults.rules;
  }

  selectorFor(method: string, endpoint: string | undefined): FaultSelector | undefined {
    let byMethod = this.#selectors.get(endpoint);
    if (!byMethod) this.#selectors.set(endpoint, (byMethod = new Map<string, FaultSelector | undefined>()));
    const known = byMethod.get(method);
    if (known || byMethod.has(method)) return known;
    const relevant = this.rules.filter(({ rule }) => rule.matcher.mayApplyTo(endpoint));
    const selector = relevant.length === 0 ? undefined : new RuleIndex(relevant, method);
    byMethod.set(method, selector);
    return selector;
  }

  reset(): void {
    this.webhooks.restart(this.#spec.webhooks);
    this.pointMaster.restart(this.#spec.pointMaster);
    this.imports.restart(this.#spec.imports);
    this.faults.restart(this.#spec.rules);
    this.#emitChanged();
  }

  /** Throws an `OptionError` when rules of a scenario have the ids of rules that were added. */
  assertNoIdConflicts(spec: ScenarioSpec): void {
    const conflicts = [
      ['rules', 'faults', this.faults.findConflictingIds(spec.rules)],
      ['webhooks', 'webhooks/faults', this.webhooks.findConflictingIds(spec.webhooks)],
      ['imports', 'imports/faults', this.imports.findConflictingIds(spec.imports)],
    ] as const;
    for (const [section, path, [id]] of conflicts) {
      if (id === undefined) continue;
      const wayOut = `give it another, or DELETE /__admin/${path}/${id} first`;
      throw new OptionError(section, `one has the id "${id}", as has a rule that was added while running; ${wayOut}`);
    }
  }

  /** Replaces the scenario; rules that were added stay. */
  replace(spec: ScenarioSpec): void {
    this.assertNoIdConflicts(spec);
    this.#assertPointMaster(spec);
    this.#spec = spec;
    this.faults.replace(spec.rules);
    this.webhooks.replace(spec.webhooks);
    this.pointMaster.replace(spec.pointMaster);
    this.imports.replace(spec.imports);
    this.#emitChanged();
  }

  /** Replaces the scenario by another version of it: rules that did not change keep their counts. */
  revise(spec: ScenarioSpec): void {
    this.#assertPointMaster(spec);
    this.#spec = spec;
    this.faults.revise(spec.rules);
    this.webhooks.revise(spec.webhooks);
    this.pointMaster.revise(spec.pointMaster);
    this.imports.revise(spec.imports);
    this.#emitChanged();
  }

  #emitChanged(): void {
    this.#selectors = new Map();
    this.changed.emit();
  }

  #assertPointMaster({ pointMaster = [] }: ScenarioSpec): void {
    if (pointMaster.length === 0 || this.#environment.hasPointMaster) return;
    throw new OptionError(
      'pointMaster',
      'the scenario has rules for a point master next to the simulator, and there is none; start the simulator --with-point-master (createSim: withPointMaster), or leave the section out',
    );
  }
}

/** Returns a tenant's scenario. */
export function scenarioOf({ faults }: Tenant): Scenario {
  if (faults instanceof Scenario) return faults;
  throw new Error('this tenant was made without a scenario');
}
