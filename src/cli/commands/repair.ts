import type { RepairFlags } from '../actions/repair.ts';
import { jsonFlag, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareRepair: DeclareCommand = (program, done) => {
  const command = program
    .command('repair')
    .description('take what is whole of a damaged saved state, and show what is lost')
    .requiredOption('--data <file>', 'saved state to repair; the damaged files are kept next to it')
    .addOption(jsonFlag())
    .action(async (flags: RepairFlags) => {
      const { repair } = await import('../actions/repair.ts');
      done(await repair(flags));
    });
  withExamples(command, 'loyalty-sim repair --data shop.json');
};
