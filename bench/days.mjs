/**
 * Describes two long days of a client. On a `failing` one every receipt is tried four times, and every bulk of points three
 * times, at one moment; on a `plain` one everything comes through at once.
 */
import { receiptOf } from './receipt.mjs';

const now = '2026-03-01T12:00:00Z';

const policy = { maxAttempts: 3, minBackoff: '40ms', storeAndForward: { after: '1s' } };

const rules = [
  { match: { endpoint: 'createReceipt' }, fault: 504, probability: 0.5 },
  {
    match: { endpoint: 'addPointTransactions' },
    fault: { phase: 'after', respond: 'none', end: 'reset' },
    probability: 0.5,
  },
];

/** Lists the scenario of each day, and how often its requests are sent. */
const days = {
  failing: { scenario: { rules, policy }, receipts: 4, points: 3 },
  plain: { scenario: { policy }, receipts: 1, points: 1 },
};

const contactId = (n) => `5a0e7c1e-0001-4000-8000-${String(1 + (n % 20)).padStart(12, '0')}`;

const receipt = (n) => receiptOf({ contactId: contactId(n), id: `till-${n}`, createdDate: now });

const points = (n) => [
  { contactId: contactId(n), definitionId: 1, amount: 10, timeStamp: now, source: 'Adjustment', description: `b-${n}` },
];

export const scenarioOf = (day) => days[day].scenario;

/** Yields so many requests of a day. */
export function* requestsOf(day, count) {
  const { receipts, points: bulks } = days[day];
  for (let n = 0; n < count / (receipts + bulks + 3); n++) {
    for (let attempt = 0; attempt < receipts; attempt++)
      yield { method: 'POST', path: '/api/v3/receipts', body: receipt(n) };
    for (let attempt = 0; attempt < bulks; attempt++)
      yield { method: 'POST', path: '/api/v3/point-accounts/transactions', body: points(n) };
    yield { method: 'GET', path: `/api/v3/contacts/id?email=x${n}@example.com` };
    yield { method: 'GET', path: `/api/v3/contacts/${contactId(n)}` };
    yield { method: 'PATCH', path: `/api/v3/contacts/${contactId(n)}`, body: { firstName: `N${n}` } };
  }
}
