import { worstStatus } from '../../verdict/status.ts';
import type { VerdictStatus } from '../../verdict/status.ts';
import type { ReportedRun } from '../../verdict/report/report-items.ts';
import { caseRule, plainCase } from './cases.ts';
import type { ConformanceCase } from './cases.ts';

/** `known`: fails as the baseline says. `stale`: the baseline is wrong about it, and has to be fixed. */
export type CaseOutcome = VerdictStatus | 'not exercised' | 'known' | 'stale';

/** Describes the result of one case for one client. */
export interface CaseResult {
  readonly id: string;
  readonly description: string;
  readonly outcome: CaseOutcome;
  /** Holds the reason, in one line. */
  readonly reason: string;
  /** Holds the exit code of the client; null when it did not run. */
  readonly exitCode: number | null;
  readonly ms: number;
  readonly runs: readonly ReportedRun[];
}

export interface ClientRun {
  readonly code: number;
  readonly isTimedOut: boolean;
  readonly ms: number;
  readonly runs: readonly ReportedRun[];
}

export const notExercised = ({ id, description }: ConformanceCase): CaseResult => ({
  id,
  description,
  outcome: 'not exercised',
  reason: 'the client sends no such request',
  exitCode: null,
  ms: 0,
  runs: [],
});

/** Judges a run of a case; `timeout` is how long it was allowed to take, as a person writes it. */
export function judgeCase(
  one: ConformanceCase,
  { code, isTimedOut, ms, runs }: ClientRun,
  timeout: string,
): CaseResult {
  const isMet = one === plainCase || runs.some(hasFired);
  if (!isMet && !isTimedOut) return notExercised(one);
  const outcome = isTimedOut ? 'FAIL' : worstStatus(runs.map(wordOf));
  const { id, description } = one;
  return {
    id,
    description,
    outcome,
    reason: isTimedOut ? `it had not ended after ${timeout}` : reasonOf(runs),
    exitCode: code,
    ms,
    runs,
  };
}

const hasFired = ({ verdict }: ReportedRun): boolean =>
  verdict.rules.some(({ id, fired }) => id === caseRule && fired > 0);

/** Ignores fault rules: those of other tenants need not fire. */
const wordOf = ({ verdict: { checks, operations } }: ReportedRun): VerdictStatus =>
  worstStatus([...checks, ...operations].map(({ verdict }) => verdict));

/** Names the rules that were broken, or else what is uncertain. */
function reasonOf(runs: readonly ReportedRun[]): string {
  const findings = runs.flatMap(({ verdict }) => verdict.operations.flatMap((operation) => operation.findings));
  const broken = findings.filter(({ level }) => level === 'fail').map(({ rule, title }) => `${rule} ${title}`);
  const unknown = findings.filter(({ level }) => level === 'inconclusive').map(({ message }) => message);
  const unmet = runs.flatMap(({ verdict }) => verdict.checks.filter(({ verdict: word }) => word !== 'PASS'));
  const reasons = broken.length > 0 ? broken : unknown;
  return [...new Set([...reasons, ...unmet.map(({ reason }) => reason)])].join('; ');
}
