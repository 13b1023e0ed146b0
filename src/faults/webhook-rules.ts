import { isDeepStrictEqual } from 'node:util';
import type { WebhookDelivery, WebhookFault, WebhookFaultPlan } from '../core/tenant/webhook-outbox.ts';
import { seededRandom } from '../core/lib/random.ts';
import type { TenantContext } from '../core/tenant/context.ts';
import { Signal } from '../core/lib/signal.ts';
import { compileActivation, whyInactive } from './activation.ts';
import type { Activation } from './activation.ts';
import { compileJsonPath } from '../matching/json-path.ts';
import { assignIds } from './rule-ids.ts';
import { compileValueMatcher } from '../matching/value-matcher.ts';
import type { WebhookRuleSpec } from './webhook-rule-schema.ts';

interface CompiledWebhookRule {
  readonly id: string;
  readonly written: WebhookRuleSpec;
  readonly matches: (delivery: WebhookDelivery) => boolean;
  readonly activation: Activation;
  /** One, or a sequence. */
  readonly faults: readonly WebhookFault[];
  readonly limit: number;
}

/** A rule, and what has become of it so far. */
export interface ActiveWebhookRule {
  readonly rule: CompiledWebhookRule;
  readonly origin: 'scenario' | 'added';
  /** How many attempts it matched. */
  matched: number;
  fired: number;
}

/** What goes wrong with a tenant's webhooks: by its scenario, and by rules that were added. */
export class WebhookRuleSet implements WebhookFaultPlan {
  /** Told when a rule was added or taken away. */
  readonly changed = new Signal();
  #scenarioRules: readonly ActiveWebhookRule[];
  /** The newest first. */
  #added: readonly ActiveWebhookRule[] = [];
  #numbered = 0;

  constructor(written: readonly WebhookRuleSpec[] = []) {
    this.#scenarioRules = compileWebhookRules(written);
  }

  /** In the order in which they are asked. */
  get rules(): readonly ActiveWebhookRule[] {
    return [...this.#added, ...this.#scenarioRules];
  }

  has(id: string | undefined): boolean {
    return this.rules.some(({ rule }) => rule.id === id);
  }

  /** The first that matches and has something to do decides; every one that matches counts the attempt. */
  selectFault(
    delivery: WebhookDelivery,
    tenant: TenantContext,
  ): { readonly rule: string; readonly fault: WebhookFault } | undefined {
    let decided: { rule: string; fault: WebhookFault } | undefined;
    for (const active of this.rules) {
      if (!active.rule.matches(delivery)) continue;
      active.matched++;
      const fault = decided ? undefined : fireWebhookRule(active, delivery, tenant);
      if (fault) decided = { rule: active.rule.id, fault };
    }
    return decided;
  }

  add(written: WebhookRuleSpec): ActiveWebhookRule {
    const id = written.id ?? `webhook-fault-${++this.#numbered}`;
    const active: ActiveWebhookRule = { rule: compileWebhookRule(written, id), origin: 'added', matched: 0, fired: 0 };
    this.#added = [active, ...this.#added];
    this.changed.emit();
    return active;
  }

  /** Takes an added rule away; answers whether there was one. */
  remove(id: string): boolean {
    const left = this.#added.filter(({ rule }) => rule.id !== id);
    const isFound = left.length < this.#added.length;
    this.#added = left;
    this.changed.emit();
    return isFound;
  }

  /** Takes all added rules away; answers how many there were. */
  clearAdded(): number {
    const { length } = this.#added;
    this.#added = [];
    this.changed.emit();
    return length;
  }

  /** The ids of rules of a scenario that rules which were added have too. */
  findConflictingIds(written: readonly WebhookRuleSpec[] = []): string[] {
    const added = new Set(this.#added.map(({ rule }) => rule.id));
    return assignIds(written, 'webhook').flatMap(([id]) => (added.has(id) ? [id] : []));
  }

  /** Takes up other planned rules; those that were added stay. */
  replace(written: readonly WebhookRuleSpec[] = []): void {
    this.#scenarioRules = compileWebhookRules(written);
  }

  /** Takes up another version of the planned rules: those that are as they were keep what they have counted. */
  revise(written: readonly WebhookRuleSpec[] = []): void {
    const before = this.#scenarioRules;
    const same = ({ rule }: ActiveWebhookRule): ActiveWebhookRule | undefined =>
      before.find((known) => known.rule.id === rule.id && isDeepStrictEqual(known.rule.written, rule.written));
    this.#scenarioRules = compileWebhookRules(written).map((fresh) => same(fresh) ?? fresh);
  }

  restart(written: readonly WebhookRuleSpec[] = []): void {
    this.#added = [];
    this.replace(written);
  }
}

const compileWebhookRules = (written: readonly WebhookRuleSpec[]): ActiveWebhookRule[] =>
  assignIds(written, 'webhook').map(([id, rule]) => ({
    rule: compileWebhookRule(rule, id),
    origin: 'scenario',
    matched: 0,
    fired: 0,
  }));

function compileWebhookRule(written: WebhookRuleSpec, id: string): CompiledWebhookRule {
  const faults = [written.fault].flat().map(compileWebhookFault);
  const budget = compileActivation({ ...written, match: undefined }, faults.length);
  return { id, written, matches: compileWebhookMatcher(written), activation: budget, faults, limit: budget.limit };
}

type WebhookFaultSpec = Exclude<WebhookRuleSpec['fault'], readonly unknown[]>;

function compileWebhookFault(written: WebhookFaultSpec): WebhookFault {
  if (typeof written === 'string') return { kind: written };
  const { delay, 'rotated-key': key } = written;
  // One of the two is there.
  return delay === undefined ? { kind: 'rotated-key', key: key ?? '' } : { kind: 'delay', by: delay };
}

function compileWebhookMatcher({
  match: { eventType, payload = {} } = {},
}: WebhookRuleSpec): CompiledWebhookRule['matches'] {
  const tests = Object.entries(payload).map(([name, written]) => ({
    valuesIn: compileJsonPath(name)?.valuesIn ?? (() => []),
    wanted: compileValueMatcher(written),
  }));
  return (delivery) =>
    (eventType ?? delivery.eventType) === delivery.eventType &&
    tests.every(({ valuesIn, wanted }) => {
      const values = valuesIn(delivery.payload);
      return values.length === 0 ? wanted.matchesAbsent : values.some(wanted.matches);
    });
}

function fireWebhookRule(
  active: ActiveWebhookRule,
  delivery: WebhookDelivery,
  tenant: TenantContext,
): WebhookFault | undefined {
  const { rule, matched, fired } = active;
  const label = `${tenant.name}/webhook/${rule.id}/${delivery.number}/${delivery.attempts.length}`;
  const dice = (name: string): number => seededRandom(tenant.settings.seed, `${label}/${name}`);
  const now = tenant.now();
  if (whyInactive(rule.activation, { matched, fired, now, dice })) return undefined;
  active.fired++;
  return rule.faults[fired % rule.faults.length];
}
