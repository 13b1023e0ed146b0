import { withSimulatorFlags, typedFlags } from '../flags/simulator-flags.ts';
import { withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareStart: DeclareCommand = (command, done) => {
  withSimulatorFlags(command).action(async () => {
    const { serve } = await import('../process/serve.ts');
    done(await serve(typedFlags(command)));
  });
  withExamples(
    command,
    'loyalty-sim start',
    'loyalty-sim start --port 4020 --scenario receipt-timeout',
    'loyalty-sim start --scenario outage.yaml --watch --data state.jsonl',
  );
};
