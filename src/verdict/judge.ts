/** Holds what happened to a tenant against what was expected of it. */
import type { Tenant } from '../core/tenant/tenant.ts';
import { endpoints } from '../service/endpoints.ts';
import type { Expectation } from '../scenario/expectations/expectation-schema.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import {
  countBounds,
  describeBounds,
  checkCount,
  checkOrder,
  checkUnexpected,
  namedRequests,
} from './expectations/request-checks.ts';
import type { CheckResult } from './expectations/request-checks.ts';
import { describeExpectedRequest } from './expectations/matched-requests.ts';
import { collectEvidence } from './expectations/journal-evidence.ts';
import type { JournalEvidence } from './expectations/journal-evidence.ts';
import { checkPointMaster } from './point-master-check.ts';
import { checkRule } from './rule-checks.ts';
import { judgeRetries } from './retries.ts';
import { worstStatus } from './status.ts';
import { serializeOperations } from './verdict-json.ts';
import type { OperationJson } from './verdict-json.ts';
import { checkGetResponse, checkState } from './expectations/state-checks.ts';
import { formatCheck } from './verdict.ts';
import type { Check, RuleCheck, Verdict } from './verdict.ts';

/** Judges these expectations alone. */
export function judge(tenant: Tenant, expectations: readonly Expectation[]): Verdict {
  const evidence = collectEvidence(tenant);
  return assembleVerdict(evidence, { checks: checksOf(evidence, expectations), rules: [], operations: [] });
}

/** Judges these in place of the scenario's own, whether what it plans came to pass, and how the client retried. */
export function judgeWithRules(tenant: Tenant, expectations: readonly Expectation[]): Verdict {
  const evidence = collectEvidence(tenant);
  const { policy, rules, webhooks, pointMaster: master } = scenarioOf(tenant);
  const operations = serializeOperations(tenant, judgeRetries(tenant, { endpoints, policy }));
  return assembleVerdict(evidence, {
    checks: [...checksOf(evidence, expectations), ...checkPointMaster(tenant)],
    rules: [...rules, ...webhooks.rules, ...master.rules].map(checkRule),
    operations,
  });
}

/** Judges a tenant's scenario: its expectations, what it plans, how the client retried, how the point master did. */
export function judgeScenario(tenant: Tenant): Verdict {
  const { written, policy, rules: active, webhooks, pointMaster: master } = scenarioOf(tenant);
  const evidence = collectEvidence(tenant);
  const rules = [...active, ...webhooks.rules, ...master.rules].map(checkRule);
  if (evidence.calls.length + evidence.evicted === 0) {
    const checks = [inconclusive('no request arrived'), ...checkPointMaster(tenant)];
    return assembleVerdict(evidence, { checks, rules, operations: [] });
  }
  const operations = serializeOperations(tenant, judgeRetries(tenant, { endpoints, policy }));
  const dropped = evidence.evicted === 0 ? [] : [inconclusive(`the journal has dropped ${evidence.evicted} requests`)];
  const checks = [...checksOf(evidence, written.expectations ?? []), ...checkPointMaster(tenant), ...dropped];
  return assembleVerdict(evidence, { checks, rules, operations });
}

const inconclusive = (reason: string): Check => ({
  description: 'there is something to judge',
  verdict: 'INCONCLUSIVE',
  reason,
  requests: [],
});

const checksOf = (evidence: JournalEvidence, expectations: readonly Expectation[]): Check[] =>
  expectations.map((expectation) => ({
    description: expectation.description ?? describeExpectation(expectation),
    ...check(evidence, expectation, expectations),
  }));

function check(evidence: JournalEvidence, expectation: Expectation, all: readonly Expectation[]): CheckResult {
  const { request, order, state, get } = expectation;
  if (request) return checkCount(evidence, request, countBounds(expectation));
  if (order) return checkOrder(evidence, order);
  if (state) return checkState(evidence.tenant, state);
  if (get !== undefined) return checkGetResponse(evidence.tenant, expectation);
  return checkUnexpected(evidence, namedRequests(all));
}

function describeExpectation(expectation: Expectation): string {
  const { request, order, state, get } = expectation;
  if (request) return `${describeExpectedRequest(request)} ${describeBounds(countBounds(expectation))}`;
  if (order) return `in this order: ${order.map(describeExpectedRequest).join(', then ')}`;
  if (state) return state.contact === undefined ? 'numbers of rows' : `contact ${state.contact}`;
  return get === undefined ? 'no unexpected requests' : `GET ${get}`;
}

interface Findings {
  readonly checks: Check[];
  readonly rules: RuleCheck[];
  readonly operations: OperationJson[];
}

function assembleVerdict({ calls, evicted }: JournalEvidence, findings: Findings): Verdict {
  const verdict = worstStatus(linesOf(findings).map((line) => line.verdict));
  return { verdict, reason: reasonOf(findings), ...findings, requests: calls.length, evicted };
}

/** Lists everything that was judged. */
const linesOf = ({ checks, rules, operations }: Findings): Pick<Check, 'description' | 'verdict' | 'reason'>[] => [
  ...checks,
  ...rules.map((rule) => ({ ...rule, description: `rule ${rule.id}` })),
  ...operations.map(({ requestLine, verdict, findings }) => ({
    description: requestLine,
    verdict,
    reason: findings.map(({ rule, message }) => `${rule}: ${message}`).join('; '),
  })),
];

function reasonOf(findings: Findings): string {
  const lines = linesOf(findings);
  const worstFound = worstStatus(lines.map(({ verdict }) => verdict));
  if (worstFound === 'PASS') return `${lines.length} of ${lines.length} as expected`;
  return lines
    .filter(({ verdict }) => verdict === worstFound)
    .map(formatCheck)
    .join('\n');
}
