import type { ExploreFlags } from '../actions/explore.ts';
import {
  exploredCommandHelp,
  jobsFlag,
  levelFlag,
  portPerRunFlag,
  runTimeoutFlag,
  showOutputFlag,
} from '../flags/explored-flags.ts';
import { typedFlags, withEmbeddedSimulatorFlags } from '../flags/simulator-flags.ts';
import { flagWithDefault, verdictReportFlag, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareExplore: DeclareCommand = (program, done) => {
  const command = withEmbeddedSimulatorFlags(program.command('explore'), ['data', 'durable', 'acceptEdits'])
    .description('find by itself where a client breaks: run it again and again, each time with other faults')
    .argument('<command...>', exploredCommandHelp)
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
      const { exploreClient } = await import('../actions/explore.ts');
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
