import * as z from 'zod';
import { apiResponse } from '../core/exchange/endpoint.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import { integerParameter } from '../core/exchange/pagination.ts';
import { apiError } from '../service/errors/catalog.ts';
import { adminEndpoint, pageParameters, tenantParameter, tenantQuery } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';
import {
  exchangeSummarySchema,
  exchangeSchema,
  serializeExchange,
  serializeExchangeSummary,
} from './serialize/exchanges.ts';
import { compileFilter, filterParameters } from './input/request-filter.ts';
import { waitField } from './input/field-formats.ts';
import { limitWaiters, waitForSignal } from './input/long-poll.ts';

const tag = 'Control: requests';

const listQuery = z.object({
  ...tenantParameter,
  ...filterParameters,
  ...pageParameters,
  last: integerParameter(1)
    .max(1000, { error: 'must be at most 1000' })
    .optional()
    .describe('The last so many, instead of offset and limit'),
  wait: waitField
    .optional()
    .describe('Answers when so many requests match, or after this much real time: 5s, at most 60s'),
  atLeast: integerParameter(0).optional().describe('How many to wait for; 1 unless given'),
});

const listSchema = z.strictObject({
  count: z.int().describe('How many match, on all pages'),
  complete: z.boolean().describe('Whether at least as many match as were asked for'),
  evicted: z.int().describe('How many the journal dropped to make room'),
  cursor: z.int().describe('Sent as after, it asks for those that are over later'),
  items: z.array(exchangeSummarySchema).describe('The newest last'),
});

async function listRequests(
  control: AdminContext,
  query: z.infer<typeof listQuery>,
): Promise<z.infer<typeof listSchema>> {
  const { offset, limit, last, wait: milliseconds, atLeast = milliseconds === undefined ? 0 : 1, ...filter } = query;
  const { journal } = control.tenant;
  const isMeant = compileFilter(control, filter);
  if (milliseconds !== undefined) {
    await limitWaiters(control.tenant, () => waitForMatches(control, { isMeant, atLeast, milliseconds }));
  }
  const met = [...journal.exchanges()].filter(isMeant);
  const found = filter.after === undefined ? met : met.toSorted((a, b) => orderOf(a) - orderOf(b));
  const items = last === undefined ? found.slice(offset, offset + limit) : found.slice(-last);
  const shown = items.at(-1);
  const isCut = filter.after !== undefined && shown !== undefined && shown !== found.at(-1);
  return {
    count: found.length,
    complete: found.length >= atLeast,
    evicted: journal.evicted,
    cursor: isCut ? orderOf(shown) : journal.completedCount,
    items: items.map(serializeExchangeSummary),
  };
}

const orderOf = ({ completionNumber: settledAs = 0 }: Exchange): number => settledAs;

interface MatchWait {
  readonly isMeant: (exchange: Exchange) => boolean;
  readonly atLeast: number;
  readonly milliseconds: number;
}

/** Resolves when so many are there, when time is up, or when the caller has gone. */
function waitForMatches(
  { tenant: { journal }, signal }: AdminContext,
  { isMeant, atLeast, milliseconds }: MatchWait,
): Promise<void> {
  const met = new Set([...journal.exchanges()].filter(isMeant));
  if (met.size >= atLeast || signal.aborted) return Promise.resolve();
  const subscribe = (end: () => void) =>
    journal.onCompleted((exchange) => {
      if (isMeant(exchange)) met.add(exchange);
      if (met.size >= atLeast) end();
    });
  return waitForSignal({ subscribe, milliseconds, signal });
}

/** Turned away before any endpoint was reached because there is none: another path, or another method. */
const isUnmatched = ({ endpoint, status }: Exchange): boolean =>
  endpoint === undefined && (status === 404 || status === 405);

const serializeUnmatched = (exchange: Exchange) =>
  Object.assign(serializeExchangeSummary(exchange), { nearest: exchange.nearest ?? null });

function findExchange({ tenant: { journal } }: AdminContext, id: string): Exchange {
  const exchange = journal.get(id);
  if (exchange) return exchange;
  const dropped = journal.evicted > 0 ? `, and ${journal.evicted} older ones were dropped to make room` : '';
  throw apiError('NotFound', {
    message: `The journal holds ${journal.size} requests, none with the id "${id}"${dropped}.`,
  });
}

export const requestEndpoints = [
  adminEndpoint({
    id: 'listRequests',
    method: 'GET',
    path: '/__admin/requests',
    tag,
    summary: 'Requests that were answered, all or those that a filter meets; waits for them when asked to',
    query: listQuery,
    responses: { 200: listSchema },
    retry: 'safe',
    examples: [{ query: { status: '4xx', limit: '20' }, status: 200 }],
    handle: async (control, { query }) => apiResponse(200, await listRequests(control, query)),
  }),
  adminEndpoint({
    id: 'listUnmatchedRequests',
    method: 'GET',
    path: '/__admin/requests/unmatched',
    tag,
    summary: 'Requests that no endpoint answers, with the nearest that would',
    query: tenantQuery.extend(pageParameters),
    responses: {
      200: z.strictObject({
        count: z.int(),
        items: z.array(exchangeSummarySchema.extend({ nearest: z.string().nullable() })),
      }),
    },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: ({ tenant }, { query: { offset, limit } }) => {
      const found = [...tenant.journal.exchanges()].filter(isUnmatched);
      return apiResponse(200, {
        count: found.length,
        items: found.slice(offset, offset + limit).map(serializeUnmatched),
      });
    },
  }),
  adminEndpoint({
    id: 'getRequest',
    method: 'GET',
    path: '/__admin/requests/{id}',
    tag,
    summary:
      'All there is to know of one request: what was sent, answered and delivered, what it did, what it rests on',
    query: tenantQuery,
    responses: { 200: exchangeSchema },
    errors: ['NotFound'],
    retry: 'safe',
    examples: [{ params: { id: 'default-0' }, status: 404 }],
    handle: (control, { params: { id = '' } }) =>
      apiResponse(200, serializeExchange(control.tenant, findExchange(control, id))),
  }),
  adminEndpoint({
    id: 'clearRequests',
    method: 'DELETE',
    path: '/__admin/requests',
    tag,
    summary: 'Empties the journal',
    query: tenantQuery,
    responses: { 200: z.strictObject({ cleared: z.int() }) },
    retry: 'idempotent',
    examples: [{ status: 200 }],
    handle: ({ tenant: { journal } }) => {
      const cleared = journal.size;
      journal.clear();
      return apiResponse(200, { cleared });
    },
  }),
];
