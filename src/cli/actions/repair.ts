import { plural } from '../../core/lib/plural.ts';
import { repairState } from '../../storage/persistence/repair.ts';
import { printNote, printResult } from '../process/terminal.ts';

export interface RepairFlags {
  readonly data: string;
  readonly json?: boolean;
}

/** Repairs a saved state, and prints what is lost and what was taken. */
export async function repair({ data, json }: RepairFlags): Promise<number> {
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
