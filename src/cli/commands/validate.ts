import type { Flags } from '../../config/config.ts';
import { jsonFlag, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareValidate: DeclareCommand = (program, done) => {
  const command = program
    .command('validate')
    .description('check scenario, fixture and config files')
    .argument('<files...>', 'files, stars allowed, or folders of fixture files')
    .addOption(jsonFlag())
    .action(async (files: string[], flags: Flags) => {
      const { validate } = await import('../actions/validate.ts');
      done(await validate(files, flags));
    });
  withExamples(
    command,
    'loyalty-sim validate scenarios/*.yaml',
    'loyalty-sim validate loyalty-sim.config.json fixtures --json',
  );
};
