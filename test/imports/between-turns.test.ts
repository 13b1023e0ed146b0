import { expect, it } from 'vitest';
import { NoteList } from '../../src/imports/file-check.ts';
import type { ImportNote } from '../../src/service/imports/tables.ts';
import { readReceipt } from '../../src/service/imports/operations.ts';
import { receipts } from '../../src/service/receipts/tables.ts';
import { astrid } from '../support/people.ts';
import { receiptOf } from '../support/receipt.ts';
import { fileName, openFileShop, transactionsXml } from '../support/receipt-files.ts';

const line = (n: number) =>
  `<item type="PURCHASE" sku="s-${n}" articleNumber="${n}" articleName="T-shirt"><quantity>1</quantity>` +
  '<grossPaidPrice>1</grossPaidPrice><taxAmount>0.2</taxAmount><taxPercent>25</taxPercent></item>';

/** Returns a file of receipts with so many lines each, and one more. */
const fileOf = (count: number, lines: number): string => {
  const items = Array.from({ length: lines }, (_, n) => line(n)).join('');
  const all = Array.from({ length: count }, (_, n) => ({ id: `f-${n}` }));
  return transactionsXml(...all).replaceAll('<items>', `<items>${items}`);
};

async function openShopWith(content: string) {
  const shop = await openFileShop();
  const tenant = shop.sim.tenants.default;
  shop.drop(fileName(), content);
  return { ...shop, tenant, countReceipts: () => tenant.list(receipts, 'byContact', astrid).size };
}

type OpenShop = Awaited<ReturnType<typeof openShopWith>>;

/** Runs a batch, and counts the turns of the event loop in which work of the tenant is under way. */
async function watchBatch({ batch, tenant, countReceipts }: OpenShop, onWork: () => void) {
  let isOver = false;
  const before = countReceipts();
  const importing = batch().finally(() => (isOver = true));
  const watch = (): void => {
    if (tenant.isInTurns && countReceipts() === before) onWork();
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  return importing;
}

it.each([
  ['few receipts of many lines', 6, 110, [1, 2, 3, 4, 5, 6]],
  ['many receipts of few lines', 150, 1, [50, 100, 150]],
])('a batch stops for others by the lines of %s', async (_, count, lines, expected) => {
  expect(await countsSeenOf(fileOf(count, lines), count)).toEqual(expected);
});

it('a batch stops for others after each receipt that makes a thousand vouchers', async () => {
  const rich = ['f-1', 'f-2', 'f-3'].map((id) => ({ id, price: 5_000_000 }));
  expect(await countsSeenOf(transactionsXml(...rich), 3)).toEqual([1, 2, 3]);
});

/** Imports a file of so many receipts, and returns how many were there whenever the tenant was changed. */
async function countsSeenOf(content: string, count: number): Promise<number[]> {
  const { batch, tenant, countReceipts } = await openShopWith(content);
  const before = countReceipts();
  const counts = new Set<number>();
  tenant.onChange(() => counts.add(countReceipts() - before));
  expect((await batch()).items[0].files).toMatchObject([{ status: 'imported', imported: count, notes: [] }]);
  counts.delete(0);
  return [...counts];
}

it('a batch records a receipt of thousands of lines in several turns, which others do not see before it is there', async () => {
  const shop = await openShopWith(fileOf(1, 3000));
  const before = shop.countReceipts();
  let turns = 0;
  const { items } = await watchBatch(shop, () => turns++);
  expect(items[0].files).toMatchObject([{ status: 'imported', imported: 1, notes: [] }]);
  expect([turns > 1, shop.countReceipts() - before]).toEqual([true, 1]);
});

it('a batch leaves no receipt in a tenant that is reset while it records one', async () => {
  const shop = await openShopWith(fileOf(1, 3000));
  const before = shop.countReceipts();
  let resetting: Promise<{ readonly status: number }> | undefined;
  await watchBatch(shop, () => (resetting ??= shop.post('/__admin/reset')));
  expect((await resetting)?.status).toBeLessThan(300);
  expect(shop.countReceipts() - before).toBe(0);
});

it('a receipt of thousands of wrong lines is checked in steps', async () => {
  const { tenant } = await openShopWith('');
  const items = Array.from({ length: 1000 }, () => ({ type: 'PURCHASE', quantity: 'x' }));
  const steps = readReceipt(tenant, receiptOf(astrid, 'long', { items }));
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count++;
  expect(count).toBeGreaterThan(1000);
  expect(step.value.errors[0]).toEqual({
    field: 'items[0].quantity',
    errorDescription: expect.stringContaining('not a text'),
  });
});

it('a batch makes a hundred notes on a file, and counts the others alone', () => {
  const notes = new NoteList();
  let made = 0;
  const note = (): ImportNote => {
    made++;
    return { code: 'invalid-receipt', message: '', line: null, column: null, uniqueReceiptId: null };
  };
  for (let n = 0; n < 5000; n++) notes.add(note);
  expect([made, notes.notes.length, notes.omitted]).toEqual([100, 100, 4900]);
});
