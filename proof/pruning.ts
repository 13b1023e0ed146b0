import { functionOf } from '../test/explore/clients/function-of.ts';
import { wrongTills } from '../test/explore/clients/tills.ts';
import { caseLine, exploreInProcess, runnable, shownBy } from './explored.ts';
import type { ProofRow } from './row.ts';

/** Shows that trying every point by itself finds nothing that the pruned plan does not. */
export const pruning: ProofRow = {
  name: 'pruning',
  what: 'what a run for every single point finds, and the pruned plan does not',
  asked: 'nothing',
  run: async (settings) => {
    const tills = runnable(wrongTills, settings).filter((till) => till.function !== undefined);
    let [missed, pruned, all] = [0, 0, 0];
    for (const till of tills) {
      const client = await functionOf(till);
      const plan = await exploreInProcess(till.policy, client);
      const full = await exploreInProcess(till.policy, client, { exhaustive: true });
      const known = new Set(
        plan.findings.flatMap(({ rule, also, endpoint }) => [rule, ...also].map((one) => `${one} ${endpoint}`)),
      );
      const others = shownBy(full).filter(({ rule, endpoint }) => !known.has(`${rule} ${endpoint}`));
      missed += others.length;
      pruned += plan.runs;
      all += full.runs;
      settings.print(
        caseLine(others.length === 0, till.name, `${plan.runs} runs, ${full.runs} for all points`, others),
      );
    }
    return { figure: `${missed} findings, with ${pruned} runs for ${all}`, isReached: missed === 0 };
  },
};
