import { describe, expect, it } from 'vitest';
import { receiptOf } from '../support/receipt.ts';
import { statusesOf } from '../support/rules.ts';
import { astrid } from '../support/people.ts';
import { openSimWithRules } from '../support/open-sim.ts';

const receipts = async ({ get }: Awaited<ReturnType<typeof openSimWithRules>>): Promise<number> =>
  (await get(`/api/v3/transactions?contactId=${astrid}`)).body.items.length;

describe('the job that a call queues', () => {
  const match = { endpoint: 'createReceipt' };

  it('fails, and the call was accepted all the same', async () => {
    const client = await openSimWithRules([{ id: 'lost', match, fault: { job: 'fail' }, times: 1 }]);
    const before = await receipts(client);
    expect((await client.post('/api/v3/receipts', receiptOf(astrid, 'r-1'))).status).toBe(202);
    expect((await client.post('/api/v3/receipts', receiptOf(astrid, 'r-2'))).status).toBe(202);
    expect(await receipts(client)).toBe(before + 1);
    const [failed] = (await client.get('/__admin/queue')).body.jobs;
    expect(failed).toMatchObject({ status: 'failed', failsBy: 'lost', error: 'made to fail by the rule lost' });
  });

  it('fails when it is due', async () => {
    const client = await openSimWithRules([{ id: 'lost', match, fault: { job: 'fail' } }], { queueDelay: 60_000 });
    await client.post('/api/v3/receipts', receiptOf(astrid, 'r-1'));
    const { executed } = (await client.post('/__admin/clock', { advance: '1m' })).body;
    expect(executed.map(({ error }: { error: string }) => error)).toEqual(['made to fail by the rule lost']);
  });

  it('is done later', async () => {
    const client = await openSimWithRules([{ match, fault: { job: { delay: 900_000 } } }]);
    const before = await receipts(client);
    await client.post('/api/v3/receipts', receiptOf(astrid, 'r-1'));
    await client.post('/__admin/clock', { advance: '14m' });
    expect(await receipts(client)).toBe(before);
    await client.post('/__admin/clock', { advance: '1m' });
    expect(await receipts(client)).toBe(before + 1);
  });
});

describe('a delay on the tenant’s clock', () => {
  const slow = { match: { endpoint: 'createReceipt' }, fault: { delay: { fixed: 30_000, time: 'virtual' as const } } };

  it.each(['before', 'after'] as const)('passes when the clock is advanced, in phase %s', async (phase) => {
    const client = await openSimWithRules([{ ...slow, fault: { ...slow.fault, phase } }]);
    const before = await receipts(client);
    const answered = client.post('/api/v3/receipts', receiptOf(astrid, 'r-1'));
    expect(await statusesOf(client, 1)).toEqual([200]);
    expect(await receipts(client)).toBe(phase === 'before' ? before : before + 1);
    await client.post('/__admin/clock', { advance: '29s' });
    expect(await Promise.race([answered, statusesOf(client, 3)])).toEqual([200, 200, 200]);
    await client.post('/__admin/clock', { advance: '1s' });
    expect((await answered).status).toBe(202);
    expect(await receipts(client)).toBe(before + 1);
  });

  it('passes by itself when the clock runs', async () => {
    const client = await openSimWithRules([{ ...slow, fault: { delay: { fixed: 30, time: 'virtual' } } }]);
    const answered = client.post('/api/v3/receipts', receiptOf(astrid, 'r-1'));
    await client.post('/__admin/clock', { resume: true });
    expect((await answered).status).toBe(202);
  });

  it('ends when its rule is taken away, and nothing was done', async () => {
    const client = await openSimWithRules([]);
    await client.sim.faults.add(slow);
    const before = await receipts(client);
    const answered = client.post('/api/v3/receipts', receiptOf(astrid, 'r-1'));
    await statusesOf(client, 1);
    client.sim.faults.clear();
    await expect(answered).rejects.toThrow('fetch failed');
    expect(await receipts(client)).toBe(before);
  });
});
