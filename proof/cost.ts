import { functionOf } from '../test/explore/clients/function-of.ts';
import { rightClients } from '../test/explore/clients/right.ts';
import { exploreInProcess } from './explored.ts';
import type { ProofRow } from './row.ts';

/** Shows how long a client of some thirty requests takes: one that is right, so that every point is tried. */
export const cost: ProofRow = {
  name: 'cost',
  what: 'a client of 29 requests in process, levels 1 to 3',
  asked: '≤ 200 runs, ≤ 30 s',
  run: async (settings) => {
    const [sale, desk] = rightClients;
    if (!sale || !desk) throw new Error('the list of right clients is empty');
    const [sell, serve] = [await functionOf(sale), await functionOf(desk)];
    const { runs, ms, cpu, calls } = await exploreInProcess(
      sale.policy,
      async (...args) => {
        await sell(...args);
        await serve(...args);
      },
      { level: 3 },
    );
    const seconds = ms / 1000;
    settings.print(`${calls} requests, ${runs} runs, ${seconds.toFixed(1)} s, ${(cpu / runs).toFixed(1)} ms CPU a run`);
    return {
      figure: `${runs} runs, ${seconds.toFixed(0)} s, ${(cpu / runs).toFixed(0)} ms CPU a run, the client's own included`,
      isReached: runs <= 200 && seconds <= 30,
    };
  },
};
