/** Reports of scripts that were played. */
import { escapeControls } from '../core/lib/escape-controls.ts';
import { junitSuites } from '../verdict/report/junit.ts';
import { reportItems } from '../verdict/report/report-items.ts';
import type { ReportItem } from '../verdict/report/report-items.ts';
import { worstStatus } from '../verdict/status.ts';
import type { VerdictStatus } from '../verdict/status.ts';
import { stepLines, scriptsSummaryLine, scriptVerdictLines } from './format-lines.ts';
import type { ScriptResult, StepResult } from './result.ts';

export interface ScriptRun {
  readonly scenarios: readonly ScriptResult[];
  /** Files that have no steps. */
  readonly skipped: readonly string[];
}

/** The worst of all; nothing was played → it doesn't tell. */
export const scriptRunStatus = ({ scenarios }: ScriptRun): VerdictStatus =>
  scenarios.length === 0 ? 'INCONCLUSIVE' : worstStatus(scenarios.map(({ verdict }) => verdict));

const textReport = (run: ScriptRun): string => {
  const parts = run.scenarios.flatMap((played) => [
    scriptHeadLine(played),
    ...played.steps.filter(({ isPlayed }) => isPlayed).flatMap(stepLines),
    ...scriptVerdictLines(played),
  ]);
  return escapeControls(`${[...parts, scriptsSummaryLine(run.scenarios, run.skipped.length)].join('\n')}\n`);
};

export const scriptHeadLine = ({ name, file }: Pick<ScriptResult, 'name' | 'file'>): string =>
  name === file ? file : `${name} (${file})`;

const jsonReport = (run: ScriptRun): string =>
  escapeControls(`${JSON.stringify({ verdict: scriptRunStatus(run), ...run })}\n`);

/** A suite for each scenario, a case for each step that was played and for each thing judged in the end. */
const junitReport = ({ scenarios }: ScriptRun): string =>
  junitSuites(
    scenarios.map((played) => ({
      name: played.name,
      at: played.at,
      ms: played.ms,
      items: [...played.steps.filter(({ isPlayed }) => isPlayed).map(itemOf), ...reportItems(played)],
    })),
  );

const itemOf = ({ number, title, verdict, reason, place, ms }: StepResult): ReportItem => ({
  kind: 'step',
  name: `${number}. ${title}`,
  verdict,
  messages: [reason ?? '', place].filter((text) => text !== ''),
  advice: [],
  ms,
});

export const scriptReportFormats = { text: textReport, json: jsonReport, junit: junitReport } as const;
