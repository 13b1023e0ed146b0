import { pathToFileURL } from 'node:url';
import { createSim } from '../src/simulator/create-sim.ts';
import { mutants as list, mutate } from '../test/clients/mutants.mjs';
import type { Mutant } from '../test/clients/mutants.mjs';
import { purchase } from '../test/clients/purchases.mjs';
import { realPauses, realPolicy } from '../test/clients/shipped.mjs';
import { tillFrom, tillText } from '../test/support/clients.ts';
import { caseLine, meant, shownBy } from './explored.ts';
import type { ProofRow } from './row.ts';

interface Till {
  readonly checkout: (purchase: object) => Promise<unknown>;
  readonly deliverQueue: () => Promise<unknown>;
}

interface TillModule {
  readonly Till: new (options: object) => Till;
}

/** So many customers buy, that what waits has an order. */
const customers = 2;

/** Shows that explorations find each defect that was put into the reference till, without the scenario made for it. */
export const mutants: ProofRow = {
  name: 'mutants',
  what: 'copies of the reference till with one defect each, over HTTP: found by the rule meant for it',
  asked: 'all',
  isQuick: true,
  run: async ({ isWanted, print, share }) => {
    const all = list.filter(({ name }) => isWanted(name));
    const wanted = all.slice(0, share(all.length));
    let [found, atOnce] = [0, 0];
    for (const mutant of wanted) {
      const exploration = await exploreMutant(mutant);
      const findings = shownBy(exploration);
      const right = meant(findings, [mutant.rule, ...(mutant.also ?? [])]);
      // What goes wrong without any fault ends an exploration before it begins, and is reported.
      const isAtOnce = exploration.status === 'stopped' && exploration.reason.includes(`${mutant.rule} `);
      const isFound = right.length > 0 || isAtOnce;
      if (isFound) found++;
      if (isAtOnce) atOnce++;
      const figures = `${mutant.rule}, ${exploration.runs} runs, ${(exploration.ms / 1000).toFixed(0)} s`;
      print(caseLine(isFound, mutant.name, figures, right.length > 0 ? right : findings));
      if (findings.length === 0) print(`       ${exploration.reason}`);
    }
    const figure = `${found} of ${wanted.length}, ${atOnce} of them in the run without faults`;
    return { figure, isReached: found === wanted.length };
  },
};

async function exploreMutant(mutant: Mutant) {
  const { checkouts = customers, rounds, email } = mutant;
  const module = (await import(pathToFileURL(tillFrom(mutate(tillText(), mutant))).href)) as TillModule;
  const sim = await createSim({ policy: realPolicy });
  await sim.listen();
  try {
    return await sim.explore(
      async ({ url }) => {
        const till = new module.Till({ url, rounds, ...realPauses });
        for (let i = 0; i < checkouts; i++) await till.checkout(purchase(i, email));
        await till.deliverQueue();
      },
      { timeout: '60s' },
    );
  } finally {
    await sim.close();
  }
}
