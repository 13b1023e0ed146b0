/** `loyalty-sim run`: plays scripted scenarios, each on a fresh simulator or on a fresh tenant of a running one. */
import { formatDiagnostic } from '../../core/validation/diagnostic.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { runScript } from '../../script/run-script.ts';
import type { Script } from '../../script/run-script.ts';
import type { ScriptResult } from '../../script/result.ts';
import {
  scriptHeadLine,
  scriptReportFormats,
  scriptRunStatus,
  scriptsSummaryLine,
  scriptVerdictLines,
  stepLines,
} from '../../script/reports.ts';
import type { ScriptRun } from '../../script/reports.ts';
import { loadScripts } from '../../script/load-scripts.ts';
import { scriptName } from '../../script/run-script.ts';
import { printNote, printResult } from '../process/terminal.ts';
import { redact, redactAll } from '../format/redact.ts';
import { prepareReportFiles, writeReport } from '../process/report-files.ts';
import { reportFiles, parseReportFlags } from '../flags/report-flags.ts';
import type { ReportTarget } from '../flags/report-flags.ts';
import { withFreshTarget } from '../remote/script-target.ts';
import type { ScriptTargetFlags } from '../remote/script-target.ts';
import { stopSignal } from '../process/signals.ts';
import { verdictExitCodes } from '../format/verdict.ts';

export interface RunFlags extends ScriptTargetFlags {
  readonly report?: readonly string[];
}

type Form = keyof typeof scriptReportFormats;

// The object's own keys, which TypeScript widens.
const forms = Object.keys(scriptReportFormats) as Form[];

/** Progress goes to standard output, unless a report does. */
type PrintLine = (line: string) => void;

export async function runScripts(files: readonly string[], flags: RunFlags): Promise<number> {
  if (flags.withPointMaster && flags.url !== undefined) {
    throw new InputError(
      '--with-point-master: goes with a fresh simulator, not with --url; start that one with --with-point-master',
    );
  }
  const reports = parseReportFlags([...(flags.report ?? []), ...(flags.json ? ['json'] : [])], forms);
  prepareReportFiles(reportFiles(reports));
  const scripts = loadScripts(files);
  const print = reports.some(isPrinted) ? printNote : printResult;
  const tell: PrintLine = (line) => print(flags.showPersonalData ? line : redact(line));
  for (const note of scripts.flatMap(({ warnings }) => warnings)) printNote(`note: ${formatDiagnostic(note)}`);
  const [played, skipped]: [ScriptResult[], string[]] = [[], []];
  try {
    await playAll(scripts, { flags, tell, played, skipped });
  } finally {
    write(reports, { scenarios: played, skipped }, flags);
  }
  tell(scriptsSummaryLine(played, skipped.length));
  return verdictExitCodes[scriptRunStatus({ scenarios: played, skipped })];
}

/** The text is told while it is played; as a report it only goes to a file. */
const isPrinted = ({ form, file }: ReportTarget<Form>): boolean => file === undefined && form !== 'text';

interface Playing {
  readonly flags: RunFlags;
  readonly tell: PrintLine;
  readonly played: ScriptResult[];
  readonly skipped: string[];
}

async function playAll(scripts: readonly Script[], { flags, tell, played, skipped }: Playing): Promise<void> {
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort());
  for (const script of scripts) {
    if (stop.signal.aborted) return;
    const { written, file } = script;
    if ((written.steps ?? []).length === 0) {
      tell(`${file}: has no steps to play`);
      skipped.push(file);
      continue;
    }
    tell(scriptHeadLine({ name: scriptName(script), file }));
    const one = await withFreshTarget(script, flags, (target) => {
      if (written.steps?.some((step) => step.waitFor)) tell(`  serving at ${target.serviceUrl}`);
      const onStep = (step: ScriptResult['steps'][number]): void => stepLines(step).forEach(tell);
      return runScript(script, { target, signal: stop.signal, onStep });
    });
    played.push(one);
    scriptVerdictLines(one).forEach(tell);
  }
}

function write(reports: readonly ReportTarget<Form>[], all: ScriptRun, { showPersonalData }: RunFlags): void {
  // Redacted, it has the same form.
  const shown = showPersonalData ? all : (redactAll(all) as ScriptRun);
  for (const { form, file } of reports) {
    const text = scriptReportFormats[form](shown);
    if (file !== undefined) writeReport(file, text);
    else if (form !== 'text') printResult(text.trimEnd());
  }
}
