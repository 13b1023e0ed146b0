/** Measures what it costs to judge a long day: every receipt tried four times, every bulk of points three times. */
import { createSim } from '../dist/index.js';
import { round } from './numbers.mjs';
import { receiptOf } from './receipt.mjs';

const exchanges = 30_000;
const calls = 10;
const now = '2026-03-01T12:00:00Z';

const scenario = {
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

async function dayOf(sim) {
  const call = async (method, path, body) => {
    const init = { method, headers: { 'user-agent': 'bench', 'content-type': 'application/json' } };
    const request = new Request(`http://127.0.0.1${path}`, { ...init, ...(body && { body: JSON.stringify(body) }) });
    // What is lost is lost.
    await sim
      .fetch(request)
      .then((response) => response.text())
      .catch(() => {});
  };
  for (let n = 0; n < exchanges / calls; n++) {
    for (let attempt = 0; attempt < 4; attempt++) await call('POST', '/api/v3/receipts', receipt(n));
    for (let attempt = 0; attempt < 3; attempt++) await call('POST', '/api/v3/point-accounts/transactions', points(n));
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

/** Holds one expectation for each of so many receipts; half of them never came. */
const expectations = Array.from({ length: 10_000 }, (_, n) => ({
  request: { endpoint: 'createReceipt', body: { storeExternalId: '100', uniqueReceiptId: `till-${n}` } },
}));

export async function judging() {
  const sim = await createSim({ scenario, journalBytes: 2 ** 32 });
  await dayOf(sim);
  const { result, milliseconds } = await timed(() => sim.verdict());
  const operations = result.operations.length.toLocaleString('en');
  const expected = await timed(() => sim.verdict({ expectations }));
  return [
    {
      what: `the verdict on a journal of 30,000 requests, ${operations} operations`,
      sim: `${round(milliseconds)} ms`,
      limit: 500,
      milliseconds,
      better: 'lower',
    },
    { what: '10,000 expectations held against the same journal', sim: `${round(expected.milliseconds)} ms` },
  ];
}
