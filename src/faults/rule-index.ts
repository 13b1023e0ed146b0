import { appendTo } from '../core/lib/collections.ts';
import type { MatchableRequest, FaultSelector } from '../core/exchange/fault-plan.ts';
import type { InjectedFault, NearMiss } from '../core/exchange/fault.ts';
import type { NearMissSource } from '../core/exchange/exchange.ts';
import type { TenantContext } from '../core/tenant/context.ts';
import { withIndexes } from '../core/time/index-in-steps.ts';
import { forEachInSteps } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import { selectFault } from '../core/lib/rule-set.ts';
import { injectedFault } from './fault-rules.ts';
import type { ActiveFaultRule } from './fault-rules.ts';
import { RequestView } from '../matching/request-view.ts';
import type { IndexKey, RequestMatcher } from '../matching/request-matcher.ts';
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
  readonly isSearch: boolean;
  /** True when one of them names an endpoint or a path, and so may nearly fire. */
  readonly #hasTargets: boolean;
  readonly #unmet = this.#nearMisses([]);
  readonly #loose: ActiveFaultRule[] = [];
  /** Is a list, which is read with fewer steps than a map: thousands of tenants have indexes of their own. */
  readonly #groups: readonly IndexGroup[];
  readonly #places: ReadonlyMap<ActiveFaultRule, number>;

  constructor(all: readonly ActiveFaultRule[], method: string) {
    this.#all = all;
    this.#places = new Map(all.map((rule, place) => [rule, place]));
    const meant = all.filter((rule) => mayMatchMethod(rule, method));
    this.readsBody = meant.some(({ rule }) => rule.readsBody);
    this.isSearch = meant.some(({ rule }) => rule.matcher.fields.some(({ wanted }) => wanted.isSearch));
    this.#hasTargets = all.some(({ rule }) => rule.matcher.matchesTarget !== undefined);
    const groups = new Map<string, IndexGroup>();
    for (const rule of meant) this.#addToIndex(rule, groups);
    this.#groups = [...groups.values()];
  }

  selectFault(call: MatchableRequest, tenant: TenantContext): InjectedFault | undefined {
    return this.#select(new RequestView(call, tenant));
  }

  *selectFaultInSteps(call: MatchableRequest, tenant: TenantContext): Steps<InjectedFault | undefined> {
    const view = new RequestView(call, tenant);
    for (const { rule } of yield* withIndexes(() => this.#for(view))) {
      const isMeant = yield* matchesInSteps(rule.matcher, view);
      if (isMeant && rule.readsOperation) yield* withIndexes(() => view.operationDigest);
    }
    return this.#select(view);
  }

  #select(view: RequestView): InjectedFault | undefined {
    const { exchange } = view.call;
    // Every exchange is kept, so that what is the same for all of them is not kept with each.
    if (this.#hasTargets) exchange.nearMisses = this.#unmet;
    const { selected, skipped } = selectFault(this.#for(view), view, exchange.at);
    if (skipped.length > 0) exchange.nearMisses = this.#nearMisses(skipped);
    return selected && injectedFault(selected);
  }

  #nearMisses(passed: readonly NearMiss[]): NearMissSource {
    return { findInSteps: (exchange, tenant) => findNearMisses({ rules: this.#all, passed }, exchange, tenant) };
  }

  /** Returns the rules that may match a request, in their order. */
  #for(view: RequestView): readonly ActiveFaultRule[] {
    let found: Set<ActiveFaultRule> | undefined;
    for (const group of this.#groups) {
      const values = view.isLong ? view.workOut(group, () => knownValues(group, view)) : group.valuesIn(view);
      for (const value of values) {
        for (const rule of rulesAt(group, value)) (found ??= new Set(this.#loose)).add(rule);
      }
    }
    return found ? [...found].toSorted((a, b) => this.#placeOf(a) - this.#placeOf(b)) : this.#loose;
  }

  #addToIndex(rule: ActiveFaultRule, groups: Map<string, IndexGroup>): void {
    const { key } = rule.rule.matcher;
    if (!key) {
      this.#loose.push(rule);
      return;
    }
    const group = groups.get(key.location) ?? { valuesIn: key.valuesIn, byValue: new Map() };
    groups.set(key.location, group);
    for (const value of key.literals) appendTo(group.byValue, value, rule);
  }

  #placeOf(rule: ActiveFaultRule): number {
    return this.#places.get(rule) ?? 0;
  }
}

const none: readonly ActiveFaultRule[] = [];

function* matchesInSteps({ matchesTarget, predicates }: RequestMatcher, view: RequestView): Steps<boolean> {
  if (matchesTarget?.(view) === false) return false;
  for (const { matches } of predicates) {
    if (!(yield* withIndexes(() => matches(view)))) return false;
  }
  return true;
}

/** Returns the rules that want a value; a number and the text that it is written as are the same. */
const rulesAt = ({ byValue }: IndexGroup, value: unknown): readonly ActiveFaultRule[] =>
  byValue.get(typeof value === 'number' ? String(value) : value) ?? none;

/** Returns those of many values that some rule wants, each once. */
function* knownValues(group: IndexGroup, view: RequestView): Steps<ReadonlySet<unknown>> {
  const known = new Set<unknown>();
  yield* forEachInSteps(group.valuesIn(view), (value) => void (rulesAt(group, value).length > 0 && known.add(value)));
  return known;
}
