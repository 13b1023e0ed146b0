/** Holds what happened to a tenant against what was expected of it. */
import type { Tenant } from '../core/tenant.ts';
import type { Expectation } from '../scenario/expectation-schema.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { boundsOf, boundsWords, checkCount, checkOrder, checkUnexpected, namedCalls } from './call-checks.ts';
import type { Found } from './call-checks.ts';
import { callWords, evidenceOf } from './calls.ts';
import type { Evidence } from './calls.ts';
import { checkRule } from './rule-checks.ts';
import { worst } from './retries.ts';
import { checkAnswer, checkState } from './state-checks.ts';
import { told } from './verdict.ts';
import type { Check, RuleCheck, Verdict } from './verdict.ts';

/** Judges these expectations alone. */
export function judge(tenant: Tenant, expectations: readonly Expectation[]): Verdict {
  const evidence = evidenceOf(tenant);
  return verdictOf(evidence, { checks: checksOf(evidence, expectations), rules: [] });
}

/** Judges a tenant's scenario: its expectations, and whether what it plans came to pass. */
export function judgeScenario(tenant: Tenant): Verdict {
  const { written, rules: active } = scenarioOf(tenant);
  const evidence = evidenceOf(tenant);
  const rules = active.map(checkRule);
  if (evidence.calls.length + evidence.evicted === 0) {
    return verdictOf(evidence, { checks: [nothingToJudge('no call arrived')], rules });
  }
  const checks = checksOf(evidence, written.expectations ?? []);
  if (checks.length + rules.length > 0) return verdictOf(evidence, { checks, rules });
  return verdictOf(evidence, { checks: [nothingToJudge('the scenario has no expectations and no rules')], rules });
}

const nothingToJudge = (reason: string): Check => ({
  description: 'there is something to judge',
  verdict: 'INCONCLUSIVE',
  reason,
  calls: [],
});

const checksOf = (evidence: Evidence, expectations: readonly Expectation[]): Check[] =>
  expectations.map((expectation) => ({
    description: expectation.description ?? wordsOf(expectation),
    ...check(evidence, expectation, expectations),
  }));

function check(evidence: Evidence, expectation: Expectation, all: readonly Expectation[]): Found {
  const { call, order, state, get } = expectation;
  if (call) return checkCount(evidence, call, boundsOf(expectation));
  if (order) return checkOrder(evidence, order);
  if (state) return checkState(evidence.tenant, state);
  if (get !== undefined) return checkAnswer(evidence.tenant, expectation);
  return checkUnexpected(evidence, namedCalls(all));
}

function wordsOf(expectation: Expectation): string {
  const { call, order, state, get } = expectation;
  if (call) return `${callWords(call)} ${boundsWords(boundsOf(expectation))}`;
  if (order) return `in this order: ${order.map(callWords).join(', then ')}`;
  if (state) return state.contact === undefined ? 'numbers of rows' : `contact ${state.contact}`;
  return get === undefined ? 'no unexpected calls' : `GET ${get}`;
}

interface Findings {
  readonly checks: Check[];
  readonly rules: RuleCheck[];
}

function verdictOf({ calls, evicted }: Evidence, { checks, rules }: Findings): Verdict {
  const verdict = worst([...checks, ...rules].map((found) => found.verdict));
  return { verdict, reason: reasonOf({ checks, rules }), checks, rules, calls: calls.length, evicted };
}

/** What decided, in as many words as it takes. */
function reasonOf({ checks, rules }: Findings): string {
  const found = [...checks, ...rules.map((rule) => ({ ...rule, description: `rule ${rule.id}` }))];
  const verdict = worst(found.map((one) => one.verdict));
  if (verdict === 'PASS') return `${found.length} of ${found.length} as expected`;
  const decisive = found.filter((one) => one.verdict === verdict);
  return decisive.map(told).join('\n');
}
