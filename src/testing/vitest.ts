/** Gives each test of Vitest a tenant of its own, and judges it at the end: `loyalty-sim/vitest`. */
import { test } from 'vitest';
import type { TestAPI } from 'vitest';
import type { SimOptions } from '../simulator/options.ts';
import type { Sim } from '../simulator/sim.ts';
import { inTenant, withSim } from './judged-tenant.ts';
import type { JudgeOptions, TestTenant } from './judged-tenant.ts';

export { VerdictError } from './judged-tenant.ts';
export type { JudgeOptions, TestTenant } from './judged-tenant.ts';

/** Holds what a test gets. */
export interface VitestFixtures {
  /** Is the simulator of the test file. */
  readonly sim: Sim;
  /** Says how the tenant is judged; another value is set by `test.override` (Vitest 3: `test.scoped`). */
  readonly judge: JudgeOptions;
  /** Is a retailer for this test alone, judged when the test has ended. */
  readonly tenant: TestTenant;
}

/** Returns Vitest's `test` with a simulator for the file, and a tenant for each test that asks for one. */
export const simTest = (options: SimOptions = {}): TestAPI<VitestFixtures> =>
  test.extend<VitestFixtures>({
    sim: [
      // oxlint-disable-next-line no-empty-pattern -- the runner reads what a fixture asks for from its parameter
      async ({}, use) => withSim(options, use),
      { scope: 'file' },
    ],
    judge: {},
    tenant: async ({ sim, judge }, use) => inTenant(sim, use, judge),
  });
