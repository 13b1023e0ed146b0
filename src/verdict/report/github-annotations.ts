import { escapeControls } from '../../core/lib/escape-controls.ts';
import { runItems } from './report-items.ts';
import type { ReportItem, ReportedRun } from './report-items.ts';

const dataOf = (text: string): string => escapeControls(text).replaceAll('%', '%25').replaceAll('\n', '%0A');

const propertyOf = (text: string): string => dataOf(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Returns the workflow commands by which GitHub annotates a job. */
export const githubAnnotations = (runs: readonly ReportedRun[]): string[] =>
  runs.flatMap((run) =>
    runItems(run)
      .filter(({ verdict }) => verdict !== 'PASS')
      .map((item) => githubAnnotation(run.name, item)),
  );

/** Returns the workflow command for one thing that did not pass. */
export function githubAnnotation(run: string, { name, verdict, messages, advice }: ReportItem): string {
  const level = verdict === 'FAIL' ? 'error' : 'warning';
  return `::${level} title=${propertyOf(`${run}: ${name}`)}::${dataOf([...messages, ...advice].join('\n'))}`;
}
