import * as z from 'zod';
import { apiResponse, endpoint } from '../../core/exchange/endpoint.ts';
import { listStores } from './operations.ts';
import { storeSchema } from './schema.ts';

export const retailerEndpoints = [
  endpoint({
    id: 'listStores',
    method: 'GET',
    path: '/api/v3/stores',
    tag: 'Receipts, transactions, orders',
    summary: 'The stores of the retailer',
    responses: { 200: z.array(storeSchema) },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: (tenant) => apiResponse(200, listStores(tenant)),
  }),
];
