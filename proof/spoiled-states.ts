import { killedState, spoilStates } from '../test/support/saved-mutations.ts';
import type { ProofRow } from './row.ts';

const [seed, count] = [20261123, 2200];

/** Shows that a saved state that was changed behind the simulator's back is never taken silently. */
export const spoiledStates: ProofRow = {
  name: 'spoiled-states',
  what: `${count} changes to a saved state (bits, bytes, digits, cuts, zeroed blocks, swapped and lost lines; seed ${seed})`,
  asked: 'each refused with its place and a way out, or taken as it was at some moment, with a note',
  page: 'docs/saved-state.md',
  isQuick: true,
  run: async ({ print, share }) => {
    const { refused, noted, silent, escaped } = await spoilStates(await killedState(), { seed, count: share(count) });
    for (const line of escaped) print(`  ${line}`);
    return { figure: `${refused} refused, ${noted} noted, ${silent} silent`, isReached: silent === 0 };
  },
};
