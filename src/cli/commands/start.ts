import { withSimulatorFlags, typedFlags } from '../flags/simulator-flags.ts';
import { withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareStart: DeclareCommand = (program, done) => {
  const command = withSimulatorFlags(program.command('start'))
    .description('serve the API')
    .action(async () => {
      const { start } = await import('../actions/start.ts');
      done(await start(typedFlags(command)));
    });
  withExamples(
    command,
    'loyalty-sim start',
    'loyalty-sim start --port 4020 --scenario receipt-timeout',
    'loyalty-sim start --scenario outage.yaml --watch --data state.jsonl',
  );
};
