import { typedFlags, withEmbeddedSimulatorFlags } from '../flags/simulator-flags.ts';
import { verdictReportFlag, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareExec: DeclareCommand = (program, done) => {
  const command = withEmbeddedSimulatorFlags(program.command('exec'))
    .description('run a command with its own simulator, and judge how it retried')
    .argument('<command...>', 'command to run, after --; it finds the simulator in LOYALTY_SIM_URL')
    .option(
      '--matrix <files...>',
      'run the command once for each of these scenarios, and print a matrix; stars are allowed',
    )
    .addOption(verdictReportFlag())
    .action(async (words: string[]) => {
      const { exec } = await import('../actions/exec.ts');
      done(await exec(words, typedFlags(command)));
    });
  withExamples(
    command,
    'loyalty-sim exec -- npm test',
    'loyalty-sim exec --scenario receipt-timeout --report junit=verdict.xml -- npm test',
    "loyalty-sim exec --matrix 'scenarios/*.yaml' -- node till.js",
  );
};
