import { describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { astrid } from '../../support/people.ts';
import { openSim } from '../../support/open-sim.ts';

const cardOf = async ({ get }: Client, id = astrid, query = '') =>
  (await get(`/__admin/contacts/${id}/card${query}`)).body;

const order = {
  contact: { matchKey: 'astrid.lindqvist@example.com', matchKeyType: 'email' },
  orderNumber: 'W-1',
  orderStatus: 'OrderConfirmed',
  paymentStatus: 'Paid',
  createdDate: '2026-03-01T10:00:00Z',
  storeId: '900',
  currency: 'SEK',
  totalGrossPrice: 499,
  items: [{ sku: '1001-M', quantity: 1 }],
};

describe('the card of a contact', () => {
  it('shows a contact as it is kept, personal number included', async () => {
    const client = await openSim({ assumptions: { 'A-65': 'null' } });
    const { id, integerId, now, contact, consents } = await cardOf(client);
    const { body } = await client.get(`/api/v3/contacts/${astrid}`);
    expect([id, integerId, now]).toEqual([astrid, 100001, '2026-03-01T12:00:00.000Z']);
    expect({ ...contact.attributes, preferences: contact.preferences, consents }).toEqual(
      expect.objectContaining({
        socialSecurityNumber: body.socialSecurityNumber,
        preferences: body.preferences,
        consents: body.consents,
      }),
    );
  });

  it('shows accounts with their balances and transactions as the service returns them', async () => {
    const client = await openSim();
    const { pointAccounts } = await cardOf(client);
    const { items } = (await client.get(`/api/v3/point-accounts?contactId=${astrid}`)).body;
    for (const [i, { integerId, transactions, definition, level, ...account }] of pointAccounts.entries()) {
      expect(level).toBeNull();
      const { links, ...looks } = items[i];
      expect(account).toEqual(looks);
      const listed = (await client.get(`/api/v3/point-transactions?id=${integerId}&sortBy=createdOn`)).body;
      expect(transactions).toEqual({ totalCount: listed.totalCount, items: listed.items });
      expect(definition).toBe((await client.get(links[0].href)).body.name);
    }
    expect(pointAccounts.map(({ definition }: { definition: string }) => definition)).toEqual([
      'Style points',
      'Charity points',
    ]);
  });

  it('shows promotions that no longer count, and says so', async () => {
    const client = await openSim();
    const { totalCount, items } = (await cardOf(client)).promotions;
    const active = (await client.get(`/api/v3/promotion-assignments?contactId=${astrid}`)).body;
    const counting = items.filter(({ validity }: { validity: string }) => validity === 'active');
    expect([totalCount, items.length, counting.length]).toEqual([6, 6, active.length]);
  });

  it('shows challenges with the integers that their definitions go by', async () => {
    const client = await openSim();
    const { integerId, challenges } = await cardOf(client);
    const { definition, ...challenge } = challenges.items[0];
    const path = `/api/v3/challenges?contactId=${integerId}&definitionId=${definition.integerId}`;
    expect((await client.get(path)).body.items).toEqual([challenge]);
  });

  it('shows receipts, and orders with what they sent', async () => {
    const client = await openSim();
    await client.post('/orders', order);
    const { receipts, orders, communications } = await cardOf(client);
    expect(receipts.items).toEqual((await client.get(`/api/v3/transactions?contactId=${astrid}`)).body.items);
    expect(orders.items.map(({ content }: { content: object }) => content)).toEqual([order]);
    expect(communications.items).toMatchObject([{ orderNumber: 'W-1', contactId: astrid }]);
  });

  it('shows the latest of each list when there are many', async () => {
    const client = await openSim();
    const { receipts, rewardVouchers, challenges, promotions } = await cardOf(client, astrid, '?limit=1');
    const whole = await cardOf(client);
    expect([receipts, rewardVouchers, challenges, promotions]).toEqual(
      [whole.receipts, whole.rewardVouchers, whole.challenges, whole.promotions].map(({ totalCount, items }) => ({
        totalCount,
        items: items.slice(0, 1),
      })),
    );
  });
});

it('the card is found by the member number, and links to its own tenant', async () => {
  const client = await openSim();
  await client.get('/t/oslo/consents');
  const card = await cardOf(client, '100001', '?tenant=oslo');
  const { href } = card.challenges.items[0].links[0];
  expect([card.id, href]).toEqual([astrid, `/t/oslo/api/v3/challenges/${card.challenges.items[0].id}`]);
  expect((await client.get(href)).status).toBe(200);
});

it('the card is empty for a new contact, and an unknown contact has none', async () => {
  const client = await openSim();
  const { id } = (await client.post('/api/v3/contacts?x', { contactType: 'Contact', email: 'a@example.com' })).body;
  const { integerId, consents, pointAccounts, receipts, orders } = await cardOf(client, id);
  const nothing = { totalCount: 0, items: [] };
  expect([integerId, consents, pointAccounts, receipts, orders]).toEqual([null, [], [], nothing, nothing]);
  const refused = await client.get('/__admin/contacts/x/card');
  expect([refused.status, refused.body.errorCode]).toEqual([404, 'ContactNotFound']);
});
