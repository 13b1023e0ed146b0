import type { NearMiss } from '../core/faults.ts';
import type { Exchange } from '../core/journal.ts';
import type { Tenant } from '../core/tenant.ts';
import type { ActiveRule } from './active-rules.ts';
import { Asked, callOfExchange } from './asked.ts';

/** So many are told of a call. */
export const mostMisses = 5;

/** What nearly befell a call, of the rules that it could have met; of those that matched it is known from then. */
export function nearMissesOf(
  { rules, passed }: { readonly rules: readonly ActiveRule[]; readonly passed: readonly NearMiss[] },
  exchange: Exchange,
  tenant: Tenant,
): NearMiss[] {
  const asked = new Asked(callOfExchange(exchange), tenant);
  const met = new Set([exchange.fault?.rule, ...passed.map(({ rule }) => rule)]);
  const unmet = rules.filter(({ rule }) => !met.has(rule.id)).flatMap((active) => nearMiss(active, asked) ?? []);
  return [...passed, ...unmet].slice(0, mostMisses);
}

function nearMiss({ rule: { id, matching } }: ActiveRule, asked: Asked): NearMiss | undefined {
  if (!matching.isHit?.(asked)) return undefined;
  // What is not shown was not kept either, so that it can't be told whether it was met: others are looked at first.
  const unmet = matching.tests.filter(({ isMet }) => !isMet(asked));
  const test = unmet.find(({ isHidden }) => !isHidden) ?? unmet[0];
  return test && { rule: id, reason: test.whyNot(asked) };
}
