import { isDeepStrictEqual } from 'node:util';
import type { Delivery, DeliveryFault, DeliveryFaults } from '../core/deliveries.ts';
import { draw } from '../core/ids.ts';
import type { Tenant } from '../core/tenant.ts';
import { Watchers } from '../core/watchers.ts';
import { budgetOf, obstacle } from './budget.ts';
import type { Budget } from './budget.ts';
import { fieldPath } from './field-path.ts';
import { withIds } from './rule-ids.ts';
import { wantedOf } from './wanted.ts';
import type { WrittenWebhookRule } from './webhook-schema.ts';

interface WebhookRule {
  readonly id: string;
  readonly written: WrittenWebhookRule;
  readonly isMeant: (delivery: Delivery) => boolean;
  readonly budget: Budget;
  /** One, or a sequence. */
  readonly faults: readonly DeliveryFault[];
  readonly limit: number;
}

/** A rule, and what has become of it so far. */
export interface ActiveWebhookRule {
  readonly rule: WebhookRule;
  readonly origin: 'scenario' | 'added';
  /** How many attempts it matched. */
  matched: number;
  hits: number;
}

/** What goes wrong with a tenant's webhooks: by its scenario, and by rules that were added. */
export class WebhookRules implements DeliveryFaults {
  /** Told when a rule was added or taken away. */
  readonly changed = new Watchers();
  #planned: readonly ActiveWebhookRule[];
  /** The newest first. */
  #added: readonly ActiveWebhookRule[] = [];
  #numbered = 0;

  constructor(written: readonly WrittenWebhookRule[] = []) {
    this.#planned = planOf(written);
  }

  /** In the order in which they are asked. */
  get rules(): readonly ActiveWebhookRule[] {
    return [...this.#added, ...this.#planned];
  }

  has(id: string | undefined): boolean {
    return this.rules.some(({ rule }) => rule.id === id);
  }

  /** The first that matches and has something to do decides; every one that matches counts the attempt. */
  decide(delivery: Delivery, tenant: Tenant): { readonly rule: string; readonly fault: DeliveryFault } | undefined {
    let decided: { rule: string; fault: DeliveryFault } | undefined;
    for (const active of this.rules) {
      if (!active.rule.isMeant(delivery)) continue;
      active.matched++;
      const fault = decided ? undefined : fire(active, delivery, tenant);
      if (fault) decided = { rule: active.rule.id, fault };
    }
    return decided;
  }

  add(written: WrittenWebhookRule): ActiveWebhookRule {
    const id = written.id ?? `webhook-fault-${++this.#numbered}`;
    const active: ActiveWebhookRule = { rule: ruleOf(written, id), origin: 'added', matched: 0, hits: 0 };
    this.#added = [active, ...this.#added];
    this.changed.tell();
    return active;
  }

  /** Takes an added rule away; answers whether there was one. */
  remove(id: string): boolean {
    const left = this.#added.filter(({ rule }) => rule.id !== id);
    const isFound = left.length < this.#added.length;
    this.#added = left;
    this.changed.tell();
    return isFound;
  }

  /** Takes all added rules away; answers how many there were. */
  clearAdded(): number {
    const { length } = this.#added;
    this.#added = [];
    this.changed.tell();
    return length;
  }

  /** The ids of rules of a scenario that rules which were added have too. */
  doubled(written: readonly WrittenWebhookRule[] = []): string[] {
    const added = new Set(this.#added.map(({ rule }) => rule.id));
    return withIds(written, 'webhook').flatMap(([id]) => (added.has(id) ? [id] : []));
  }

  /** Takes up other planned rules; those that were added stay. */
  replace(written: readonly WrittenWebhookRule[] = []): void {
    this.#planned = planOf(written);
  }

  /** Takes up another version of the planned rules: those that are as they were keep what they have counted. */
  revise(written: readonly WrittenWebhookRule[] = []): void {
    const before = this.#planned;
    const same = ({ rule }: ActiveWebhookRule): ActiveWebhookRule | undefined =>
      before.find((known) => known.rule.id === rule.id && isDeepStrictEqual(known.rule.written, rule.written));
    this.#planned = planOf(written).map((fresh) => same(fresh) ?? fresh);
  }

  restart(written: readonly WrittenWebhookRule[] = []): void {
    this.#added = [];
    this.replace(written);
  }
}

const planOf = (written: readonly WrittenWebhookRule[]): ActiveWebhookRule[] =>
  withIds(written, 'webhook').map(([id, rule]) => ({
    rule: ruleOf(rule, id),
    origin: 'scenario',
    matched: 0,
    hits: 0,
  }));

function ruleOf(written: WrittenWebhookRule, id: string): WebhookRule {
  const faults = [written.fault].flat().map(faultOf);
  const budget = budgetOf({ ...written, match: undefined }, faults.length);
  return { id, written, isMeant: matchOf(written), budget, faults, limit: budget.limit };
}

type WrittenFault = Exclude<WrittenWebhookRule['fault'], readonly unknown[]>;

function faultOf(written: WrittenFault): DeliveryFault {
  if (typeof written === 'string') return { kind: written };
  if ('delay' in written) return { kind: 'delay', by: written.delay };
  return { kind: 'rotated-key', key: written.rotatedKey };
}

function matchOf({ match: { eventType, payload = {} } = {} }: WrittenWebhookRule): WebhookRule['isMeant'] {
  const tests = Object.entries(payload).map(([name, written]) => ({
    valuesIn: fieldPath(name)?.valuesIn ?? (() => []),
    wanted: wantedOf(written),
  }));
  return (delivery) =>
    (eventType ?? delivery.eventType) === delivery.eventType &&
    tests.every(({ valuesIn, wanted }) => {
      const values = valuesIn(delivery.payload);
      return values.length === 0 ? wanted.isMetByNothing : values.some(wanted.isMet);
    });
}

function fire(active: ActiveWebhookRule, delivery: Delivery, tenant: Tenant): DeliveryFault | undefined {
  const { rule, matched, hits } = active;
  const label = `${tenant.name}/webhook/${rule.id}/${delivery.number}/${delivery.attempts.length}`;
  const dice = (name: string): number => draw(tenant.settings.seed, `${label}/${name}`);
  const now = tenant.clock.now();
  if (obstacle(rule.budget, { matched, hits, now, dice })) return undefined;
  active.hits++;
  return rule.faults[hits % rule.faults.length];
}
