import type { VerdictStatus } from '../../verdict/status.ts';
import type { Basis } from '../../core/validation/finding.ts';
import type { ReportedRun } from '../../verdict/report/report-items.ts';
import { outcomeOf } from '../outcome.ts';
import type { ClientEnd, RunResult } from '../run.ts';
import type { Suite } from '../suite.ts';
import { waitsForGood } from '../symptoms.ts';
import { absentCases, plainCase, playedCases, selectCases } from './cases.ts';
import type { PlayedCase } from './cases.ts';

/** `known`: fails as the baseline says. `stale`: the baseline is wrong about it, and has to be fixed. */
export type CaseOutcome = VerdictStatus | 'not exercised' | 'known' | 'stale';

/** Describes the result of one case for one client. */
export interface CaseResult {
  readonly id: string;
  readonly description: string;
  readonly outcome: CaseOutcome;
  /** Holds the reason, in one line. */
  readonly reason: string;
  /** Says what the case rests on, where it is not a fault at an endpoint. */
  readonly basis?: Basis;
  /** Names the case whose run this is too, because the client cannot tell the two apart. */
  readonly as?: string;
  /** Holds the exit code of the client; null when it did not run. */
  readonly exitCode: number | null;
  readonly ms: number;
  readonly runs: readonly ReportedRun[];
}

export const notExercised = (
  { id, description, basis }: Pick<CaseResult, 'id' | 'description' | 'basis'>,
  reason = 'the client sends no such request',
): CaseResult => ({
  id,
  description,
  outcome: 'not exercised',
  reason,
  ...(basis && { basis }),
  exitCode: null,
  ms: 0,
  runs: [],
});

/** Holds what is known of a run besides its result. */
interface RunDetails {
  /** Returns the exit code of a run. */
  readonly codeOf: (run: number) => number | undefined;
  /** Holds the longest time that it was allowed to take, as a person writes it. */
  readonly timeout: string;
  /** Holds the start of the suite, on the machine's clock. */
  readonly at: string;
}

/** Returns the results of the selected cases: without faults, of what was played, and of classes that the client never calls. */
export function conformanceResults(suite: Suite, patterns: readonly string[], details: RunDetails): CaseResult[] {
  const isSelected = selectCases(patterns);
  return [
    judgeCase({ ...plainCase, result: suite.plain }, details),
    ...playedCases(suite, isSelected).map((played) => judgeCase(played, details)),
    ...absentCases(suite)
      .filter(({ id }) => isSelected(id))
      .map((absent) => notExercised(absent)),
  ];
}

/** Judges a case by its run. */
function judgeCase({ id, description, result, as }: PlayedCase, details: RunDetails): CaseResult {
  const { end, verdict, number, ms } = result;
  const outcome = outcomeOf(result);
  if (outcome === undefined) return notExercised({ id, description }, 'the client did not send that request again');
  const isTimedOut = end.isTimedOut === true && outcome === 'FAIL';
  return {
    id,
    description,
    outcome,
    reason: isTimedOut ? reasonOfEnd(end, details) : reasonOf(result),
    ...(as !== undefined && { as }),
    exitCode: details.codeOf(number) ?? null,
    ms,
    runs: [{ name: id, description, at: details.at, ms, verdict }],
  };
}

const reasonOfEnd = ({ isWaiting = false }: ClientEnd, { timeout }: RunDetails): string =>
  isWaiting ? `${waitsForGood}: give every request a time limit` : `it had not ended after ${timeout}`;

/** Names the rules that were broken, or else what is uncertain. */
function reasonOf({ verdict: { checks, operations }, symptoms }: RunResult): string {
  const findings = operations.flatMap((operation) => operation.findings);
  const broken = symptoms
    .filter(({ rule }) => rule !== 'check')
    .map(({ rule, title, message }) => (rule === 'state' ? `${title}: ${message}` : `${rule} ${title}`));
  const unknown = findings.filter(({ level }) => level === 'inconclusive').map(({ message }) => message);
  const unmet = checks.filter(({ verdict }) => verdict !== 'PASS').map(({ reason }) => reason);
  return [...new Set([...(broken.length > 0 ? broken : unknown), ...unmet])].join('; ');
}
