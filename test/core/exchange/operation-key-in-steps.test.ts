import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operationKey, operationKeyInSteps } from '../../../src/core/exchange/operation-key.ts';
import { finish } from '../../../src/core/time/steps.ts';

const request = (body: string, headers = {}) => ({
  method: 'POST',
  path: '/api/v3/receipts',
  query: '',
  request: { headers, body },
});
const endpoint = { id: 'createReceipt', path: '/api/v3/receipts', idempotencyKey: 'body.uniqueReceiptId' } as const;

const key = fc.record({ uniqueReceiptId: fc.constantFrom<unknown>('r-1', 7, null) }, { requiredKeys: [] });
const bodies = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  key.chain((own) => fc.dictionary(fc.string(), fc.jsonValue()).map((rest) => ({ ...rest, ...own }))),
  fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))),
);

describe('the key of an operation', () => {
  it('is the same when it is found in steps', () => {
    fc.assert(
      fc.property(bodies, fc.constantFrom(endpoint, undefined), (body, served) => {
        const asked = request(JSON.stringify(body));
        expect(finish(operationKeyInSteps(asked, served, body))).toEqual(operationKey(asked, served));
      }),
    );
  });

  it('is the text itself of what is no JSON, and the test id where there is one', () => {
    for (const asked of [request('{"a":'), request('{"a":1}', { 'x-sim-test-id': 't' })]) {
      const parsed = asked.request.body.endsWith('}') ? { a: 1 } : undefined;
      expect(finish(operationKeyInSteps(asked, endpoint, parsed))).toEqual(operationKey(asked, endpoint));
    }
  });
});
