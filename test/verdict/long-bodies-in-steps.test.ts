import { expect, it } from 'vitest';
import { operationKey } from '../../src/core/exchange/operation-key.ts';
import { endpoints } from '../../src/service/endpoints.ts';
import { indexJournal } from '../../src/verdict/history/history.ts';
import { openEmptySim } from '../support/open-sim.ts';
import { crowd } from '../support/work-in-turns.ts';

it('a journal of long bulks is indexed in steps, by the same keys as one of short bodies', async () => {
  const client = await openEmptySim();
  await client.post('/api/v3/contacts/bulk', crowd);
  const tenant = client.sim.tenants.default;
  const exchanges = tenant.journal.toArray();
  const steps = indexJournal(exchanges, { endpoints, tenant });
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count++;
  expect(count).toBeGreaterThan(100);
  const { entries } = step.value;
  expect(entries.map(({ key }) => key)).toEqual(entries.map((one) => operationKey(one.exchange, one.endpoint)));
});
