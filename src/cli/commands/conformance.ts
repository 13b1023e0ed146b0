/** Implements `loyalty-sim conformance`: runs a client once for each case of the suite, and prints a table of results. */
import type {
  ConformanceFlags,
  ConformanceClient,
  ConformanceSuite,
  SuiteEnd,
  SuiteOptions,
} from '../process/conformance-suite.ts';
import {
  exploredCommandHelp,
  mostJobsFlag,
  portPerRunFlag,
  runTimeoutFlag,
  showOutputFlag,
} from '../flags/explored-flags.ts';
import { typedFlags, withEmbeddedSimulatorFlags } from '../flags/simulator-flags.ts';
import { repeatableFlag, verdictReportFlag, withExamples, describeArguments } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { systemNow, toTimestamp } from '../../core/time/clock.ts';
import { parseCount } from '../flags/count-flag.ts';
import { parseLengthFlag } from '../flags/length-flag.ts';
import { applyBaseline, unknownCases, updatedBaseline } from '../../explore/conformance/baseline.ts';
import type { Baseline } from '../../explore/conformance/baseline.ts';
import {
  clientCases,
  isCasePattern,
  selectCases,
  selectPoints,
  suggestCases,
} from '../../explore/conformance/cases.ts';
import {
  conformanceAnnotations,
  conformanceJson,
  conformanceJunit,
  conformanceMarkdown,
  conformancePage,
} from '../../explore/conformance/reports.ts';
import { conformanceResults } from '../../explore/conformance/case-result.ts';
import type { CaseResult } from '../../explore/conformance/case-result.ts';
import { conformanceStatus } from '../../explore/conformance/results-table.ts';
import type { ConformanceResults } from '../../explore/conformance/results-table.ts';
import { readBaseline, writeBaseline } from '../process/baseline-file.ts';
import { formatCases, formatConformance } from '../format/conformance.ts';
import { counted } from '../../explore/report/words.ts';
import { playSuite } from '../../explore/suite.ts';
import { withExploredCommand } from '../process/explored-command.ts';
import { stoppedCode } from '../process/signals.ts';
import { printLines, printNote, printResult, showStatus } from '../process/terminal.ts';
import { redactAll } from '../../core/exchange/redact.ts';
import { formatRunHeading } from '../format/runs.ts';
import { verdictExitCodes } from '../format/exit-codes.ts';
import { prepareReportFiles } from '../process/report-files.ts';
import { reportFiles } from '../flags/report-flags.ts';
import { parseVerdictReports, writeReports } from '../format/verdict-reports.ts';
import type { ReportContents } from '../format/verdict-reports.ts';

export const declareConformance: DeclareCommand = (command, done) => {
  describeArguments(command, exploredCommandHelp);
  withEmbeddedSimulatorFlags(command, ['data', 'durable', 'acceptEdits'])
    .addOption(repeatableFlag('--client <name=command>', 'client by its name, with the line that a shell runs'))
    .addOption(repeatableFlag('--case <id>', 'only these cases: createReceipt/504-after, createReceipt/*, keyed/*'))
    .option(
      '--point-master <url>',
      'test the point master at this address instead: by its webhooks, its history and the balances that it sends',
    )
    .option('--old-key <key>', 'key that the point master takes besides --webhook-key, with --point-master')
    .option('--baseline <file>', 'file of known failures; an entry that no longer fails is an error')
    .option('--update-baseline', 'write the failures of this run to the baseline')
    .addOption(runTimeoutFlag())
    .addOption(mostJobsFlag('16'))
    .addOption(portPerRunFlag())
    .addOption(showOutputFlag())
    .addOption(verdictReportFlag())
    .action(async (words: string[]) => {
      // The flags that are not options of a simulator are those declared above.
      done(await conformance(words, typedFlags(command) as ConformanceFlags));
    });
  withExamples(
    command,
    'loyalty-sim conformance -- node till.js',
    "loyalty-sim conformance --client till='node till.js' --client web='node web.js' --report md=suite.md",
    "loyalty-sim conformance --case 'keyed/*' --timeout 2m -- node till.js",
    'loyalty-sim conformance --point-master http://127.0.0.1:5000 --webhook-key 0123456789abcdef0123456789abcdef',
    'loyalty-sim conformance --point-master http://127.0.0.1:{port} --webhook-key 0123456789abcdef0123456789abcdef -- node master.js {port} {folder}',
  );
};

async function conformance(command: readonly string[], flags: ConformanceFlags): Promise<number> {
  const suite = await suiteFor(flags);
  const clients = parseClients(command, flags.client, suite.running);
  const { case: patterns = [], timeout = defaultTimeout, jobs = defaultJobs } = flags;
  suite.check(flags);
  const reports = parseVerdictReports(flags.report);
  const baseline = readBaseline(flags);
  const options = { patterns, flags, timeout: parseLengthFlag('--timeout', timeout), jobs: parseCount('--jobs', jobs) };
  prepareReportFiles(reportFiles(reports));
  const cases = { catalog: suite.catalog, isSelected: selectCases(patterns) };
  const found = new Map<string, readonly CaseResult[]>();
  for (const client of clients) {
    const known = flags.updateBaseline ? [] : (baseline.knownFailures[client.name] ?? []);
    const { results, abortCode } = await runCases(suite, client, known, options);
    if (abortCode !== undefined) return abortCode;
    found.set(client.name, [...results, ...unknownCases(known, results, cases)]);
  }
  const known = flags.updateBaseline ? updatedBaseline(baseline, found, cases) : baseline;
  if (flags.updateBaseline && flags.baseline !== undefined) writeBaseline(flags.baseline, known);
  const judged: ConformanceResults = flags.updateBaseline ? withBaseline(known, found) : found;
  printLines(formatConformance(judged, known));
  // Redacted, they have the same form.
  const redacted = new Map(redactAll([...judged]) as [string, readonly CaseResult[]][]);
  writeReports(reportContents(redacted), reports);
  if (flags.json) printResult(JSON.stringify({ event: 'conformance', ...JSON.parse(conformanceJson(redacted)) }));
  return verdictExitCodes[conformanceStatus(judged)];
}

