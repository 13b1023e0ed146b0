/** Measures requests a second and the time to a response, journal and validation on, in turns with two bare servers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './folder.mjs';
import { loadWithLatencies, requestText } from './load.mjs';
import { median, round, spread } from './numbers.mjs';
import { bareServer, parsingServer, simServer, startServer } from './servers.mjs';

const seconds = 3;
const rounds = 5;
const contact = '5a0e7c1e-0001-4000-8000-000000000001';
const email = 'astrid.lindqvist@example.com';

/** Describes a shop without points: nothing is earned. */
const plain = {
  contactTypes: [{ id: 'Member', name: 'Member', keyAttribute: 'email' }],
  stores: [{ externalId: '100', name: 'Stockholm' }],
  contacts: [{ id: contact, contactType: 'Member', email }],
};

const items = [
  ['10-100-38', '10-100', 'Jeans', 'Trousers', 399],
  ['20-200-M', '20-200', 'T-shirt', 'Tops', 149],
  ['30-300-41', '30-300', 'Boots', 'Shoes', 899],
].map(([sku, articleNumber, articleName, articleGroup, grossPaidPrice]) => ({
  type: 'PURCHASE',
  quantity: 1,
  grossPaidPrice,
  taxAmount: grossPaidPrice / 5,
  taxPercent: 25,
  sku,
  articleNumber,
  articleName,
  articleGroup,
}));

const receiptWith = (lines, n) => ({
  contact: { matchKey: email, matchKeyType: 'email' },
  uniqueReceiptId: `bench-${String(n).padStart(9, '0')}`,
  receiptNumber: '4711',
  createdDate: '2026-03-01T10:00:00+01:00',
  storeExternalId: '100',
  currency: 'SEK',
  totalGrossPrice: lines.reduce((sum, { grossPaidPrice }) => sum + grossPaidPrice, 0),
  paymentMethods: [{ type: 'CARD', description: 'Visa', value: 548 }],
  items: lines,
});

/** Returns the n-th receipt of two lines, 0.9 KB. */
export const receipt = (n) => JSON.stringify(receiptWith(shortLines, n));

const extraData = ['cashier', 'terminal', 'campaign', 'discount'].map((name) => ({
  name,
  value: `${name} of the third floor`,
}));
const withExtraData = (lines, count) => lines.map((line) => ({ ...line, extraData: extraData.slice(0, count) }));
const shortLines = withExtraData(items.slice(0, 2), 2);
const longLines = withExtraData(items, 4);

/** Returns the n-th receipt of three lines, 1.6 KB. */
const longReceipt = (n) => JSON.stringify(receiptWith(longLines, n));

/** Returns a request for a contact of the default fixture. */
export const contactRequest = () => requestText('GET', `/api/v3/contacts/${contact}`);

const posting = (body) => (n) => requestText('POST', '/api/v3/receipts', body(n));

const kinds = [
  {
    what: 'GET contact',
    target: 0.6,
    status: 200,
    message: contactRequest,
    // Times the bare server's, at 50 connections.
    tail: 1.5,
  },
  { what: 'POST receipt of 0.9 KB, nothing earned', message: posting(receipt), isPlain: true },
  { what: 'POST receipt of 1.6 KB, nothing earned', message: posting(longReceipt), isPlain: true, target: 0.22 },
  { what: 'POST receipt of 0.9 KB, default fixture', message: posting(receipt) },
  { what: 'POST receipt of 1.6 KB, default fixture', message: posting(longReceipt), target: 0.1 },
];

async function measure(args, { status = 202, message }, connections) {
  const server = await startServer(args);
  const options = { port: server.port, connections, message, status };
  await loadWithLatencies({ ...options, seconds: 1 });
  const offset = 100_000_000;
  const measured = await loadWithLatencies({ ...options, message: (n) => message(n + offset), seconds });
  await server.stop();
  return measured;
}

/** Measures the packages in these folders, of which the first is this one's, against the bare servers. */
export async function throughput(...folders) {
  const plainFile = join(temporaryFolder(), 'plain.json');
  writeFileSync(plainFile, JSON.stringify(plain));
  const rows = [];
  for (const kind of kinds) {
    const options = kind.isPlain ? ['--fixtures', plainFile] : [];
    const servers = [bareServer, parsingServer, ...folders.map((folder) => simServer(folder, ...options))];
    for (const connections of [50, 1]) rows.push(...(await compare(servers, kind, connections)));
  }
  return rows;
}

async function compare(servers, kind, connections) {
  const results = servers.map(() => []);
  for (let n = 0; n < rounds; n++)
    for (const [i, server] of servers.entries()) results[i].push(await measure(server, kind, connections));
  const of = (i, figure) => results[i].map((one) => one[figure]);
  const at = `${connections} ${connections === 1 ? 'connection' : 'connections'}`;
  return results.slice(2).flatMap((_, i) => {
    const own = i + 2;
    const name = `${kind.what}, ${at}${i === 0 ? '' : ', as compared'}`;
    const isAsked = i === 0 && connections === 50;
    const [bareRate, rate] = [median(of(0, 'rate')), median(of(own, 'rate'))];
    return [
      {
        what: name,
        bare: `${round(bareRate)}/s, ${round(median(of(1, 'rate')))}/s if it parses`,
        sim: `${round(rate)}/s (${spread(of(own, 'rate'))})`,
        ratio: rate / bareRate,
        target: isAsked ? kind.target : undefined,
        better: 'higher',
      },
      ...['p50', 'p99'].map((figure) => ({
        what: `${name}: ${figure}`,
        bare: `${round(median(of(0, figure)))} ms`,
        sim: `${round(median(of(own, figure)))} ms`,
        ratio: median(of(own, figure)) / median(of(0, figure)),
        target: isAsked && figure === 'p99' ? kind.tail : undefined,
        better: 'lower',
      })),
    ];
  });
}
