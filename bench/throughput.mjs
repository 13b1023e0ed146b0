/** Requests a second over 50 connections, journal and validation on, in turns with the bare server. */
import { load, requestText } from './load.mjs';
import { median, round } from './numbers.mjs';
import { bareServer, simServer, startServer } from './servers.mjs';

const connections = 50;
const seconds = 3;
const rounds = 5;
const contact = '5a0e7c1e-0001-4000-8000-000000000001';

export const receipt = (n) =>
  JSON.stringify({
    contact: { matchKey: 'astrid.lindqvist@example.com', matchKeyType: 'email' },
    uniqueReceiptId: `bench-${String(n).padStart(9, '0')}`,
    receiptNumber: '4711',
    createdDate: '2026-03-01T10:00:00+01:00',
    storeExternalId: '100',
    currency: 'SEK',
    totalGrossPrice: 548,
    paymentMethods: [{ type: 'CARD', description: 'Visa', value: 548 }],
    items: [
      {
        type: 'PURCHASE',
        quantity: 1,
        grossPaidPrice: 399,
        taxAmount: 79.8,
        taxPercent: 25,
        sku: '10-100-38',
        articleNumber: '10-100',
        articleName: 'Jeans',
        articleGroup: 'Trousers',
      },
      {
        type: 'PURCHASE',
        quantity: 1,
        grossPaidPrice: 149,
        taxAmount: 29.8,
        taxPercent: 25,
        sku: '20-200-M',
        articleNumber: '20-200',
        articleName: 'T-shirt',
        articleGroup: 'Tops',
      },
    ],
  });

const kinds = [
  {
    what: 'GET contact',
    target: 0.5,
    status: 200,
    message: () => requestText('GET', `/api/v3/contacts/${contact}`),
  },
  {
    what: 'POST receipt',
    target: 0.25,
    status: 202,
    message: (n) => requestText('POST', '/api/v3/receipts', receipt(n)),
  },
];

async function measure(args, { status, message, what }) {
  const server = await startServer(args);
  const answered = args === bareServer ? bareStatus(what) : status;
  const options = { port: server.port, connections, message, status: answered };
  await load({ ...options, seconds: 1 });
  const offset = 100_000_000;
  const rate = await load({ ...options, message: (n) => message(n + offset), seconds });
  await server.stop();
  return rate;
}

const bareStatus = (what) => (what.startsWith('GET') ? 200 : 202);

export async function throughput(folder) {
  const rows = [];
  for (const kind of kinds) {
    const [bare, sim] = [[], []];
    for (let n = 0; n < rounds; n++) {
      bare.push(await measure(bareServer, kind));
      sim.push(await measure(simServer(folder), kind));
    }
    rows.push({
      what: `${kind.what}, ${connections} connections`,
      bare: `${round(median(bare))}/s`,
      sim: `${round(median(sim))}/s`,
      ratio: median(sim) / median(bare),
      target: kind.target,
      better: 'higher',
    });
  }
  return rows;
}
