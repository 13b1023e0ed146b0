/** `loyalty-sim conformance`: one run of a client for each case of the suite, and a table of what came of them. */
import { loadConfig } from '../../config/config.ts';
import type { Config } from '../../config/config.ts';
import { applyBaseline, unknownCases, updatedBaseline } from '../../explore/conformance/baseline.ts';
import type { Baseline } from '../../explore/conformance/baseline.ts';
import { faultedEndpoints, plainCase } from '../../explore/conformance/cases.ts';
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
import { selectCases, parseClients, parseRunTimeout } from '../flags/conformance-flags.ts';
import type { ConformanceClient, ConformanceFlags } from '../flags/conformance-flags.ts';
import { formatCase, formatConformance } from '../format/conformance.ts';
import { runAndJudge } from '../process/judged-run.ts';
import type { JudgedRun } from '../process/judged-run.ts';
import { printNote, printResult } from '../process/terminal.ts';
import { redactAll } from '../format/redact.ts';
import { formatRunHeading } from '../format/runs.ts';
import { verdictExitCodes } from '../format/verdict.ts';
import { prepareReportFiles } from '../process/report-files.ts';
import { reportFiles } from '../flags/report-flags.ts';
import { parseVerdictReports, writeReports } from '../format/verdict-reports.ts';
import type { ReportContents } from '../format/verdict-reports.ts';

export async function conformanceCommand(command: readonly string[], flags: ConformanceFlags): Promise<number> {
  const clients = parseClients(command, flags.client);
  const cases = selectCases(flags.case);
  const reports = parseVerdictReports(flags.report);
  const baseline = readBaseline(flags);
  const config = loadConfig({ flags: { log: 'silent', ...flags } });
  const suite = { cases, config, flags, timeout: parseRunTimeout(flags) };
  prepareReportFiles(reportFiles(reports));
  const found = new Map<string, readonly CaseResult[]>();
  for (const client of clients) {
    const known = flags.updateBaseline ? [] : (baseline.knownFailures[client.name] ?? []);
    const { results, abortCode: brokenBy } = await runSuite(client, known, suite);
    if (brokenBy !== undefined) return brokenBy;
    found.set(client.name, [...results, ...unknownCases(known)]);
  }
  const known = flags.updateBaseline ? updatedBaseline(baseline, found) : baseline;
  if (flags.updateBaseline && flags.baseline !== undefined) writeBaseline(flags.baseline, known);
  const held: ConformanceResults = flags.updateBaseline ? heldTo(known, found) : found;
  for (const line of formatConformance(held, known)) printNote(line);
  // Redacted, they have the same form.
  const shown = new Map(redactAll([...held]) as [string, readonly CaseResult[]][]);
  writeReports(shownAs(shown), reports);
  if (flags.json) printResult(JSON.stringify({ event: 'conformance', ...JSON.parse(conformanceJson(shown)) }));
  return verdictExitCodes[conformanceStatus(held)];
}

const heldTo = ({ knownFailures }: Baseline, found: ConformanceResults): ConformanceResults =>
  new Map(
    [...found].map(([client, results]) => [
      client,
      results.map((result) => applyBaseline(knownFailures[client] ?? [], result)),
    ]),
  );

const shownAs = (results: ConformanceResults): ReportContents => ({
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
  /** The exit code to end with, when the client works not even when nothing goes wrong, or we were told to stop. */
  readonly abortCode?: number;
}

async function runSuite(client: ConformanceClient, known: readonly string[], suite: SuiteOptions): Promise<SuiteEnd> {
  printNote(formatRunHeading({ name: `${client.name}: ${suite.cases.length} cases` }));
  const plain = await runCase(plainCase, client, suite);
  if (plain.code !== 0 || plain.isStopped) {
    if (!plain.isStopped) printNote(brokenLine(client, plain));
    return { results: [], abortCode: plain.code || stoppedCode };
  }
  const called = calledIn(plain);
  const results: CaseResult[] = [];
  for (const one of suite.cases) {
    const isCalled = one === plainCase || faultedEndpoints(one).some((id) => called.has(id));
    const run = one === plainCase ? plain : isCalled ? await runCase(one, client, suite) : undefined;
    if (run?.isStopped) return { results: [], abortCode: run.code || stoppedCode };
    const result = applyBaseline(known, run ? judgeCase(one, run) : notExercised(one));
    for (const line of formatCase(result)) printNote(line);
    results.push(result);
  }
  return { results };
}

/** As of a command that SIGINT ended. */
const stoppedCode = 130;

const brokenLine = ({ name }: ConformanceClient, { code, isTimedOut, ms }: JudgedRun): string =>
  isTimedOut
    ? `${name} had not ended after ${Math.round(ms / 1000)} s, with nothing going wrong; give it longer with --timeout.`
    : `${name} ended with ${code}, with nothing going wrong: mend that first.`;

/** What the program prints is only of interest while nothing goes wrong. */
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
    stdio: one === plainCase || flags.showOutput ? 'with-us' : 'to-nobody',
    extraRules: { name: one.id, description: one.description, rules: one.rules },
  });

const calledIn = ({ runs }: JudgedRun): ReadonlySet<string | null> =>
  new Set(runs.flatMap(({ verdict }) => verdict.operations.map(({ endpoint }) => endpoint)));
