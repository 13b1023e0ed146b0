/** Whether a client retried rightly: every operation that the journal shows, judged by every rule. */
import { parseTimestamp } from '../core/clock.ts';
import type { Endpoint } from '../core/endpoint.ts';
import type { Tenant } from '../core/tenant.ts';
import type { WrittenPolicy } from '../scenario/policy-schema.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { operationsOf } from './operation.ts';
import type { Operation } from './operation.ts';
import { policyOf } from './policy.ts';
import type { Evidence, Found, RetryRule } from './rules/rule.ts';
import { retryRules } from './rules/rules.ts';
import { noStalls } from './stalls.ts';
import type { Stalls } from './stalls.ts';

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
  readonly stalls?: Stalls | undefined;
}

/** Judges all operations of a tenant's journal, in the order in which they were begun. */
export function judgeRetries(tenant: Tenant, { endpoints, policy: written, stalls }: JudgeOptions): JudgedOperation[] {
  const policy = policyOf(written);
  const exchanges = [...tenant.journal.exchanges()];
  const operations = operationsOf(exchanges, endpoints, policy);
  const lastServed = new Map(
    exchanges.flatMap(({ fault, finishedAt, endpoint, startedAt }) =>
      fault === undefined && finishedAt !== undefined ? [[endpoint, startedAt] as const] : [],
    ),
  );
  const spent = spentRules(tenant);
  return { operation, verdict: worst(findings.map(({ weight }) => verdictOf[weight])), findings };
}

const verdictOf = { fail: 'FAIL', inconclusive: 'INCONCLUSIVE', remark: 'PASS' } as const;

/** FAIL outweighs INCONCLUSIVE, which outweighs PASS. */
export function worst(words: readonly Word[]): Word {
  if (words.includes('FAIL')) return 'FAIL';
  return words.includes('INCONCLUSIVE') ? 'INCONCLUSIVE' : 'PASS';
}
