import type { NearMiss } from '../core/exchange/fault.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import type { TenantContext } from '../core/tenant/context.ts';
import { maxSkipped } from '../core/lib/rule-set.ts';
import type { ActiveFaultRule } from './fault-rules.ts';
import { JournaledRequest, RequestView } from '../matching/request-view.ts';

/** Lists rules that did not fire for a request, and why; `passed` are those that matched it then. */
export function findNearMisses(
  { rules, passed }: { readonly rules: readonly ActiveFaultRule[]; readonly passed: readonly NearMiss[] },
  exchange: Exchange,
  tenant: TenantContext,
): NearMiss[] {
  const asked = new RequestView(new JournaledRequest(exchange), tenant);
  const met = new Set([exchange.fault?.rule, ...passed.map(({ rule }) => rule)]);
  const unmet = rules.filter(({ rule }) => !met.has(rule.id)).flatMap((active) => nearMiss(active, asked) ?? []);
  return [...passed, ...unmet].slice(0, maxSkipped);
}

function nearMiss({ rule: { id, matcher: matching } }: ActiveFaultRule, asked: RequestView): NearMiss | undefined {
  if (!matching.matchesTarget?.(asked)) return undefined;
  // What is not shown was not kept either, so that it isn't known whether it was met: others are looked at first.
  const unmet = matching.predicates.filter(({ matches: isMet }) => !isMet(asked));
  const test = unmet.find(({ isHidden }) => !isHidden) ?? unmet[0];
  return test && { rule: id, reason: test.explainMismatch(asked) };
}
