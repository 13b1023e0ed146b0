/** whose requests are counted, and what forgets them. A second may end at any moment: none of this waits for one. */
import { describe, expect, it } from 'vitest';
import { openEmptySim } from '../../support/open-sim.ts';
import type { Client } from '../../support/client.ts';

const path = '/api/v3/contacts/count';
const a05 = { assumptions: { 'A-05': '50' } };

/** Sends so many requests at once that some are refused, and returns the status of one more. */
async function statusAfterBurst({ get }: Client, prefix: string, between: () => Promise<unknown>): Promise<number> {
  const burst = await Promise.all(Array.from({ length: 150 }, () => get(`${prefix}${path}`)));
  expect(burst.map(({ status }) => status)).toContain(429);
  await between();
  return (await get(`${prefix}${path}`)).status;
}

describe('the rate limit', () => {
  it('forgets requests with the journal of their tenant', async () => {
    const client = await openEmptySim(a05);
    expect(await statusAfterBurst(client, '', () => client.post('/__admin/reset', {}))).toBe(200);
    const scopes = ['journal'];
    expect(await statusAfterBurst(client, '', () => client.post('/__admin/reset', { scopes }))).toBe(200);
  });

  it('forgets requests with their tenant', async () => {
    const client = await openEmptySim();
    const tenant = { name: 'limited', ...a05 };
    const create = () => client.post('/__admin/tenants', tenant);
    expect((await create()).status).toBe(201);
    const again = async () => {
      await client.call('DELETE', '/__admin/tenants/limited');
      await create();
    };
    expect(await statusAfterBurst(client, '/t/limited', again)).toBe(200);
  });

  it('counts each key of a tenant apart', async () => {
    const client = await openEmptySim(a05);
    const other = () => client.call('GET', path, { headers: { apikey: 'other' } });
    let status = 0;
    await statusAfterBurst(client, '', async () => void ({ status } = await other()));
    expect(status).toBe(200);
  });
});
