import { jsonFlag, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';
import { plural } from '../../core/lib/plural.ts';
import { repairState } from '../../storage/persistence/repair.ts';
import { printNote, printResult } from '../process/terminal.ts';

interface RepairFlags {
  readonly data: string;
  readonly json?: boolean;
}

export const declareRepair: DeclareCommand = (command, done) => {
  command
    .requiredOption('--data <file>', 'saved state to repair; the damaged files are kept next to it')
    .addOption(jsonFlag())
    .action(async (flags: RepairFlags) => {
      done(await repair(flags));
    });
  withExamples(command, 'loyalty-sim repair --data shop.json');
};

/** Repairs a saved state, and prints what is lost and what was taken. */
async function repair({ data, json }: RepairFlags): Promise<number> {
  const { lost, taken, kept, notes } = await repairState(data);
  for (const note of notes) printNote(`note: ${note}`);
  const isWhole = kept.length === 0;
  if (json) printResult(JSON.stringify({ event: 'repaired', whole: isWhole, lost, taken, kept }));
  else if (isWhole) printResult(`${data} is whole: nothing was changed.`);
  else {
    for (const { place, what } of lost) printResult(`${place}: ${what}`);
    printResult(
      `Taken: ${plural(taken.snapshot, 'line')} of the snapshot, ${taken.log} of the log. Lost: ${plural(lost.length, 'place')}.`,
    );
    printResult(`The damaged files are kept as ${kept.join(' and ')}.`);
  }
  return 0;
}
