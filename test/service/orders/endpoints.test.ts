import { describe, expect, it } from 'vitest';
import type { Communication } from '../../../src/service/orders/schema.ts';
import type { Client } from '../../support/client.ts';
import { astrid, bo } from '../../support/people.ts';
import { openSim } from '../../support/open-sim.ts';

const fixtures = 'test/support/orders.json';
const now = '2026-03-01T12:00:00.000Z';

const order = {
  contact: { matchKey: 'astrid@example.com', matchKeyType: 'email' },
  orderNumber: 'W-1',
  orderStatus: 'OrderConfirmed',
  paymentStatus: 'Pending',
  createdDate: '2026-03-01T10:00:00+01:00',
  storeId: '900',
  currency: 'SEK',
  totalGrossPrice: 499,
  items: [{ sku: '10442-M', quantity: 1, articleName: 'Linen shirt', grossPaidPrice: 499 }],
};

const outboxOf = async ({ get }: Client, query = ''): Promise<Communication[]> =>
  (await get(`/__admin/outbox${query}`)).body.items;

const templatesOf = async (client: Client, query?: string): Promise<string[]> =>
  (await outboxOf(client, query)).map(({ template }) => template);

/** Sends an order and answers what became of it. */
async function send({ post, get }: Client, changes: object = {}) {
  const { body, warnings } = await post('/orders', { ...order, ...changes });
  const { body: job } = await get(`/orders/jobs/${body.jobId}`);
  return { job, warnings, messages: job.messages.map(({ message }: { message: string }) => message) };
}

describe('the orders API', () => {
  it('lists what was sent in pages', async () => {
    const client = await openSim({ fixtures });
    for (const orderNumber of ['W-1', 'W-2', 'W-3']) await send(client, { orderNumber, orderStatus: 'orderconfirmed' });
    const { body } = await client.get('/__admin/outbox?offset=1&limit=1');
    expect([body.count, body.items.map((sent: Communication) => sent.orderNumber)]).toEqual([3, ['W-2']]);
  });

  it('knows the fields that public clients send', async () => {
    const client = await openSim({ fixtures, fieldValidation: 'strict' });
    const sent = {
      language: 'sv-SE',
      shippingDate: '2026-03-02T10:00:00Z',
      totalTax: 99.8,
      paymentMethods: [{ type: 'card', description: 'Visa', value: 499 }],
    };
    const items = [
      { sku: '1001-M', quantity: 1, description: 'Blue', extraData: { size: 'M', weight: 2 } },
      { sku: '1002-M', quantity: 1, extraData: [{ name: 'size', value: 'M' }] },
    ];
    const answered = await client.post('/orders', { ...order, ...sent, items });
    expect([answered.status, answered.body.validationErrors]).toEqual([202, undefined]);
  });
});

