/** Judges how a client retried: every operation that the journal shows, by every rule. */
import { monotonicNow, parseTimestamp } from '../core/time/clock.ts';
import type { Endpoint } from '../core/exchange/endpoint.ts';
import { jobs } from '../core/time/jobs.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import { lagMonitor } from '../core/time/event-loop-lag.ts';
import { withIndexes, withMadeIndexes } from '../core/time/index-in-steps.ts';
import type { Steps } from '../core/time/steps.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import type { PolicySpec } from '../scenario/policy-schema.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { isRetryable, endedInFailedJob, isWithoutWork, stepHeader } from './history/attempt.ts';
import type { Attempt } from './history/attempt.ts';
import { findingsBy, judgeReadings, judgeReadingsInSteps } from './judge-readings.ts';
import type { RetryFinding } from './judge-readings.ts';
import { indexJournal } from './history/history.ts';
import type { OnlyClient } from './history/history.ts';
import { operationsOf } from './history/operations.ts';
import type { Operation } from './history/operation.ts';
import { Pauses } from './history/pauses.ts';
import { policyWithDefaults } from './policy.ts';
import { statusOfLevel, worstStatus } from './status.ts';
import type { VerdictStatus } from './status.ts';
import { isLong } from './rules/retry-rule.ts';
import type { RetryEvidence } from './rules/retry-rule.ts';
import { retryRules } from './rules/catalog.ts';

export interface JudgedOperation {
  readonly operation: Operation;
  readonly verdict: VerdictStatus;
  readonly findings: readonly RetryFinding[];
}

interface JudgeOptions {
  readonly endpoints: readonly Endpoint[];
  readonly policy?: PolicySpec | undefined;
  readonly hasClientEnded?: boolean | undefined;
  readonly onlyClient?: OnlyClient | undefined;
}

/** Judges all operations of a tenant's journal, by their begin. */
export function* judgeRetries(tenant: Tenant, options: JudgeOptions): Steps<JudgedOperation[]> {
  const evidence = yield* retryEvidence(tenant, options);
  const judged: JudgedOperation[] = [];
  for (const operation of evidence.operations) {
    const judge = (): readonly RetryFinding[] => judgeOperation(operation, evidence);
    const findings = isLong(operation)
      ? yield* judgeReadingsInSteps(operation, evidence)
      : // Most need no index that is not made yet.
        (withMadeIndexes(judge) ?? (yield* withIndexes(judge)));
    judged.push({ operation, verdict: statusOf(findings), findings });
    yield;
  }
  return judged;
}

const statusOf = (findings: readonly RetryFinding[]): VerdictStatus =>
  findings.length === 0 ? 'PASS' : worstStatus(findings.map(({ level }) => statusOfLevel[level]));

/** Returns what the rules need of a tenant's journal. */
export function* retryEvidence(
  tenant: Tenant,
  { endpoints, policy: spec, hasClientEnded = false, onlyClient }: JudgeOptions,
): Steps<RetryEvidence> {
  // Rules count on while others have their turn.
  const [spent, now] = [exhaustedRules(tenant), monotonicNow()];
  const policy = policyWithDefaults(spec);
  const exchanges = tenant.journal.toArray().filter(isFromClient);
  const history = yield* indexJournal(exchanges, { endpoints, tenant, clientHeader: policy.clientHeader, onlyClient });
  yield;
  const operations = yield* operationsOf(history, policy);
  const pauses = yield* Pauses.of(operations, history, policy);
  return {
    tenant,
    policy,
    history,
    lagBetween: lagOf(exchanges),
    operations,
    now,
    pauses,
    hasClientEnded,
    evicted: tenant.journal.evicted,
    hasRecoveredAfter: ({ exchange: { endpoint, fault }, start }) =>
      (fault !== undefined && spent.has(fault.rule)) || history.isServedAfter(endpoint, start),
    isPending: pendingIn(tenant),
  };
}

/** A client in process is held up together with the simulator, which sees each call when it is made. */
const lagOf = (exchanges: readonly Exchange[]): RetryEvidence['lagBetween'] =>
  exchanges.some(({ connection }) => connection !== undefined)
    ? (from, to, shortest) => lagMonitor.lagBetween(from, to, shortest)
    : () => 0;

/** Returns the ids of the fault rules that cannot fire any more: they are used up, or their time is over. */
function exhaustedRules(tenant: Tenant): ReadonlySet<string> {
  const isOver = (until: string | undefined): boolean =>
    until !== undefined && (parseTimestamp(until) ?? 0) <= tenant.clock.now();
  const over = scenarioOf(tenant).rules.filter(({ rule, fired }) => fired >= rule.limit || isOver(rule.spec.until));
  return new Set(over.map(({ rule }) => rule.id));
}

/** Returns a test for attempts that are in flight, or have a queued job. */
function pendingIn(tenant: Tenant): (attempt: Attempt) => boolean {
  const queued = tenant.listRows(jobs, 'byStatus', 'queued').map(({ exchange }) => exchange);
  const waiting: ReadonlySet<string | undefined> = new Set(queued);
  return (attempt) => {
    const { id, finishedAt } = attempt.exchange;
    return (finishedAt === undefined && !isWithoutWork(attempt)) || waiting.has(id);
  };
}

/** A script's own steps are not judged. */
const isFromClient = ({ request }: Exchange): boolean => request.headers[stepHeader] === undefined;

/** True when nothing was repeated, and nothing had to be. */
function isPlain({ attempts }: Operation): boolean {
  const only = attempts.length === 1 ? attempts[0] : undefined;
  return only !== undefined && !isRetryable(only) && only.outcome !== 'in-flight' && !endedInFailedJob(only);
}

const rulesForPlain = retryRules.filter(({ judgesPlain }) => judgesPlain);

const judgeOperation = (operation: Operation, evidence: RetryEvidence): readonly RetryFinding[] =>
  isPlain(operation) ? findingsBy(rulesForPlain, operation, { evidence }) : judgeReadings(operation, evidence);
