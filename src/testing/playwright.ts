/** Gives each test of Playwright a tenant of its own, and judges it at the end: `loyalty-sim/playwright`. */
import { test } from '@playwright/test';
import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test';
import type { SimOptions } from '../simulator/options.ts';
import type { Sim } from '../simulator/sim.ts';
import { inTenant, withSim } from './judged-tenant.ts';
import type { JudgeOptions, TestTenant } from './judged-tenant.ts';

export { VerdictError } from './judged-tenant.ts';
export type { JudgeOptions, TestTenant } from './judged-tenant.ts';

/** Holds what a test gets. */
export interface PlaywrightFixtures {
  /** Says how the tenant is judged; another value is set by `test.use({ judge: … })`. */
  readonly judge: JudgeOptions;
  /** Is a retailer for this test alone, judged when the test has ended. */
  readonly tenant: TestTenant;
}

/** Holds what a worker gets. */
export interface PlaywrightWorkerFixtures {
  /** Is the simulator of the worker. */
  readonly sim: Sim;
}

type PlaywrightSimTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & PlaywrightFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & PlaywrightWorkerFixtures
>;

/** Returns Playwright's `test` with a simulator for each worker, and a tenant for each test that asks for one. */
const playwrightTest = (options: SimOptions = {}): PlaywrightSimTest =>
  test.extend<PlaywrightFixtures, PlaywrightWorkerFixtures>({
    sim: [
      // oxlint-disable-next-line no-empty-pattern -- the runner reads what a fixture asks for from its parameter
      async ({}, use) => withSim(options, use),
      { scope: 'worker' },
    ],
    judge: [{}, { option: true }],
    tenant: async ({ sim, judge }, use) => inTenant(sim, use, judge),
  });

export { playwrightTest as simTest };
