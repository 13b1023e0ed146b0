import { functionOf } from '../test/explore/clients/function-of.ts';
import { isFlaky } from '../src/explore/report/words.ts';
import { createSim } from '../src/simulator/create-sim.ts';
import type { SimFetch } from '../src/simulator/tenant-handle.ts';
import { wrongTills } from '../test/explore/clients/tills.ts';
import { checkMinimality } from '../test/explore/minimality.ts';
import { caseLine, runnable, shownBy } from './explored.ts';
import type { ProofRow } from './row.ts';

/** So many findings are tried. */
const wanted = 20;

/** Shows by brute force that no finding holds a fault that it does not take, or one that is stronger than it takes. */
export const minimalFindings: ProofRow = {
  name: 'minimal-findings',
  what: 'findings that no set of fewer or weaker faults shows, tried by brute force',
  asked: `all of ${wanted}`,
  run: async (settings) => {
    const tills = runnable(wrongTills, settings).filter((till) => till.function !== undefined);
    let [checked, minimal, sets] = [0, 0, 0];
    for (const till of tills) {
      if (checked >= wanted) break;
      const client = await functionOf(till);
      const sim = await createSim({ policy: till.policy });
      const play = (fetch: SimFetch): Promise<void> =>
        client(fetch as typeof globalThis.fetch, 'http://127.0.0.1', 'till-key');
      const exploration = await sim.explore(({ fetch }) => play(fetch), { maxRuns: 30 });
      // What did not always show again is reported as flaky: it proves nothing that it does not here.
      const findings = exploration.findings.filter((finding) => !isFlaky(finding)).slice(0, wanted - checked);
      const results = await checkMinimality(
        {
          openTenant: (run) => sim.tenants.getOrCreate(`again-${run}`),
          closeTenant: ({ name }) => void sim.tenants.remove(name),
          run: async ({ name }) => {
            await play(sim.tenant(name).fetch);
            return {};
          },
        },
        findings,
      );
      await sim.close();
      for (const [i, { isShown, smaller, tried }] of results.entries()) {
        const isMinimal = isShown && smaller.length === 0;
        checked++;
        sets += tried;
        if (isMinimal) minimal++;
        const figures = isMinimal
          ? `none of ${tried} smaller sets shows it`
          : isShown
            ? `shown by ${smaller.join('; ')}`
            : 'it did not show again';
        settings.print(
          caseLine(isMinimal, till.name, figures, shownBy({ ...exploration, findings: findings.slice(i, i + 1) })),
        );
      }
    }
    return {
      figure: `${minimal} of ${checked}, ${sets} smaller sets tried`,
      isReached: checked >= wanted && minimal === checked,
    };
  },
};
