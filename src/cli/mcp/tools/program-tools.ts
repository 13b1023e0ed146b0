/** Runs a command of the caller, once with a scenario or again and again with faults. */
import { loadConfig } from '../../../config/config.ts';
import { systemNow, toTimestamp } from '../../../core/time/clock.ts';
import * as z from '../../../core/validation/deferred-zod.ts';
import { isCasePattern, selectPoints, suggestCases } from '../../../explore/conformance/cases.ts';
import { conformanceResults } from '../../../explore/conformance/case-result.ts';
import type { CaseResult } from '../../../explore/conformance/case-result.ts';
import { conformanceStatus, countOutcomes, outcomeMarks } from '../../../explore/conformance/results-table.ts';
import { explore } from '../../../explore/explore.ts';
import type { Exploration, Finding } from '../../../explore/explore.ts';
import { explorationStatus } from '../../../explore/live/exploration-status.ts';
import { findingScenario } from '../../../explore/report/finding-file.ts';
import { counted, formatFaults, formatReproduction, isUnconfirmed } from '../../../explore/report/words.ts';
import { playSuite } from '../../../explore/suite.ts';
import { InputError } from '../../../core/lib/input-error.ts';
import { packageVersion } from '../../../package/package-info.ts';
import { worstRunStatus } from '../../../verdict/report/report-items.ts';
import { parseLengthFlag } from '../../flags/length-flag.ts';
import { withExploredCommand } from '../../process/explored-command.ts';
import type { ExploredCommand } from '../../process/explored-command.ts';
import { runAndJudge } from '../../process/judged-run.ts';
import { readGivenScenario } from '../given-scenario.ts';
import { findingsIn, formatNoted, serializeNoted } from '../judged-verdicts.ts';
import type { NotedFinding } from '../judged-verdicts.ts';
import { OutputTail } from '../output-tail.ts';
import { defineTool } from '../tool.ts';
import type { ToolContext } from '../tool.ts';
import { flagsFrom, setupFields } from './simulator-tools.ts';
import { formatJudged, serializeJudged } from './verdict-tools.ts';

const commandField = z
  .array(z.string())
  .min(1)
  .describe(
    'Program and its arguments, such as ["node","till.mjs"]; no shell reads it. It runs in the folder in which this server was started, and finds the simulator in LOYALTY_SIM_URL, its key in LOYALTY_SIM_API_KEY',
  );

const timeoutField = z.string().optional().describe('Longest time of a run, such as 30s (default: 60s)');

const defaultTimeout = '60s';

const runClient = defineTool({
  name: 'run_client',
  title: 'Run a client and judge it',
  description:
    'Runs a command with a simulator of its own and a scenario, waits until it has ended, and judges how it retried. The verdict is PASS, FAIL or INCONCLUSIVE; each finding names the rule and the advice that says what to change in the client. Change the client, never the scenario, and run it again.',
  input: z.strictObject({ command: commandField, ...setupFields, timeout: timeoutField }),
  effect: 'add',
  runsPrograms: true,
  run: async ({ command, timeout = defaultTimeout, ...setup }, { verdicts, signal }) => {
    const flags = flagsFrom(setup);
    const output = new OutputTail();
    const notes: string[] = [];
    const judged = await runAndJudge({
      command,
      flags,
      config: { ...loadConfig({ flags: { log: 'silent', ...flags } }), data: undefined },
      scenario: await readGivenScenario(setup),
      child: {
        stdio: 'pipe',
        onOutput: output.add,
        timeout: parseLengthFlag('timeout', timeout),
        killed: aborted(signal),
      },
      onNote: (note) => void notes.push(note),
    });
    signal.throwIfAborted();
    const { code, isTimedOut, runs } = judged;
    const all = runs.map(({ name, verdict }) => ({ name, verdict, findings: verdicts.note([verdict]) }));
    const ended = isTimedOut ? `it was still running after ${timeout}, and was ended` : `it exited with ${code}`;
    const status = worstRunStatus(runs);
    return {
      lines: [
        `${status}: ${command[0]}: ${ended}`,
        ...all.flatMap(({ name, verdict, findings }) => [
          ...(all.length > 1 ? [`tenant ${name}:`] : []),
          ...formatJudged(verdict, findings),
        ]),
        ...notes,
        ...output.lines(),
      ],
      data: {
        verdict: status,
        exitCode: code,
        isTimedOut,
        runs: all.map(({ name, verdict, findings }) => ({ name, ...serializeJudged(verdict, findings) })),
        output: output.text(),
        notes,
      },
    };
  },
});

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

