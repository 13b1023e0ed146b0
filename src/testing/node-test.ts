/** Gives each test of Node's own runner a tenant of its own, and judges it at the end: `loyalty-sim/node-test`. */
import { after } from 'node:test';
import type { TestContext } from 'node:test';
import type { SimOptions } from '../simulator/options.ts';
import type { Sim } from '../simulator/sim.ts';
import { inTenant, openSim } from './judged-tenant.ts';
import type { JudgeOptions, TestTenant } from './judged-tenant.ts';

export { VerdictError } from './judged-tenant.ts';
export type { JudgeOptions, TestTenant } from './judged-tenant.ts';

/** Makes a test of Node's runner from one that takes a tenant. */
export type TenantTest = (
  test: (tenant: TestTenant, context: TestContext) => Promise<void> | void,
  judge?: JudgeOptions,
) => (context: TestContext) => Promise<void>;

/**
 * Returns a function that runs tests in tenants of one simulator: `const inTenant = useSim()`, and then
 * `test('sells', inTenant(async (tenant) => sell(tenant.url)))`. The simulator starts with the first test, and is closed
 * after the last one.
 */
export function useSim(options: SimOptions = {}): TenantTest {
  let opened: Promise<Sim> | undefined;
  after(async () => (await opened)?.close());
  return (test, judge) => async (context) => {
    opened ??= openSim(options);
    await inTenant(await opened, (tenant) => test(tenant, context), judge);
  };
}
