/** Implements `loyalty-sim exec`: runs a command with a simulator of its own, judges it, and writes reports. */
import { typedFlags, withEmbeddedSimulatorFlags } from '../flags/simulator-flags.ts';
import { verdictReportFlag, withExamples, describeArguments } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';
import { loadConfig } from '../../config/config.ts';
import type { Config, Flags } from '../../config/config.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { worstRunStatus } from '../../verdict/report/report-items.ts';
import { runAndJudge } from '../process/judged-run.ts';
import type { JudgedRun } from '../process/judged-run.ts';
import { stoppedCode } from '../process/signals.ts';
import { printLines, printNote, printResult } from '../process/terminal.ts';
import { redactAll } from '../../core/exchange/redact.ts';
import { formatRunHeading, formatMatrix, formatRun } from '../format/runs.ts';
import { planScenario } from '../flags/scenario-plan.ts';
import { prepareReportFiles } from '../process/report-files.ts';
import { expandFiles } from '../flags/file-arguments.ts';
import { reportFiles } from '../flags/report-flags.ts';
import { verdictExitCodes } from '../format/exit-codes.ts';
import { parseVerdictReports, renderRunReports, writeReports } from '../format/verdict-reports.ts';

export const declareExec: DeclareCommand = (command, done) => {
  describeArguments(command, 'command to run, after --; it finds the simulator in LOYALTY_SIM_URL');
  withEmbeddedSimulatorFlags(command)
    .option(
      '--matrix <files...>',
      'run the command once for each of these scenarios, and print a matrix; stars are allowed',
    )
    .addOption(verdictReportFlag())
    .action(async (words: string[]) => {
      done(await exec(words, typedFlags(command)));
    });
  withExamples(
    command,
    'loyalty-sim exec -- npm test',
    'loyalty-sim exec --scenario receipt-timeout --report junit=verdict.xml -- npm test',
    "loyalty-sim exec --matrix 'scenarios/*.yaml' -- node till.js",
  );
};

async function exec(command: readonly string[], flags: Flags): Promise<number> {
  const reports = parseVerdictReports(flags['report']);
  // The log would mix with the output of the command, so that it is silent by default.
  const config = loadConfig({ flags: { log: 'silent', ...flags } });
  const paths = expandScenarioPaths(flags['matrix']);
  if (paths.length > 0 && config.scenario.length > 0) {
    throw new InputError(
      '--scenario and --matrix: use --scenario for one run, or --matrix for one run of each scenario, not both',
    );
  }
  prepareReportFiles(reportFiles(reports));
  const judged =
    paths.length > 0 ? await runEach(paths, { command, flags, config }) : [await runOne({ command, flags, config })];
  const runs = judged.flatMap((run) => run.runs);
  writeReports(renderRunReports(runs), reports);
  if (flags['json']) printResult(JSON.stringify(redactAll({ event: 'verdict', verdict: worstRunStatus(runs), runs })));
  // The command's own failure comes first: whoever ran it knows what its codes mean.
  const failed = judged.find(({ code }) => code !== 0);
  if (failed) return failed.code;
  return judged.length < paths.length ? stoppedCode : verdictExitCodes[worstRunStatus(runs)];
}

interface Run {
  readonly command: readonly string[];
  readonly flags: Flags;
  readonly config: Config;
}

async function runOne(run: Run): Promise<JudgedRun> {
  const judged = await runAndJudge(run);
  printLines(formatRun(judged));
  return judged;
}

/** Runs the command once for each scenario, until a signal stops us, and prints the matrix. */
async function runEach(paths: readonly string[], run: Run): Promise<JudgedRun[]> {
  await checkAll(paths, run);
  const judged: JudgedRun[] = [];
  for (const [i, path] of paths.entries()) {
    if (judged.some(({ isStopped }) => isStopped)) break;
    printNote(formatRunHeading({ name: `${path} (${i + 1} of ${paths.length})` }));
    const one = await runAndJudge({ ...run, config: { ...run.config, scenario: [path] } });
    if (worstRunStatus(one.runs) !== 'PASS') printLines(formatRun(one));
    judged.push(one);
  }
  printLines(formatMatrix(judged));
  if (judged.length < paths.length) printNote(`Stopped: ${paths.slice(judged.length).join(', ')} did not run.`);
  return judged;
}

/** Throws `InputError` that names the mistakes in all scenarios, before the first is run. */
async function checkAll(paths: readonly string[], { config, flags }: Run): Promise<void> {
  const mistakes: string[] = [];
  for (const path of paths) {
    try {
      await planScenario({ ...config, scenario: [path] }, flags);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      mistakes.push(error.message);
    }
  }
  if (mistakes.length > 0) throw new InputError(mistakes.join('\n'));
}

/** Returns the files that paths stand for; their last part may hold stars. Throws `InputError` for one without a file. */
function expandScenarioPaths(given: Flags[string]): string[] {
  const patterns = typeof given === 'object' ? given : typeof given === 'string' ? [given] : [];
  return expandFiles('--matrix', patterns);
}
