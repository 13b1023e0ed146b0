import type { Call, FaultPlan, Fired } from '../core/faults.ts';
import type { Tenant } from '../core/tenant.ts';
import { ruleOf } from './rule.ts';
import type { Rule } from './rule.ts';
import type { WrittenScenario } from './scenario-schema.ts';
import type { WrittenRule } from './schema.ts';

/** A rule, and what has become of it so far. */
export interface ActiveRule {
  readonly rule: Rule;
  /** Whether the scenario has it, or it was added while running. */
  readonly origin: 'scenario' | 'added';
  /** How many calls it matched. */
  matched: number;
  /** How often it fired. */
  hits: number;
}

/** A tenant's active scenario, with what has become of its rules so far. */
export class Scenario implements FaultPlan {
  #written: WrittenScenario;
  #planned: ActiveRule[];
  /** Added while running; the newest first. */
  #added: ActiveRule[] = [];
  #numbered = 0;

  constructor(written: WrittenScenario = {}) {
    this.#written = written;
    this.#planned = plannedRules(written);
  }

  get isEmpty(): boolean {
    return this.#planned.length === 0 && this.#added.length === 0;
  }

  get written(): WrittenScenario {
    return this.#written;
  }

  /** Rules in the order in which they are asked. */
  get rules(): readonly ActiveRule[] {
    return [...this.#added, ...this.#planned];
  }

  has(id: string | undefined): boolean {
    return this.rules.some(({ rule }) => rule.id === id);
  }

  decide(call: Call): Fired | undefined {
    for (const active of this.rules) {
      if (!active.rule.isMeant(call)) continue;
      active.matched++;
      const fault = active.rule.faults[active.hits % active.rule.faults.length];
      if (!fault || active.hits >= active.rule.limit) continue;
      active.hits++;
      return { rule: active.rule.id, hit: active.hits, fault, delay: 0, pauses: [] };
    }
    return undefined;
  }

  /** Puts a rule before all others. */
  add(written: WrittenRule): ActiveRule {
    const active = activeRule(ruleOf(written, written.id ?? this.#nextId()), 'added');
    this.#added.unshift(active);
    return active;
  }

  /** Takes an added rule away; answers whether there was one. */
  remove(id: string): boolean {
    const left = this.#added.filter(({ rule }) => rule.id !== id);
    const isFound = left.length < this.#added.length;
    this.#added = left;
    return isFound;
  }

  /** Takes all added rules away; answers how many there were. */
  clearAdded(): number {
    const { length } = this.#added;
    this.#added = [];
    return length;
  }

  restart(): void {
    this.#planned = plannedRules(this.#written);
    this.#added = [];
  }

  /** Takes up another scenario; rules that were added stay. */
  replace(written: WrittenScenario): void {
    this.#written = written;
    this.#planned = plannedRules(written);
  }

  #nextId(): string {
    const id = `fault-${++this.#numbered}`;
    return this.has(id) ? this.#nextId() : id;
  }
}

const activeRule = (rule: Rule, origin: ActiveRule['origin']): ActiveRule => ({ rule, origin, matched: 0, hits: 0 });

const plannedRules = ({ rules = [] }: WrittenScenario): ActiveRule[] =>
  rules.map((written, i) => activeRule(ruleOf(written, written.id ?? `rule-${i + 1}`), 'scenario'));

/** A tenant's scenario. */
export function scenarioOf({ faults }: Tenant): Scenario {
  if (faults instanceof Scenario) return faults;
  throw new Error('this tenant was made without a scenario');
}