interface ExploredRun<Result> {
  readonly input: {
    readonly command: readonly string[];
    readonly timeout?: string | undefined;
  } & Parameters<typeof flagsFrom>[0] &
    Parameters<typeof readGivenScenario>[0];
  readonly work: (explored: ExploredCommand) => Promise<Result>;
}

/** Runs a command for an exploration; returns what comes of it, what the first run wrote, and remarks. */
async function runExplored<Result>({ input, work }: ExploredRun<Result>, { signal }: ToolContext) {
  const { command, timeout = defaultTimeout, ...setup } = input;
  const output = new OutputTail();
  const notes: string[] = [];
  const result = await withExploredCommand(
    {
      command,
      flags: flagsFrom(setup),
      timeout: parseLengthFlag('timeout', timeout),
      scenario: await readGivenScenario(setup),
      onOutput: output.add,
      onNote: (note) => void notes.push(note),
      stop: signal,
    },
    (explored) => explored.untilStopped(work(explored)),
  );
  signal.throwIfAborted();
  if (result === undefined) throw new InputError('A signal ended the command.');
  return { result, output, notes };
}

/** Limits an exploration where nothing else is asked for: callers wait no longer. */
const defaultBudget = '40s';

const exploreClient = defineTool({
  name: 'explore_client',
  title: 'Find where a client breaks',
  description:
    'Runs a command again and again, each time with other faults, and finds by itself where it breaks a rule: no scenario is needed. Returns each finding with the fewest faults that show it, a scenario for run_client, and the advice. PASS with nothing left to try is the strongest result there is. It takes a run for each fault at each request of the client.',
  input: z.strictObject({
    command: commandField,
    ...setupFields,
    level: z
      .int()
      .min(1)
      .max(5)
      .optional()
      .describe('1 single faults, 2 persistent ones, 3 outages, 4 a second fault, 5 webhooks (default: 4)'),
    budget: z
      .string()
      .optional()
      .describe(`Time after which no run is begun, but to shrink what was found (default: ${defaultBudget})`),
    maxRuns: z
      .int()
      .min(1)
      .optional()
      .describe(
        'Number of runs that try something; those that shrink and repeat what was found come on top (default: none)',
      ),
    kill: z
      .boolean()
      .optional()
      .describe('Kills the command too, at every request, and runs it again (default: false)'),
    jobs: z.int().min(1).max(64).optional().describe('Number of runs side by side (default: 8)'),
    timeout: timeoutField,
  }),
  effect: 'add',
  runsPrograms: true,
  run: async ({ level = 4, budget = defaultBudget, maxRuns, kill = false, jobs = 8, ...input }, context) => {
    const settings = {
      levels: level,
      budget: parseLengthFlag('budget', budget),
      kills: kill,
      maxRuns,
      jobs,
      version: packageVersion(),
    };
    let runs = 0;
    const onProgress = ({ event }: { readonly event: string }): void => {
      if (event === 'run') context.onProgress(++runs, counted(runs, 'run'));
    };
    const { result, output, notes } = await runExplored(
      { input, work: ({ client }) => explore(client, { ...settings, onProgress }) },
      context,
    );
    const findings = context.verdicts.noteAll([...result.findings, ...result.unconfirmed].map(notedExplored));
    const status = explorationStatus(result);
    const lines = [
      `${status}: ${result.reason}${notTried(result)}`,
      `${counted(result.runs, 'run')}; a run without faults sends ${counted(result.requests, 'request')}`,
      ...formatNoted(findings),
      ...findings.flatMap(({ id, faults = [] }) => faults.map((fault) => `  finding ${id} is shown by: ${fault}`)),
      ...[...notes, ...result.notes].map((note) => `note: ${note}`),
      ...(result.status === 'stopped' ? output.lines() : []),
    ];
    return {
      lines,
      data: {
        verdict: status,
        reason: result.reason,
        findings: findings.map((finding) => ({ ...serializeNoted(finding), scenario: finding.scenario })),
        coverage: result.coverage,
        runs: result.runs,
        notes: [...notes, ...result.notes],
        ...(result.status === 'stopped' && { output: output.text() }),
      },
    };
  },
});

