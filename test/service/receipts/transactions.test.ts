import { describe, expect, it } from 'vitest';
import type { Link } from '../../../src/core/exchange/pagination.ts';
import type { Client } from '../../support/client.ts';
import { lineOf, returnOf } from '../../support/receipt-lines.ts';
import { receiptOf } from '../../support/receipt.ts';
import { astrid, nobody } from '../../support/people.ts';
import { openShopSim } from '../../support/open-sim.ts';

const send = ({ post }: Client, id: string, fields: object = {}) =>
  post('/api/v3/receipts', receiptOf(astrid, id, fields));

const list = async ({ get }: Client, query = '') =>
  (await get(`/api/v3/transactions?contactId=${astrid}${query}`)).body;

const hrefAt = (offset: number) => `/api/v3/transactions?contactId=${astrid}&offset=${offset}&count=2`;

const idsOf = ({ items }: { items: { uniqueReceiptId: string }[] }) => items.map((item) => item.uniqueReceiptId);

/** Two bought and one brought back, paid in euro. */
const sale = {
  receiptNumber: '4711',
  createdDate: '2026-02-28T18:30:00+02:00',
  storeExternalId: '200',
  currency: 'eur',
  exchangeRateToGroupCurrency: 11.5,
  totalGrossPrice: 60.05,
  items: [
    lineOf({ quantity: 2, grossPaidPrice: 100, taxAmount: 19.35, articleGroup: 'Shirts' }),
    returnOf({ grossPaidPrice: 39.95, taxAmount: 7.73, sku: '2002-L' }),
  ],
};
const soldInAll = {
  transactionNumber: '4711',
  uniqueReceiptId: 'r-1',
  createdDate: '2026-02-28T18:30:00+02:00',
  storeExternalId: '200',
  storeName: 'Helsinki',
  numberOfItems: 2,
  netPriceSum: 556.95,
  localNetPriceSum: 48.43,
  localCurrency: 'EUR',
  groupCurrency: 'SEK',
};
const article = { articleNumber: '1001', articleName: 'T-shirt' };
const bought = { ...article, sku: '1001-M', articleGroup: 'Shirts', quantity: 2, price: 1150, localPrice: 100 };
const returned = { ...article, sku: '2002-L', articleGroup: null, quantity: -1, price: -459.43, localPrice: -39.95 };
const soldLines = [
  { ...bought, type: 'PURCHASE', isReturned: false },
  { ...returned, type: 'RETURN', isReturned: true },
];

describe('GET /transactions', () => {
  it('answers what was bought and taken back, in both currencies (A-28)', async () => {
    const client = await openShopSim();
    await send(client, 'r-1', sale);
    const [{ id, lineItems, ...transaction }] = (await list(client)).items;
    expect(transaction).toEqual(soldInAll);
    expect(lineItems).toEqual(soldLines.map((line, i) => Object.assign(line, { id: lineItems[i].id })));
    const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    expect([id, lineItems[0].id, lineItems[1].id]).toEqual(Array(3).fill(expect.stringMatching(guid)));
  });

  it('answers the latest first, and of one moment the one that came last', async () => {
    const client = await openShopSim();
    await send(client, 'noon-1', { createdDate: '2026-02-02T12:00:00Z' });
    await send(client, 'evening', { createdDate: '2026-02-02T20:00:00+01:00' });
    await send(client, 'noon-2', { createdDate: '2026-02-02T13:00:00+01:00' });
    await send(client, 'before', { createdDate: '2025-02-02T12:00:00Z' });
    expect(idsOf(await list(client))).toEqual(['evening', 'noon-2', 'noon-1', 'before']);
  });

  it('answers page by page with links', async () => {
    const client = await openShopSim();
    for (let n = 1; n <= 5; n++) await send(client, `r-${n}`);
    const page = await list(client, '&offset=2&count=2');
    expect([page.count, page.offset, page.totalCount, idsOf(page)]).toEqual([2, 2, 5, ['r-3', 'r-2']]);
    const rels = Object.fromEntries(page.links.map(({ rel, href }: Link) => [rel, href]));
    expect(rels).toEqual({ self: hrefAt(2), previous: hrefAt(0), next: hrefAt(4) });
  });

  it('shows the count asked for where the retailer does (A-06)', async () => {
    expect((await list(await openShopSim({ assumptions: { 'A-06': 'requested' } }), '&count=7')).count).toBe(7);
  });

  it('answers an empty page for a contact that bought nothing', async () => {
    expect(await list(await openShopSim())).toMatchObject({ count: 0, offset: 0, items: [], totalCount: 0 });
  });

  it.each([nobody, 'astrid'])('does not know the contact %s', async (id) => {
    const { status, body } = await (await openShopSim()).get(`/api/v3/transactions?contactId=${id}`);
    expect([status, body.errorCode]).toEqual([404, 'ContactNotFound']);
  });

  it.each([
    ['', 'contactId'],
    ['?contactId=', 'contactId'],
    [`?contactId=${astrid}&offset=-1`, 'offset'],
    [`?contactId=${astrid}&count=few`, 'count'],
  ])('refuses the query "%s"', async (query, field) => {
    const { status, body } = await (await openShopSim()).get(`/api/v3/transactions${query}`);
    expect([status, body.validationErrors]).toEqual([400, [{ field, errorDescription: expect.any(String) }]]);
  });
});
