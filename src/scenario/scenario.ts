import type { Call, FaultPlan, Fired } from '../core/faults.ts';
import type { Tenant } from '../core/tenant.ts';
import { ruleOf } from './rule.ts';
import type { Rule } from './rule.ts';
import type { WrittenScenario } from './scenario-schema.ts';
import type { WrittenRule } from './schema.ts';

interface Active {
  readonly rule: Rule;
  matched: number;
  fired: number;
}

/** A tenant's active scenario, with what has become of its rules so far. */
export class Scenario implements FaultPlan {
  #written: WrittenScenario;
  #planned: Active[];
  /** Added while running; the newest first. */
  #added: Active[] = [];
  #numbered = 0;

  constructor(written: WrittenScenario = {}) {
    this.#written = written;
    this.#planned = activeRules(written);
  }

  get isEmpty(): boolean {
    return this.#planned.length === 0 && this.#added.length === 0;
  }

  get written(): WrittenScenario {
    return this.#written;
  }

  /** Rules in the order in which they are asked. */
  get rules(): readonly Active[] {
    return [...this.#added, ...this.#planned];
  }

  decide(call: Call): Fired | undefined {
    for (const active of this.rules) {
      if (!active.rule.isMeant(call)) continue;
      active.matched++;
      const fault = active.rule.faults[active.fired % active.rule.faults.length];
      if (!fault || active.fired >= active.rule.limit) continue;
      active.fired++;
      return { rule: active.rule.id, hit: active.fired, fault, delay: 0, pauses: [] };
    }
    return undefined;
  }

  /** Puts a rule before all others; answers its id. */
  add(written: WrittenRule): string {
    const id = written.id ?? `fault-${++this.#numbered}`;
    this.#added.unshift({ rule: ruleOf(written, id), matched: 0, fired: 0 });
    return id;
  }

  restart(): void {
    this.#planned = activeRules(this.#written);
    this.#added = [];
  }

  replace(written: WrittenScenario): void {
    this.#written = written;
    this.restart();
  }
}

const activeRules = ({ rules = [] }: WrittenScenario): Active[] =>
  rules.map((written, i) => ({ rule: ruleOf(written, written.id ?? `rule-${i + 1}`), matched: 0, fired: 0 }));

/** A tenant's scenario. */
export function scenarioOf({ faults }: Tenant): Scenario {
  if (faults instanceof Scenario) return faults;
  throw new Error('this tenant was made without a scenario');
}
