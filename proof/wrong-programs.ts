import { wrongTills } from '../test/explore/clients/tills.ts';
import { caseLine, exploreByCommand, meant, runnable } from './explored.ts';
import type { ProofRow } from './row.ts';

/** Shows that `loyalty-sim explore` finds the defects of programs in several languages. */
export const wrongPrograms: ProofRow = {
  name: 'wrong-programs',
  what: 'programs with a planted defect, by command: found by a rule meant for it',
  asked: 'all',
  isQuick: true,
  run: async (settings) => {
    const all = runnable(wrongTills, settings).filter((till) => till.function === undefined);
    const programs = all.slice(0, settings.share(all.length));
    let found = 0;
    for (const program of programs) {
      const { findings, runs, ms } = await exploreByCommand(program);
      const right = meant(findings, program.rules);
      if (right.length > 0) found++;
      const first = Math.min(...right.map(({ firstRun }) => firstRun));
      const figures = `first run ${first}, ${runs} runs, ${(ms / 1000).toFixed(0)} s`;
      settings.print(
        caseLine(
          right.length > 0,
          `${program.name} (${program.language})`,
          figures,
          right.length > 0 ? right : findings,
        ),
      );
    }
    return { figure: `${found} of ${programs.length}`, isReached: found === programs.length };
  },
};
