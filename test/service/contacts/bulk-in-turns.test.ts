import { describe, expect, it } from 'vitest';
import { openEmptySim, openSim } from '../../support/open-sim.ts';
import { astrid } from '../../support/people.ts';
import { adjustAtOnce, adjustment, begin, crowd, servedUntil } from '../../support/work-in-turns.ts';
import type { Client } from '../../support/client.ts';

/** Sends the crowd, and goes on as soon as it is worked on. */
const sendCrowd = (client: Client) => begin(client, () => client.post('/api/v3/contacts/bulk', crowd));

describe('a bulk of contacts', () => {
  it('lets other tenants work while a bulk is worked on', async () => {
    const client = await openEmptySim();
    const { answer: bulk, isDone } = await sendCrowd(client);
    expect(await servedUntil(client, isDone)).toBeGreaterThan(0);
    expect((await bulk).status).toBe(202);
  });

  it('lets requests of the same tenant wait for all of it', async () => {
    const client = await openEmptySim();
    const { answer: bulk, isDone } = await sendCrowd(client);
    expect(isDone()).toBe(false);
    const count = client.get('/api/v3/contacts/count');
    const created = client.post('/api/v3/contacts', crowd[3999]);
    expect((await count).body).toBe(4000);
    expect((await created).status).toBe(409);
    const { body: batchId } = await bulk;
    const { body } = await client.get(`/api/v3/contacts/bulk/status?batchId=${batchId}`);
    expect([body.status, body.succeededCount]).toEqual(['Completed', 4000]);
  });

  it('is done anew when the control API changes the tenant meanwhile', async () => {
    const client = await openEmptySim();
    await client.post('/__admin/clock', { advance: '1d' });
    const { answer: bulk, isDone } = await sendCrowd(client);
    expect((await client.get('/__admin/tenants/default')).body.rows.contacts ?? 0).toBe(0);
    expect(isDone()).toBe(false);
    await client.post('/__admin/reset', { scopes: ['clock'] });
    const { body: batchId } = await bulk;
    expect((await client.get('/api/v3/contacts/count')).body).toBe(4000);
    const { body } = await client.get(`/api/v3/contacts/bulk/status?batchId=${batchId}`);
    expect([body.status, body.createdOn]).toEqual(['Completed', '2026-03-01T12:00:00.000Z']);
  });

  it('is done before a clock that is moved afterwards', async () => {
    const client = await openEmptySim();
    const { answer: bulk, isDone } = await sendCrowd(client);
    expect(isDone()).toBe(false);
    expect((await client.post('/__admin/clock', { advance: '1d' })).body.now).toBe('2026-03-02T12:00:00.000Z');
    const { body: batchId } = await bulk;
    const { body } = await client.get(`/api/v3/contacts/bulk/status?batchId=${batchId}`);
    expect([body.status, body.createdOn]).toEqual(['Completed', '2026-03-01T12:00:00.000Z']);
  });

  it('does two bulks and what comes behind them in their order', async () => {
    const client = await openEmptySim();
    const { answer: bulk } = await sendCrowd(client);
    const second = client.patch(
      '/api/v3/contacts/bulk',
      crowd.map(({ email }) => ({ email, lastName: 'Second' })),
    );
    const third = client.patch(
      '/api/v3/contacts/bulk',
      crowd.map(({ email }) => ({ email, lastName: 'Third' })),
    );
    await Promise.all([bulk, second, third]);
    const { body: id } = await client.get('/api/v3/contacts/id?email=crowd3999@example.com');
    expect((await client.get(`/api/v3/contacts/${id}`)).body).toMatchObject({
      firstName: 'First 3999',
      lastName: 'Third',
    });
    const { body } = await client.get('/__admin/requests/default-1');
    expect(body.effects.filter(({ table }: { table: string }) => table === 'contacts')).toHaveLength(4000);
  });

  it.each([
    ['somebody else did meanwhile', adjustAtOnce, false],
    [
      'the control API is to do meanwhile, after it',
      async (client: Client, id: string) => {
        expect((await client.post('/__admin/trigger', adjustment(id))).status).toBe(200);
      },
      true,
    ],
  ])('keeps what %s', async (_title, adjust, isAfter) => {
    const client = await openSim();
    const { answer: bulk, isDone } = await sendCrowd(client);
    await adjust(client, astrid);
    expect(isDone()).toBe(isAfter);
    await bulk;
    const { counts } = (await client.get('/__admin/snapshots/diff?limit=1')).body;
    expect([counts.contacts.created, counts.pointTransactions?.created]).toEqual([4000, 1]);
  });
});
