import { describe, expect, it } from 'vitest';
import type { ExploredClient } from '../../src/explore/run.ts';
import type { Sim } from '../../src/simulator/sim.ts';
import { functionOf } from './clients/function-of.ts';
import type { ClientFunction } from './clients/function-of.ts';
import { wrongTills } from './clients/tills.ts';
import type { WrongTill } from './clients/tills.ts';
import { checkMinimality } from './minimality.ts';
import { startSim } from '../support/open-sim.ts';

const few: readonly string[] = ['split-bill', 'fresh-time'];

const clientOf = (sim: Sim, till: ClientFunction): ExploredClient => ({
  openTenant: (run) => sim.tenants.getOrCreate(`again-${run}`),
  closeTenant: ({ name }) => void sim.tenants.remove(name),
  run: async ({ name }) => {
    await till(sim.tenant(name).fetch, 'http://127.0.0.1', 'till-key');
    return {};
  },
});

describe('a finding takes each of its faults, as strong as it is, at a till that', () => {
  it.each(wrongTills.filter(({ name }) => few.includes(name)).map((till) => [till.defect, till] as const))(
    '%s',
    async (_, till: WrongTill) => {
      const sim = await startSim({ policy: till.policy });
      try {
        const client = await functionOf(till);
        const { findings } = await sim.explore(({ fetch }) => client(fetch, 'http://127.0.0.1', 'till-key'), {
          jobs: 4,
          maxRuns: 16,
        });
        const checked = await checkMinimality(clientOf(sim, client), findings);
        expect(checked.length).toBeGreaterThan(0);
        expect(checked.map(({ isShown, smaller }) => ({ isShown, smaller }))).toEqual(
          findings.map(() => ({ isShown: true, smaller: [] })),
        );
      } finally {
        await sim.close();
      }
    },
    180_000,
  );
});
