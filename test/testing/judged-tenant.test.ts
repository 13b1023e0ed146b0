/** What a test that gets a tenant is told at its end. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inTenant, openSim } from '../../src/testing/judged-tenant.ts';
import type { JudgeOptions, TestTenant } from '../../src/testing/judged-tenant.ts';
import type { Sim } from '../../src/simulator/sim.ts';

let sim: Sim;
beforeEach(async () => {
  sim = await openSim({ fixtures: 'empty' });
});
afterEach(() => sim.close());

const count = async ({ fetch }: TestTenant): Promise<void> => void (await fetch('/api/v3/contacts/count'));

describe("a test's tenant", () => {
  it('judges expectations that no request met', async () => {
    const scenario = { expectations: [{ request: { endpoint: 'createReceipt' as const } }] };
    await expect(inTenant(sim, (tenant) => tenant.applyScenario(scenario))).rejects.toThrow('is INCONCLUSIVE');
  });

  it('warns that a tenant is not judged which its test has closed', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    await inTenant(sim, (tenant) => tenant.close());
    expect(warned.mock.calls).toEqual([[expect.stringContaining('tenant test-1 is not judged')]]);
    warned.mockRestore();
  });

  it('names the verdicts that are accepted', async () => {
    await expect(inTenant(sim, count, { accept: ['INCONCLUSIVE', 'FAIL'] })).rejects.toThrow(
      'the verdict on tenant test-1 is PASS, and accept lists INCONCLUSIVE, FAIL: 1 of 1 as expected',
    );
  });

  it.each([
    [{ accept: ['pass'] }, 'judge: accept: must be one of PASS, FAIL, INCONCLUSIVE, not "pass"; did you mean "PASS"?'],
    [{ accept: 'PASS' }, 'judge: accept: must be a list, not "PASS"'],
    [{ accept: [] }, 'judge: accept: must name at least one verdict'],
    [{ acept: ['PASS'] }, 'judge: acept: is not an option; did you mean "accept"?'],
  ])('refuses to judge by %j, before the test runs', async (judge, message) => {
    const ran = vi.fn<(tenant: TestTenant) => void>();
    // What JavaScript can write, and no type lets through.
    await expect(inTenant(sim, ran, judge as JudgeOptions)).rejects.toThrow(message);
    expect(ran).not.toHaveBeenCalled();
  });

  it('gives a tenant that answers an old name with the new one', async () => {
    await expect(inTenant(sim, (tenant) => Object(tenant).use({}))).rejects.toThrow(
      'There is no tenant.use; it is called "applyScenario" now',
    );
  });
});
