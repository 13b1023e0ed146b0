import * as fc from 'fast-check';
import { defects } from '../test/verdict/generated/defects.ts';
import type { Defect } from '../test/verdict/generated/defects.ts';
import { planOf } from '../test/verdict/generated/plan.ts';
import { openTheatre, play, timelineOf } from '../test/verdict/generated/play.ts';
import { tallyOf } from '../test/verdict/generated/tally.ts';
import { caseLine } from './explored.ts';
import type { ProofRow } from './row.ts';

const [seed, rightClients, shownEach, least] = [20_261_123, 10_000, 100, 0.95];

/** Shows that no client drawn at random fails that does all that it should, and that those with a planted defect do. */
export const generatedClients: ProofRow = {
  name: 'generated-clients',
  what: `clients drawn at random, ${rightClients} right ones and ${shownEach} for each planted defect`,
  asked: `no right one fails, at least ${least * 100} % of the others do by the rule meant, none of them passes`,
  page: 'docs/proof.md',
  run: async ({ isWanted, print, share }) => {
    const sim = await openTheatre();
    let [failedRight, shown, failed, passed] = [0, 0, 0, 0];
    let isReached = true;
    for (const plan of fc.sample(planOf(), { seed, numRuns: share(rightClients) })) {
      const { verdict } = await play(plan, { sim, way: 'in process' });
      if (verdict.verdict !== 'FAIL') continue;
      failedRight++;
      print(`${timelineOf(verdict)}\n${JSON.stringify(plan)}`);
    }
    // Names of the record.
    for (const defect of (Object.keys(defects) as Defect[]).filter(isWanted)) {
      const tally = await tallyOf(sim, defect, { seed, wanted: share(shownEach) });
      const isMeant = tally.passed === 0 && tally.failed >= least * tally.shown;
      isReached &&= isMeant;
      print(
        caseLine(isMeant, defect, `${tally.failed} of ${tally.shown} by the rule meant, ${tally.passed} passed`, []),
      );
      [shown, failed, passed] = [shown + tally.shown, failed + tally.failed, passed + tally.passed];
    }
    await sim.close();
    const figure = `${failedRight} of ${share(rightClients)} right ones fail; ${failed} of ${shown} with a defect do, ${passed} pass`;
    return { figure, isReached: isReached && failedRight === 0 };
  },
};
