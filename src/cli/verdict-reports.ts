/** Reports of a verdict, as files; and where GitHub looks for them. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { githubStep } from '../config.ts';
import type { Flags } from '../config.ts';
import { InputError } from '../core/errors.ts';
import { githubAnnotations } from '../verdict/reports/github.ts';
import { htmlReport } from '../verdict/reports/html.ts';
import { junitReport } from '../verdict/reports/junit.ts';
import { markdownReport } from '../verdict/reports/markdown.ts';
import type { ReportedRun } from '../verdict/reports/reported.ts';
import { printNote } from './print.ts';
import { redact } from './redact.ts';
import { reportsFrom } from './report-flags.ts';
import type { Report } from './report-flags.ts';

const forms = {
  junit: junitReport,
  json: (runs: readonly ReportedRun[]) => `${JSON.stringify({ runs }, null, 2)}\n`,
  md: markdownReport,
  html: htmlReport,
} as const;

type Form = keyof typeof forms;

/** `--report junit=a.xml,html=b.html`, or one of them at a time. Throws `InputError` for one without a file. */
export function reportsOf(given: Flags[string]): readonly Report<Form>[] {
  const texts = typeof given === 'object' ? given : typeof given === 'string' ? [given] : [];
  // The object's own keys, which TypeScript widens.
  const reports = reportsFrom(
    texts.flatMap((text) => text.split(',')),
    Object.keys(forms) as Form[],
  );
  const fileless = reports.find(({ file }) => file === undefined);
  if (fileless) throw new InputError(`--report: name a file, as ${fileless.form}=report.${fileless.form}`);
  return reports;
}

export function writeReports(runs: readonly ReportedRun[], reports: readonly Report<Form>[]): void {
  for (const { form, file } of reports) if (file !== undefined) write(file, redact(forms[form](runs)));
  const github = githubStep();
  if (!github.isOne) return;
  for (const line of githubAnnotations(runs)) printNote(redact(line));
  if (github.summaryFile !== undefined) appendFileSync(github.summaryFile, redact(markdownReport(runs)));
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new InputError(`--report: ${file} can't be written: ${error instanceof Error ? error.message : error}`);
  }
}
