import type { Call, Concern, Fired, NearMiss, NearMisses } from '../core/faults.ts';
import type { Tenant } from '../core/tenant.ts';
import { decideBy } from './active-rules.ts';
import type { ActiveRule } from './active-rules.ts';
import { Asked } from './asked.ts';
import type { Key } from './matching.ts';
import { nearMissesOf } from './near-misses.ts';

/** The rules that share a key's place, by the values that they want there. */
interface Group {
  readonly valuesIn: Key['valuesIn'];
  readonly byValue: Map<unknown, ActiveRule[]>;
}

const isMethodMeant = (rule: ActiveRule, method: string): boolean => {
  const wanted = rule.rule.matching.method;
  return wanted === undefined || wanted === method;
};

/**
 * The rules that calls of one method to one endpoint, or to none, may meet. Most rules want some value at some place:
 * what stands there is looked up once for all of them, so that a call costs the same with one such rule or a thousand.
 */
export class Candidates implements Concern {
  /** In the order in which they are asked, with those that want another method. */
  readonly #all: readonly ActiveRule[];
  readonly readsBody: boolean;
  /** Whether one of them names an endpoint or a path, and so may nearly fire. */
  readonly #hasTargets: boolean;
  readonly #unmet = this.#nearMisses([]);
  readonly #loose: ActiveRule[] = [];
  readonly #groups = new Map<string, Group>();
  readonly #places: ReadonlyMap<ActiveRule, number>;

  constructor(all: readonly ActiveRule[], method: string) {
    this.#all = all;
    this.#places = new Map(all.map((rule, place) => [rule, place]));
    const meant = all.filter((rule) => isMethodMeant(rule, method));
    this.readsBody = meant.some(({ rule }) => rule.readsBody);
    this.#hasTargets = all.some(({ rule }) => rule.matching.isHit !== undefined);
    for (const rule of meant) this.#file(rule);
  }

  decide(call: Call, tenant: Tenant): Fired | undefined {
    const { exchange } = call;
    // Every exchange is kept, so that what is the same for all of them is not kept with each.
    if (this.#hasTargets) exchange.nearMisses = this.#unmet;
    const asked = new Asked(call, tenant);
    const { fired, passed } = decideBy(this.#for(asked), asked);
    if (passed.length > 0) exchange.nearMisses = this.#nearMisses(passed);
    return fired;
  }

  #nearMisses(passed: readonly NearMiss[]): NearMisses {
    return { list: (exchange, tenant) => nearMissesOf({ rules: this.#all, passed }, exchange, tenant) };
  }

  /** Those that may match a call, in the order in which they are asked. */
  #for(asked: Asked): readonly ActiveRule[] {
    let found: Set<ActiveRule> | undefined;
    for (const { valuesIn, byValue } of this.#groups.values()) {
      for (const value of valuesIn(asked)) {
        // A number and the text that it is written as are the same.
        const rules = byValue.get(typeof value === 'number' ? String(value) : value);
        for (const rule of rules ?? none) (found ??= new Set(this.#loose)).add(rule);
      }
    }
    return found ? [...found].toSorted((a, b) => this.#placeOf(a) - this.#placeOf(b)) : this.#loose;
  }

  #file(rule: ActiveRule): void {
    const { key } = rule.rule.matching;
    if (!key) {
      this.#loose.push(rule);
      return;
    }
    const group: Group = this.#groups.get(key.place) ?? { valuesIn: key.valuesIn, byValue: new Map() };
    this.#groups.set(key.place, group);
    for (const value of key.values) {
      const sharing = group.byValue.get(value);
      if (sharing) sharing.push(rule);
      else group.byValue.set(value, [rule]);
    }
  }

  #placeOf(rule: ActiveRule): number {
    return this.#places.get(rule) ?? 0;
  }
}

const none: readonly ActiveRule[] = [];
