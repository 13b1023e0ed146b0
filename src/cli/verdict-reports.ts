/** Reports of a verdict, as files; and where GitHub looks for them. */
import { appendFileSync } from 'node:fs';
import { githubStep } from '../config.ts';
import type { Flags } from '../config.ts';
import { InputError } from '../core/errors.ts';
import { legible } from '../core/legible.ts';
import { githubAnnotations } from '../verdict/reports/github.ts';
import { htmlReport } from '../verdict/reports/html.ts';
import { junitReport } from '../verdict/reports/junit.ts';
import { markdownReport } from '../verdict/reports/markdown.ts';
import { verdictOf } from '../verdict/reports/reported.ts';
import type { ReportedRun } from '../verdict/reports/reported.ts';
import { printNote } from './print.ts';
import { redactAll } from './redact.ts';
import { trying, writeReport } from './report-files.ts';
import { reportsFrom } from './report-flags.ts';
import type { Report } from './report-flags.ts';

const forms = ['junit', 'json', 'md', 'html'] as const;

type Form = (typeof forms)[number];

/** `--report junit=a.xml,html=b.html`, or one of them at a time. Throws `InputError` for one without a file. */
export function reportsOf(given: Flags[string]): readonly Report<Form>[] {
  const texts = typeof given === 'object' ? given : typeof given === 'string' ? [given] : [];
  const reports = reportsFrom(
    texts.flatMap((text) => text.split(',')),
    forms,
  );
  const fileless = reports.find(({ file }) => file === undefined);
  if (fileless) throw new InputError(`--report: name a file, as ${fileless.form}=report.${fileless.form}`);
  return reports;
}

/** What reports show: a text for each form, and lines for GitHub to show beside a job. */
export type Shown = Readonly<Record<Form, () => string>> & { readonly annotations: () => readonly string[] };

/** Of runs that nobody's personal numbers are in any more: redacted, they have the same form. */
export function shownRuns(all: readonly ReportedRun[]): Shown {
  const runs = redactAll(all) as ReportedRun[];
  return {
    junit: () => junitReport(runs),
    json: () => legible(`${JSON.stringify({ verdict: verdictOf(runs), runs }, null, 2)}\n`),
    md: () => markdownReport(runs),
    html: () => htmlReport(runs),
    annotations: () => githubAnnotations(runs),
  };
}

export function writeReports(shown: Shown, reports: readonly Report<Form>[]): void {
  for (const { form, file = '' } of reports) writeReport(file, shown[form]());
  const github = githubStep();
  if (!github.isOne) return;
  for (const line of shown.annotations()) printNote(line);
  const { summaryFile } = github;
  if (summaryFile !== undefined) trying(summaryFile, () => appendFileSync(summaryFile, shown.md()));
}
