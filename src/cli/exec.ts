/** `loyalty-sim exec`: runs a command with a simulator beside it, judges it, and writes reports. */
import { loadConfig } from '../config.ts';
import type { Flags } from '../config.ts';
import { InputError } from '../core/errors.ts';
import { worst } from '../verdict/retries.ts';
import type { Word } from '../verdict/retries.ts';
import { judgedRun } from './judged-run.ts';
import type { JudgedRun } from './judged-run.ts';
import { printNote, printResult } from './print.ts';
import { redact } from './redact.ts';
import { scenarioPaths } from './scenario-paths.ts';
import { verdictCodes, verdictLines } from './verdict-lines.ts';
import { reportsOf, writeReports } from './verdict-reports.ts';

export async function exec(command: readonly string[], flags: Flags): Promise<number> {
  const reports = reportsOf(flags['report']);
  // What the command prints is not to be mixed with what it is answered, unless somebody asks for it.
  const config = loadConfig({ flags: { log: 'silent', ...flags } });
  const each = scenarioPaths(flags['scenarios']);
  if (each.length > 0 && config.scenario.length > 0) {
    throw new InputError('--scenario and --scenarios: name scenarios for one run (--scenario), or for one run each');
  }
  const judged: JudgedRun[] = [];
  for (const scenario of each.length > 0 ? each.map((path) => [path]) : [config.scenario]) {
    const run = await judgedRun({ command, flags, config: { ...config, scenario } });
    judged.push(run);
    for (const line of run.runs.flatMap(({ verdict }) => verdictLines(verdict))) printNote(redact(line));
  }
  if (each.length > 0) for (const line of matrixOf(judged)) printNote(line);
  const runs = judged.flatMap((run) => run.runs);
  writeReports(runs, reports);
  if (flags['json']) printResult(redact(JSON.stringify({ event: 'verdict', verdict: verdictOf(judged), runs })));
  return exitCodeOf(judged);
}

const verdictOf = (judged: readonly JudgedRun[]): Word =>
  worst(judged.flatMap(({ runs }) => runs.map(({ verdict }) => verdict.verdict)));

/** The command's own failure comes first: whoever ran it knows what its codes mean. */
function exitCodeOf(judged: readonly JudgedRun[]): number {
  const failed = judged.find(({ code }) => code !== 0);
  return failed?.code ?? verdictCodes[verdictOf(judged)];
}

/** One line a run: the verdict, how the command ended, how long it took. */
function matrixOf(judged: readonly JudgedRun[]): string[] {
  const rows = judged.flatMap(({ runs, code, ms }) =>
    runs.map(({ name, verdict }) => ({ name, word: verdict.verdict, code, ms, calls: verdict.calls })),
  );
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(
    ({ name, word, code, ms, calls }) =>
      `${word.padEnd('INCONCLUSIVE'.length)}  ${name.padEnd(width)}  exit ${code}, ${calls} calls, ${(ms / 1000).toFixed(1)} s`,
  );
}
