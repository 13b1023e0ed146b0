import { describe, expect, it } from 'vitest';
import { openEmptySim } from '../support/open-sim.ts';

describe('the control API', () => {
  it('keeps a thousand snapshots of a tenant, takes each again, and no more', async () => {
    const { post, call } = await openEmptySim();
    for (let i = 0; i < 1000; i++) await post(`/__admin/snapshots/s-${i}`);
    expect((await post('/__admin/snapshots/s-7')).status).toBe(201);
    const { status, body } = await post('/__admin/snapshots/further');
    const message = 'There are 1000 snapshots of the tenant "default", the most that it may have; DELETE';
    expect([status, body.message]).toEqual([409, expect.stringContaining(message)]);
    expect((await post('/__admin/snapshots/further?tenant=other')).status).toBe(201);
    await call('DELETE', '/__admin/snapshots/s-7');
    expect((await post('/__admin/snapshots/further')).status).toBe(201);
  });

  it.each<[string, string, string | undefined]>([
    ['GET', '/__admin/requests', undefined],
    ['GET', '/__admin/webhooks', undefined],
    ['POST', '/__admin/verify', '{"request":{"endpoint":"getContact"},"atLeast":1}'],
  ])('lets a thousand callers of a tenant wait, and no more: %s %s', async (method, path, body) => {
    const { sim } = await openEmptySim();
    const ended = new AbortController();
    const ask = (query: string) =>
      sim.fetch(`${path}?${query}`, { method, signal: ended.signal, ...(body !== undefined && { body }) });
    const waiting = Array.from({ length: 1000 }, () => ask('wait=60s').catch(() => undefined));
    const refused = await ask('wait=60s');
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain('1000 callers wait for the tenant');
    expect((await ask('')).status).toBe(200);
    expect((await ask('tenant=other&wait=0s')).status).toBe(path === '/__admin/verify' ? 200 : 404);
    ended.abort();
    await Promise.all(waiting);
    await expect
      .poll(async () => (await sim.fetch(`${path}?wait=0s`, { method, body: body ?? null })).status)
      .toBe(200);
  });
});
