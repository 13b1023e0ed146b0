import type { ConformanceFlags } from '../process/conformance-suite.ts';
import {
  exploredCommandHelp,
  mostJobsFlag,
  portPerRunFlag,
  runTimeoutFlag,
  showOutputFlag,
} from '../flags/explored-flags.ts';
import { typedFlags, withEmbeddedSimulatorFlags } from '../flags/simulator-flags.ts';
import { repeatableFlag, verdictReportFlag, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareConformance: DeclareCommand = (program, done) => {
  const command = withEmbeddedSimulatorFlags(program.command('conformance'), ['data', 'durable', 'acceptEdits'])
    .description(
      'run a client once for each way in which a request to each endpoint can fail, and judge each run; or try a point master',
    )
    .argument('[command...]', exploredCommandHelp)
    .addOption(repeatableFlag('--client <name=command>', 'client by its name, with the line that a shell runs'))
    .addOption(repeatableFlag('--case <id>', 'only these cases: createReceipt/504-after, createReceipt/*, keyed/*'))
    .option(
      '--point-master <url>',
      'test the point master at this address instead: by its webhooks, its history and the balances that it sends',
    )
    .option('--old-key <key>', 'key that the point master takes besides --webhook-key, with --point-master')
    .option('--baseline <file>', 'file of known failures; an entry that no longer fails is an error')
    .option('--update-baseline', 'write the failures of this run to the baseline')
    .addOption(runTimeoutFlag())
    .addOption(mostJobsFlag('16'))
    .addOption(portPerRunFlag())
    .addOption(showOutputFlag())
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
    'loyalty-sim conformance --point-master http://127.0.0.1:5000 --webhook-key 0123456789abcdef0123456789abcdef',
    'loyalty-sim conformance --point-master http://127.0.0.1:{port} --webhook-key 0123456789abcdef0123456789abcdef -- node master.js {port} {folder}',
  );
};
