/** Implements `loyalty-sim explore`: runs a client with one fault after the other, and tells where it breaks. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  exploredCommandHelp,
  jobsFlag,
  levelFlag,
  portPerRunFlag,
  runTimeoutFlag,
  showOutputFlag,
  parseLevel,
  readEarlierRun,
} from '../flags/explored-flags.ts';
import { retypedFlags, typedFlags, withEmbeddedSimulatorFlags } from '../flags/simulator-flags.ts';
import { flagWithDefault, verdictReportFlag, withExamples, describeArguments } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { monotonicNow, systemNow, toTimestamp } from '../../core/time/clock.ts';
import { explore } from '../../explore/explore.ts';
import type { Exploration, ExploreProgress, ExploreSettings, Finding } from '../../explore/explore.ts';
import { findingName, findingScenario } from '../../explore/report/finding-file.ts';
import { explorationStatus } from '../../explore/live/exploration-status.ts';
import { pastExplorationSchema, serializeExploration } from '../../explore/report/exploration-json.ts';
import type { ReportedExploration } from '../../explore/report/exploration-json.ts';
import {
  explorationAnnotations,
  explorationJson,
  explorationJunit,
  explorationMarkdown,
  explorationPage,
} from '../../explore/report/reports.ts';
import { counted } from '../../explore/report/words.ts';
import type { LiveExploration } from '../../explore/live/live-exploration.ts';
import type { PastExploration } from '../../explore/past.ts';
import { replayRules } from '../../explore/scenario-rules.ts';
import type { ScenarioRules } from '../../explore/scenario-rules.ts';
import type { Symptom } from '../../explore/symptoms.ts';
import { formatExploration, formatFinding, formatSymptom } from '../format/exploration.ts';
import { colorize, formatRunDetails, formatRunHeading } from '../format/runs.ts';
import { redact, redactAll } from '../../core/exchange/redact.ts';
import { parseVerdictReports, writeReports } from '../format/verdict-reports.ts';
import type { ReportContents } from '../format/verdict-reports.ts';
import { verdictExitCodes } from '../format/exit-codes.ts';
import { reportFiles } from '../flags/report-flags.ts';
import { prepareReportFiles } from '../process/report-files.ts';
import { packageVersion } from '../../package/package-info.ts';
import { parseCount } from '../flags/count-flag.ts';
import { parseLengthFlag } from '../flags/length-flag.ts';
import { readRules, withExploredCommand } from '../process/explored-command.ts';
import { stoppedCode } from '../process/signals.ts';
import type { ExploredCommand, ExploredFlags } from '../process/explored-command.ts';
import { canShowStatus, printLines, printNote, printResult, showStatus } from '../process/terminal.ts';

interface ExploreFlags extends ExploredFlags {
  readonly budget?: string | undefined;
  readonly level?: string | undefined;
  readonly kill?: boolean | undefined;
  readonly vary?: boolean | undefined;
  readonly jobs?: string | undefined;
  readonly maxRuns?: string | undefined;
  readonly out?: string | undefined;
  readonly replay?: string | undefined;
  readonly since?: string | undefined;
  readonly report?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
}

export const declareExplore: DeclareCommand = (command, done) => {
  describeArguments(command, exploredCommandHelp);
  withEmbeddedSimulatorFlags(command, ['data', 'durable', 'acceptEdits'])
    .option('--budget <duration>', 'time after which no run is begun, but to shrink what was found (default: none)')
    .addOption(levelFlag('4'))
    .option('--kill', 'kill the command too, at every request, and run it again with the same files')
    .option('--vary', 'run what was found, and what passed, under every variant of the assumptions that it rests on')
    .addOption(jobsFlag())
    .addOption(runTimeoutFlag())
    .option(
      '--max-runs <n>',
      'number of runs that try something; those that shrink and repeat what was found come on top (default: none)',
    )
    .addOption(flagWithDefault('--out <folder>', 'folder for a scenario of each finding', 'explore'))
    .option(
      '--replay <file>',
      'play the rules of this scenario three times instead, and hold each run against one without faults',
    )
    .option(
      '--since <file>',
      "an earlier run's explore.json, or `last` for that in --out: try only what has changed since, or was not sure",
    )
    .addOption(portPerRunFlag())
    .addOption(showOutputFlag())
    .addOption(verdictReportFlag())
    .action(async (words: string[]) => {
      // The flags that are not options of a simulator are those declared above.
      done(await exploreClient(words, typedFlags(command) as ExploreFlags));
    });
  withExamples(
    command,
    'loyalty-sim explore -- node till.js',
    'loyalty-sim explore --budget 60s --report html=explore.html -- npm test',
    'loyalty-sim explore --since last -- node till.js',
    'loyalty-sim explore --level 1 --jobs 2 -- python3 till.py --queue {folder}/queue.db',
    'loyalty-sim explore --kill -- node till.js --files {folder}',
    'loyalty-sim explore --level 5 --mode point-follower --webhook-url http://127.0.0.1:{port} --webhook-key 0123456789abcdef0123456789abcdef -- node master.js {port}',
  );
};

async function exploreClient(command: readonly string[], flags: ExploreFlags): Promise<number> {
  const settings = { ...settingsFrom(flags), since: readPast(flags) };
  if (flags.vary && flags.replay !== undefined)
    throw new InputError('--vary: a scenario is replayed under the assumptions in force; leave --vary or --replay out');
  const reports = parseVerdictReports(flags.report);
  const timeout = parseLengthFlag('--timeout', flags.timeout ?? '60s');
  prepareReportFiles(reportFiles(reports));
  const at = toTimestamp(systemNow());
  const rules = flags.replay === undefined ? undefined : await readRules(flags.replay);
  return withExploredCommand({ command, flags, timeout }, async (explored) => {
    if (rules) return replay(explored, rules);
    const teller = new Teller(flags.out ?? 'explore', retypedFlags(flags));
    printNote(formatRunHeading({ name: 'exploring' }));
    const onProgress = (progress: ExploreProgress): void => teller.tell(progress);
    const onBegin = (live: LiveExploration): void => {
      const dashboard = explored.show(live);
      if (dashboard !== undefined) printNote(`dashboard: ${dashboard}`);
    };
    const exploration = await explored.untilStopped(explore(explored.client, { ...settings, onProgress, onBegin }));
    showStatus('');
    if (exploration === undefined) {
      printNote(`Stopped: ${counted(teller.count, 'finding')} so far.`);
      return stoppedCode;
    }
    // Redacted, it has the same form.
    const shown = redactAll(exploration) as Exploration;
    const reported = {
      exploration: shown,
      fileOf: ({ id }: Finding) => teller.fileOf(id),
      version: packageVersion(),
      at,
    };
    teller.write('explore.json', explorationJson(reported));
    writeReports(reportContents(reported), reports);
    if (flags.json) printResult(JSON.stringify({ event: 'explored', ...serializeExploration(reported) }));
    return finish(shown, explored);
  });
}

/** Plays the rules of a finding again, and tells what they show. */
async function replay(explored: ExploredCommand, rules: ScenarioRules): Promise<number> {
  const replayed = await explored.untilStopped(replayRules(explored.client, rules));
  if (!replayed) return stoppedCode;
  const { symptoms, hits, note } = replayed;
  const shown = symptoms.filter((list) => list.length > 0).length;
  for (const symptom of distinct(symptoms.flat())) printLines(formatSymptom(symptom));
  if (note !== undefined) printNote(`note: ${note}`);
  const status = shown > 0 ? 'FAIL' : hits === 0 ? 'INCONCLUSIVE' : 'PASS';
  printNote(colorize(`${status}: shown in ${shown} of ${counted(symptoms.length, 'run')}, ${counted(hits, 'hit')}`));
  return verdictExitCodes[status];
}

