import * as z from '../../core/validation/deferred-zod.ts';
import { apiResponse, endpoint } from '../../core/exchange/endpoint.ts';
import { listConsents } from './operations.ts';
import { consentSchema } from './schema.ts';

export const consentEndpoints = [
  endpoint({
    id: 'listConsents',
    method: 'GET',
    path: '/consents',
    aliases: ['/api/v3/consents'],
    tag: 'Contacts',
    summary: 'The consents that contacts of this retailer are asked for, without their answers',
    responses: { 200: z.array(consentSchema) },
    assumptions: ['A-20'],
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: (tenant) => apiResponse(200, listConsents(tenant)),
  }),
];
