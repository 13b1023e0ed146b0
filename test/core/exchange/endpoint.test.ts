import * as z from '../../../src/core/validation/deferred-zod.ts';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { apiResponse, endpoint, endpointFor } from '../../../src/core/exchange/endpoint.ts';
import type { ApiResponse } from '../../../src/core/exchange/endpoint.ts';
import type { SideEffects } from '../../../src/core/exchange/exchange.ts';
import type { Tenant } from '../../../src/core/tenant/tenant.ts';

const definition = {
  id: 'getNothing',
  method: 'GET',
  path: '/nothing',
  tag: 'Nothing',
  summary: 'Returns nothing',
  responses: { 200: z.object({}) },
  retry: 'safe',
  examples: [],
} as const;

describe('the type of an endpoint', () => {
  it('takes a handler of the service that answers at once', () => {
    const { handle } = endpoint({ ...definition, handle: () => apiResponse(200, {}) });
    expectTypeOf(handle).returns.toEqualTypeOf<ApiResponse>();
    expect(handle).toBeTypeOf('function');
  });

  it('takes no handler of the service that returns a promise', () => {
    // @ts-expect-error: a request is one transaction, which has ended before a promise is kept
    const { id } = endpoint({ ...definition, handle: () => Promise.resolve(apiResponse(200, {})) });
    expect(id).toBe('getNothing');
  });

  it('takes a handler of the control API that returns a promise', () => {
    const { handle } = endpointFor<object>()({ ...definition, handle: () => Promise.resolve(apiResponse(200, {})) });
    expectTypeOf(handle).returns.toEqualTypeOf<ApiResponse | Promise<ApiResponse>>();
    expect(handle).toBeTypeOf('function');
  });

  it('takes no work into a transaction that returns a promise', () => {
    expect(transactLater).toBeTypeOf('function');
  });
});

const transactLater = (tenant: Tenant, sideEffects: SideEffects): unknown =>
  // @ts-expect-error: the transaction would be over before the work is
  tenant.transact(sideEffects, () => Promise.resolve('later'));
