/** Formats the results of scripts, as lines while they run and as reports. */
import { escapeControls } from '../core/lib/escape-controls.ts';
import { junitSuites } from '../verdict/report/junit.ts';
import { reportItems, statusMarks } from '../verdict/report/report-items.ts';
import type { ReportItem } from '../verdict/report/report-items.ts';
import { worstStatus } from '../verdict/status.ts';
import type { VerdictStatus } from '../verdict/status.ts';
import { formatRecoveries, formatTimeline } from '../format/timeline.ts';
import { formatWarning } from '../format/verdict-summary.ts';
import { formatCheck } from '../verdict/verdict.ts';
import { notExecutedReason } from './result.ts';
import type { ScriptCheck, ScriptResult, StepResult } from './result.ts';

const time = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** Formats a step: one line if it passed, else with its reason and location. */
export function stepLines({ number, title, verdict, reason, location, ms }: StepResult): string[] {
  const line = `  ${statusMarks[verdict]} ${number}. ${title}  ${time(ms)}`;
  if (verdict === 'PASS') return [reason === undefined ? line : `${line}  (${reason})`];
  return [line, ...(reason ?? '').split('\n').map((text) => `      ${text}`), `      ${location}`];
}

/** True for a step that was executed, or could not be because a value was not captured. */
export const isShown = ({ executed, reason }: StepResult): boolean => executed || reason !== notExecutedReason;

/** Formats what was judged after the steps, and the verdict. */
export function scriptVerdictLines(result: ScriptResult): string[] {
  const { verdict, reason, steps, checks, rules, operations, warnings, ms } = result;
  const skipped = steps.filter(({ executed }) => !executed);
  const counts = [
    pluralize(steps.length - skipped.length, 'step'),
    ...(skipped.length > 0 ? [`${skipped.length} not executed`] : []),
    ...(checks.length > 0 ? [pluralize(checks.length, 'expectation')] : []),
  ];
  return [
    ...checks.flatMap(checkLines),
    ...rules.map((rule) => `  ${statusMarks[rule.verdict]} rule ${rule.id}: ${rule.reason}`),
    ...operations
      .filter(({ findings }) => findings.length > 0)
      .flatMap((operation) => formatTimeline(operation).map((line) => `  ${line}`)),
    ...formatRecoveries(operations).map((line) => `  ✓ ${line}`),
    ...warnings.map((warning) => `  · ${formatWarning(warning)}`),
    `  ${verdict}${reason === undefined ? '' : ` (${reason})`}: ${counts.join(', ')}, ${time(ms)}`,
  ];
}

function checkLines(check: ScriptCheck): string[] {
  const line = `  ${statusMarks[check.verdict]} ${formatCheck(check)}`;
  return check.verdict === 'PASS' ? [line] : [line, `      ${check.location}`];
}

const pluralize = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Summarizes all scripts in one line. */
export function scriptsSummaryLine(results: readonly ScriptResult[], skipped: number): string {
  const words = (['PASS', 'FAIL', 'INCONCLUSIVE'] as const).flatMap((word) => {
    const count = results.filter(({ verdict }) => verdict === word).length;
    return count > 0 ? [`${count} ${word}`] : [];
  });
  const withoutSteps = skipped > 0 ? [`${skipped} without steps`] : [];
  return `${pluralize(results.length, 'scenario')}: ${[...words, ...withoutSteps].join(', ') || 'none run'}`;
}

export interface ScriptRun {
  readonly scenarios: readonly ScriptResult[];
  /** Lists files that have no steps. */
  readonly skipped: readonly string[];
}

/** Returns the worst status; without any script it is INCONCLUSIVE. */
export const scriptRunStatus = ({ scenarios }: ScriptRun): VerdictStatus =>
  scenarios.length === 0 ? 'INCONCLUSIVE' : worstStatus(scenarios.map(({ verdict }) => verdict));

const textReport = (run: ScriptRun): string => {
  const parts = run.scenarios.flatMap((played) => [
    scriptHeadLine(played),
    ...played.steps.filter(isShown).flatMap(stepLines),
    ...scriptVerdictLines(played),
  ]);
  return escapeControls(`${[...parts, scriptsSummaryLine(run.scenarios, run.skipped.length)].join('\n')}\n`);
};

export const scriptHeadLine = ({ name, file }: Pick<ScriptResult, 'name' | 'file'>): string =>
  name === file ? file : `${name} (${file})`;

const jsonReport = (run: ScriptRun): string =>
  escapeControls(`${JSON.stringify({ verdict: scriptRunStatus(run), ...run })}\n`);

/** Renders a suite for each scenario, with a case for each step and each thing judged in the end. */
const junitReport = ({ scenarios }: ScriptRun): string =>
  junitSuites(
    scenarios.map((played) => ({
      name: played.name,
      at: played.at,
      ms: played.ms,
      output: [...formatRecoveries(played.operations), ...played.warnings.map(formatWarning)],
      items: [...played.steps.map(itemOf), ...reportItems(played)],
    })),
  );

const itemOf = (step: StepResult): ReportItem => ({
  kind: 'step',
  name: `${step.number}. ${step.title}`,
  verdict: step.verdict,
  messages: [step.reason ?? '', step.location].filter((text) => text !== ''),
  advice: [],
  ms: step.ms,
  isSkipped: !isShown(step),
});

export const scriptReportFormats = { text: textReport, json: jsonReport, junit: junitReport } as const;
