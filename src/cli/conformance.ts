/** `loyalty-sim conformance`: one run of a client for each case of the suite, and a table of what came of them. */
import { loadConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { heldAgainst, strangersIn, updatedBaseline } from '../verdict/conformance/baseline.ts';
import type { Baseline } from '../verdict/conformance/baseline.ts';
import { befallen, plainCase } from '../verdict/conformance/cases.ts';
import type { ConformanceCase } from '../verdict/conformance/cases.ts';
import {
  conformanceAnnotations,
  conformanceJson,
  conformanceJunit,
  conformanceMarkdown,
  conformancePage,
} from '../verdict/conformance/reports.ts';
import { notExercised, resultOf } from '../verdict/conformance/result.ts';
import type { CaseResult } from '../verdict/conformance/result.ts';
import { verdictOfCases } from '../verdict/conformance/table.ts';
import type { Results } from '../verdict/conformance/table.ts';
import { readBaseline, writeBaseline } from './baseline-file.ts';
import { casesChosen, clientsOf, limitOf } from './conformance-flags.ts';
import type { Client, ConformanceFlags } from './conformance-flags.ts';
import { caseLines, conformanceLines } from './conformance-lines.ts';
import { judgedRun } from './judged-run.ts';
import type { JudgedRun } from './judged-run.ts';
import { printNote, printResult } from './print.ts';
import { redactAll } from './redact.ts';
import { headLine } from './run-lines.ts';
import { verdictCodes } from './verdict-lines.ts';
import { makeRoomFor } from './report-files.ts';
import { filesOf } from './report-flags.ts';
import { reportsOf, writeReports } from './verdict-reports.ts';
import type { Shown } from './verdict-reports.ts';

export async function conformance(command: readonly string[], flags: ConformanceFlags): Promise<number> {
  const clients = clientsOf(command, flags.client);
  const cases = casesChosen(flags.case);
  const reports = reportsOf(flags.report);
  const baseline = readBaseline(flags);
  const config = loadConfig({ flags: { log: 'silent', ...flags } });
  const suite = { cases, config, flags, limit: limitOf(flags) };
  makeRoomFor(filesOf(reports));
  const found = new Map<string, readonly CaseResult[]>();
  for (const client of clients) {
    const known = flags.updateBaseline ? [] : (baseline.knownFailures[client.name] ?? []);
    const { results, brokenBy } = await runSuite(client, known, suite);
    if (brokenBy !== undefined) return brokenBy;
    found.set(client.name, [...results, ...strangersIn(known)]);
  }
  const known = flags.updateBaseline ? updatedBaseline(baseline, found) : baseline;
  if (flags.updateBaseline && flags.baseline !== undefined) writeBaseline(flags.baseline, known);
  const held: Results = flags.updateBaseline ? heldTo(known, found) : found;
  for (const line of conformanceLines(held, known)) printNote(line);
  // Redacted, they have the same form.
  const shown = new Map(redactAll([...held]) as [string, readonly CaseResult[]][]);
  writeReports(shownAs(shown), reports);
  if (flags.json) printResult(JSON.stringify({ event: 'conformance', ...JSON.parse(conformanceJson(shown)) }));
  return verdictCodes[verdictOfCases(held)];
}

const heldTo = ({ knownFailures }: Baseline, found: Results): Results =>
  new Map(
    [...found].map(([client, results]) => [
      client,
      results.map((result) => heldAgainst(knownFailures[client] ?? [], result)),
    ]),
  );

const shownAs = (results: Results): Shown => ({
  junit: () => conformanceJunit(results),
  json: () => conformanceJson(results),
  md: () => conformanceMarkdown(results),
  html: () => conformancePage(results),
  annotations: () => conformanceAnnotations(results),
});

interface Suite {
  readonly cases: readonly ConformanceCase[];
  readonly config: Config;
  readonly flags: ConformanceFlags;
  readonly limit: number;
}

interface SuiteEnd {
  readonly results: readonly CaseResult[];
  /** The exit code to end with, when the client works not even when nothing goes wrong, or we were told to stop. */
  readonly brokenBy?: number;
}

async function runSuite(client: Client, known: readonly string[], suite: Suite): Promise<SuiteEnd> {
  printNote(headLine({ name: `${client.name}: ${suite.cases.length} cases` }));
  const plain = await runCase(plainCase, client, suite);
  if (plain.code !== 0 || plain.isStopped) {
    if (!plain.isStopped) printNote(brokenLine(client, plain));
    return { results: [], brokenBy: plain.code || stoppedCode };
  }
  const called = calledIn(plain);
  const results: CaseResult[] = [];
  for (const one of suite.cases) {
    const isCalled = one === plainCase || befallen(one).some((id) => called.has(id));
    const run = one === plainCase ? plain : isCalled ? await runCase(one, client, suite) : undefined;
    if (run?.isStopped) return { results: [], brokenBy: run.code || stoppedCode };
    const result = heldAgainst(known, run ? resultOf(one, run) : notExercised(one));
    for (const line of caseLines(result)) printNote(line);
    results.push(result);
  }
  return { results };
}

/** As of a command that SIGINT ended. */
const stoppedCode = 130;

const brokenLine = ({ name }: Client, { code, isLate, ms }: JudgedRun): string =>
  isLate
    ? `${name} had not ended after ${Math.round(ms / 1000)} s, with nothing going wrong; give it longer with --limit.`
    : `${name} ended with ${code}, with nothing going wrong: mend that first.`;

/** What the program prints is only of interest while nothing goes wrong. */
const runCase = (one: ConformanceCase, { command }: Client, { config, flags, limit }: Suite): Promise<JudgedRun> =>
  judgedRun({
    command,
    config,
    flags,
    limit,
    talks: one === plainCase || flags.showOutput ? 'with-us' : 'to-nobody',
    extra: { name: one.id, description: one.description, rules: one.rules },
  });

const calledIn = ({ runs }: JudgedRun): ReadonlySet<string | null> =>
  new Set(runs.flatMap(({ verdict }) => verdict.operations.map(({ endpoint }) => endpoint)));
