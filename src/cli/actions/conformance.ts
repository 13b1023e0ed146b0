/** Implements `loyalty-sim conformance`: runs a client once for each case of the suite, and prints a table of results. */
import { loadConfig } from '../../config/config.ts';
import type { Config, Flags } from '../../config/config.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { compilePathTemplate } from '../../core/exchange/path-template.ts';
import { parseLengthFlag } from '../flags/length-flag.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { applyBaseline, unknownCases, updatedBaseline } from '../../explore/conformance/baseline.ts';
import type { Baseline } from '../../explore/conformance/baseline.ts';
import { conformanceCases, faultedEndpoints, plainCase } from '../../explore/conformance/cases.ts';
import { endpoints } from '../../service/endpoints.ts';
import type { ConformanceCase } from '../../explore/conformance/cases.ts';
import {
  conformanceAnnotations,
  conformanceJson,
  conformanceJunit,
  conformanceMarkdown,
  conformancePage,
} from '../../explore/conformance/reports.ts';
import { notExercised, judgeCase } from '../../explore/conformance/case-result.ts';
import type { CaseResult } from '../../explore/conformance/case-result.ts';
import { conformanceStatus } from '../../explore/conformance/results-table.ts';
import type { ConformanceResults } from '../../explore/conformance/results-table.ts';
import { readBaseline, writeBaseline } from '../process/baseline-file.ts';
import { formatCase, formatConformance } from '../format/conformance.ts';
import { runAndJudge } from '../process/judged-run.ts';
import type { JudgedRun } from '../process/judged-run.ts';
import { stoppedCode } from '../process/signals.ts';
import { printNote, printResult } from '../process/terminal.ts';
import { redactAll } from '../format/redact.ts';
import { formatRunHeading } from '../format/runs.ts';
import { verdictExitCodes } from '../format/verdict.ts';
import { prepareReportFiles } from '../process/report-files.ts';
import { reportFiles } from '../flags/report-flags.ts';
import { parseVerdictReports, writeReports } from '../format/verdict-reports.ts';
import type { ReportContents } from '../format/verdict-reports.ts';

