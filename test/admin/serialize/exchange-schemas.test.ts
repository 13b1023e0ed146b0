import { Agent, get } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { receiptOf } from '../../support/receipt.ts';
import { statusesOf } from '../../support/rules.ts';
import { astrid } from '../../support/people.ts';
import { openSimWithRules } from '../../support/open-sim.ts';

const lost = { phase: 'after', respond: 'none', end: 'reset' } as const;

/** A client whose receipt was taken and whose answer was lost, and what is told of that. */
async function openLost() {
  const client = await openSimWithRules([
    { id: 'lost-receipt', match: { endpoint: 'createReceipt' }, fault: { ...lost, delay: 5 }, times: 1 },
    { id: 'store-600', match: { endpoint: 'createReceipt', body: { storeExternalId: '600' } }, fault: 504 },
  ]);
  await expect(client.post('/api/v3/receipts', receiptOf(astrid, 'r-1'))).rejects.toThrow('fetch failed');
  return { client, told: (await client.get('/__admin/requests/default-1')).body };
}

describe('a request that a fault befell', () => {
  it('shows the fault, the response and the effects of the service, and what the client got', async () => {
    const { told } = await openLost();
    expect(told.fault).toEqual({
      rule: 'lost-receipt',
      hit: 1,
      ...lost,
      status: null,
      delay: 5,
      time: 'real',
      chunks: 1,
      job: null,
    });
    expect([told.status, told.responseStatus, told.end, told.response.status]).toEqual([null, 202, 'reset', 202]);
    expect(told.delivered).toEqual({ status: null, headers: {}, body: null, json: null, bytes: 0, end: 'reset' });
    expect(told.effects.map(({ table }: { table: string }) => table)).toContain('receipts');
  });

  it('tells of the rules that nearly fired', async () => {
    const { told } = await openLost();
    const reason = 'body.storeExternalId is "100", the rule wants "600"';
    expect(told.nearMisses).toEqual([{ rule: 'store-600', reason }]);
  });

  it('tells that the service did nothing where the fault came first', async () => {
    const client = await openSimWithRules([{ id: 'r', fault: { status: 504, body: { a: 1 } } }]);
    await statusesOf(client, 1);
    const { response, responseStatus, effects, delivered, status } = (await client.get('/__admin/requests/default-1'))
      .body;
    expect({ response, responseStatus, effects, status }).toEqual({
      response: null,
      responseStatus: null,
      effects: [],
      status: 504,
    });
    expect(delivered).toMatchObject({ status: 504, json: { a: 1 }, bytes: 7, end: 'normal' });
  });

  it('is shown in short in the list', async () => {
    const { client } = await openLost();
    const [line] = (await client.get('/__admin/requests')).body.items;
    const { status, responseStatus, end, fault } = line;
    expect({ status, responseStatus, end }).toEqual({ status: null, responseStatus: 202, end: 'reset' });
    expect(fault).toEqual({ rule: 'lost-receipt', hit: 1, phase: 'after' });
  });

  it.each([
    ['lost-receipt', [1]],
    ['store-600', []],
    ['any', [1]],
    ['none', [2]],
  ])('is found by its rule: %s', async (rule, numbers) => {
    const { client } = await openLost();
    await statusesOf(client, 1);
    const { items } = (await client.get(`/__admin/requests?fault=${rule}`)).body;
    expect(items.map(({ number }: { number: number }) => number)).toEqual(numbers);
  });

  it('is not found by a rule that there isn’t', async () => {
    const { client } = await openLost();
    const { status, body } = await client.get('/__admin/requests?fault=lost-reciept');
    expect(status).toBe(400);
    expect(body.validationErrors[0].errorDescription).toContain('did you mean "lost-receipt"?');
  });
});

describe('the connection of a request', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  afterAll(() => agent.destroy());

  const call = (url: string): Promise<unknown> =>
    new Promise((resolve) => {
      get(url, { agent, headers: { 'user-agent': 'test' } }, (answer) => answer.resume().on('end', resolve));
    });

  it('is shown where there is one', async () => {
    const client = await openSimWithRules([]);
    const { url, close } = await client.sim.listen();
    // Begun at once: the second waits for the connection of the first.
    await Promise.all([call(`${url}/api/v3/stores`), call(`${url}/api/v3/stores`)]);
    await statusesOf(client, 1);
    const told = [];
    for (const n of [1, 2, 3]) told.push((await client.get(`/__admin/requests/default-${n}`)).body.connection);
    await close();
    const [{ id, port }] = told;
    expect(told).toEqual([{ id, port, request: 1 }, { id, port, request: 2 }, null]);
  });
});
