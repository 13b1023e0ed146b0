/** `loyalty-sim exec`: runs a command with a simulator beside it, judges it, and writes reports. */
import { loadConfig } from '../config.ts';
import type { Config, Flags } from '../config.ts';
import { InputError } from '../core/errors.ts';
import { verdictOf } from '../verdict/reports/reported.ts';
import { judgedRun } from './judged-run.ts';
import type { JudgedRun } from './judged-run.ts';
import { printNote, printResult } from './print.ts';
import { redactAll } from './redact.ts';
import { headLine, matrixLines, runLines } from './run-lines.ts';
import { planOf } from './scenario.ts';
import { makeRoomFor } from './report-files.ts';
import { filesOf } from './report-flags.ts';
import { scenarioPaths } from './scenario-paths.ts';
import { verdictCodes } from './verdict-lines.ts';
import { reportsOf, shownRuns, writeReports } from './verdict-reports.ts';

export async function exec(command: readonly string[], flags: Flags): Promise<number> {
  const reports = reportsOf(flags['report']);
  // What the command prints is not to be mixed with what it is answered, unless somebody asks for it.
  const config = loadConfig({ flags: { log: 'silent', ...flags } });
  const paths = scenarioPaths(flags['scenarios']);
  if (paths.length > 0 && config.scenario.length > 0) {
    throw new InputError('--scenario and --scenarios: name scenarios for one run (--scenario), or for one run each');
  }
  makeRoomFor(filesOf(reports));
  const judged =
    paths.length > 0 ? await runEach(paths, { command, flags, config }) : [await runOne({ command, flags, config })];
  const runs = judged.flatMap((run) => run.runs);
  writeReports(shownRuns(runs), reports);
  if (flags['json']) printResult(JSON.stringify(redactAll({ event: 'verdict', verdict: verdictOf(runs), runs })));
  // The command's own failure comes first: whoever ran it knows what its codes mean.
  const failed = judged.find(({ code }) => code !== 0);
  if (failed) return failed.code;
  return judged.length < paths.length ? stoppedCode : verdictCodes[verdictOf(runs)];
}

/** As of a command that SIGINT ended. */
const stoppedCode = 130;

interface Run {
  readonly command: readonly string[];
  readonly flags: Flags;
  readonly config: Config;
}

async function runOne(run: Run): Promise<JudgedRun> {
  const judged = await judgedRun(run);
  for (const line of runLines(judged)) printNote(line);
  return judged;
}

/** One run for each scenario, until we are told to stop; then all of them at a glance. */
async function runEach(paths: readonly string[], run: Run): Promise<JudgedRun[]> {
  await checkAll(paths, run);
  const judged: JudgedRun[] = [];
  for (const [i, path] of paths.entries()) {
    if (judged.some(({ isStopped }) => isStopped)) break;
    printNote(headLine({ name: `${path} (${i + 1} of ${paths.length})` }));
    const one = await judgedRun({ ...run, config: { ...run.config, scenario: [path] } });
    if (verdictOf(one.runs) !== 'PASS') for (const line of runLines(one)) printNote(line);
    judged.push(one);
  }
  for (const line of matrixLines(judged)) printNote(line);
  if (judged.length < paths.length) printNote(`Stopped: ${paths.slice(judged.length).join(', ')} did not run.`);
  return judged;
}

/** Throws `InputError` that names the mistakes in all of them, before the first is run. */
async function checkAll(paths: readonly string[], { config, flags }: Run): Promise<void> {
  const faults: string[] = [];
  for (const path of paths) {
    try {
      await planOf({ ...config, scenario: [path] }, flags);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      faults.push(error.message);
    }
  }
  if (faults.length > 0) throw new InputError(faults.join('\n'));
}
