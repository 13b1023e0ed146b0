import { appendTo } from '../core/lib/collections.ts';
import type { MatchableRequest, FaultSelector } from '../core/exchange/fault-plan.ts';
import type { InjectedFault, NearMiss } from '../core/exchange/fault.ts';
import type { NearMissSource } from '../core/exchange/exchange.ts';
import type { TenantContext } from '../core/tenant/context.ts';
import { selectFault } from '../core/lib/rule-set.ts';
import { injectedFault } from './fault-rules.ts';
import type { ActiveFaultRule } from './fault-rules.ts';
import { RequestView } from '../matching/request-view.ts';
import type { IndexKey } from '../matching/request-matcher.ts';
import { findNearMisses } from './near-misses.ts';

/** Holds the rules that share a key's place, by the values that they want there. */
interface IndexGroup {
  readonly valuesIn: IndexKey['valuesIn'];
  readonly byValue: Map<unknown, ActiveFaultRule[]>;
}

const mayMatchMethod = (rule: ActiveFaultRule, method: string): boolean => {
  const wanted = rule.rule.matcher.method;
  return wanted === undefined || wanted === method;
};

/**
 * Finds the rules that may match requests of one method to one endpoint, or to none. Most rules want some value at some
 * place: it is looked up once for all of them, so that a request costs the same with one such rule or a thousand.
 */
export class RuleIndex implements FaultSelector {
  /** Holds all of them in their order, also those that want another method. */
  readonly #all: readonly ActiveFaultRule[];
  readonly readsBody: boolean;
  /** True when one of them names an endpoint or a path, and so may nearly fire. */
  readonly #hasTargets: boolean;
  readonly #unmet = this.#nearMisses([]);
  readonly #loose: ActiveFaultRule[] = [];
  readonly #groups = new Map<string, IndexGroup>();
  readonly #places: ReadonlyMap<ActiveFaultRule, number>;

  constructor(all: readonly ActiveFaultRule[], method: string) {
    this.#all = all;
    this.#places = new Map(all.map((rule, place) => [rule, place]));
    const meant = all.filter((rule) => mayMatchMethod(rule, method));
    this.readsBody = meant.some(({ rule }) => rule.readsBody);
    this.#hasTargets = all.some(({ rule }) => rule.matcher.matchesTarget !== undefined);
    for (const rule of meant) this.#addToIndex(rule);
  }

  selectFault(call: MatchableRequest, tenant: TenantContext): InjectedFault | undefined {
    const { exchange } = call;
    // Every exchange is kept, so that what is the same for all of them is not kept with each.
    if (this.#hasTargets) exchange.nearMisses = this.#unmet;
    const asked = new RequestView(call, tenant);
    const { selected, skipped } = selectFault(this.#for(asked), asked, exchange.at);
    if (skipped.length > 0) exchange.nearMisses = this.#nearMisses(skipped);
    return selected && injectedFault(selected);
  }

  #nearMisses(passed: readonly NearMiss[]): NearMissSource {
    return { list: (exchange, tenant) => findNearMisses({ rules: this.#all, passed }, exchange, tenant) };
  }

  /** Returns the rules that may match a request, in their order. */
  #for(asked: RequestView): readonly ActiveFaultRule[] {
    let found: Set<ActiveFaultRule> | undefined;
    for (const { valuesIn, byValue } of this.#groups.values()) {
      for (const value of valuesIn(asked)) {
        // A number and the text that it is written as are the same.
        const rules = byValue.get(typeof value === 'number' ? String(value) : value);
        for (const rule of rules ?? none) (found ??= new Set(this.#loose)).add(rule);
      }
    }
    return found ? [...found].toSorted((a, b) => this.#placeOf(a) - this.#placeOf(b)) : this.#loose;
  }

  #addToIndex(rule: ActiveFaultRule): void {
    const { key } = rule.rule.matcher;
    if (!key) {
      this.#loose.push(rule);
      return;
    }
    const group: IndexGroup = this.#groups.get(key.location) ?? { valuesIn: key.valuesIn, byValue: new Map() };
    this.#groups.set(key.location, group);
    for (const value of key.literals) appendTo(group.byValue, value, rule);
  }

  #placeOf(rule: ActiveFaultRule): number {
    return this.#places.get(rule) ?? 0;
  }
}

const none: readonly ActiveFaultRule[] = [];
