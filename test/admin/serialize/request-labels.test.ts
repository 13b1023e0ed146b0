import { expect, it } from 'vitest';
import { exchangeLister } from '../../../src/admin/serialize/request-labels.ts';
import { openSim } from '../../support/open-sim.ts';

it('a list of requests reads no body of which it shows nothing, as one may be long', async () => {
  const { sim, post } = await openSim();
  await post('/api/v3/nothing', [{ a: 1 }]);
  const tenant = sim.tenants.default;
  const [exchange] = tenant.journal.toArray();
  if (!exchange) throw new Error('nothing is in the journal');
  let isRead = false;
  const body = {
    get: () => {
      isRead = true;
      return '[{"a":1}]';
    },
  };
  const request = Object.defineProperty({ ...exchange.request }, 'body', body);
  const listed = exchangeLister(tenant, [])({ ...exchange, request });
  expect([listed.key, listed.path, isRead]).toEqual([null, '/api/v3/nothing', false]);
});
