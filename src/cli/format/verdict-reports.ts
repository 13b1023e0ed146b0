/** Writes reports of a verdict to files, and to the summary of a GitHub job. */
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
import { printLines } from '../process/terminal.ts';
import { redactAll } from '../../core/exchange/redact.ts';
import { withReportErrors, writeReport } from '../process/report-files.ts';
import { parseReportFlags } from '../flags/report-flags.ts';
import type { ReportTarget } from '../flags/report-flags.ts';

const forms = ['junit', 'json', 'md', 'html'] as const;

type Form = (typeof forms)[number];

/** Parses `--report junit=a.xml,html=b.html`. Throws `InputError` for a report without a file. */
export function parseVerdictReports(given: Flags[string]): readonly ReportTarget<Form>[] {
  const texts = typeof given === 'object' ? given : typeof given === 'string' ? [given] : [];
  const reports = parseReportFlags(
    texts.flatMap((text) => text.split(',')),
    forms,
  );
  const fileless = reports.find(({ file }) => file === undefined);
  if (fileless) throw new InputError(`--report: name a file, such as ${fileless.form}=report.${fileless.form}`);
  return reports;
}

/** Renders reports: a text for each form, and annotations for a GitHub job. */
export type ReportContents = Readonly<Record<Form, () => string>> & { readonly annotations: () => readonly string[] };

/** Renders runs after redacting them, which keeps their form. */
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

export function writeReports(contents: ReportContents, reports: readonly ReportTarget<Form>[]): void {
  for (const { form, file = '' } of reports) writeReport(file, contents[form]());
  const github = githubActionsStep();
  if (!github.isOne) return;
  printLines(contents.annotations());
  const { summaryFile } = github;
  if (summaryFile !== undefined) withReportErrors(summaryFile, () => appendFileSync(summaryFile, contents.md()));
}
