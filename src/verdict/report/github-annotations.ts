import { escapeControls } from '../../core/lib/escape-controls.ts';
import { reportItems } from './report-items.ts';
import type { ReportedRun } from './report-items.ts';

const dataOf = (text: string): string => escapeControls(text).replaceAll('%', '%25').replaceAll('\n', '%0A');

const propertyOf = (text: string): string => dataOf(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Returns the workflow commands by which GitHub annotates a job. */
export const githubAnnotations = (runs: readonly ReportedRun[]): string[] =>
  runs.flatMap(({ name, verdict }) =>
    reportItems(verdict)
      .filter((item) => item.verdict !== 'PASS')
      .map((item) => {
        const level = item.verdict === 'FAIL' ? 'error' : 'warning';
        return `::${level} title=${propertyOf(`${name}: ${item.name}`)}::${dataOf([...item.messages, ...item.advice].join('\n'))}`;
      }),
  );
