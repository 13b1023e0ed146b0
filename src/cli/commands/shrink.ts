/** Implements `loyalty-sim shrink`: finds the fewest faults of a scenario that still make a client fail. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { typedFlags, withEmbeddedSimulatorFlags } from '../flags/simulator-flags.ts';
import { flagWithDefault, withExamples, describeArguments } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { counted } from '../../explore/report/words.ts';
import { shrinkScenario } from '../../explore/scenario-rules.ts';
import type { ShrunkScenario } from '../../explore/scenario-rules.ts';
import type { RuleSpec } from '../../faults/rule-schema.ts';
import { formatSymptom } from '../format/exploration.ts';
import { colorize } from '../format/runs.ts';
import { verdictExitCodes } from '../format/exit-codes.ts';
import { parseLengthFlag } from '../flags/length-flag.ts';
import { readRules, withExploredCommand } from '../process/explored-command.ts';
import { stoppedCode } from '../process/signals.ts';
import type { ExploredFlags } from '../process/explored-command.ts';
import { printLines, printNote } from '../process/terminal.ts';

interface ShrinkFlags extends ExploredFlags {
  readonly out?: string | undefined;
}

export const declareShrink: DeclareCommand = (command, done) => {
  describeArguments(
    command,
    'scenario file whose rules make the client fail',
    'command to run, after --; {run} in it is the number of the run',
  );
  withEmbeddedSimulatorFlags(command, ['data', 'durable', 'acceptEdits', 'scenario'])
    .option('--out <file>', 'file to write (default: <scenario>.min.yaml in its folder)')
    .addOption(flagWithDefault('--timeout <duration>', 'longest time for each run', '60s'))
    .option('--port-per-run', 'give each run a port of its own, for a client that takes no path in its base URL')
    .option('--show-output', 'show what the client prints in every run, not in the first alone')
    .action(async (file: string, words: string[]) => {
      // The flags that are not options of a simulator are those declared above.
      done(await shrink(file, words, typedFlags(command) as ShrinkFlags));
    });
  withExamples(
    command,
    'loyalty-sim shrink outage.yaml -- node till.js',
    'loyalty-sim shrink outage.yaml --out small.yaml -- npm test',
  );
};

/** Exits with 0 when a smaller file was written, or nothing fails; with 3 when the failure did not show again. */
async function shrink(file: string, command: readonly string[], flags: ShrinkFlags): Promise<number> {
  const timeout = parseLengthFlag('--timeout', flags.timeout ?? '60s');
  const out = flags.out ?? file.replace(/(\.\w+)?$/, '.min$1');
  const { rules } = await readRules(file);
  if (rules.length === 0) throw new InputError(`${file} has rules about webhooks alone, which are not shrunk`);
  const base = { ...flags, scenario: [file] };
  return withExploredCommand({ command, flags: base, timeout, withoutRules: true }, async (explored) => {
    const shrunk = await explored.untilStopped(shrinkScenario(explored.client, rules));
    if (!shrunk) return stoppedCode;
    return tell(shrunk, { file, out });
  });
}

function tell(shrunk: ShrunkScenario, { file, out }: { readonly file: string; readonly out: string }): number {
  const { symptom, isReproduced, hits, hitsBefore, runs } = shrunk;
  if (!symptom) {
    printNote(colorize(`PASS: nothing fails with ${file}, so that nothing can be shrunk`));
    return verdictExitCodes.PASS;
  }
  printLines(formatSymptom(symptom));
  if (!isReproduced) {
    printNote(colorize('INCONCLUSIVE: it did not show again with the same faults at the same requests'));
    return verdictExitCodes.INCONCLUSIVE;
  }
  writeSmaller(shrunk.rules, { file, out });
  printNote(`${out}: ${counted(hits.length, 'fault')} of ${hitsBefore}, after ${counted(runs, 'run')}`);
  return verdictExitCodes.PASS;
}

/** Writes the scenario with these rules, and everything else as it stands. */
function writeSmaller(
  rules: readonly RuleSpec[],
  { file, out }: { readonly file: string; readonly out: string },
): void {
  const document = parseDocument(readFileSync(file, 'utf8'));
  document.set('rules', rules);
  const text = file.endsWith('.json') ? `${JSON.stringify(document.toJS(), null, 2)}\n` : document.toString();
  try {
    writeFileSync(out, text);
  } catch (error) {
    throw new InputError(`--out: ${out} can't be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
