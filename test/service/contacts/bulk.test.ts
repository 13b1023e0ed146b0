import { describe, expect, it } from 'vitest';
import { ada, nils } from '../../support/people.ts';
import { openSimWithAda, openSim, openEmptySim } from '../../support/open-sim.ts';

describe('the status of a bulk', () => {
  it('says of a batch whose job failed that it failed, and why', async () => {
    const rule = { id: 'no-batches', match: { endpoint: 'createContacts' }, fault: { job: 'fail' } } as const;
    const { post, get } = await openSim();
    await post('/__admin/faults', rule);
    const { body: batchId } = await post('/api/v3/contacts/bulk', [nils]);
    const { body } = await get(`/api/v3/contacts/bulk/status?batchId=${batchId}`);
    expect(body).toMatchObject({ status: 'Failed', message: expect.stringContaining('no-batches'), succeededCount: 0 });
  });

  it('says of a batch that waits that it is queued', async () => {
    const { post, get } = await openSim({ queueDelay: 60_000 });
    const { body: batchId } = await post('/api/v3/contacts/bulk', [nils]);
    expect((await get(`/api/v3/contacts/bulk/status?batchId=${batchId}`)).body.status).toBe('Queued');
    await post('/__admin/clock', { advance: '1m' });
    expect((await get(`/api/v3/contacts/bulk/status?batchId=${batchId}`)).body.status).toBe('Completed');
  });
});

describe('/contacts/bulk', () => {
  const items = [{ email: 'a@example.com' }, { email: 'bad' }, 7, { email: 'b@example.com', emial: 'x' }];

  it('creates item by item; a bad one harms no other', async () => {
    const client = await openEmptySim();
    const { status, body, warnings } = await client.post('/api/v3/contacts/bulk', items);
    expect(status).toBe(202);
    expect(warnings).toContain('"[3].emial"');
    const batch = (await client.get(`/api/v3/contacts/bulk/status?batchId=${body}`)).body;
    expect([batch.status, batch.succeededCount, batch.failedCount]).toEqual(['CompletedWithErrors', 2, 2]);
    expect(batch.errors.map((error: { index: number }) => error.index)).toEqual([1, 2]);
    expect((await client.get('/api/v3/contacts/count')).body).toBe(2);
  });

  it('changes contacts by id or key', async () => {
    const { client, id } = await openSimWithAda();
    await client.patch('/api/v3/contacts/bulk', [
      { id, firstName: 'Eva' },
      { email: ada.email, lastName: 'Alm' },
      { email: 'nobody@example.com', lastName: 'Alm' },
    ]);
    const { body } = await client.get(`/api/v3/contacts/${id}`);
    expect([body.firstName, body.lastName]).toEqual(['Eva', 'Alm']);
  });

  it('shows nothing before the delay is over', async () => {
    const client = await openEmptySim({ queueDelay: 60_000 });
    const batchId = (await client.post('/api/v3/contacts/bulk', [{ email: 'a@example.com' }])).body;
    const status = async (): Promise<string> =>
      (await client.get(`/api/v3/contacts/bulk/status?batchId=${batchId}`)).body.status;
    expect([await status(), (await client.get('/api/v3/contacts/count')).body]).toEqual(['Queued', 0]);
    await client.sim.clock.advance(60_000);
    expect([await status(), (await client.get('/api/v3/contacts/count')).body]).toEqual(['Completed', 1]);
  });

  it('refuses more than 4000 items', async () => {
    const many = Array.from({ length: 4001 }, () => ({}));
    const { status, body } = await (await openEmptySim()).post('/api/v3/contacts/bulk', many);
    expect([status, body.errorCode]).toEqual([400, 'TooManyItems']);
  });

  it('answers an object where A-19 says so', async () => {
    const { body } = await (
      await openEmptySim({ assumptions: { 'A-19': 'object' } })
    ).post('/api/v3/contacts/bulk', []);
    expect(body).toEqual({ batchId: expect.any(String) });
  });
});
