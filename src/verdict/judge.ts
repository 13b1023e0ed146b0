/** Holds what happened to a tenant against what was expected of it. */
import type { Tenant } from '../core/tenant.ts';
import { endpoints } from '../resources/endpoints.ts';
import type { Expectation } from '../scenario/expectation-schema.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { boundsOf, boundsWords, checkCount, checkOrder, checkUnexpected, namedCalls } from './call-checks.ts';
import type { Found } from './call-checks.ts';
import { callWords } from './calls.ts';
import { evidenceOf } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import { checkMaster } from './master-check.ts';
import { checkRule } from './rule-checks.ts';
import { judgeRetries, worst } from './retries.ts';
import { showOperations } from './shown-operations.ts';
import type { ShownOperation } from './shown-operations.ts';
import { checkAnswer, checkState } from './state-checks.ts';
import { told } from './verdict.ts';
import type { Check, RuleCheck, Verdict } from './verdict.ts';

/** Judges these expectations alone. */
export function judge(tenant: Tenant, expectations: readonly Expectation[]): Verdict {
  const evidence = evidenceOf(tenant);
  return verdictOf(evidence, { checks: checksOf(evidence, expectations), rules: [], operations: [] });
}

/** Judges these in place of the scenario's own, whether what it plans came to pass, and how the client retried. */
export function judgeWithRules(tenant: Tenant, expectations: readonly Expectation[]): Verdict {
  const evidence = evidenceOf(tenant);
  const { policy, rules, webhooks, master } = scenarioOf(tenant);
  const operations = showOperations(tenant, judgeRetries(tenant, { endpoints, policy }));
  return verdictOf(evidence, {
    checks: [...checksOf(evidence, expectations), ...checkMaster(tenant)],
    rules: [...rules, ...webhooks.rules, ...master.rules].map(checkRule),
    operations,
  });
}

/** Judges a tenant's scenario: its expectations, what it plans, how the client retried, how the point master did. */
export function judgeScenario(tenant: Tenant): Verdict {
  const { written, policy, rules: active, webhooks, master } = scenarioOf(tenant);
  const evidence = evidenceOf(tenant);
  const rules = [...active, ...webhooks.rules, ...master.rules].map(checkRule);
  if (evidence.calls.length + evidence.evicted === 0) {
    const checks = [inconclusive('no call arrived'), ...checkMaster(tenant)];
    return verdictOf(evidence, { checks, rules, operations: [] });
  }
  const operations = showOperations(tenant, judgeRetries(tenant, { endpoints, policy }));
  const dropped = evidence.evicted === 0 ? [] : [inconclusive(`the journal has dropped ${evidence.evicted} requests`)];
  const checks = [...checksOf(evidence, written.expectations ?? []), ...checkMaster(tenant), ...dropped];
  return verdictOf(evidence, { checks, rules, operations });
}

const inconclusive = (reason: string): Check => ({
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
  readonly operations: ShownOperation[];
}

function verdictOf({ calls, evicted }: Evidence, findings: Findings): Verdict {
  const verdict = worst(linesOf(findings).map((line) => line.verdict));
  return { verdict, reason: reasonOf(findings), ...findings, calls: calls.length, evicted };
}

/** Everything that was judged, each told in a sentence. */
const linesOf = ({ checks, rules, operations }: Findings): Pick<Check, 'description' | 'verdict' | 'reason'>[] => [
  ...checks,
  ...rules.map((rule) => ({ ...rule, description: `rule ${rule.id}` })),
  ...operations.map(({ call, verdict, findings }) => ({
    description: call,
    verdict,
    reason: findings.map(({ rule, message }) => `${rule}: ${message}`).join('; '),
  })),
];

function reasonOf(findings: Findings): string {
  const lines = linesOf(findings);
  const worstFound = worst(lines.map(({ verdict }) => verdict));
  if (worstFound === 'PASS') return `${lines.length} of ${lines.length} as expected`;
  return lines
    .filter(({ verdict }) => verdict === worstFound)
    .map(told)
    .join('\n');
}
