/** Measures receipts as files: 100,000 of them in five files, in a process of its own. */
import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { round } from './numbers.mjs';
import { environment } from './servers.mjs';

const files = 5;
const receiptsInFile = 20_000;
const contacts = 10_000;
const run = fileURLToPath(new URL('import-run.mjs', import.meta.url));

const fixture = {
  retailer: { name: 'Bench', groupCurrency: 'SEK' },
  contactTypes: [{ id: 'Member', name: 'Member', keyAttribute: 'email' }],
  stores: [{ externalId: '100', name: 'Bench' }],
  pointDefinitions: [{ id: 1, name: 'Points', pointsPerUnit: 1, expiry: { method: 'age', months: 6 } }],
  contacts: Array.from({ length: contacts }, (_, n) => ({
    id: `5a0e7c1e-0002-4000-8000-${String(n).padStart(12, '0')}`,
    contactType: 'Member',
    email: `${n}@example.com`,
  })),
};

const item = (n) =>
  `<item><type>PURCHASE</type><quantity>1</quantity><grossPaidPrice>100</grossPaidPrice><taxAmount>20</taxAmount>` +
  `<taxPercent>25</taxPercent><sku>${n}</sku><articleNumber>${n}</articleNumber><articleName>Shirt</articleName></item>`;

const transaction = (n, domain) => `<transaction>
  <contact><matchKey>${n % contacts}@${domain}</matchKey><matchKeyType>email</matchKeyType></contact>
  <uniqueReceiptId>bench-${n}</uniqueReceiptId><createdDate>2026-02-27T16:42:00+01:00</createdDate>
  <storeExternalId>100</storeExternalId><currency>SEK</currency><totalGrossPrice>200</totalGrossPrice>
  <paymentMethods><paymentMethod><type>card</type><value>200</value></paymentMethod></paymentMethods>
  <items>${item(1)}${item(2)}</items>
</transaction>
`;

async function writeFiles(folder, domain) {
  const target = join(folder, 'integration/transactionImport');
  mkdirSync(target, { recursive: true });
  for (let file = 0; file < files; file++) {
    const stream = createWriteStream(join(target, `20260301120000_${file}_transactions.xml`));
    stream.write('<?xml version="1.0" encoding="utf-8"?>\n<transactions>\n');
    for (let n = 0; n < receiptsInFile; n++) {
      if (!stream.write(transaction(file * receiptsInFile + n, domain))) await once(stream, 'drain');
    }
    stream.end('</transactions>\n');
    await once(stream, 'finish');
  }
}

async function measure(folder, domain) {
  const root = join(folder, `imports-${domain}`);
  await writeFiles(root, domain);
  const fixtures = join(folder, 'imports.json');
  writeFileSync(fixtures, JSON.stringify(fixture));
  const args = ['--expose-gc', run, root, fixtures];
  return JSON.parse(execFileSync(process.execPath, args, { env: environment, encoding: 'utf8' }));
}

export async function imports(folder) {
  const known = await measure(folder, 'example.com');
  const unknown = await measure(folder, 'nowhere.example');
  // The state is the same after each file; the first half has the peak that V8 then keeps.
  const half = Math.ceil(unknown.memory.length / 2);
  const first = Math.max(...unknown.memory.slice(0, half));
  const second = Math.max(...unknown.memory.slice(half));
  return [
    {
      what: `importing ${known.imported.toLocaleString('en')} receipts in ${files} files, with points`,
      sim: `${round(known.milliseconds / 1000)} s`,
      milliseconds: known.milliseconds,
      limit: 60_000,
    },
    {
      what: 'most resident memory in the first and in the second half of the files, receipts of nobody',
      bare: `${first} MB`,
      sim: `${second} MB`,
      ratio: second / first,
      target: 1.15,
      better: 'lower',
    },
  ];
}