const distinct = (symptoms: readonly Symptom[]): Symptom[] => [
  ...new Map(symptoms.map((symptom) => [`${symptom.rule} ${symptom.endpoint}`, symptom])).values(),
];

/** Tells how far the exploration is, and each finding as soon as it is shrunk. */
class Teller {
  readonly #folder: string;
  readonly #flags: readonly string[];
  readonly #files = new Map<string, string>();
  readonly #started = monotonicNow();
  #lastLine = monotonicNow();

  /** Takes the flags that a scenario of a finding needs to be played with. */
  constructor(folder: string, flags: readonly string[]) {
    this.#folder = folder;
    this.#flags = flags;
  }

  /** Counts the findings that were reported. */
  get count(): number {
    return this.#files.size;
  }

  /** Returns the file of a finding that was reported. */
  fileOf(id: string): string {
    return this.#files.get(id) ?? '';
  }

  /** Writes a file into the folder. Throws `InputError` when it can't be written. */
  write(name: string, text: string): void {
    const file = join(this.#folder, name);
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(file, text);
    } catch (error) {
      throw new InputError(
        `--out: ${file} can't be written: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  tell(progress: ExploreProgress): void {
    if (progress.event === 'finding' || progress.event === 'unconfirmed') this.#tellFinding(progress.finding);
    else if (progress.event === 'learned')
      printNote(`${counted(progress.requests, 'request')} without faults, ${counted(progress.points, 'point')} to try`);
    else if (progress.event === 'varying')
      printNote(
        `Varying assumptions: ${counted(progress.runs, 'run')}, and one more for each that shows something else`,
      );
    else this.#tellRun(progress);
  }

  #tellRun({ run, points, remaining }: Extract<ExploreProgress, { readonly event: 'run' }>): void {
    const now = monotonicNow();
    const seconds = ((now - this.#started) / 1000).toFixed(0);
    const done = `${points - remaining} of ${counted(points, 'known point')} done`;
    const line = `${counted(run, 'run')}, ${counted(this.count, 'finding')}, ${done}, ${seconds} s`;
    if (canShowStatus()) return showStatus(line);
    if (now - this.#lastLine < plainInterval) return;
    this.#lastLine = now;
    printNote(line);
  }

  #tellFinding(finding: Finding): void {
    const file = join(this.#folder, `${this.#freeName(finding)}.yaml`);
    this.#files.set(finding.id, file);
    this.write(basename(file), redact(findingScenario(finding, file, this.#flags)));
    printLines(formatFinding(finding, file));
  }

  /** Returns a name that no finding of this exploration has. */
  #freeName(finding: Finding): string {
    const name = findingName(finding);
    const taken = new Set(this.#files.values());
    const isFree = (one: string): boolean => !taken.has(join(this.#folder, `${one}.yaml`));
    let [free, number] = [name, 1];
    while (!isFree(free)) free = `${name}-${++number}`;
    return free;
  }
}

/** Sets how often a line tells how far we are where there is no terminal, in ms. */
const plainInterval = 5000;

const reportContents = (reported: ReportedExploration): ReportContents => ({
  junit: () => explorationJunit(reported),
  json: () => explorationJson(reported),
  md: () => explorationMarkdown(reported),
  html: () => explorationPage(reported),
  annotations: () => explorationAnnotations(reported),
});

function finish(exploration: Exploration, explored: ExploredCommand): number {
  const status = explorationStatus(exploration);
  const { reason, runs, stoppedBy } = exploration;
  if (stoppedBy) {
    if (stoppedBy.requests > 0 && stoppedBy.verdict !== 'PASS')
      printLines(formatRunDetails({ name: 'without faults', verdict: stoppedBy }));
    printNote(colorize(`→ Exploring stopped: ${reason}`));
    // The client's own failure comes first: whoever ran it knows what its codes mean.
    return explored.codeOf(runs) || verdictExitCodes[status];
  }
  printLines(formatExploration(exploration));
  printNote(colorize(`${status}: ${reason}${whatIsLeft(exploration)}`));
  return verdictExitCodes[status];
}

function whatIsLeft({ coverage }: Exploration): string {
  const notTried = coverage['not-tried'];
  return notTried === 0 ? '' : `; the budget was over with ${counted(notTried, 'point')} not tried`;
}

function settingsFrom({
  level = '4',
  jobs = '8',
  maxRuns,
  budget,
  kill = false,
  vary = false,
}: ExploreFlags): ExploreSettings {
  return {
    levels: parseLevel(level),
    kills: kill,
    vary,
    jobs: parseCount('--jobs', jobs),
    version: packageVersion(),
    maxRuns: maxRuns === undefined ? undefined : parseCount('--max-runs', maxRuns),
    budget: budget === undefined ? undefined : parseLengthFlag('--budget', budget),
  };
}

/** Reads the exploration that `--since` names. The first one of all has none before it, which is said. */
function readPast({ since, out = 'explore' }: ExploreFlags): PastExploration | undefined {
  if (since === undefined) return undefined;
  const file = since === 'last' ? join(out, 'explore.json') : since;
  if (since === 'last' && !existsSync(file)) {
    printNote(`note: there is no ${file} yet: everything is tried.`);
    return undefined;
  }
  return readEarlierRun(
    { flag: '--since', file, name: 'explore.json of an exploration of this version' },
    pastExplorationSchema,
  );
}