const withBaseline = ({ knownFailures }: Baseline, found: ConformanceResults): ConformanceResults =>
  new Map(
    [...found].map(([client, results]) => [
      client,
      results.map((result) => applyBaseline(knownFailures[client] ?? [], result)),
    ]),
  );

const reportContents = (results: ConformanceResults): ReportContents => ({
  junit: () => conformanceJunit(results),
  json: () => conformanceJson(results),
  md: () => conformanceMarkdown(results),
  html: () => conformancePage(results),
  annotations: () => conformanceAnnotations(results),
});

/** Returns the suite of point masters or that of clients, by the flags. */
async function suiteFor({ pointMaster }: ConformanceFlags): Promise<ConformanceSuite> {
  if (pointMaster === undefined) return { catalog: clientCases, check: checkClientFlags, play: runSuite };
  const { pointMasterCatalog: catalog } = await import('../../explore/point-master/cases.ts');
  const { checkPointMasterFlags, runPointMasterSuite, runningPointMaster } =
    await import('../process/point-master-suite.ts');
  return { catalog, check: checkPointMasterFlags, play: runPointMasterSuite, running: runningPointMaster };
}

/** Plays the suite with a client, compares the results with its known failures, and prints them. */
async function runCases(
  { play }: ConformanceSuite,
  client: ConformanceClient,
  known: readonly string[],
  options: SuiteOptions,
): Promise<SuiteEnd> {
  printNote(formatRunHeading({ name: client.name }));
  const { results, ...end } = await play(client, options);
  const compared = results.map((result) => applyBaseline(known, result));
  if (end.abortCode === undefined) printLines(formatCases(compared, options.patterns.length === 0));
  return { results: compared, ...end };
}

/** Runs a client without faults, and then the cases side by side; returns the results in the order of their names. */
async function runSuite(
  { name, command, isShellLine }: ConformanceClient,
  { patterns, flags, timeout, jobs }: SuiteOptions,
): Promise<SuiteEnd> {
  const at = toTimestamp(systemNow());
  return withExploredCommand({ command, isShellLine, flags, timeout }, async ({ client, codeOf, untilStopped }) => {
    const suite = await untilStopped(
      playSuite(client, {
        levels: 4,
        kills: false,
        jobs,
        select: (points) => selectPoints(patterns, points),
        onRun: (done) => showStatus(counted(done, 'run')),
      }),
    );
    showStatus('');
    if (!suite) return { results: [], abortCode: stoppedCode };
    const { end, number } = suite.plain;
    if (end.isTimedOut || end.failure !== undefined) {
      printNote(brokenLine(name, codeOf(number), { isTimedOut: end.isTimedOut === true, timeout: flags.timeout }));
      return { results: [], abortCode: codeOf(number) || verdictExitCodes.FAIL };
    }
    for (const note of suite.notes) printNote(`note: ${note}`);
    const details = { codeOf, timeout: flags.timeout ?? defaultTimeout, at };
    return { results: conformanceResults(suite, patterns, details) };
  });
}

const brokenLine = (
  name: string,
  code: number | undefined,
  { isTimedOut, timeout = defaultTimeout }: { readonly isTimedOut: boolean; readonly timeout?: string | undefined },
): string =>
  isTimedOut
    ? `${name} was still running after ${timeout} without any fault; set a longer --timeout.`
    : `${name} exited with ${code} without any fault: fix that first.`;

/** Returns the client behind `--`, and those of `--client till='npm run till'`, which a shell runs. */
function parseClients(
  command: readonly string[],
  named: readonly string[] = [],
  running?: ConformanceClient,
): ConformanceClient[] {
  const others = named.map((text) => {
    const [, name, line] = /^([^=\s]+)=(.*\S.*)$/s.exec(text) ?? [];
    if (name !== undefined && line !== undefined) return { name, command: [line], isShellLine: true };
    throw new InputError(`--client: must be a name and a command, such as till='node till.js', not "${text}"`);
  });
  const clients =
    command.length > 0 ? [{ name: running?.name ?? 'client', command, isShellLine: false }, ...others] : others;
  if (clients.length === 0 && running) return [running];
  if (clients.length === 0)
    throw new InputError('Name the command to run after --, such as -- node till.js, or use --client');
  const twice = clients.find(({ name }, i) => clients.findIndex((other) => other.name === name) !== i);
  if (twice) throw new InputError(`--client: "${twice.name}" is named twice`);
  return clients;
}

/** Throws `InputError` for a pattern that no case of any client can match, and for a flag of the other suite. */
function checkClientFlags({ case: patterns = [], oldKey }: ConformanceFlags): void {
  if (oldKey !== undefined)
    throw new InputError('--old-key: is about a point master; name its address with --point-master');
  const wrong = patterns.find((pattern) => !isCasePattern(pattern));
  if (wrong !== undefined)
    throw new InputError(
      `--case: there is no case "${wrong}"${suggestCases(wrong)}; stars are allowed, such as createReceipt/* and keyed/*`,
    );
}

/** Holds the time that a run may take by default. */
const defaultTimeout = '60s';

/** Holds how many runs go side by side at most, by default. */
const defaultJobs = '16';
