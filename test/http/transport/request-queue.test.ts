/** Requests that come before the responses to earlier ones on their connection were read. */
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { openSimOnPort } from '../../support/open-sim-on-port.ts';
import { astrid } from '../../support/people.ts';
import { lineOf } from '../../support/receipt-lines.ts';
import { receiptOf } from '../../support/receipt.ts';
import { answers, count, eventually, statuses } from '../../support/served.ts';
import { openWire, rawRequest } from '../../support/wire.ts';

const items = Array.from({ length: 5000 }, (_, n) => lineOf({ sku: `sku-${n}`, grossPaidPrice: 1, taxAmount: 0.2 }));
const purchases = { items, totalGrossPrice: 5000, paymentMethods: [{ type: 'CARD', value: 5000 }] };
const list = rawRequest('GET', `/api/v3/transactions?contactId=${astrid}&count=1000`);
const last = rawRequest('GET', count, undefined, 'connection: close');

/** Opens a simulator whose list of purchases is longer than what may wait for a client that does not read yet. */
async function openWithLongList() {
  const { sim, get, post, port } = await openSimOnPort();
  expect((await post('/api/v3/receipts', receiptOf(astrid, 'long', purchases))).status).toBe(202);
  await post('/__admin/queue/drain');
  const { journal } = sim.tenants.default;
  const begun = () => [...journal.exchanges()].filter(({ method, path }) => method === 'GET' && path !== count);
  return { begun, client: connect(port, '127.0.0.1').pause(), get };
}

describe('requests in a row on one connection', () => {
  it('begin only as their client reads, and get their responses in order', async () => {
    const { begun, client } = await openWithLongList();
    client.write(list.repeat(16) + last);
    await eventually(() => begun().some(({ status }) => status === 200));
    expect(begun().length).toBeLessThan(10);
    const heard = Buffer.concat(await client.toArray());
    expect(statuses(heard)).toEqual(Array.from({ length: 17 }, () => '200'));
    expect(heard.length).toBeGreaterThan(16_000_000);
  });

  it('do what they ask for, though their client has gone while they waited', async () => {
    const { begun, client, get } = await openWithLongList();
    const late = rawRequest('POST', '/api/v3/contacts', { email: 'late@example.com' });
    const { body: before } = await get(count);
    client.write(list.repeat(10) + late);
    await eventually(() => begun().some(({ status }) => status === 200));
    client.resetAndDestroy();
    await eventually(() => begun().length === 10);
    await vi.waitFor(async () => expect((await get(count)).body).toBe(before + 1), { timeout: 100_000 });
  });

  it('get their responses in order from the control API too', async () => {
    const wire = openWire((await openSimOnPort()).port);
    wire.write(rawRequest('GET', '/__admin/health').repeat(10) + rawRequest('GET', '/__admin/none') + last);
    await wire.ended;
    expect(statuses(wire.heard())).toEqual([...Array.from({ length: 10 }, () => '200'), '404', '200']);
  });

  it('begin in several turns where each of them takes long', async () => {
    const { sim, port } = await openSimOnPort();
    const { journal } = sim.tenants.default;
    journal.onCompleted(() => {
      // Longer than the work of a turn may take.
      for (const end = performance.now() + 20; performance.now() < end;);
    });
    const wire = openWire(port);
    wire.write(rawRequest('GET', count).repeat(6));
    await wire.until(answers(6));
    const turns = [...journal.exchanges()].map(({ connection }) => connection?.eventLoopTurn);
    expect(new Set(turns).size).toBeGreaterThan(4);
  });
});
