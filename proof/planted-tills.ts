import { functionOf } from '../test/explore/clients/function-of.ts';
import { wrongTills } from '../test/explore/clients/tills.ts';
import { caseLine, exploreInProcess, meant, runnable, shownBy } from './explored.ts';
import type { RunLine } from '../src/explore/explore.ts';
import { median } from './row.ts';
import type { ProofRow } from './row.ts';

/** Shows that explorations in process find each planted defect, by a rule that its author meant for it. */
export const plantedTills: ProofRow = {
  name: 'planted-tills',
  what: 'tills with a planted defect, in process: found by a rule meant for it',
  asked: 'all; first failing run of the plan at the median ≤ 3, all within 26',
  run: async (settings) => {
    const tills = runnable(wrongTills, settings).filter((till) => till.function !== undefined);
    const firsts: number[] = [];
    const shrinks: number[] = [];
    for (const till of tills) {
      const exploration = await exploreInProcess(till.policy, await functionOf(till));
      const findings = shownBy(exploration);
      const right = meant(findings, till.rules);
      const { runs, ms, cpu, log } = exploration;
      const first = firstFailure(log, till.rules);
      if (first && right.length > 0) firsts.push(first.place);
      shrinks.push(...right.map(({ shrinkRuns }) => shrinkRuns));
      const figures = `first failing run ${first?.place} (${first?.title}), ${runs} runs, ${(ms / 1000).toFixed(0)} s, ${(cpu / runs).toFixed(0)} ms CPU a run`;
      settings.print(caseLine(right.length > 0, till.name, figures, right.length > 0 ? right : findings));
    }
    return {
      figure: `${firsts.length} of ${tills.length}; first failing run ${median(firsts)} at the median, ${Math.max(...firsts)} at most; shrunk in ${median(shrinks)} runs at the median`,
      isReached: firsts.length === tills.length && median(firsts) <= 3 && Math.max(...firsts) <= 26,
    };
  },
};

/** Returns the first run of the plan in which one of these rules was broken. */
const firstFailure = (
  log: readonly RunLine[],
  rules: readonly string[],
): { readonly place: number; readonly title: string } | undefined =>
  log
    .filter(({ symptoms }) => symptoms.some((symptom) => rules.some((rule) => symptom.startsWith(`${rule} `))))
    .flatMap(({ place, title }) => (place === undefined ? [] : { place, title }))
    .toSorted((a, b) => a.place - b.place)[0];
