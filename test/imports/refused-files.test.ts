import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileName, importPath, openFileShop, transactionsXml, transactionXml } from '../support/receipt-files.ts';
import { folderWith } from '../support/folders.ts';
import { astrid } from '../support/people.ts';

const good = transactionsXml();
const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(good, 'utf16le')]);
const latin1 = Buffer.from(good.replace('T-shirt', 'Tröja'), 'latin1');

interface Refused {
  readonly what: string;
  readonly name?: string;
  readonly content: string | Buffer;
  readonly code: string;
  /** Part of the message. */
  readonly message: string;
  readonly line: number | null;
}

const refused: readonly Refused[] = [
  {
    what: 'an unknown store',
    content: transactionsXml({ store: '999' }),
    code: 'unknown-store',
    message: 'no store has the storeExternalId "999"',
    line: 11,
  },
  {
    what: 'two kinds of keys',
    content: transactionsXml({}, { id: 'f-2', keyType: 'email', contact: 'astrid.lindqvist@example.com' }),
    code: 'mixed-match-key-types',
    message: 'by contactId on line 6',
    line: 33,
  },
  {
    what: 'a tag that does not match',
    content: good.replace('</sku>', '</SKU>'),
    code: 'malformed',
    message: 'unexpected close tag',
    line: 24,
  },
  {
    what: 'an unknown entity',
    content: good.replace('T-shirt', '&shirt;'),
    code: 'malformed',
    message: 'undefined entity',
    line: 26,
  },
  {
    what: 'a DOCTYPE',
    content: good.replace('<transactions>', '<!DOCTYPE x [<!ENTITY a "b">]><transactions>'),
    code: 'doctype',
    message: 'leave it out',
    line: 2,
  },
  {
    what: 'another root',
    content: good.replaceAll('transactions>', 'receipts>'),
    code: 'wrong-root',
    message: 'must be <transactions>',
    line: 2,
  },
  {
    what: 'receipts of another name',
    content: good.replaceAll('transaction>', 'receipt>'),
    code: 'wrong-root',
    message: 'holds <transaction> alone',
    line: 3,
  },
  { what: 'UTF-16', content: wide, code: 'not-utf-8', message: 'must be UTF-8', line: 1 },
  { what: 'bytes of Latin-1', content: latin1, code: 'not-utf-8', message: 'not UTF-8', line: 1 },
  {
    what: 'another declared encoding',
    content: good.replace('utf-8', 'iso-8859-1'),
    code: 'not-utf-8',
    message: 'iso-8859-1',
    line: 1,
  },
  {
    what: 'a missing field',
    content: good.replace(/ *<currency>.*\n/, ''),
    code: 'invalid-receipt',
    message: 'currency is required',
    line: 3,
  },
  {
    what: 'a number that is none',
    content: good.replace('<quantity>2<', '<quantity>two<'),
    code: 'invalid-receipt',
    message: 'items[0].quantity must be a finite number',
    line: 20,
  },
  {
    what: 'a field that comes twice',
    content: good.replace('<currency>', '<currency>EUR</currency><currency>'),
    code: 'invalid-receipt',
    message: 'currency is given more than once',
    line: 12,
  },
  {
    what: 'an unknown contact type',
    content: good.replace('</matchKeyType>', '</matchKeyType><contactType>Wizard</contactType>'),
    code: 'invalid-receipt',
    message: 'no contact type "Wizard"',
    line: 6,
  },
  {
    what: 'more than 20,000 receipts',
    content: `<transactions>${transactionXml().replaceAll(/\s+/g, '').repeat(20_001)}</transactions>`,
    code: 'too-many-receipts',
    message: 'more than 20000 receipts',
    line: 1,
  },
  {
    what: 'nesting without end',
    content: `<transactions><transaction>${'<a>'.repeat(50)}`,
    code: 'malformed',
    message: 'nested deeper',
    line: 1,
  },
  {
    what: 'a text without end',
    content: `<transactions><transaction><a>${'x'.repeat(3_000_000)}`,
    code: 'too-large',
    message: 'without an element',
    line: 1,
  },
  {
    what: 'another name',
    name: 'receipts.xml',
    content: good,
    code: 'wrong-name',
    message: 'YYYYMMDDHHmmss_[sequence or store]_transactions.xml',
    line: null,
  },
  {
    what: 'a day that does not exist',
    name: '20260231120000_1_transactions.xml',
    content: good,
    code: 'wrong-name',
    message: 'no moment',
    line: null,
  },
];

