/** The journals of all tenants together stay within one budget. */
import { expect, it } from 'vitest';
import { openEmptySim, openSim } from '../../support/open-sim.ts';
import { astrid, astridPath } from '../../support/people.ts';

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
    historyBytes: 0,
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

it('earlier states count as well, and give way with the requests that they belong to', async () => {
  const { get, patch, post } = await openSim({ totalJournalBytes: 200_000 });
  await times(5, () => patch(`/t/idle${astridPath}`, { street: 'Storgatan 1' }));
  const adjust = {
    event: 'adjustPoints',
    contactId: astrid,
    definitionId: 1,
    amount: 1,
    description: 'a',
    by: 'manual',
  };
  let most = 0;
  await times(300, async () => {
    await post('/__admin/trigger?tenant=busy', adjust);
    const { bytes, historyBytes, maxBytes } = (await get('/__admin/health')).body.journals;
    expect([historyBytes > 0, historyBytes <= bytes, bytes <= maxBytes]).toEqual([true, true, true]);
    most = Math.max(most, historyBytes);
  });
  expect(most).toBeGreaterThan(100_000);
  expect(await journalOf(get, 'idle')).toEqual({ count: 1, evicted: 4 });
  expect((await get('/__admin/snapshots/diff?tenant=idle&from=request:idle-5')).status).toBe(200);
});

it('a tenant that is removed gives back its earlier states', async () => {
  const { get, patch, call } = await openSim();
  const held = async () => (await get('/__admin/health')).body.journals;
  await times(3, () => patch(`/t/removed${astridPath}`, { street: 'Storgatan 1' }));
  expect((await held()).historyBytes).toBeGreaterThan(0);
  await call('DELETE', '/__admin/tenants/removed');
  expect(await held()).toMatchObject({ bytes: 0, historyBytes: 0 });
});
