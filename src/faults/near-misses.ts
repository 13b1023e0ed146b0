import type { NearMiss } from '../core/exchange/fault.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import type { TenantContext } from '../core/tenant/context.ts';
import { maxSkipped } from '../core/lib/rule-set.ts';
import { withIndexes } from '../core/time/index-in-steps.ts';
import type { Steps } from '../core/time/steps.ts';
import type { ActiveFaultRule } from './fault-rules.ts';
import { JournaledRequest, RequestView } from '../matching/request-view.ts';

/** Lists rules that did not fire for a request, and why; `passed` are those that matched it then. */
export function* findNearMisses(
  { rules, passed }: { readonly rules: readonly ActiveFaultRule[]; readonly passed: readonly NearMiss[] },
  exchange: Exchange,
  tenant: TenantContext,
): Steps<NearMiss[]> {
  const view = new RequestView(new JournaledRequest(exchange), tenant);
  const met = new Set([exchange.fault?.rule, ...passed.map(({ rule }) => rule)]);
  const found = passed.slice(0, maxSkipped);
  for (const active of rules) {
    if (found.length >= maxSkipped) break;
    if (met.has(active.rule.id)) continue;
    const miss = yield* withIndexes(() => nearMiss(active, view));
    if (miss) found.push(miss);
    yield;
  }
  return found;
}

function nearMiss({ rule: { id, matcher: matching } }: ActiveFaultRule, view: RequestView): NearMiss | undefined {
  if (!matching.matchesTarget?.(view)) return undefined;
  // What is not shown was not kept either, so that it isn't known whether it was met: others are looked at first.
  const unmet = matching.predicates.filter(({ matches: isMet }) => !isMet(view));
  const test = unmet.find(({ isHidden }) => !isHidden) ?? unmet[0];
  return test && { rule: id, reason: test.explainMismatch(view) };
}