describe('a file is refused as a whole for', () => {
  it.each(refused)('$what', async ({ name = fileName(), content, code, message, line }) => {
    const shop = await openFileShop();
    shop.drop(name, content);
    const { items } = await shop.batch();
    const [file] = items[0].files;
    expect([file.status, file.reason.code, file.reason.line, file.imported]).toEqual(['refused', code, line, 0]);
    expect(file.reason.message).toContain(message);
    expect([shop.files(), shop.files('failed')]).toEqual([['failed'], [name, `${name}.reason.txt`]]);
    expect(readFileSync(join(shop.root, importPath, `failed/${name}.reason.txt`), 'utf8')).toContain(
      file.reason.message,
    );
    expect((await shop.get(`/__admin/contacts/${astrid}/card`)).body.receipts.items).not.toContainEqual(
      expect.objectContaining({ uniqueReceiptId: 'f-1' }),
    );
  });

  it('being a link, which is not followed', async () => {
    const shop = await openFileShop();
    const outside = join(folderWith({ 'secret.xml': good }), 'secret.xml');
    symlinkSync(outside, join(shop.root, importPath, fileName()));
    const { items } = await shop.batch();
    expect(items[0].files[0].reason.code).toBe('no-regular-file');
    expect(readFileSync(outside, 'utf8')).toBe(good);
  });

  it('being the same as one that was imported, whatever its name', async () => {
    const shop = await openFileShop();
    shop.drop(fileName(1), good);
    await shop.batch();
    shop.drop(fileName(2), good);
    const { items } = await shop.batch();
    expect(items[1].files[0].reason).toMatchObject({
      code: 'same-file-twice',
      message: expect.stringContaining(fileName(1)),
    });
    await shop.post('/__admin/reset');
    shop.drop(fileName(3), good);
    expect((await shop.batch()).items[0].files[0]).toMatchObject({ status: 'imported', imported: 1 });
  });
});

describe('a file that is not whole', () => {
  it.each([0, 30, 700, good.length - 8])(
    'after %d bytes is left alone once, and refused when it has not grown',
    async (end) => {
      const shop = await openFileShop();
      shop.drop(fileName(), good.slice(0, end));
      const { waiting, count } = await shop.batch();
      expect([waiting.map(({ name }: { name: string }) => name), count]).toEqual([[fileName()], 0]);
      const { items } = await shop.batch();
      expect(items[0].files[0].reason.code).toBe('torn');
    },
  );

  it('is imported when it is whole at the next batch', async () => {
    const shop = await openFileShop();
    shop.drop(fileName(), good.slice(0, 500));
    await shop.batch();
    shop.drop(fileName(), good.slice(0, 600));
    await shop.batch();
    shop.drop(fileName(), good);
    expect((await shop.batch()).items[0].files[0]).toMatchObject({ status: 'imported', imported: 1 });
  });

  it.each(['.hidden', `${fileName()}.part`, `${fileName()}.filepart`, `.in.${fileName()}.`, '~lock'])(
    'is left alone as %s',
    async (name) => {
      const shop = await openFileShop();
      shop.drop(name, good);
      await shop.batch();
      const { waiting, count } = await shop.batch();
      expect([waiting.length, count, shop.files()]).toEqual([1, 0, [name, 'failed'].toSorted()]);
    },
  );
});

describe('the import of files', () => {
  it('keeps refused files of one name apart', async () => {
    const shop = await openFileShop();
    for (const _ of [1, 2]) {
      shop.drop('wrong.xml', good);
      await shop.batch();
    }
    expect(shop.files('failed')).toEqual([
      'wrong.xml',
      'wrong.xml.2',
      'wrong.xml.2.reason.txt',
      'wrong.xml.reason.txt',
    ]);
  });

  it('leaves folders alone', async () => {
    const shop = await openFileShop();
    mkdirSync(join(shop.root, importPath, 'archive'));
    writeFileSync(join(shop.root, importPath, 'archive', fileName()), good);
    expect((await shop.batch()).count).toBe(0);
  });

  it('accepts any namespace, and lists in either form', async () => {
    const shop = await openFileShop();
    const namespaced = good
      .replace('<transactions>', '<r:transactions xmlns:r="urn:any" xmlns="urn:other">')
      .replace('</transactions>', '</r:transactions>')
      .replace('<paymentMethods>', '<!-- a comment --><paymentMethods>');
    const repeated = good
      .replace('f-1', 'f-2')
      .replace(
        /<paymentMethods>\s*<paymentMethod>(.*)<\/paymentMethod>\s*<\/paymentMethods>/,
        '<paymentMethods>$1</paymentMethods>',
      )
      .replace(/<items>\s*<item>/, '<items>')
      .replace(/<\/item>\s*<\/items>/, '</items>')
      .replace('<sku>', '<extraData><item name="size"><![CDATA[M & L]]></item></extraData><sku>');
    shop.drop(fileName(1), namespaced);
    shop.drop(fileName(2), repeated);
    const [{ files }] = (await shop.batch()).items;
    expect(files).toMatchObject([
      { imported: 1, notes: [] },
      { imported: 1, notes: [] },
    ]);
  });
});
