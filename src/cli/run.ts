/** `loyalty-sim run`: plays scripted scenarios, each on a fresh simulator or on a fresh tenant of a running one. */
import { InputError } from '../core/errors.ts';
import { stepLines, summaryLine, verdictLines } from '../run/lines.ts';
import { play } from '../run/play.ts';
import type { Script } from '../run/play.ts';
import type { PlayedScenario } from '../run/played.ts';
import { headLine, reportForms, verdictOf } from '../run/reports.ts';
import type { PlayedRun } from '../run/reports.ts';
import { loadScripts } from '../run/scripts.ts';
import { nameOf } from '../run/play.ts';
import { printNote, printResult } from './print.ts';
import { redact, redactAll } from './redact.ts';
import { makeRoomFor, writeReport } from './report-files.ts';
import { filesOf, reportsFrom } from './report-flags.ts';
import type { Report } from './report-flags.ts';
import { onFreshTarget } from './run-target.ts';
import type { TargetFlags } from './run-target.ts';
import { signalled } from './signals.ts';
import { verdictCodes } from './verdict-lines.ts';

interface RunFlags extends TargetFlags {
  readonly report?: readonly string[];
}

type Form = keyof typeof reportForms;

// The object's own keys, which TypeScript widens.
const forms = Object.keys(reportForms) as Form[];

/** Progress goes to standard output, unless a report does. */
type Tell = (line: string) => void;

export async function run(files: readonly string[], flags: RunFlags): Promise<number> {
  if (flags.withMaster && flags.url !== undefined) {
    throw new InputError('--with-master: goes with a fresh simulator, not with --url; start that one --with-master');
  }
  const reports = reportsFrom([...(flags.report ?? []), ...(flags.json ? ['json'] : [])], forms);
  makeRoomFor(filesOf(reports));
  const scripts = loadScripts(files);
  const print = reports.some(isPrinted) ? printNote : printResult;
  const tell: Tell = (line) => print(flags.showPersonalData ? line : redact(line));
  for (const note of scripts.flatMap(({ notes }) => notes)) printNote(`note: ${note}`);
  const [played, skipped]: [PlayedScenario[], string[]] = [[], []];
  try {
    await playAll(scripts, { flags, tell, played, skipped });
  } finally {
    write(reports, { scenarios: played, skipped }, flags);
  }
  tell(summaryLine(played, skipped.length));
  return verdictCodes[verdictOf({ scenarios: played, skipped })];
}

/** The text is told while it is played; as a report it only goes to a file. */
const isPrinted = ({ form, file }: Report<Form>): boolean => file === undefined && form !== 'text';

interface Playing {
  readonly flags: RunFlags;
  readonly tell: Tell;
  readonly played: PlayedScenario[];
  readonly skipped: string[];
}

async function playAll(scripts: readonly Script[], { flags, tell, played, skipped }: Playing): Promise<void> {
  const stop = new AbortController();
  void signalled().then(() => stop.abort());
  for (const script of scripts) {
    if (stop.signal.aborted) return;
    const { written, file } = script;
    if ((written.steps ?? []).length === 0) {
      tell(`${file}: has no steps to play`);
      skipped.push(file);
      continue;
    }
    tell(headLine({ name: nameOf(script), file }));
    const one = await onFreshTarget(script, flags, (target) => {
      if (written.steps?.some((step) => step.waitFor)) tell(`  serving at ${target.serviceUrl}`);
      const onStep = (step: PlayedScenario['steps'][number]): void => stepLines(step).forEach(tell);
      return play(script, { target, signal: stop.signal, onStep });
    });
    played.push(one);
    verdictLines(one).forEach(tell);
  }
}

function write(reports: readonly Report<Form>[], all: PlayedRun, { showPersonalData }: RunFlags): void {
  // Redacted, it has the same form.
  const shown = showPersonalData ? all : (redactAll(all) as PlayedRun);
  for (const { form, file } of reports) {
    const text = reportForms[form](shown);
    if (file !== undefined) writeReport(file, text);
    else if (form !== 'text') printResult(text.trimEnd());
  }
}