const notTried = ({ coverage }: Exploration): string =>
  coverage['not-tried'] === 0
    ? ''
    : `; the budget was over with ${counted(coverage['not-tried'], 'point')} not tried: set a longer budget`;

/** Returns a finding of an exploration, with the operations of a run that shows it. */
function notedExplored(finding: Finding): Omit<NotedFinding, 'id'> {
  const { rule, title, endpoint, message, advice, verdict } = finding;
  const operations = verdict.operations.filter(
    (operation) => operation.endpoint === endpoint && operation.findings.some((one) => one.rule === rule),
  );
  const basis = operations.flatMap((operation) => operation.findings).find((one) => one.rule === rule)?.basis;
  const failed = verdict.operations.filter((operation) => operation.verdict !== 'PASS');
  return {
    rule,
    title,
    level: isUnconfirmed(finding) ? 'inconclusive' : 'fail',
    message: `${message} (${formatReproduction(finding)})`,
    advice,
    basis,
    endpoint: endpoint === '' ? null : endpoint,
    operations: operations.length > 0 ? operations : failed,
    faults: formatFaults(finding),
    scenario: findingScenario(finding, 'finding.yaml'),
  };
}

const checkConformance = defineTool({
  name: 'check_conformance',
  title: 'Check a client against the suite',
  description:
    'Runs a command once for each way in which a request to each endpoint can fail, and judges each run: a table of cases with PASS, FAIL, INCONCLUSIVE or not exercised. Use it when the client passes, to be sure.',
  input: z.strictObject({
    command: commandField,
    ...setupFields,
    cases: z
      .array(z.string())
      .optional()
      .describe('Only these cases, such as createReceipt/504-after, createReceipt/* or keyed/* (default: all)'),
    jobs: z.int().min(1).max(64).optional().describe('Number of runs side by side (default: 8)'),
    timeout: timeoutField,
  }),
  effect: 'add',
  runsPrograms: true,
  run: async ({ cases = [], jobs = 8, ...input }, context) => {
    const unknown = cases.find((pattern) => !isCasePattern(pattern));
    if (unknown !== undefined) throw new InputError(`cases: there is no case "${unknown}"${suggestCases(unknown)}`);
    const timeout = input.timeout ?? defaultTimeout;
    const at = toTimestamp(systemNow());
    const { result, output, notes } = await runExplored(
      {
        input,
        work: async ({ client, codeOf }) => {
          const suite = await playSuite(client, {
            levels: 4,
            kills: false,
            jobs,
            select: (points) => selectPoints(cases, points),
            onRun: (done) => context.onProgress(done, counted(done, 'run')),
          });
          return { suite, results: conformanceResults(suite, cases, { codeOf, timeout, at }) };
        },
      },
      context,
    );
    const { suite, results } = result;
    const played = results.filter(({ outcome }) => outcome !== 'not exercised');
    const wrong = played.filter(({ outcome, as }) => outcome !== 'PASS' && as === undefined);
    const findings = context.verdicts.noteAll(wrong.flatMap(findingsOfCase));
    const whole = new Map([['client', results]]);
    const status = conformanceStatus(whole);
    return {
      lines: [
        `${status}: ${countOutcomes(whole)}`,
        ...wrong.map(({ id, outcome, reason }) => `${outcomeMarks[outcome]} ${id}: ${reason}`),
        ...formatNoted(findings),
        ...[...notes, ...suite.notes].map((note) => `note: ${note}`),
        ...(status === 'PASS' ? [] : output.lines()),
      ],
      data: {
        verdict: status,
        cases: played.map(({ id, outcome, reason, description }) => ({ id, outcome, reason, description })),
        findings: findings.map(serializeNoted),
        notes: [...notes, ...suite.notes],
        output: status === 'PASS' ? '' : output.text(),
      },
    };
  },
});

const findingsOfCase = ({ id, runs }: CaseResult): Omit<NotedFinding, 'id'>[] =>
  findingsIn(runs.flatMap(({ verdict }) => verdict.operations))
    .filter(({ level }) => level !== 'note')
    .map((finding) => ({ ...finding, faults: [`case ${id}`] }));

export const programTools = [runClient, exploreClient, checkConformance];
