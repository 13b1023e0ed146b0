import { failPower, recordRuns } from '../test/support/power-failures.ts';
import type { ProofRow } from './row.ts';

const [seed, count] = [20261123, 1000];

/** Shows what a power failure leaves of a saved state. */
export const powerFailures: ProofRow = {
  name: 'power-failures',
  what: `${count} power failures with \`--durable\` and ${count} without, on disks that keep any part of what they were not forced to keep (seed ${seed})`,
  asked: 'no state refused, and none without what was responded to, or had been forced to the disk',
  page: 'docs/saved-state.md',
  isQuick: true,
  run: async ({ print, share }) => {
    const tallies = [];
    for (const durable of [true, false]) {
      const tally = await failPower(await recordRuns({ durable, contacts: 40 }), {
        seed,
        count: share(count),
        durable,
      });
      for (const line of tally.wrong) print(`  ${durable ? 'durable' : 'default'} ${line}`);
      tallies.push(tally);
    }
    const [durable, usual] = tallies;
    const wrong = tallies.flatMap((tally) => tally.wrong).length;
    const figure = `${wrong} states refused or without what had been forced to the disk; ${durable?.lost} states had lost something with it, ${usual?.lost} without, of the last second`;
    const isReached = durable?.lost === 0 && wrong === 0;
    return { figure, isReached };
  },
};
