import { isDeepStrictEqual } from 'node:util';
import type { Concern, FaultPlan } from '../core/faults.ts';
import { OptionError } from '../core/errors.ts';
import type { Tenant } from '../core/tenant.ts';
import { Watchers } from '../core/watchers.ts';
import { activeRule } from './active-rules.ts';
import type { ActiveRule } from './active-rules.ts';
import { Candidates } from './candidates.ts';
import { MasterRules } from './master-rules.ts';
import type { MasterSide } from './master-rules.ts';
import { ruleOf } from './rule.ts';
import type { Rule } from './rule.ts';
import { withIds } from './rule-ids.ts';
import type { WrittenPolicy } from './policy-schema.ts';
import type { WrittenScenario } from './scenario-schema.ts';
import type { WrittenRule } from './schema.ts';
import { WebhookRules } from './webhook-rules.ts';

export type { ActiveRule } from './active-rules.ts';

interface Side extends MasterSide {
  /** Declared for every scenario. */
  readonly policy?: WrittenPolicy | undefined;
}

/** A tenant's active scenario, with what has become of its rules so far. */
export class Scenario implements FaultPlan {
  /** Told when there are other rules than before. */
  readonly changed = new Watchers();
  /** What goes wrong with what is sent to its webhook. */
  readonly webhooks: WebhookRules;
  /** What goes wrong with the point master beside the simulator. */
  readonly master: MasterRules;
  readonly #tenant: string;
  readonly #policy: WrittenPolicy | undefined;
  #written: WrittenScenario;
  #planned: readonly ActiveRule[];
  /** Added while running; the newest first. */
  #added: readonly ActiveRule[] = [];
  #numbered = 0;
  /** By endpoint and method; made when there is such a call. */
  #concerns = new Map<string | undefined, Map<string, Concern | undefined>>();

  /** Throws an `OptionError` for rules that nobody here could follow. */
  constructor(tenant: string, written: WrittenScenario = {}, side: Side = { hasMaster: false }) {
    this.#tenant = tenant;
    this.#written = written;
    this.#policy = side.policy;
    this.webhooks = new WebhookRules(written.webhooks);
    this.master = new MasterRules(written.master, side);
    this.#planned = this.#plan();
  }

  get written(): WrittenScenario {
    return this.#written;
  }

  /** What the client is held to: the scenario's own counts more than that of the options. */
  get policy(): WrittenPolicy {
    return { ...this.#policy, ...this.#written.policy };
  }

  /** Rules in the order in which they are asked. */
  get rules(): readonly ActiveRule[] {
    return [...this.#added, ...this.#planned];
  }

  has(id: string | undefined): boolean {
    return this.rules.some(({ rule }) => rule.id === id);
  }

  concern(method: string, endpoint: string | undefined): Concern | undefined {
    let byMethod = this.#concerns.get(endpoint);
    if (!byMethod) this.#concerns.set(endpoint, (byMethod = new Map<string, Concern | undefined>()));
    const known = byMethod.get(method);
    if (known || byMethod.has(method)) return known;
    const met = this.rules.filter(({ rule }) => rule.matching.canBe(endpoint));
    const concern = met.length === 0 ? undefined : new Candidates(met, method);
    byMethod.set(method, concern);
    return concern;
  }

  /** Puts a rule before all others. */
  add(written: WrittenRule): ActiveRule {
    const active = activeRule(ruleOf(written, written.id ?? this.#nextId()), 'added');
    this.#force({ added: [active, ...this.#added] });
    return active;
  }

  /** Takes an added rule away; answers whether there was one. */
  remove(id: string): boolean {
    const left = this.#added.filter(({ rule }) => rule.id !== id);
    const isFound = left.length < this.#added.length;
    this.#force({ added: left });
    return isFound;
  }

  /** Takes all added rules away; answers how many there were. */
  clearAdded(): number {
    const { length } = this.#added;
    this.#force({ added: [] });
    return length;
  }

  restart(): void {
    this.webhooks.restart(this.#written.webhooks);
    this.master.replace(this.#written.master);
    this.#force({ planned: this.#plan(), added: [] });
  }

  /** Throws an `OptionError` when rules of a scenario can't stand beside those that were added. */
  check(written: WrittenScenario): void {
    const added = new Set(this.#added.map(({ rule }) => rule.id));
    const rules = this.#plan(written).flatMap(({ rule }) => (added.has(rule.id) ? [rule.id] : []));
    for (const [section, [id]] of Object.entries({ rules, webhooks: this.webhooks.doubled(written.webhooks) })) {
      if (id === undefined) continue;
      const path = section === 'rules' ? 'faults' : 'webhooks/faults';
      const wayOut = `give it another, or DELETE /__admin/${path}/${id} first`;
      throw new OptionError(section, `one has the id "${id}", as has a rule that was added while running; ${wayOut}`);
    }
  }

  /** Takes up another scenario; rules that were added stay. */
  replace(written: WrittenScenario): void {
    this.check(written);
    this.master.replace(written.master);
    this.#written = written;
    this.webhooks.replace(written.webhooks);
    this.#force({ planned: this.#plan() });
  }

  /** Takes up another version of the scenario: rules that are as they were keep what they have counted. */
  revise(written: WrittenScenario): void {
    this.master.revise(written.master);
    const before = this.#planned;
    const same = ({ rule }: ActiveRule): ActiveRule | undefined =>
      before.find((known) => known.rule.id === rule.id && isDeepStrictEqual(known.rule.written, rule.written));
    this.#written = written;
    this.webhooks.revise(written.webhooks);
    this.#force({ planned: this.#plan().map((fresh) => same(fresh) ?? fresh) });
  }

  #force({ planned = this.#planned, added = this.#added }): void {
    this.#planned = planned;
    this.#added = added;
    this.#concerns = new Map();
    this.changed.tell();
  }

  /** Rules that are meant for other tenants are none of this one's. */
  #plan(written = this.#written): readonly ActiveRule[] {
    return rulesOf(written)
      .filter(({ written: { match } }) => match?.tenant === undefined || match.tenant === this.#tenant)
      .map((rule) => activeRule(rule, 'scenario'));
  }

  #nextId(): string {
    const id = `fault-${++this.#numbered}`;
    return this.has(id) ? this.#nextId() : id;
  }
}

const made = new WeakMap<WrittenScenario, readonly Rule[]>();

/** A scenario's rules, made ready once for all tenants. */
function rulesOf(written: WrittenScenario): readonly Rule[] {
  const known = made.get(written);
  if (known) return known;
  const rules = withIds(written.rules ?? [], 'rule').map(([id, rule]) => ruleOf(rule, id));
  made.set(written, rules);
  return rules;
}

/** A tenant's scenario. */
export function scenarioOf({ faults }: Tenant): Scenario {
  if (faults instanceof Scenario) return faults;
  throw new Error('this tenant was made without a scenario');
}
