import { describe, expect, it } from 'vitest';
import { openSim } from '../../support/open-sim.ts';
import { astrid, astridPath } from '../../support/people.ts';
import { receiptOf } from '../../support/receipt.ts';

const replayOf = (id: string): string => `/__admin/requests/${id}/replay`;

describe('the replay of a request', () => {
  it('sends a request again, as another attempt or as another operation', async () => {
    const { get, post } = await openSim();
    const before = (await get(`/__admin/contacts/${astrid}/card`)).body.receipts.totalCount;
    await post('/api/v3/receipts', receiptOf(astrid, 'r-1'));
    const again = (await post(replayOf('default-1'))).body;
    expect(again).toMatchObject({ id: 'default-2', endpoint: 'createReceipt', status: 202, effects: 0 });
    const other = (await post(replayOf('default-1'), { key: 'new' })).body;
    expect(other.effects).toBeGreaterThan(0);
    expect((await get(`/__admin/requests/${other.id}`)).body.request.json.uniqueReceiptId).toBe('r-1-again-3');
    expect((await get(`/__admin/contacts/${astrid}/card`)).body.receipts.totalCount).toBe(before + 2);
    expect((await get('/__admin/verdict')).body.operations).toHaveLength(1);
  });

  it('sends it to a branch, where another fault hits it', async () => {
    const client = await openSim();
    await client.patch(astridPath, { street: 'One' });
    await client.post('/__admin/tenants', { name: 'b', branch: { request: 'default-1', side: 'before' } });
    await client.post('/__admin/faults?tenant=b', {
      fault: { phase: 'after', respond: 'none', end: 'hang' },
      times: 1,
    });
    const hung = (await client.post(replayOf('default-1'), { tenant: 'b', within: '50ms' })).body;
    expect(hung).toMatchObject({ id: 'b-1', status: null, responseStatus: 200, end: 'hang' });
    expect((await client.get(`/t/b${astridPath}`)).body.street).toBe('One');
  });

  it('sends the key of the simulator, which the journal does not keep', async () => {
    const { call, post } = await openSim({ apiKeys: ['k'] });
    await call('PATCH', astridPath, { body: { street: 'One' }, headers: { apikey: 'k' } });
    expect((await post(replayOf('default-1'))).body.status).toBe(200);
  });

  it('has no new key for a request without one', async () => {
    const { get, post } = await openSim();
    await get('/api/v3/contacts/count');
    const { status, body } = await post(replayOf('default-1'), { key: 'new' });
    expect([status, body.validationErrors[0].field]).toEqual([400, 'key']);
  });
});