describe('an order', () => {
  it('is accepted with a link to its job', async () => {
    const { post, get } = await openSim({ fixtures });
    const { status, body } = await post('/t/shop/api/v3/orders', order);
    const href = `/t/shop/api/v3/orders/jobs/${body.jobId}`;
    expect(status).toBe(202);
    expect(body.links).toEqual([{ id: body.jobId, href, method: 'GET', rel: 'self' }]);
    expect((await get(href)).status).toBe(200);
  });

  it('sends what the retailer set up for its status', async () => {
    const client = await openSim({ fixtures });
    const { job, warnings } = await send(client, { orderStatus: 'orderconfirmed' });
    const [sent] = await outboxOf(client);
    expect(warnings).toBe('');
    expect(job).toEqual({
      jobId: job.jobId,
      status: 'Completed',
      orderNumber: 'W-1',
      createdOn: now,
      finishedOn: now,
      communications: [sent?.id],
      messages: [],
    });
  });

  it('leaves in the outbox who was written to, and why', async () => {
    const client = await openSim({ fixtures });
    const { job } = await send(client);
    expect(await outboxOf(client)).toEqual([
      {
        id: job.communications[0],
        number: 1,
        at: now,
        contactId: astrid,
        channel: 'email',
        to: 'astrid@example.com',
        template: 'order-confirmation',
        orderNumber: 'W-1',
        orderStatus: 'OrderConfirmed',
        jobId: job.jobId,
        status: 'sent',
        reason: null,
      },
    ]);
  });

  it('sends more with every status it comes to', async () => {
    const client = await openSim({ fixtures });
    for (const orderStatus of ['OrderConfirmed', 'Packed', 'Shipped']) await send(client, { orderStatus });
    expect(await templatesOf(client)).toEqual(['order-confirmation', 'shipping-confirmation', 'on-its-way']);
  });

  it('is found in the outbox by its number and by its contact', async () => {
    const client = await openSim({ fixtures });
    for (const orderNumber of ['W-1', 'W-2']) await send(client, { orderNumber });
    expect((await outboxOf(client, '?orderNumber=W-2')).map(({ orderNumber }) => orderNumber)).toEqual(['W-2']);
    expect(await templatesOf(client, `?contactId=${astrid.toUpperCase()}`)).toHaveLength(2);
    expect(await outboxOf(client, `?orderNumber=W-1&contactId=${bo}`)).toEqual([]);
  });

  it('sends nothing twice when it is sent again, and says so', async () => {
    const client = await openSim({ fixtures });
    await send(client);
    const { job, warnings, messages } = await send(client);
    expect(await templatesOf(client)).toEqual(['order-confirmation']);
    expect(job).toMatchObject({ status: 'Completed', communications: [] });
    expect(messages).toEqual([expect.stringContaining('order W-1 was sent with the status OrderConfirmed already')]);
    expect(warnings).toContain('repeated-order');
  });

  it('stays as small as it was, however often it is sent', async () => {
    const client = await openSim({ fixtures });
    await send(client);
    await send(client);
    const { items } = (await client.get('/__admin/requests?endpoint=createOrder')).body;
    const { effects } = (await client.get(`/__admin/requests/${items.at(-1).id}`)).body;
    expect(effects.map(({ table }: { table: string }) => table)).toEqual(['orderJobs']);
  });

  it('sends nothing again when only its payment has changed', async () => {
    const client = await openSim({ fixtures });
    await send(client);
    const { warnings } = await send(client, { paymentStatus: 'Paid' });
    expect(await templatesOf(client)).toEqual(['order-confirmation']);
    expect(warnings).toBe('');
  });

  it('sends nothing again when it comes back to a status', async () => {
    const client = await openSim({ fixtures });
    for (const orderStatus of ['OrderConfirmed', 'Packed', 'OrderConfirmed']) await send(client, { orderStatus });
    expect(await templatesOf(client)).toEqual(['order-confirmation']);
  });

  it('tells when the contact has no address for what is to be sent, and sends it once there is one', async () => {
    const client = await openSim({ fixtures });
    const ready = { contact: { matchKey: '100002', matchKeyType: 'memberNumber' }, orderStatus: 'ReadyForPickup' };
    const { job, warnings } = await send(client, ready);
    await client.patch(`/api/v3/contacts/${bo}`, { mobilePhone: '+46701740602' });
    const { messages } = await send(client, ready);
    expect(messages).toEqual([expect.stringContaining('; sent now is what could not be sent then: ready-for-pickup')]);
    expect(job.status).toBe('CompletedWithErrors');
    expect(warnings).toContain('communication-not-sent');
    expect((await outboxOf(client)).map(({ status, to, reason }) => ({ status, to, reason }))).toEqual([
      { status: 'not-sent', to: null, reason: 'the contact has no mobilePhone' },
      { status: 'sent', to: '+46701740602', reason: null },
    ]);
  });

  it('is kept when nobody is known by its key, and mails its contact when sent again later', async () => {
    const client = await openSim({ fixtures });
    const ella = { contact: { matchKey: 'ella@example.com', matchKeyType: 'email' } };
    const { job, warnings } = await send(client, ella);
    await client.post('/api/v3/contacts', { email: 'ella@example.com' });
    await send(client, ella);
    expect(job).toMatchObject({ status: 'CompletedWithErrors', communications: [] });
    expect(warnings).toContain('unknown-contact');
    expect((await outboxOf(client)).map(({ to }) => to)).toEqual(['ella@example.com']);
  });

  it('names the store that was probably meant', async () => {
    const { job, warnings } = await send(await openSim({ fixtures }), { storeId: '901' });
    expect(job.messages).toEqual([{ message: 'no store has the storeId "901"; did you mean "900"?', timeStamp: now }]);
    expect(warnings).toContain('unknown-store');
  });

  it('never touches the purchase history', async () => {
    const client = await openSim({ fixtures });
    await send(client);
    expect((await client.get(`/api/v3/transactions?contactId=${astrid}`)).body.totalCount).toBe(0);
    expect((await client.get(`/api/v3/contacts/${astrid}/purchasehistorysummary`)).status).toBe(404);
  });
});

