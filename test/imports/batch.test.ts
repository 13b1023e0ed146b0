import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readerOf } from '../support/events.ts';
import { fileName, importPath, openFileShop, transactionsXml } from '../support/receipt-files.ts';
import { astrid, bo, nobody } from '../support/people.ts';

const receiptsOf = async (shop: Awaited<ReturnType<typeof openFileShop>>, contact: string): Promise<string[]> => {
  const { body } = await shop.get(`/api/v3/transactions?contactId=${contact}&count=100`);
  return body.items.map(({ uniqueReceiptId }: { uniqueReceiptId: string }) => uniqueReceiptId);
};

describe('the batch', () => {
  it('imports a file when the clock of the tenant comes to its moment, and deletes it', async () => {
    const shop = await openFileShop();
    shop.drop(fileName(), transactionsXml({ id: 'f-1' }, { id: 'f-2', contact: bo }));
    expect((await shop.get('/__admin/imports')).body).toMatchObject({
      folder: join(shop.root, importPath),
      nextBatch: '2026-03-01T12:15:00.000Z',
      count: 0,
    });
    const { executed } = (await shop.post('/__admin/clock', { advance: '14m' })).body;
    expect([executed, shop.files()]).toEqual([[], [fileName(), 'failed']]);
    const told = (await shop.post('/__admin/clock', { advance: '1h' })).body.executed;
    expect(told).toEqual([expect.objectContaining({ kind: 'imports.batch', at: '2026-03-01T12:15:00.000Z' })]);
    expect([await receiptsOf(shop, astrid), await receiptsOf(shop, bo)]).toEqual([
      expect.arrayContaining(['f-1']),
      expect.arrayContaining(['f-2']),
    ]);
    expect(shop.files()).toEqual(['failed']);
    const { items } = (await shop.get('/__admin/imports')).body;
    expect(items).toEqual([
      {
        batch: 1,
        at: '2026-03-01T12:15:00.000Z',
        error: null,
        files: [
          {
            name: fileName(),
            status: 'imported',
            reason: null,
            bytes: expect.any(Number),
            receipts: 2,
            imported: 2,
            repeated: 0,
            unknownContact: 0,
            refused: 0,
            missing: [],
            notes: [],
            notesOmitted: 0,
            keptAs: null,
          },
        ],
      },
    ]);
  });

  it('takes files in the order of their names', async () => {
    const shop = await openFileShop();
    for (const sequence of ['b', 'c', 'a']) shop.drop(fileName(sequence), transactionsXml({ id: sequence }));
    const { items } = await shop.batch();
    const names = items[0].files.map(({ name }: { name: string }) => name);
    expect(names).toEqual([fileName('a'), fileName('b'), fileName('c')]);
  });

  it('gives each tenant a folder of its own, named like its base URL', async () => {
    const shop = await openFileShop();
    await shop.get('/t/suite-1/api/v3/contacts/count');
    expect(existsSync(join(shop.root, 't/suite-1', importPath))).toBe(true);
    shop.drop(fileName(), transactionsXml(), 'suite-1');
    expect((await shop.batch('suite-1')).count).toBe(1);
    expect((await shop.batch()).count).toBe(0);
  });

  it('runs as often as importEvery says', async () => {
    const shop = await openFileShop({ importEvery: '1h' });
    shop.drop(fileName(), transactionsXml());
    expect((await shop.batch()).count).toBe(0);
    await shop.post('/__admin/clock', { advance: '45m' });
    expect((await shop.get('/__admin/imports')).body).toMatchObject({
      count: 1,
      nextBatch: '2026-03-01T14:00:00.000Z',
    });
  });

  it('passes over years without a file at once', async () => {
    const shop = await openFileShop();
    await shop.post('/__admin/clock', { advance: '3650d' });
    expect((await shop.batch()).count).toBe(0);
  });

  it('ignores receipts that came by the API, and those of nobody', async () => {
    const shop = await openFileShop();
    const sent = {
      contact: { matchKey: astrid, matchKeyType: 'contactId' },
      uniqueReceiptId: 'api-1',
      createdDate: '2026-02-27T16:42:00+01:00',
      storeExternalId: '100',
      currency: 'SEK',
      totalGrossPrice: 0,
      paymentMethods: [],
      items: [
        {
          type: 'PURCHASE',
          quantity: 1,
          grossPaidPrice: 0,
          taxAmount: 0,
          taxPercent: 0,
          sku: 's',
          articleNumber: 'a',
          articleName: 'n',
        },
      ],
    };
    expect((await shop.post('/api/v3/receipts', sent)).status).toBe(202);
    shop.drop(
      fileName(),
      transactionsXml({ id: 'api-1' }, { id: 'f-9', contact: nobody }, { id: 'f-3' }, { id: 'f-3' }),
    );
    const [{ files }] = (await shop.batch()).items;
    expect(files[0]).toMatchObject({ receipts: 4, imported: 1, repeated: 2, unknownContact: 1 });
    expect(files[0].notes.map(({ code, line, uniqueReceiptId }: never) => [code, line, uniqueReceiptId])).toEqual([
      ['repeated-receipt', 3, 'api-1'],
      ['unknown-contact', 30, 'f-9'],
      ['repeated-receipt', 84, 'f-3'],
    ]);
  });

  it('notes each element that the service does not read, whatever its name', async () => {
    const shop = await openFileShop();
    const unread = ['cashier', 'constructor', '__proto__'];
    shop.drop(fileName(), transactionsXml({ extra: unread.map((name) => `    <${name}>x</${name}>\n`).join('') }));
    const { items } = await shop.batch();
    expect(items[0].files[0]).toMatchObject({
      imported: 1,
      notes: unread.map((name, i) => ({
        code: 'unknown-element',
        message: expect.stringContaining(`${name} is not an element`),
        line: 17 + i,
      })),
    });
  });

  it('lets points, summary and promotions follow as by the API', async () => {
    const both = await Promise.all([openFileShop(), openFileShop()]);
    const [byFile, byApi] = both;
    byFile.drop(fileName(), transactionsXml({ id: 'same', price: 500 }));
    await byFile.batch();
    const item = {
      type: 'PURCHASE',
      quantity: 2,
      grossPaidPrice: 500,
      taxAmount: 100,
      taxPercent: 25,
      sku: '1001-M',
      articleNumber: '1001',
      articleName: 'T-shirt',
    };
    await byApi.post('/__admin/clock', { advance: '15m' });
    await byApi.post('/api/v3/receipts', {
      contact: { matchKey: astrid, matchKeyType: 'contactId' },
      uniqueReceiptId: 'same',
      receiptNumber: '77',
      createdDate: '2026-02-27T16:42:00+01:00',
      storeExternalId: '100',
      currency: 'SEK',
      totalGrossPrice: 500,
      paymentMethods: [{ type: 'card', value: 500 }],
      items: [item],
    });
    const cards = await Promise.all(
      both.map(async (shop) => (await shop.get(`/__admin/contacts/${astrid}/card`)).body),
    );
    expect(withoutIds(cards[0])).toEqual(withoutIds(cards[1]));
    expect(JSON.stringify(cards[0])).toContain('"uniqueReceiptId":"same"');
  });

  it('takes a file that the control API puts there, and nowhere else', async () => {
    const shop = await openFileShop();
    const put = (name: string) => shop.post('/__admin/imports', { name, content: transactionsXml() });
    for (const name of ['../outside.xml', 'failed', '..', 'a/b.xml'])
      expect([name, (await put(name)).status]).toEqual([name, 400]);
    expect((await put(fileName())).body).toMatchObject({ name: fileName(), nextBatch: '2026-03-01T12:15:00.000Z' });
    expect((await shop.batch()).items[0].files[0]).toMatchObject({ imported: 1 });
  });

  it('tells of a batch as an event', async () => {
    const shop = await openFileShop();
    const events = readerOf(await shop.sim.fetch('/__admin/events'));
    shop.drop(fileName(), transactionsXml());
    await shop.batch();
    expect((await events.next('import.completed')).data).toMatchObject({ batch: 1 });
    await events.leave();
  });
});

/** A card without the ids that are drawn in turn. */
const withoutIds = (card: unknown): unknown =>
  JSON.parse(JSON.stringify(card), (key, value) => (/id$/i.test(key) || key === 'requests' ? undefined : value));
