import { wrongQueues } from '../test/explore/clients/queues.ts';
import { caseLine, exploreByCommand, meant, runnable } from './explored.ts';
import type { ProofRow } from './row.ts';

/** Shows that `explore --kill` finds the defects of queues that only a restart shows. */
export const kills: ProofRow = {
  name: 'kills',
  what: 'queues with a defect that a restart shows, `--level 1 --kill`: found by a rule meant for it',
  asked: 'all',
  isQuick: true,
  run: async (settings) => {
    const all = runnable(wrongQueues, settings);
    const queues = all.slice(0, settings.share(all.length));
    let found = 0;
    for (const queue of queues) {
      const { findings, runs, ms } = await exploreByCommand(queue, ['--level', '1', '--kill']);
      const right = meant(findings, queue.rules).filter(({ points }) => points.some((id) => id.includes('killed')));
      if (right.length > 0) found++;
      const figures = `${runs} runs, ${(ms / 1000).toFixed(0)} s`;
      settings.print(caseLine(right.length > 0, queue.name, figures, right.length > 0 ? right : findings));
    }
    return { figure: `${found} of ${queues.length}`, isReached: found === queues.length };
  },
};
