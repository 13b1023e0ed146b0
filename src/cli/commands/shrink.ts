import type { ShrinkFlags } from '../actions/shrink.ts';
import { typedFlags, withEmbeddedSimulatorFlags } from '../flags/simulator-flags.ts';
import { flagWithDefault, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareShrink: DeclareCommand = (program, done) => {
  const command = withEmbeddedSimulatorFlags(program.command('shrink'), ['data', 'durable', 'acceptEdits', 'scenario'])
    .description('shrink the rules of a scenario to what a failing client needs to fail')
    .argument('<scenario>', 'scenario file whose rules make the client fail')
    .argument('<command...>', 'command to run, after --; {run} in it is the number of the run')
    .option('--out <file>', 'file to write (default: <scenario>.min.yaml in its folder)')
    .addOption(flagWithDefault('--timeout <duration>', 'longest time for each run', '60s'))
    .option('--port-per-run', 'give each run a port of its own, for a client that takes no path in its base URL')
    .option('--show-output', 'show what the client prints in every run, not in the first alone')
    .action(async (file: string, words: string[]) => {
      const { shrink } = await import('../actions/shrink.ts');
      // The flags that are not options of a simulator are those declared above.
      done(await shrink(file, words, typedFlags(command) as ShrinkFlags));
    });
  withExamples(
    command,
    'loyalty-sim shrink outage.yaml -- node till.js',
    'loyalty-sim shrink outage.yaml --out small.yaml -- npm test',
  );
};
