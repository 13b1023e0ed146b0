import { describe, expect, it } from 'vitest';
import type { ExpectationInput } from '../../src/scenario/expectations/expectation-schema.ts';
import { openSim } from '../support/open-sim.ts';
import { astrid, bo } from '../support/people.ts';
import { receiptOf } from '../support/receipt.ts';

const padding = 'x'.repeat(20_000);

/** Sends three receipts and something to a path that nobody serves, with something long in each body. */
async function openWithRequests(extra: object) {
  const client = await openSim();
  for (const key of ['a', 'b', 'c']) {
    const body = receiptOf(key === 'c' ? bo : astrid, key, { storeExternalId: '600', ...extra });
    await client.call('POST', `/api/v3/receipts?n=${key}`, { body, headers: { 'x-till': key } });
  }
  await client.post('/api/v3/no-such', [{ contactId: astrid, ...extra }]);
  return client;
}

const receipt = { endpoint: 'createReceipt' } as const;

const expectations: readonly ExpectationInput[] = [
  { request: { ...receipt, body: { uniqueReceiptId: 'b' } }, exactly: 1 },
  { request: { ...receipt, body: { uniqueReceiptId: 'd' } }, exactly: 1 },
  { request: { ...receipt, body: { 'items[*].sku': { matches: '^9' } } }, atLeast: 1 },
  { request: { ...receipt, body: { 'items[*].sku': { contains: '-M' }, storeExternalId: 600 } }, exactly: 3 },
  { request: { ...receipt, headers: { 'x-till': { oneOf: ['a', 'z'] } } }, atMost: 1 },
  { request: { ...receipt, headers: { 'x-till': 'z' }, query: { n: 'a' } } },
  { request: { ...receipt, contact: astrid }, exactly: 2 },
  { request: { ...receipt, contact: bo, query: { n: { exists: false } } } },
  { request: { path: '/api/v3/no-such', body: { '[*].contactId': bo } } },
  { request: { ...receipt, body: { uniqueReceiptId: 'c' } }, never: true },
  { request: { ...receipt, body: { coupons: { exists: false } }, by: 'script' }, never: true },
  { order: [{ body: { uniqueReceiptId: 'a' } }, { body: { uniqueReceiptId: 'c' } }] },
  { order: [{ body: { uniqueReceiptId: 'c' } }, { body: { uniqueReceiptId: 'a' } }] },
  { order: [{ body: { uniqueReceiptId: 'a' } }, { ...receipt, body: { totalGrossPrice: { atLeast: 1e9 } } }] },
  { noUnexpectedRequests: true, allow: [{ ...receipt, body: { storeExternalId: '600' }, query: { n: 'a' } }] },
];

/** Finds `x`, in texts of up to 2,000 characters. */
const slow = { matches: 'x{1}(y{990})?' };
const longNote = { ...receipt, body: { padding: slow } };

/** Judges the expectations about requests that hold this as well. */
async function judged(extra: object): Promise<unknown> {
  const { post } = await openWithRequests(extra);
  const { status, body } = await post('/__admin/verify', { expectations });
  expect(status).toBe(200);
  return body.checks;
}

describe('expectations about requests with long bodies', () => {
  it('are judged as they are about the same requests with short ones', async () => {
    const checks = await judged({ padding });
    expect(checks).toEqual(await judged({}));
    const verdicts = (checks as { readonly verdict: string }[]).map(({ verdict }) => verdict);
    expect(verdicts.join(' ')).toBe('PASS FAIL FAIL PASS PASS FAIL PASS FAIL FAIL FAIL PASS PASS FAIL FAIL FAIL');
  });

  it.each<readonly [string, ExpectationInput, string]>([
    ['never', { request: longNote, never: true }, 'INCONCLUSIVE'],
    ['exactly as often as they came', { request: longNote, exactly: 3 }, 'INCONCLUSIVE'],
    ['more often than they came', { request: longNote, atLeast: 4 }, 'FAIL'],
    ['at most as often as they came', { request: longNote, atMost: 3 }, 'PASS'],
    ['of somebody else', { request: { ...longNote, contact: 'nobody@example.com' }, never: true }, 'PASS'],
    ['with another status', { request: { ...longNote, status: 500 }, never: true }, 'PASS'],
    ['in an order', { order: [receipt, longNote] }, 'INCONCLUSIVE'],
    ['in one of several places', { request: { ...receipt, body: { padding: { oneOf: [{ a: slow }, 1] } } } }, 'FAIL'],
    ['inside of something', { request: { ...receipt, body: { $: { padding: slow } } }, never: true }, 'INCONCLUSIVE'],
  ])('are left open where a text is too long for a pattern: expected %s', async (_name, expectation, verdict) => {
    const { post } = await openWithRequests({ padding });
    const { checks } = (await post('/__admin/verify', expectation)).body;
    expect(checks[0].verdict).toBe(verdict);
    const reason = 'default-1, default-2, default-3 hold a text that is too long for its pattern';
    if (verdict === 'INCONCLUSIVE') expect(checks[0].reason).toContain(reason);
  });

  it('allow what may be allowed, and say so', async () => {
    const { post } = await openSim();
    await post('/api/v3/receipts', receiptOf(astrid, 'a', { padding }));
    const { checks } = (await post('/__admin/verify', { noUnexpectedRequests: true, allow: [longNote] })).body;
    const reason = 'default-1 holds a text that is too long for its pattern';
    expect(checks[0]).toMatchObject({ verdict: 'INCONCLUSIVE', reason });
  });
});
