/** The journals of all tenants together stay within one budget. */
import { expect, it } from 'vitest';
import { openEmptySim } from '../../support/open-sim.ts';

type Get = Awaited<ReturnType<typeof openEmptySim>>['get'];

const times = async (count: number, work: () => Promise<unknown>): Promise<void> => {
  for (let i = 0; i < count; i++) await work();
};

const journalOf = async (get: Get, tenant: string): Promise<{ count: number; evicted: number }> => {
  const { count, evicted } = (await get(`/__admin/requests?tenant=${tenant}`)).body;
  return { count, evicted };
};

it('the tenants that were called least recently give up their oldest requests first', async () => {
  const { get } = await openEmptySim({ totalJournalBytes: 60_000 });
  await times(20, () => get('/t/first/api/v3/stores'));
  await times(20, () => get('/t/second/api/v3/stores'));
  await get('/t/first/api/v3/stores');
  await times(20, () => get('/t/third/api/v3/stores'));
  const [first, second, third] = [
    await journalOf(get, 'first'),
    await journalOf(get, 'second'),
    await journalOf(get, 'third'),
  ];
  expect([third, first.count + first.evicted, second.count + second.evicted]).toEqual([
    { count: 20, evicted: 0 },
    21,
    20,
  ]);
  expect(second.evicted).toBeGreaterThan(first.evicted);
  const { journals } = (await get('/__admin/health')).body;
  expect(journals).toEqual({
    bytes: expect.any(Number),
    maxBytes: 60_000,
    evicted: first.evicted + second.evicted,
  });
  expect(journals.bytes).toBeLessThanOrEqual(60_000);
});

it('a journal that is cleared, and a tenant that is removed or made anew, give back what they held', async () => {
  const { get, post, call } = await openEmptySim();
  const held = async (): Promise<number> => (await get('/__admin/health')).body.journals.bytes;
  for (const name of ['default', 'cleared', 'removed', 'replaced'])
    await times(3, () => get(`/t/${name}/api/v3/stores`));
  const before = await held();
  await call('DELETE', '/__admin/requests?tenant=cleared');
  const afterClear = await held();
  await call('DELETE', '/__admin/tenants/removed');
  const afterRemoval = await held();
  await post('/__admin/tenants', { name: 'replaced', seed: 2 });
  await call('PUT', '/__admin/scenario?tenant=replaced', { body: { seed: 2 } });
  expect([afterClear / before, afterRemoval / before, (await held()) / before]).toEqual([0.75, 0.5, 0.25]);
});
