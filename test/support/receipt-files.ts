/** Writes files of receipts, as an exporter writes them. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SimOptions } from '../../src/simulator/options.ts';
import { clientOf } from './client.ts';
import type { Client } from './client.ts';
import { importPath } from '../../src/imports/import-folder.ts';
import { folderWith } from './folders.ts';
import { startSim } from './open-sim.ts';
import { astrid } from './people.ts';

export { importPath } from '../../src/imports/import-folder.ts';

export interface FileReceipt {
  readonly id?: string;
  readonly contact?: string;
  readonly keyType?: string;
  readonly store?: string;
  readonly price?: number;
  /** Holds elements that are put before the items. */
  readonly extra?: string;
}

/** Returns one `<transaction>` of two articles for 100 each, unless given otherwise. */
export const transactionXml = ({
  id = 'f-1',
  contact = astrid,
  keyType = 'contactId',
  store = '100',
  price = 200,
  extra = '',
}: FileReceipt = {}): string => `  <transaction>
    <contact>
      <matchKey>${contact}</matchKey>
      <matchKeyType>${keyType}</matchKeyType>
    </contact>
    <uniqueReceiptId>${id}</uniqueReceiptId>
    <receiptNumber>77</receiptNumber>
    <createdDate>2026-02-27T16:42:00+01:00</createdDate>
    <storeExternalId>${store}</storeExternalId>
    <currency>SEK</currency>
    <totalGrossPrice>${price}</totalGrossPrice>
    <paymentMethods>
      <paymentMethod><type>card</type><value>${price}</value></paymentMethod>
    </paymentMethods>
${extra}    <items>
      <item>
        <type>PURCHASE</type>
        <quantity>2</quantity>
        <grossPaidPrice>${price}</grossPaidPrice>
        <taxAmount>${price / 5}</taxAmount>
        <taxPercent>25</taxPercent>
        <sku>1001-M</sku>
        <articleNumber>1001</articleNumber>
        <articleName>T-shirt</articleName>
      </item>
    </items>
  </transaction>
`;

/** Returns a file of these receipts, or of one. */
export const transactionsXml = (...receipts: readonly FileReceipt[]): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<transactions>\n${(receipts.length === 0 ? [{}] : receipts).map(transactionXml).join('')}</transactions>\n`;

export interface Shop extends Client {
  readonly root: string;
  /** Puts a file into the folder of a tenant. */
  readonly drop: (name: string, content: string | Buffer, tenant?: string) => void;
  /** Lets a quarter of an hour pass, and returns what the control API says of the imports. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly batch: (tenant?: string) => Promise<any>;
  /** Lists the files in a folder below the import folder. */
  readonly files: (below?: string) => string[];
}

/** Opens a shop whose default tenant has a folder for files. */
export async function openFileShop(options: SimOptions = {}): Promise<Shop> {
  const root = folderWith();
  const errors: unknown[] = [];
  const onInternalError = (error: unknown): void => void errors.push(error);
  const client = clientOf(await startSim({ importFolder: root, onInternalError, ...options }));
  const folderOf = (tenant: string): string => join(root, tenant === 'default' ? '' : `t/${tenant}`, importPath);
  return {
    ...client,
    root,
    drop: (name, content, tenant = 'default') => {
      mkdirSync(folderOf(tenant), { recursive: true });
      writeFileSync(join(folderOf(tenant), name), content);
    },
    batch: async (tenant = 'default') => {
      await client.post(`/__admin/clock?tenant=${tenant}`, { advance: '15m' });
      if (errors.length > 0) throw errors[0];
      return (await client.get(`/__admin/imports?tenant=${tenant}`)).body;
    },
    files: (below = '') => readdirSync(join(folderOf('default'), below)).toSorted(),
  };
}

/** Returns the name of a file, the n-th of its second. */
export const fileName = (sequence: number | string = 1): string => `20260301120000_${sequence}_transactions.xml`;
