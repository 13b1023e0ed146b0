import { failPower, recordRuns } from '../test/support/power-failures.ts';
import type { FailureTally } from '../test/support/power-failures.ts';
import type { ProofRow } from './row.ts';

const [seed, count] = [20261123, 1000];

/** Shows what a power failure leaves of a saved state. */
export const powerFailures: ProofRow = {
  name: 'power-failures',
  what: `${count} power failures with \`--durable\` and ${count} without, on disks that keep any part of what they were not forced to keep, a fifth of them with large states of other tenants (seed ${seed})`,
  asked: 'no state refused, and none without what was responded to, or had been forced to the disk',
  page: 'docs/saved-state.md',
  isQuick: true,
  run: async ({ print, share }) => {
    const tallies: (FailureTally & { readonly durable: boolean })[] = [];
    for (const durable of [true, false]) {
      for (const isLarge of [true, false]) {
        const disk = await recordRuns({ durable, contacts: 40, isLarge });
        // Large states take long to be written and read.
        const tally = await failPower(disk, { seed, count: share(isLarge ? count / 5 : (count * 4) / 5), durable });
        for (const line of tally.wrong) print(`  ${durable ? 'durable' : 'default'} ${isLarge ? 'large ' : ''}${line}`);
        tallies.push({ ...tally, durable });
      }
    }
    const lostWith = (wanted: boolean): number =>
      tallies.reduce((sum, { durable, lost }) => (durable === wanted ? sum + lost : sum), 0);
    const wrong = tallies.flatMap((tally) => tally.wrong).length;
    const figure = `${wrong} states refused or without what had been forced to the disk; ${lostWith(true)} states had lost something with it, ${lostWith(false)} without, of the last second`;
    const isReached = lostWith(true) === 0 && wrong === 0;
    return { figure, isReached };
  },
};
