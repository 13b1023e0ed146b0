import { afterEach, expect, it } from 'vitest';
import { auditPointMasterInSteps } from '../../src/webhooks/audit/audit.ts';
import { adjust, openFollowerSim, tidyFollowers } from '../support/follower.ts';

afterEach(tidyFollowers);

it('a report on many webhooks is made in steps, and shows what there was when it began', async () => {
  const client = await openFollowerSim();
  for (let n = 0; n < 600; n++) await adjust(client);
  const steps = auditPointMasterInSteps(client.sim.tenants.default);
  await adjust(client);
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count++;
  const { adjustments, findings } = step.value;
  expect([adjustments.total, findings.length]).toEqual([600, 600]);
  expect(count).toBeGreaterThanOrEqual(8);
});
