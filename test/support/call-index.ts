import { finish } from '../../src/core/time/steps.ts';
import { RequestIndex } from '../../src/verdict/expectations/request-index.ts';
import { collectEvidence } from '../../src/verdict/expectations/journal-evidence.ts';
import { openSim } from './open-sim.ts';

/** Makes calls of several kinds, and an index of them: each its own key, path or parameter. */
export async function callIndexOf(count: number) {
  const { sim, call } = await openSim();
  for (let n = 0; n < count; n++) {
    const body = { storeExternalId: `${n % 4}`, uniqueReceiptId: `till-${n}`, items: [{ sku: '1' }, { sku: n % 2 }] };
    const headers = { 'x-till': `${n % 2}`, ...(n % 5 === 0 && { 'x-sim-step': '1' }) };
    if (n % 3 === 0) await call('GET', `/api/v3/nothing/${n + 1}`, { headers });
    else if (n % 3 === 1) await call('POST', '/api/v3/receipts', { body, headers });
    else await call('GET', `/api/v3/stores?page=${n % 2}&page=1&number=${n}`, { headers });
  }
  const { calls } = collectEvidence(sim.tenants.default);
  return { calls, index: finish(RequestIndex.of(calls)) };
}