export interface ConformanceFlags extends Flags {
  readonly client?: readonly string[] | undefined;
  readonly case?: readonly string[] | undefined;
  readonly report?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
  readonly updateBaseline?: boolean | undefined;
  readonly timeout?: string | undefined;
  readonly showOutput?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Names a client that the suite is run with. */
interface ConformanceClient {
  readonly name: string;
  readonly command: readonly string[];
}

export async function conformance(command: readonly string[], flags: ConformanceFlags): Promise<number> {
  const clients = parseClients(command, flags.client);
  const cases = selectCases(flags.case);
  const reports = parseVerdictReports(flags.report);
  const baseline = readBaseline(flags);
  const config = loadConfig({ flags: { log: 'silent', ...flags } });
  const suite = { cases, config, flags, timeout: parseLengthFlag('--timeout', flags.timeout ?? defaultTimeout) };
  prepareReportFiles(reportFiles(reports));
  const found = new Map<string, readonly CaseResult[]>();
  for (const client of clients) {
    const known = flags.updateBaseline ? [] : (baseline.knownFailures[client.name] ?? []);
    const { results, abortCode } = await runSuite(client, known, suite);
    if (abortCode !== undefined) return abortCode;
    found.set(client.name, [...results, ...unknownCases(known, conformanceSuite)]);
  }
  const known = flags.updateBaseline ? updatedBaseline(baseline, found, conformanceSuite) : baseline;
  if (flags.updateBaseline && flags.baseline !== undefined) writeBaseline(flags.baseline, known);
  const judged: ConformanceResults = flags.updateBaseline ? withBaseline(known, found) : found;
  for (const line of formatConformance(judged, known)) printNote(line);
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

interface SuiteOptions {
  readonly cases: readonly ConformanceCase[];
  readonly config: Config;
  readonly flags: ConformanceFlags;
  readonly timeout: number;
}

interface SuiteEnd {
  readonly results: readonly CaseResult[];
  /** Holds the exit code when the suite was aborted: the client failed without a fault, or a signal stopped us. */
  readonly abortCode?: number;
}

async function runSuite(client: ConformanceClient, known: readonly string[], suite: SuiteOptions): Promise<SuiteEnd> {
  printNote(formatRunHeading({ name: `${client.name}: ${suite.cases.length} cases` }));
  const plain = await runCase(plainCase, client, suite);
  if (plain.code !== 0 || plain.isStopped) {
    if (!plain.isStopped) printNote(brokenLine(client, plain, suite.flags));
    return { results: [], abortCode: plain.code || stoppedCode };
  }
  const requested = requestedEndpoints(plain);
  const results: CaseResult[] = [];
  for (const one of suite.cases) {
    const isRequested = one === plainCase || faultedEndpoints(one).some((id) => requested.has(id));
    const run = one === plainCase ? plain : isRequested ? await runCase(one, client, suite) : undefined;
    if (run?.isStopped) return { results: [], abortCode: run.code || stoppedCode };
    const result = applyBaseline(
      known,
      run ? judgeCase(one, run, suite.flags.timeout ?? defaultTimeout) : notExercised(one),
    );
    for (const line of formatCase(result)) printNote(line);
    results.push(result);
  }
  return { results };
}

const brokenLine = (
  { name }: ConformanceClient,
  { code, isTimedOut }: JudgedRun,
  { timeout = defaultTimeout }: ConformanceFlags,
): string =>
  isTimedOut
    ? `${name} was still running after ${timeout} without any fault; set a longer --timeout.`
    : `${name} exited with ${code} without any fault: fix that first.`;

/** Runs one case; the client's output is only shown for the case without faults, or on request. */
const runCase = (
  one: ConformanceCase,
  { command }: ConformanceClient,
  { config, flags, timeout }: SuiteOptions,
): Promise<JudgedRun> =>
  runAndJudge({
    command,
    config,
    flags,
    timeout,
    stdio: one === plainCase || flags.showOutput ? 'inherit' : 'ignore',
    extraRules: { name: one.id, description: one.description, rules: one.rules },
  });

const requestedEndpoints = ({ runs }: JudgedRun): ReadonlySet<string | null> =>
  new Set(runs.flatMap(({ verdict }) => verdict.operations.map(({ endpoint }) => endpoint)));

/** Returns the client behind `--`, and those of `--client till='node till.js'`, which a shell runs. */
function parseClients(command: readonly string[], named: readonly string[] = []): ConformanceClient[] {
  const others = named.map((text) => {
    const [, name, line] = /^([^=\s]+)=(.*\S.*)$/s.exec(text) ?? [];
    if (name !== undefined && line !== undefined) return { name, command: ['/bin/sh', '-c', line] };
    throw new InputError(`--client: must be a name and a command, such as till='node till.js', not "${text}"`);
  });
  const clients = command.length > 0 ? [{ name: 'client', command }, ...others] : others;
  if (clients.length === 0)
    throw new InputError('Name the command to run after --, such as -- node till.js, or use --client');
  const twice = clients.find(({ name }, i) => clients.findIndex((other) => other.name === name) !== i);
  if (twice) throw new InputError(`--client: "${twice.name}" is named twice`);
  return clients;
}

const conformanceSuite = conformanceCases(endpoints);

/** Returns all cases, or those that match these patterns; the plain one is always among them. */
function selectCases(patterns: readonly string[] = []): readonly ConformanceCase[] {
  if (patterns.length === 0) return conformanceSuite;
  const ids = conformanceSuite.map(({ id }) => id);
  for (const pattern of patterns) {
    if (!ids.some(compilePathTemplate(pattern))) {
      throw new InputError(
        `--case: there is no case "${pattern}"${didYouMean(pattern, [...ids, ...likePattern(pattern, ids)])}; stars are allowed, such as keyed/*`,
      );
    }
  }
  return conformanceSuite.filter(
    (one) => one === plainCase || patterns.some((pattern) => compilePathTemplate(pattern)(one.id)),
  );
}

/** Holds the time that a run may take by default. */
const defaultTimeout = '60s';

/** Returns a pattern with the class of each case in place of its own, so that `flip/*` suggests `once/*`. */
function likePattern(pattern: string, ids: readonly string[]): string[] {
  const slash = pattern.indexOf('/');
  return slash < 0 ? [] : ids.map((id) => `${id.split('/', 1)[0]}${pattern.slice(slash)}`);
}
