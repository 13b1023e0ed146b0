import { describe, expect, it } from 'vitest';
import { astrid } from '../support/people.ts';
import { fileName, openFileShop, transactionsXml } from '../support/receipt-files.ts';
import type { Shop } from '../support/receipt-files.ts';

/** The receipt of `transactionXml` as the API takes it. */
const receipt = (uniqueReceiptId: string) => ({
  contact: { matchKey: astrid, matchKeyType: 'contactId' },
  uniqueReceiptId,
  receiptNumber: '77',
  createdDate: '2026-02-27T16:42:00+01:00',
  storeExternalId: '100',
  currency: 'SEK',
  totalGrossPrice: 200,
  paymentMethods: [{ type: 'card', value: 200 }],
  items: [
    {
      type: 'PURCHASE',
      quantity: 2,
      grossPaidPrice: 200,
      taxAmount: 40,
      taxPercent: 25,
      sku: '1001-M',
      articleNumber: '1001',
      articleName: 'T-shirt',
    },
  ],
});

const judged = async (shop: Shop): Promise<readonly [string, string]> => {
  const { body } = await shop.get('/__admin/verdict');
  return [body.verdict, body.reason];
};

const unavailable = {
  match: { endpoint: 'createReceipt' },
  fault: { phase: 'before', status: 504 },
  times: 1,
} as const;

describe('the verdict on files', () => {
  it('passes receipts that came by file alone', async () => {
    const shop = await openFileShop();
    shop.drop(fileName(), transactionsXml());
    await shop.batch();
    expect(await judged(shop)).toEqual(['PASS', '1 of 1 as expected']);
  });

  it('counts a receipt once that failed by the API and came by file', async () => {
    const shop = await openFileShop({ scenario: { rules: [unavailable] } });
    expect((await shop.post('/api/v3/receipts', receipt('r-1'))).status).toBe(504);
    expect((await judged(shop))[0]).toBe('FAIL');
    shop.drop(fileName(), transactionsXml({ id: 'r-1' }));
    await shop.batch();
    expect((await judged(shop))[0]).toBe('PASS');
  });

  it('counts a receipt once that came by both with one id', async () => {
    const shop = await openFileShop({
      scenario: { rules: [{ match: { endpoint: 'createReceipt' }, fault: { phase: 'after', status: 504 }, times: 1 }] },
    });
    await shop.post('/api/v3/receipts', receipt('r-1'));
    shop.drop(fileName(), transactionsXml({ id: 'r-1' }));
    expect((await shop.batch()).items[0].files[0]).toMatchObject({ imported: 0, repeated: 1 });
    expect((await judged(shop))[0]).toBe('PASS');
    const { checks } = (await shop.get('/__admin/verdict')).body;
    expect(checks.map(({ reason }: { reason: string }) => reason)).toEqual([
      '0 receipts came in with 1 of 1 files; of the others 1 had a uniqueReceiptId that was there already: GET /__admin/imports names them',
    ]);
  });

  it('fails a purchase that came by both under two ids', async () => {
    const shop = await openFileShop();
    await shop.post('/api/v3/receipts', receipt('r-1'));
    shop.drop(fileName(), transactionsXml({ id: 'file-1' }));
    await shop.batch();
    const [verdict, reason] = await judged(shop);
    expect([verdict, reason]).toEqual([
      'FAIL',
      expect.stringContaining('r-1 (by default-1) and file-1 (by file) are the same purchase'),
    ]);
  });

  it('fails a refused file until its receipts came in', async () => {
    const shop = await openFileShop();
    shop.drop(fileName(), transactionsXml({ id: 'f-1', store: '999' }));
    await shop.batch();
    expect(await judged(shop)).toEqual(['FAIL', expect.stringContaining('1 of its receipts never came in: f-1')]);
    shop.drop(fileName(2), transactionsXml({ id: 'f-1' }));
    await shop.batch();
    expect((await judged(shop))[0]).toBe('PASS');
  });
});

interface Exporter {
  readonly what: string;
  readonly files: Readonly<Record<string, string | Buffer>>;
  /** The rule that it breaks, as the integration log names it. */
  readonly code: string;
}

const good = transactionsXml({ id: 'x-1' });

/** Exporters as they are written in practice, each with one mistake. */
const exporters: readonly Exporter[] = [
  { what: 'names files by its own fashion', files: { 'export-20260301.xml': good }, code: 'wrong-name' },
  {
    what: 'writes Latin-1',
    files: { [fileName()]: Buffer.from(good.replace('T-shirt', 'Tröja'), 'latin1') },
    code: 'not-utf-8',
  },
  {
    what: 'writes UTF-16, as some platforms do by default',
    files: { [fileName()]: Buffer.from(`\uFEFF${good}`, 'utf16le') },
    code: 'not-utf-8',
  },
  {
    what: 'joins texts without escaping them',
    files: { [fileName()]: good.replace('T-shirt', 'Shirt & tie') },
    code: 'malformed',
  },
  {
    what: 'uploads under the final name and dies in the middle',
    files: { [fileName()]: good.slice(0, -40) },
    code: 'torn',
  },
  { what: 'appends to the file of yesterday', files: { [fileName()]: good + good }, code: 'malformed' },
  { what: 'writes decimal commas', files: { [fileName()]: good.replace('>40<', '>40,00<') }, code: 'invalid-receipt' },
  {
    what: 'writes dates without an offset',
    files: { [fileName()]: good.replace('+01:00', '') },
    code: 'invalid-receipt',
  },
  {
    what: 'mixes member numbers and e-mail addresses',
    files: {
      [fileName()]: transactionsXml(
        { id: 'x-1' },
        { id: 'x-2', keyType: 'email', contact: 'astrid.lindqvist@example.com' },
      ),
    },
    code: 'mixed-match-key-types',
  },
  {
    what: 'sends stores by their names',
    files: { [fileName()]: transactionsXml({ id: 'x-1', store: 'Stockholm' }) },
    code: 'unknown-store',
  },
  {
    what: 'puts a whole year into one file',
    files: {
      [fileName()]: `<transactions>${good
        .match(/<transaction>[\s\S]*<\/transaction>/)?.[0]
        .replaceAll(/\s+/g, '')
        .repeat(20_001)}</transactions>`,
    },
    code: 'too-many-receipts',
  },
  {
    what: 'uses the element names of its own system',
    files: { [fileName()]: good.replaceAll('uniqueReceiptId', 'receiptGuid') },
    code: 'invalid-receipt',
  },
];

describe('a wrong exporter', () => {
  it.each(exporters)('that $what is found', async ({ files, code }) => {
    const shop = await openFileShop();
    for (const [name, content] of Object.entries(files)) shop.drop(name, content);
    await shop.batch();
    await shop.batch();
    const { items } = (await shop.get('/__admin/imports')).body;
    expect(items[0].files.map(({ reason }: { reason: { code: string } }) => reason.code)).toEqual([code]);
    expect(await judged(shop)).toEqual(['FAIL', expect.stringContaining(`(${code})`)]);
  });
});
