import { expect, it } from 'vitest';
import { openClient } from '../support/client.ts';

const item = { firstName: 'Nils', email: 'nils.ny@example.com' };

it('says of a batch whose job failed that it failed, and why', async () => {
  const rule = { id: 'no-batches', match: { endpoint: 'createContacts' }, fault: { job: 'fail' } } as const;
  const { post, get } = await openClient();
  await post('/__admin/faults', rule);
  const { body: batchId } = await post('/api/v3/contacts/bulk', [item]);
  const { body } = await get(`/api/v3/contacts/bulk/status?batchId=${batchId}`);
  expect(body).toMatchObject({ status: 'Failed', message: expect.stringContaining('no-batches'), succeededCount: 0 });
});

it('says of a batch that waits that it is queued', async () => {
  const { post, get } = await openClient({ queueDelay: 60_000 });
  const { body: batchId } = await post('/api/v3/contacts/bulk', [item]);
  expect((await get(`/api/v3/contacts/bulk/status?batchId=${batchId}`)).body.status).toBe('Queued');
  await post('/__admin/clock', { advance: '1m' });
  expect((await get(`/api/v3/contacts/bulk/status?batchId=${batchId}`)).body.status).toBe('Completed');
});
