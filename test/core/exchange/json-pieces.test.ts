import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { jsonInSteps } from '../../../src/core/exchange/json-in-steps.ts';
import { finish } from '../../../src/core/time/steps.ts';

/** True for a value without big integers, which JSON has no form for. */
const isWritable = (one: object): boolean =>
  !/bigint/.test(JSON.stringify(one, (_, inner: unknown) => (typeof inner === 'bigint' ? 'bigint' : inner)) ?? '');

describe('JSON that is written in steps', () => {
  it('is what is written in one go', () => {
    const value = fc.oneof(
      fc.array(fc.anything()),
      fc.dictionary(fc.string(), fc.oneof(fc.array(fc.anything()), fc.anything())),
    );
    fc.assert(
      fc.property(value.filter(isWritable), (one) => {
        expect(finish(jsonInSteps(one))).toBe(JSON.stringify(one));
      }),
    );
  });

  it('leaves others their turn while it writes a long list', () => {
    const steps = jsonInSteps({ operations: Array.from({ length: 1000 }, (_, n) => ({ n })) });
    let count = 0;
    while (!steps.next().done) count++;
    expect(count).toBeGreaterThanOrEqual(3);
  });
});
