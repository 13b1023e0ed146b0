import { rightClients as list } from '../test/explore/clients/right.ts';
import { caseLine, exploreByCommand, runnable } from './explored.ts';
import type { ProofRow } from './row.ts';

const times = 3;

/** Shows that clients without a defect are never accused, at any level and over kills. */
export const rightClients: ProofRow = {
  name: 'right-clients',
  what: `clients without a defect, all levels, those with a queue killed too, ${times} times: findings`,
  asked: '0',
  run: async (settings) => {
    const clients = runnable(list, settings);
    let [wrong, undecided, runs] = [0, 0, 0];
    for (let time = 1; time <= times; time++) {
      for (const client of clients) {
        const explored = await exploreByCommand(client, client.hasQueue ? ['--kill'] : []);
        wrong += explored.findings.length;
        runs += explored.runs;
        const open = explored.points.filter(({ status }) => status === 'undecided').length;
        undecided += open;
        const figures = `${explored.verdict}, ${explored.runs} runs, ${(explored.ms / 1000).toFixed(0)} s, ${open} points undecided`;
        const isRight = explored.findings.length === 0 && explored.verdict !== 'FAIL';
        if (!isRight && explored.findings.length === 0) wrong++;
        settings.print(caseLine(isRight, `${client.name} (${client.language})`, figures, explored.findings));
      }
    }
    return {
      figure: `${wrong}, ${undecided} points undecided, in ${runs} runs of ${clients.length} clients`,
      isReached: wrong === 0,
    };
  },
};
