/** Implements `loyalty-sim run`: runs scripted scenarios, each on a fresh simulator or on a fresh tenant of a running one. */
import {
  adminKeyFlag,
  failOnWarningsFlag,
  jsonFlag,
  personalDataFlag,
  repeatableFlag,
  withExamples,
  describeArguments,
} from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';
import { formatDiagnostic } from '../../core/validation/diagnostic.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { readWarningCodes, warningCodeList } from '../../service/warnings.ts';
import { runScript, scriptName } from '../../script/run-script.ts';
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
import { expandFiles } from '../flags/file-arguments.ts';
import { printNote, printResult } from '../process/terminal.ts';
import { redact, redactAll } from '../../core/exchange/redact.ts';
import { prepareReportFiles, writeReport } from '../process/report-files.ts';
import { reportFiles, parseReportFlags } from '../flags/report-flags.ts';
import type { ReportTarget } from '../flags/report-flags.ts';
import { withFreshTarget } from '../remote/script-target.ts';
import type { ScriptTargetFlags } from '../remote/script-target.ts';
import { stopSignal } from '../process/signals.ts';
import { verdictExitCodes } from '../format/exit-codes.ts';

interface RunFlags extends ScriptTargetFlags {
  readonly report?: readonly string[];
  readonly failOnWarnings?: readonly string[];
}

export const declareRun: DeclareCommand = (command, done) => {
  describeArguments(
    command,
    'scenario files with steps, stars allowed; folders of them; or names of built-in scenarios',
  );
  command
    .option(
      '--url <url>',
      'simulator to run on, with a fresh tenant for each script (default: a fresh simulator for each)',
    )
    .option('--port <port>', 'port of the fresh simulator, for a system under test to call (default: any free one)')
    .option('--with-point-master', 'start a fake point master with each fresh simulator that is not of mode standard')
    .option('--api-key <key>', 'key to send with requests')
    .addOption(adminKeyFlag())
    .addOption(failOnWarningsFlag())
    .addOption(repeatableFlag('--report <form>', 'print text, json or junit, or write it to a file: junit=report.xml'))
    .addOption(jsonFlag('print the result as JSON, as --report json does'))
    .addOption(personalDataFlag())
    .action(async (files: string[], flags: RunFlags) => {
      done(await runScripts(files, flags));
    });
  withExamples(
    command,
    'loyalty-sim run lost-redeem',
    'loyalty-sim run scenarios/*.yaml --report junit=report.xml',
    'loyalty-sim run checkout.yaml --url http://127.0.0.1:4010',
  );
};

type Form = keyof typeof scriptReportFormats;

// The object's own keys, which TypeScript widens.
const forms = Object.keys(scriptReportFormats) as Form[];

/** Prints progress: to standard output, or to standard error when a report goes to standard output. */
type PrintLine = (line: string) => void;

async function runScripts(files: readonly string[], flags: RunFlags): Promise<number> {
  if (flags.withPointMaster && flags.url !== undefined) {
    throw new InputError(
      '--with-point-master: works with a fresh simulator, not with --url; start that simulator with --with-point-master',
    );
  }
  if (flags.port !== undefined && flags.url !== undefined) {
    throw new InputError(
      '--port: is the port of a fresh simulator, and with --url there is none; leave one of them out',
    );
  }
  const reports = parseReportFlags([...(flags.report ?? []), ...(flags.json ? ['json'] : [])], forms);
  prepareReportFiles(reportFiles(reports));
  checkCodes(flags.failOnWarnings);
  const scripts = loadScripts(expandFiles('run', files));
  const print = reports.some(isPrinted) ? printNote : printResult;
  const printLine: PrintLine = (line) => print(flags.showPersonalData ? line : redact(line));
  for (const note of scripts.flatMap(({ warnings }) => warnings)) printNote(`note: ${formatDiagnostic(note)}`);
  const [finished, skipped]: [ScriptResult[], string[]] = [[], []];
  try {
    await runAll(scripts, { flags, printLine, finished, skipped });
  } finally {
    write(reports, { scenarios: finished, skipped }, flags);
  }
  printLine(scriptsSummaryLine(finished, skipped.length));
  return verdictExitCodes[scriptRunStatus({ scenarios: finished, skipped })];
}

/** Throws `InputError` for a code that there is not, before anything runs. */
function checkCodes(given: readonly string[] = []): void {
  const [wrong] = warningCodeList.safeParse(readWarningCodes(given)).error?.issues ?? [];
  if (wrong) throw new InputError(`--fail-on-warnings: ${wrong.message}`);
}

/** True for a report on standard output; text is printed during the run, and as a report only goes to a file. */
const isPrinted = ({ form, file }: ReportTarget<Form>): boolean => file === undefined && form !== 'text';

interface RunProgress {
  readonly flags: RunFlags;
  readonly printLine: PrintLine;
  readonly finished: ScriptResult[];
  readonly skipped: string[];
}

async function runAll(scripts: readonly Script[], { flags, printLine, finished, skipped }: RunProgress): Promise<void> {
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort());
  for (const script of scripts) {
    if (stop.signal.aborted) return;
    const { spec, file } = script;
    if ((spec.steps ?? []).length === 0) {
      printLine(`${file}: has no steps to run`);
      skipped.push(file);
      continue;
    }
    printLine(scriptHeadLine({ name: scriptName(script), file }));
    const one = await withFreshTarget(script, flags, (target) => {
      if (spec.steps?.some((step) => step.waitFor)) printLine(`  serving at ${target.serviceUrl}`);
      const onStep = (step: ScriptResult['steps'][number]): void => stepLines(step).forEach(printLine);
      return runScript(script, { target, signal: stop.signal, onStep, failOnWarnings: flags.failOnWarnings });
    });
    finished.push(one);
    scriptVerdictLines(one).forEach(printLine);
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
