import * as z from '../../core/validation/deferred-zod.ts';
import { apiResponse, endpoint } from '../../core/exchange/endpoint.ts';
import { listStores } from './operations.ts';
import { storeResponseSchema } from './schema.ts';

export const retailerEndpoints = [
  endpoint({
    id: 'listStores',
    method: 'GET',
    path: '/api/v3/stores',
    tag: 'Receipts, transactions, orders',
    summary: 'The stores of the retailer',
    query: z.object({
      includeInactive: z.stringbool({ error: 'must be true or false' }).default(false).meta({ type: 'boolean' }),
    }),
    responses: { 200: z.array(storeResponseSchema) },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: (tenant, { query }) => apiResponse(200, listStores(tenant, query.includeInactive)),
  }),
];
