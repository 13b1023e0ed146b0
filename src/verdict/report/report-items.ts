import { worstStatus } from '../status.ts';
import type { VerdictStatus } from '../status.ts';
import { operationTitle } from '../../format/timeline.ts';
import type { Verdict } from '../verdict.ts';
import { lastEnd } from '../verdict-json.ts';

export { statusMarks } from '../../format/timeline.ts';

/** Describes a run of a client, as reports show it. */
export interface ReportedRun {
  /** Holds the scenario's name, or the command's. */
  readonly name: string;
  readonly description: string | undefined;
  /** Holds the start, on the machine's clock. */
  readonly at: string;
  /** Holds the duration, in ms. */
  readonly ms: number;
  readonly verdict: Verdict;
  /** Holds the exit code of the command, if it failed; where it was judged in several tenants, that is told of the first. */
  readonly exitCode?: number | undefined;
}

/** Returns the worst status of several runs. */
export const worstRunStatus = (runs: readonly ReportedRun[]): VerdictStatus =>
  worstStatus(runs.map(({ verdict }) => verdict.verdict));

type JudgedParts = Pick<Verdict, 'rules' | 'operations'> & { readonly checks: readonly Verdict['checks'][number][] };

/**
 * Describes one thing that was judged: the end of a command that failed, an expectation, a rule of the scenario, an operation of the client, a step of a
 * script.
 */
export interface ReportItem {
  readonly kind: 'command' | 'check' | 'rule' | 'operation' | 'step' | 'case';
  readonly name: string;
  readonly verdict: VerdictStatus;
  readonly messages: readonly string[];
  readonly advice: readonly string[];
  /** Holds the duration, in ms. */
  readonly ms?: number;
  /** True for a step that was not reached. */
  readonly isSkipped?: boolean;
}

export const reportItems = ({ checks, rules, operations }: JudgedParts): ReportItem[] => [
  ...checks.map(({ description, verdict, reason }) => ({
    kind: 'check' as const,
    name: description,
    verdict,
    messages: [reason],
    advice: [],
  })),
  ...rules.map(({ id, description, verdict, reason }) => ({
    kind: 'rule' as const,
    name: description ?? `rule ${id}`,
    verdict,
    messages: [reason],
    advice: [],
  })),
  ...operations.map(({ requestLine, key, verdict, findings, attempts }) => ({
    kind: 'operation' as const,
    name: operationTitle({ requestLine, key }),
    verdict,
    messages: findings.filter(({ level }) => level !== 'note').map(({ rule, message }) => `${rule}: ${message}`),
    advice: [...new Set(findings.filter(({ level }) => level !== 'note').map(({ advice }) => advice))],
    ms: Math.max(0, lastEnd(attempts)),
  })),
];

/** Returns what was judged in a run, after the failure of its command. */
export const runItems = ({ verdict, exitCode }: ReportedRun): ReportItem[] => [
  ...(exitCode === undefined
    ? []
    : [
        {
          kind: 'command' as const,
          name: `the command ended with ${exitCode}`,
          verdict: 'INCONCLUSIVE' as const,
          messages: [`exit code ${exitCode}: the command itself failed, whatever the verdict on its requests is`],
          advice: [],
        },
      ]),
  ...reportItems(verdict),
];

/** Returns the name of a run, with the failure of its command. */
export const runTitle = ({ name, exitCode }: ReportedRun): string =>
  exitCode === undefined ? name : `${name}, but the command ended with ${exitCode}`;

/** Splits items into those that did not pass, the worst first, and those that did. */
export const splitItems = (
  items: readonly ReportItem[],
): { readonly others: ReportItem[]; readonly passed: ReportItem[] } => ({
  others: [...items.filter(isOf('FAIL')), ...items.filter(isOf('INCONCLUSIVE'))],
  passed: items.filter(isOf('PASS')),
});

const isOf =
  (word: VerdictStatus) =>
  ({ verdict }: ReportItem): boolean =>
    verdict === word;
