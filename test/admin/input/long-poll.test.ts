import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openEmptySim } from '../../support/open-sim.ts';
import { ella } from '../../support/people.ts';

const created = { request: { endpoint: 'createContact' } };

const waits = [
  ['GET', '/__admin/requests?tenant=shop&wait=60s&endpoint=createContact', undefined],
  ['POST', '/__admin/verify?tenant=shop&wait=60s', created],
] as const;

/** Replaces the tenant by one that is set up otherwise. */
const otherSetup = { seed: 5, rules: [] };

describe('a call that waits', () => {
  it.each(waits)('goes on with the tenant that takes the place of its own: %s %s', async (method, path, body) => {
    const { call, post } = await openEmptySim();
    await post('/__admin/tenants', { name: 'shop' });
    const waiting = call(method, path, { body });
    expect((await call('PUT', '/__admin/scenario?tenant=shop', { body: otherSetup })).status).toBe(200);
    await post('/t/shop/api/v3/contacts', ella);
    const response = await Promise.race([waiting, sleep(50_000, undefined, { ref: false })]);
    const { complete, verdict } = response?.body ?? {};
    expect(complete ?? verdict).toBe(complete === undefined ? 'PASS' : true);
  });

  it.each(waits)('ends once its tenant is deleted: %s %s', async (method, path, body) => {
    const { call, post, sim } = await openEmptySim();
    await post('/__admin/tenants', { name: 'shop' });
    const waiting = call(method, path, { body });
    await post('/t/shop/api/v3/consents', {});
    sim.tenants.remove('shop');
    expect(await waiting).toMatchObject({
      status: 404,
      body: { message: 'The tenant "shop" was deleted while this call waited.' },
    });
  });
});
