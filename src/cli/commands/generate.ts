import type { GenerateFlags } from '../actions/generate.ts';
import { printResult } from '../process/terminal.ts';
import { flagWithDefault, jsonFlag, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareGenerate: DeclareCommand = (program, done) => {
  const command = program
    .command('generate')
    .description('write a fixture of any size')
    .addOption(flagWithDefault('--contacts <n>', 'number of contacts', '100'))
    .addOption(flagWithDefault('--receipts-per-contact <n>', 'number of receipts of each contact', '2'))
    .addOption(flagWithDefault('--promotions <n>', 'number of promotions', '6'))
    .addOption(flagWithDefault('--seed <n>', 'seed of the data: the same seed gives the same file', '1'))
    .addOption(flagWithDefault('--locale <name>', 'country that contacts live in, or mixed', 'mixed'))
    .option('--now <timestamp>', 'moment that dates lie before (default: relative dates)')
    .option('--types <names>', 'contact types, with commas between them (default: Member,Contact)')
    .option('--out <file>', 'file to write to (default: standard output)')
    .addOption(jsonFlag('print a line of JSON when the file is written'))
    .action(async (flags: GenerateFlags & { readonly json?: boolean }) => {
      const { generate } = await import('../actions/generate.ts');
      done(await generate(flags, process));
      if (flags.json && flags.out !== undefined) printResult(JSON.stringify({ event: 'generated', out: flags.out }));
    });
  withExamples(
    command,
    'loyalty-sim generate --contacts 10000 --out shop.json',
    'loyalty-sim generate --seed 7 --locale fi --now 2026-03-01T12:00:00Z',
  );
};
