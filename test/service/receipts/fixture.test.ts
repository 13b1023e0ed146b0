import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { folderWith, tidyFolders } from '../../support/folders.ts';
import { receiptOf } from '../../support/receipt.ts';
import { bo } from '../../support/people.ts';
import { openSim, openShopSim } from '../../support/open-sim.ts';

afterEach(tidyFolders);

/** A receipt of the moment of the shop's first. */
const old = {
  contact: { matchKey: 'bo@example.com', matchKeyType: 'email' },
  createdDate: '2024-06-01T10:00:00Z',
  items: [{ sku: '1001-M' }],
};

/** The shop of the tests with its first receipt changed. */
async function openChanged(change: object, others: readonly object[] = []): Promise<Client> {
  const shop = JSON.parse(await readFile('test/support/shop.json', 'utf8'));
  const receipts = [{ ...shop.receipts[0], ...change }, ...others];
  return openSim({ fixtures: folderWith({ 'shop.json': { ...shop, receipts } }) });
}

describe('the receipts API', () => {
  it("shows a fixture's receipts as transactions of their contact", async () => {
    const { get } = await openShopSim();
    const { body } = await get(`/api/v3/transactions?contactId=${bo}`);
    const sold = { transactionNumber: '17', uniqueReceiptId: 'old-1', createdDate: '2024-06-01T10:00:00Z' };
    expect([body.totalCount, body.items]).toMatchObject([1, [{ ...sold, storeName: 'Stockholm', netPriceSum: 400 }]]);
  });

  it('sums the receipts of a fixture up', async () => {
    const { get } = await openShopSim();
    const { body } = await get(`/api/v3/contacts/${bo}/purchasehistorysummary`);
    expect(body).toMatchObject({ purchaseAmountAll: 500, purchaseAmountLastTwoYears: 500, purchaseAmountLastYear: 0 });
  });

  it('lists receipts of one moment in the order of the file, and those sent later before them', async () => {
    const { get, post } = await openChanged({}, [{ ...old, uniqueReceiptId: 'old-2' }]);
    await post('/api/v3/receipts', receiptOf(bo, 'new', { createdDate: old.createdDate }));
    const { body } = await get(`/api/v3/transactions?contactId=${bo}`);
    const order = body.items.map(({ uniqueReceiptId }: { uniqueReceiptId: string }) => uniqueReceiptId);
    expect(order).toEqual(['new', 'old-2', 'old-1']);
  });

  it.each(['old-1', 'old-2'])('knows the uniqueReceiptId %s of a receipt in a fixture', async (uniqueReceiptId) => {
    const { post } = await openShopSim({ assumptions: { 'A-21': 'lenient' } });
    const contact = { matchKey: bo, matchKeyType: 'contactId' };
    const { warnings } = await post('/api/v3/receipts', { contact, uniqueReceiptId, items: [{}] });
    expect(warnings).toContain('repeated-receipt');
  });
});

it.each([
  [
    'a contact nobody knows',
    { contact: { matchKey: 'x@example.com', matchKeyType: 'email' } },
    'receipts[0].contact.matchKey',
  ],
  ['a misspelled field', { receiptNo: '17' }, 'receiptNo'],
  ['a misspelled field of a line', { items: [{ qantity: 1 }] }, 'receipts[0].items[0]'],
  ['a wrong sign', { items: [{ type: 'RETURN', quantity: 1 }, {}] }, 'receipts[0].items[0].quantity'],
])('a fixture does not load with %s, and says where it is', async (_, change, place) => {
  await expect(openChanged(change)).rejects.toThrow(place);
});

it('a fixture does not load with a uniqueReceiptId twice', async () => {
  await expect(openChanged({}, [{ ...old, uniqueReceiptId: 'old-1' }])).rejects.toThrow('receipts[1].uniqueReceiptId');
});
