/** Thousands of expectations are checked without asking each about every call, and find what asking would have found. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callIndexOf } from '../support/call-index.ts';
import { requestPattern, matchesAllFields } from '../../src/verdict/expectations/request-pattern.ts';
import { finish } from '../../src/core/time/steps.ts';
import type { RequestView } from '../../src/matching/request-view.ts';
import type { ExpectedRequest } from '../../src/scenario/expectations/expected-request-schema.ts';

const some = 200;

const { calls, index } = await callIndexOf(some);

const value = fc.constantFrom<unknown>(1, '2', true, { oneOf: ['1', '2'] }, { exists: false }, { matches: '1$' });

const part: fc.Arbitrary<ExpectedRequest> = fc.oneof(
  fc.constantFrom<ExpectedRequest>({ endpoint: 'createReceipt' }, { endpoint: ['createReceipt', 'listStores'] }),
  fc.constantFrom({ method: 'post' }, { path: '/api/v3/receipts' }, { path: '/api/v3/{noun}' }, { path: '/nowhere' }),
  fc.record({ query: fc.record({ page: value }) }),
  fc.record({ headers: fc.record({ 'X-Till': value }) }),
  fc.record({ body: fc.record({ storeExternalId: value }) }),
  fc.record({ body: fc.record({ 'items[*].sku': value }) }),
  fc.constantFrom<ExpectedRequest>({ by: 'client' }, { by: 'script' }),
);

const wanted = fc
  .array(part, { minLength: 1, maxLength: 3 })
  .map((parts): ExpectedRequest => Object.assign({}, ...parts));

const ids = (found: readonly RequestView[]): string[] => found.map(({ call }) => call.exchange.id);

function expectFound(spec: ExpectedRequest): void {
  const kind = requestPattern(spec);
  const asked = calls.filter((call) => kind.isAtTarget(call.call) && finish(matchesAllFields(kind, call)));
  expect(ids(index.candidates(kind).filter((call) => finish(matchesAllFields(kind, call))))).toEqual(ids(asked));
}

describe('the index of requests', () => {
  it('finds what asking every call would have found', () => {
    fc.assert(fc.property(wanted, expectFound), { numRuns: 500 });
  });

  it.each([
    ['a key', { endpoint: 'createReceipt', body: { storeExternalId: '1', uniqueReceiptId: 'till-7' } }],
    ['one of some keys', { endpoint: 'createReceipt', body: { uniqueReceiptId: { oneOf: ['till-7'] } } }],
    ['a path', { path: '/api/v3/nothing/7' }],
    ['a parameter', { method: 'GET', query: { number: 8 } }],
  ] as const)('asks but one of many calls that differ by %s', (_, spec) => {
    expect(index.candidates(requestPattern(spec as ExpectedRequest))).toHaveLength(1);
  });
});