describe('an order that is refused', () => {
  it('has every missing field named', async () => {
    const { post } = await openSim({ fixtures });
    const { status, body } = await post('/orders', {
      contact: order.contact,
      orderNumber: null,
      items: [{ sku: 'a' }],
    });
    expect(status).toBe(400);
    expect(body.validationErrors.map(({ field }: { field: string }) => field)).toEqual([
      'orderNumber',
      'orderStatus',
      'paymentStatus',
      'createdDate',
      'storeId',
      'currency',
      'totalGrossPrice',
      'items[0].quantity',
    ]);
  });

  it('has every wrong field named, and sends nothing', async () => {
    const client = await openSim({ fixtures });
    const wrong = {
      contact: { matchKey: 'x', matchKeyType: 'phone' },
      currency: 'kr',
      items: {},
      createdDate: 'today',
    };
    const { body } = await client.post('/orders', { ...order, ...wrong });
    const fields = body.validationErrors.map(({ field }: { field: string }) => field);
    expect(fields.toSorted()).toEqual(['contact.matchKeyType', 'createdDate', 'currency', 'items']);
    expect(await outboxOf(client)).toEqual([]);
  });

  it('may name a contact type that does not exist', async () => {
    const { post } = await openSim({ fixtures });
    const { status, body } = await post('/orders', { ...order, contact: { ...order.contact, contactType: 'Membr' } });
    expect(status).toBe(400);
    expect(body.errorCode).toBe('InvalidContactType');
  });

  it('is accepted all the same where A-30 is lenient', async () => {
    const client = await openSim({ fixtures, assumptions: { 'A-30': 'lenient' } });
    const { status, body } = await client.post('/orders', { contact: order.contact, items: [{}] });
    const { body: job } = await client.get(`/orders/jobs/${body.jobId}`);
    expect(status).toBe(202);
    expect(job).toMatchObject({ status: 'Completed', orderNumber: null, communications: [] });
  });

  it('is accepted without a contact where A-30 is lenient, and says that nothing is sent', async () => {
    const { post } = await openSim({ fixtures, assumptions: { 'A-30': 'lenient' } });
    const { status, warnings } = await post('/orders', {});
    expect(status).toBe(202);
    expect(warnings).toBe('unknown-contact: the order names no contact; the order is kept, but nothing is sent for it');
  });
});

describe('an order job', () => {
  it('is queued until its time has come', async () => {
    const client = await openSim({ fixtures, queueDelay: 60_000 });
    const { job } = await send(client);
    await client.post('/__admin/clock', { advance: '60s' });
    const { body } = await client.get(`/api/v3/orders/jobs/${job.jobId}`);
    expect([job.status, job.finishedOn]).toEqual(['Queued', null]);
    expect([body.status, body.finishedOn]).toEqual(['Completed', '2026-03-01T12:01:00.000Z']);
  });

  it('has failed when its work has', async () => {
    const client = await openSim({ fixtures, queueDelay: 60_000 });
    const { job } = await send(client);
    await client.post('/__admin/queue', { fail: true });
    const { body } = await client.get(`/orders/jobs/${job.jobId}`);
    expect(body).toMatchObject({ status: 'Failed', messages: [{ message: expect.any(String), timeStamp: now }] });
  });

  it.each(['4bd8d6a6-0000-4000-8000-000000000000', 'nonsense'])('is not found by %s', async (jobId) => {
    const { get } = await openSim({ fixtures });
    const { status, body } = await get(`/orders/jobs/${jobId}`);
    expect(status).toBe(404);
    expect(body.errorCode).toBe('OrderJobNotFound');
  });
});
