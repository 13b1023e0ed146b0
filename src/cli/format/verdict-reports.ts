/** Reports of a verdict, as files; and where GitHub looks for them. */
import { appendFileSync } from 'node:fs';
import { githubActionsStep } from '../../config/config.ts';
import type { Flags } from '../../config/config.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { escapeControls } from '../../core/lib/escape-controls.ts';
import { githubAnnotations } from '../../verdict/report/github-annotations.ts';
import { htmlReport } from '../../verdict/report/html.ts';
import { junitReport } from '../../verdict/report/junit.ts';
import { markdownReport } from '../../verdict/report/markdown.ts';
import { worstRunStatus } from '../../verdict/report/report-items.ts';
import type { ReportedRun } from '../../verdict/report/report-items.ts';
import { printNote } from '../process/terminal.ts';
import { redactAll } from './redact.ts';
import { withReportErrors, writeReport } from '../process/report-files.ts';
import { parseReportFlags } from '../flags/report-flags.ts';
import type { ReportTarget } from '../flags/report-flags.ts';

const forms = ['junit', 'json', 'md', 'html'] as const;

type Form = (typeof forms)[number];

/** `--report junit=a.xml,html=b.html`, or one of them at a time. Throws `InputError` for one without a file. */
export function parseVerdictReports(given: Flags[string]): readonly ReportTarget<Form>[] {
  const texts = typeof given === 'object' ? given : typeof given === 'string' ? [given] : [];
  const reports = parseReportFlags(
    texts.flatMap((text) => text.split(',')),
    forms,
  );
  const fileless = reports.find(({ file }) => file === undefined);
  if (fileless) throw new InputError(`--report: name a file, as ${fileless.form}=report.${fileless.form}`);
  return reports;
}

/** What reports show: a text for each form, and lines for GitHub to show beside a job. */
export type ReportContents = Readonly<Record<Form, () => string>> & { readonly annotations: () => readonly string[] };

/** Of runs that nobody's personal numbers are in any more: redacted, they have the same form. */
export function renderRunReports(all: readonly ReportedRun[]): ReportContents {
  const runs = redactAll(all) as ReportedRun[];
  return {
    junit: () => junitReport(runs),
    json: () => escapeControls(`${JSON.stringify({ verdict: worstRunStatus(runs), runs }, null, 2)}\n`),
    md: () => markdownReport(runs),
    html: () => htmlReport(runs),
    annotations: () => githubAnnotations(runs),
  };
}

export function writeReports(shown: ReportContents, reports: readonly ReportTarget<Form>[]): void {
  for (const { form, file = '' } of reports) writeReport(file, shown[form]());
  const github = githubActionsStep();
  if (!github.isOne) return;
  for (const line of shown.annotations()) printNote(line);
  const { summaryFile } = github;
  if (summaryFile !== undefined) withReportErrors(summaryFile, () => appendFileSync(summaryFile, shown.md()));
}
