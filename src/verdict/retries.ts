/** Whether a client retried rightly: every operation that the journal shows, judged by every rule. */
import { monotonic, parseTimestamp } from '../core/clock.ts';
import type { Endpoint } from '../core/endpoint.ts';
import { jobs } from '../core/jobs.ts';
import type { Exchange } from '../core/journal.ts';
import { stallWatch } from '../core/stalls.ts';
import type { Tenant } from '../core/tenant.ts';
import type { WrittenPolicy } from '../scenario/policy-schema.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { isToRepeat } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { doubted } from './doubt.ts';
import { stepHeader } from './script-step.ts';
import { History } from './history.ts';
import { operationsOf } from './operation.ts';
import type { Operation } from './operation.ts';
import { policyOf } from './policy.ts';
import type { Evidence, Found, RetryRule } from './rules/rule.ts';
import { retryRules } from './rules/rules.ts';

export type Word = 'PASS' | 'FAIL' | 'INCONCLUSIVE';

/** What one rule says of an operation. */
export interface Finding extends Found {
  readonly rule: RetryRule;
}

export interface JudgedOperation {
  readonly operation: Operation;
  readonly verdict: Word;
  readonly findings: readonly Finding[];
}

interface JudgeOptions {
  readonly endpoints: readonly Endpoint[];
  readonly policy?: WrittenPolicy | undefined;
}

/** Judges all operations of a tenant's journal, in the order in which they were begun. */
export function judgeRetries(tenant: Tenant, { endpoints, policy: written }: JudgeOptions): JudgedOperation[] {
  const history = new History([...tenant.journal.exchanges()].filter(isOfTheClient), endpoints);
  const policy = policyOf(written);
  const operations = operationsOf(history, policy);
  const spent = spentRules(tenant);
  const evidence: Evidence = {
    tenant,
    policy,
    history,
    lateness: (from, to) => stallWatch.between(from, to),
    operations,
    now: monotonic(),
    evicted: tenant.journal.evicted,
    isBackAfter: ({ exchange: { endpoint, fault }, start }) =>
      (fault !== undefined && spent.has(fault.rule)) || history.isServedAfter(endpoint, start),
    isPending: pendingIn(tenant),
  };
  return operations.map((operation) => judge(operation, evidence));
}

/** The rules that have no more to do: their budget is used up, or their time is over. */
function spentRules(tenant: Tenant): ReadonlySet<string> {
  const isOver = (until: string | undefined): boolean =>
    until !== undefined && (parseTimestamp(until) ?? 0) <= tenant.clock.now();
  const over = scenarioOf(tenant).rules.filter(({ rule, hits }) => hits >= rule.limit || isOver(rule.written.until));
  return new Set(over.map(({ rule }) => rule.id));
}

/** Whether an attempt waits for its delay, or its job for its time. */
function pendingIn(tenant: Tenant): (attempt: Attempt) => boolean {
  const queued = tenant.listed(jobs, 'byStatus', 'queued').map(({ exchange }) => exchange);
  const waiting: ReadonlySet<string | undefined> = new Set(queued);
  return ({ exchange: { id, finishedAt } }) => finishedAt === undefined || waiting.has(id);
}

/** The steps of a script are no client's. */
const isOfTheClient = ({ request }: Exchange): boolean => request.headers[stepHeader] === undefined;

/** Nothing was repeated, and nothing had to be. */
const isPlain = ({ attempts: [only, other] }: Operation): boolean =>
  only !== undefined && other === undefined && !isToRepeat(only) && only.told !== 'open';

function judge(operation: Operation, evidence: Evidence): JudgedOperation {
  if (isPlain(operation)) return { operation, verdict: 'PASS', findings: [] };
  const findings = retryRules.flatMap((rule) =>
    rule
      .check(operation, evidence)
      .map((found) => Object.assign(doubted(found, operation, { rule, evidence }), { rule })),
  );
  return { operation, verdict: worst(findings.map(({ weight }) => verdictOf[weight])), findings };
}

const verdictOf = { fail: 'FAIL', inconclusive: 'INCONCLUSIVE', remark: 'PASS' } as const;

/** FAIL outweighs INCONCLUSIVE, which outweighs PASS. */
export function worst(words: readonly Word[]): Word {
  if (words.includes('FAIL')) return 'FAIL';
  return words.includes('INCONCLUSIVE') ? 'INCONCLUSIVE' : 'PASS';
}
