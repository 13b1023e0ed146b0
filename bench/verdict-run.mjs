/**
 * `node verdict-run.mjs <day>`: judges a long day in a process of its own, and prints what it took. On a `failing` day every
 * receipt is tried four times, and every bulk of points three times, at one moment; on a `plain` one everything comes through
 * at once.
 */
import { createSim } from '../dist/index.js';
import { receiptOf } from './receipt.mjs';

const exchanges = 30_000;
const now = '2026-03-01T12:00:00Z';

const failing = {
  rules: [
    { match: { endpoint: 'createReceipt' }, fault: 504, probability: 0.5 },
    {
      match: { endpoint: 'addPointTransactions' },
      fault: { phase: 'after', respond: 'none', end: 'reset' },
      probability: 0.5,
    },
  ],
  policy: { maxAttempts: 3, minBackoff: '40ms', storeAndForward: { after: '1s' } },
};

const contactId = (n) => `5a0e7c1e-0001-4000-8000-${String(1 + (n % 20)).padStart(12, '0')}`;

const receipt = (n) => receiptOf({ contactId: contactId(n), id: `till-${n}`, createdDate: now });

const points = (n) => [
  { contactId: contactId(n), definitionId: 1, amount: 10, timeStamp: now, source: 'Adjustment', description: `b-${n}` },
];

/** Lists the requests of each round, with how often each is sent. */
const days = {
  failing: { scenario: failing, receipts: 4, points: 3 },
  plain: { scenario: { policy: failing.policy }, receipts: 1, points: 1 },
};

async function liveThrough({ receipts, points: bulks }, sim) {
  const call = async (method, path, body) => {
    const init = { method, headers: { 'user-agent': 'bench', 'content-type': 'application/json' } };
    const request = new Request(`http://127.0.0.1${path}`, { ...init, ...(body && { body: JSON.stringify(body) }) });
    // What is lost is lost.
    await sim
      .fetch(request)
      .then((response) => response.text())
      .catch(() => {});
  };
  for (let n = 0; n < exchanges / (receipts + bulks + 3); n++) {
    for (let attempt = 0; attempt < receipts; attempt++) await call('POST', '/api/v3/receipts', receipt(n));
    for (let attempt = 0; attempt < bulks; attempt++)
      await call('POST', '/api/v3/point-accounts/transactions', points(n));
    await call('GET', `/api/v3/contacts/id?email=x${n}@example.com`);
    await call('GET', `/api/v3/contacts/${contactId(n)}`);
    await call('PATCH', `/api/v3/contacts/${contactId(n)}`, { firstName: `N${n}` });
  }
}

const timed = async (work) => {
  const start = performance.now();
  const result = await work();
  return { result, milliseconds: performance.now() - start };
};

/** Holds one expectation for each of so many receipts; on a failing day, most of them never came. */
const expectations = Array.from({ length: 10_000 }, (_, n) => ({
  request: { endpoint: 'createReceipt', body: { storeExternalId: '100', uniqueReceiptId: `till-${n}` } },
}));

const day = days[process.argv[2]];
const sim = await createSim({ scenario: day.scenario, journalBytes: 2 ** 32 });
await liveThrough(day, sim);
const { result, milliseconds } = await timed(() => sim.verdict());
const expected = await timed(() => sim.verdict({ expectations }));
process.stdout.write(
  JSON.stringify({ milliseconds, operations: result.operations.length, expected: expected.milliseconds }),
);
process.exit(0);
