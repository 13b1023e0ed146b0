import type { ConformanceFlags } from '../actions/conformance.ts';
import { typedFlags, withEmbeddedSimulatorFlags } from '../flags/simulator-flags.ts';
import { flagWithDefault, repeatableFlag, verdictReportFlag, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareConformance: DeclareCommand = (program, done) => {
  const command = withEmbeddedSimulatorFlags(program.command('conformance'))
    .description('run a client once for each way in which each kind of request can fail, and judge each run')
    .argument('[command...]', 'command to run, after --; it finds the simulator in LOYALTY_SIM_URL, and ends by itself')
    .addOption(repeatableFlag('--client <name=command>', 'client by its name, with the line that a shell runs'))
    .addOption(repeatableFlag('--case <id>', 'only these cases: keyed/504-after, keyed/*'))
    .option('--baseline <file>', 'file of known failures; an entry that no longer fails is an error')
    .option('--update-baseline', 'write the failures of this run to the baseline')
    .addOption(flagWithDefault('--timeout <duration>', 'longest time for each run', '60s'))
    .option('--show-output', 'show what the client prints in every run, not in the first alone')
    .addOption(verdictReportFlag())
    .action(async (words: string[]) => {
      const { conformance } = await import('../actions/conformance.ts');
      // The flags that are not options of a simulator are those declared above.
      done(await conformance(words, typedFlags(command) as ConformanceFlags));
    });
  withExamples(
    command,
    'loyalty-sim conformance -- node till.js',
    "loyalty-sim conformance --client till='node till.js' --client web='node web.js' --report md=suite.md",
    "loyalty-sim conformance --case 'keyed/*' --timeout 2m -- node till.js",
  );
};
