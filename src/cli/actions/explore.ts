/** Implements `loyalty-sim explore`: runs a client with one fault after the other, and tells where it breaks. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadConfig } from '../../config/config.ts';
import type { Flags } from '../../config/config.ts';
import { parseDuration } from '../../core/lib/duration.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { monotonicNow, systemNow, toTimestamp } from '../../core/time/clock.ts';
import { explore } from '../../explore/explore.ts';
import type { Exploration, ExploreProgress, ExploreSettings, Finding } from '../../explore/explore.ts';
import { findingName, findingScenario } from '../../explore/report/finding-file.ts';
import { explorationStatus, serializeExploration } from '../../explore/report/exploration-json.ts';
import type { ReportedExploration } from '../../explore/report/exploration-json.ts';
import {
  explorationAnnotations,
  explorationJson,
  explorationJunit,
  explorationMarkdown,
  explorationPage,
} from '../../explore/report/reports.ts';
import { counted } from '../../explore/report/words.ts';
import { createSim } from '../../simulator/create-sim.ts';
import { formatExploration, formatFinding } from '../format/exploration.ts';
import { colorize, formatRunHeading } from '../format/runs.ts';
import { redact, redactAll } from '../format/redact.ts';
import { parseVerdictReports, writeReports } from '../format/verdict-reports.ts';
import type { ReportContents } from '../format/verdict-reports.ts';
import { verdictExitCodes } from '../format/verdict.ts';
import { reportFiles } from '../flags/report-flags.ts';
import { prepareReportFiles } from '../process/report-files.ts';
import { packageVersion } from '../../package/package-info.ts';
import { planScenario, simOptions } from '../flags/scenario-plan.ts';
import { exploreCommand } from '../process/explored-command.ts';
import type { ExploredCommand } from '../process/explored-command.ts';
import { canShowStatus, printNote, printResult, showStatus } from '../process/terminal.ts';

export interface ExploreFlags extends Flags {
  readonly budget?: string | undefined;
  readonly level?: string | undefined;
  readonly kill?: boolean | undefined;
  readonly jobs?: string | undefined;
  readonly timeout?: string | undefined;
  readonly maxRuns?: string | undefined;
  readonly out?: string | undefined;
  readonly portPerRun?: boolean | undefined;
  readonly showOutput?: boolean | undefined;
  readonly report?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
}

/** Equals the exit code of a command that SIGINT ended. */
const stoppedCode = 130;

export async function exploreClient(command: readonly string[], flags: ExploreFlags): Promise<number> {
  const settings = settingsFrom(flags);
  const reports = parseVerdictReports(flags.report);
  const timeout = lengthOf('--timeout', flags.timeout ?? '60s');
  // The log would mix with the findings, so that it is silent by default.
  const config = loadConfig({ flags: { log: 'silent', ...flags } });
  if (config.data !== undefined) printNote('note: data is left out: each run starts from the fixtures.');
  const plan = await planScenario(config, flags);
  for (const note of plan.notes) printNote(`note: ${note}`);
  prepareReportFiles(reportFiles(reports));
  const at = toTimestamp(systemNow());
  const sim = await createSim({ ...simOptions({ ...config, data: undefined }, () => {}), ...plan.options });
  try {
    await sim.listen({ port: flags['port'] === undefined ? 0 : config.port });
    const portPerRun = flags.portPerRun ?? false;
    const explored = exploreCommand(sim, {
      command,
      config,
      timeout,
      showOutput: flags.showOutput ?? false,
      portPerRun,
    });
    const teller = new Teller(flags.out ?? 'explore');
    printNote(formatRunHeading({ name: 'exploring' }));
    const onProgress = (progress: ExploreProgress): void => teller.tell(progress);
    const exploration = await Promise.race([
      explore(explored.client, { ...settings, onProgress }),
      explored.stopped.then(() => undefined),
    ]);
    showStatus('');
    if (exploration === undefined) {
      printNote(`Stopped: ${counted(teller.count, 'finding')} so far.`);
      return stoppedCode;
    }
    teller.tellMissing(exploration.findings);
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
    return finish(exploration, explored);
  } finally {
    await sim.close();
  }
}

/** Tells how far the exploration is, and each finding as soon as it is shrunk. */
class Teller {
  readonly #folder: string;
  readonly #files = new Map<string, string>();
  readonly #started = monotonicNow();
  #lastLine = monotonicNow();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Counts the findings that were told. */
  get count(): number {
    return this.#files.size;
  }

  /** Returns the file of a finding that was told. */
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
    if (progress.event === 'finding') this.#tellFinding(progress.finding);
    else if (progress.event === 'learned')
      printNote(`${counted(progress.calls, 'request')} without faults, ${counted(progress.points, 'point')} to try`);
    else this.#tellRun(progress);
  }

  /** Tells findings that were not told when they were shrunk. */
  tellMissing(findings: readonly Finding[]): void {
    for (const finding of findings) if (!this.#files.has(finding.id)) this.#tellFinding(finding);
  }

  #tellRun({ run, left }: Extract<ExploreProgress, { readonly event: 'run' }>): void {
    const now = monotonicNow();
    const seconds = ((now - this.#started) / 1000).toFixed(0);
    const line = `${counted(run, 'run')}, ${counted(this.count, 'finding')}, ${counted(left, 'point')} left, ${seconds} s`;
    if (canShowStatus()) return showStatus(line);
    if (now - this.#lastLine < plainInterval) return;
    this.#lastLine = now;
    printNote(line);
  }

  #tellFinding(finding: Finding): void {
    const file = join(this.#folder, `${this.#freeName(finding)}.yaml`);
    this.#files.set(finding.id, file);
    this.write(basename(file), redact(findingScenario(finding, file)));
    for (const line of formatFinding(finding, file)) printNote(line);
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
  const { reason, runs } = exploration;
  if (exploration.status === 'stopped') {
    printNote(colorize(`→ Exploring stopped: ${reason}`));
    // The client's own failure comes first: whoever ran it knows what its codes mean.
    return explored.codeOf(runs) || verdictExitCodes[status];
  }
  for (const line of formatExploration(exploration)) printNote(line);
  printNote(colorize(`${status}: ${reason}${whatIsLeft(exploration)}`));
  return verdictExitCodes[status];
}

function whatIsLeft({ coverage }: Exploration): string {
  const notTried = coverage['not-tried'];
  return notTried === 0 ? '' : `; the budget was over with ${counted(notTried, 'point')} not tried`;
}

function settingsFrom({ level = '4', jobs = '8', maxRuns, budget, kill = false }: ExploreFlags): ExploreSettings {
  const levels = countFrom('--level', level);
  if (levels > 4) throw new InputError(`--level: must be 1, 2, 3 or 4, not "${level}"`);
  return {
    levels,
    kills: kill,
    jobs: countFrom('--jobs', jobs),
    maxRuns: maxRuns === undefined ? undefined : countFrom('--max-runs', maxRuns),
    budget: budget === undefined ? undefined : lengthOf('--budget', budget),
  };
}

function countFrom(flag: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InputError(`${flag}: must be a whole number from 1, not "${text}"`);
}

function lengthOf(flag: string, text: string): number {
  const read = parseDuration(text);
  if (read?.months === 0 && read.milliseconds > 0) return read.milliseconds;
  throw new InputError(`${flag}: must be a length of time such as 30s or 2m, not "${text}"`);
}
