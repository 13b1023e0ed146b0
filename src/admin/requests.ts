import * as z from '../core/validation/deferred-zod.ts';
import { upTo } from '../core/validation/field-types.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import { integerParameter } from '../core/exchange/pagination.ts';
import { Signal } from '../core/lib/signal.ts';
import { finishInTurns } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import { tenantPrefix } from '../core/tenant/registry.ts';
import { adminEndpoint, defaultLimit, pageParameters, tenantParameter, tenantQuery } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';
import { invalidFieldError } from '../service/errors/catalog.ts';
import {
  exchangeSummarySchema,
  exchangeSchema,
  serializeExchange,
  serializeExchangeSummary,
} from './serialize/exchanges.ts';
import { exchangeLister, listedExchangeSchema } from './serialize/request-labels.ts';
import { harSchema, serializeHar } from './serialize/har.ts';
import { compileFilter, filterParameters } from './input/request-filter.ts';
import type { RequestFilter } from './input/request-filter.ts';
import { findExchange } from './input/past-request.ts';
import { waitField } from './input/field-formats.ts';
import { followTenant, limitWaiters, waitForSignal } from './input/long-poll.ts';
import { watchRequests } from './input/request-watch.ts';

const tag = 'Control: requests';

const listQuery = z.object({
  ...tenantParameter,
  ...filterParameters,
  ...pageParameters,
  last: integerParameter(1)
    .max(...upTo(1000))
    .optional()
    .describe('Returns this many of the last requests, instead of offset and limit'),
  order: z
    .enum(['oldest', 'newest'], { error: 'must be oldest or newest' })
    .optional()
    .describe('Puts these first, and counts offset and limit from them (default: oldest)'),
  wait: waitField
    .optional()
    .describe('Responds when enough requests match, or after this much real time: 5s, at most 60s'),
  atLeast: integerParameter(0).optional().describe('Waits for this many (default: 1)'),
});

const listSchema = z.strictObject({
  count: z.int().describe('Counts the matches on all pages'),
  complete: z.boolean().describe('True if at least `atLeast` match'),
  evicted: z.int().describe('Counts the requests that the journal dropped to make room'),
  cursor: z.int().describe('Send it as `after` to get the requests that are completed later'),
  items: z.array(listedExchangeSchema).describe('The newest last, unless `order` says otherwise'),
});

async function listRequests(
  context: AdminContext,
  query: z.infer<typeof listQuery>,
): Promise<z.infer<typeof listSchema>> {
  const { wait: milliseconds, atLeast = milliseconds === undefined ? 0 : 1, ...selection } = query;
  const { offset, limit, last, order: _order, ...filter } = selection;
  if (last !== undefined && (offset > 0 || limit !== defaultLimit))
    throw invalidFieldError(
      'last',
      "can't be combined with offset or limit: it counts from the end; leave one of them out",
    );
  const compiled = compileFilter(context, filter);
  if (milliseconds !== undefined) {
    await limitWaiters(context.tenant, () => waitForMatches(context, { ...compiled, atLeast, milliseconds }));
  }
  return finishInTurns(listSelected(context, { ...selection, select: compiled.select, atLeast }));
}

type Selection = Omit<z.infer<typeof listQuery>, 'wait' | 'atLeast'> &
  Pick<RequestFilter, 'select'> & { readonly atLeast: number };

function* listSelected(
  { tenant, endpoints }: AdminContext,
  { offset, limit, last, order, after, select, atLeast }: Selection,
): Steps<z.infer<typeof listSchema>> {
  const { journal } = tenant;
  const { completedCount, evicted } = journal;
  const met = yield* select(journal);
  const oldestFirst = after === undefined ? met : met.toSorted((a, b) => orderOf(a) - orderOf(b));
  const found = order === 'newest' ? oldestFirst.toReversed() : oldestFirst;
  const items = last === undefined ? found.slice(offset, offset + limit) : found.slice(-last);
  const shown = items.at(-1);
  const isCut = after !== undefined && order !== 'newest' && shown !== undefined && shown !== found.at(-1);
  const cursor = isCut ? orderOf(shown) : completedCount;
  const list = exchangeLister(tenant, endpoints);
  const listed: ReturnType<typeof list>[] = [];
  for (const exchange of items) {
    listed.push(list(exchange));
    yield;
  }
  return { count: found.length, complete: found.length >= atLeast, evicted, cursor, items: listed };
}

const orderOf = ({ completionNumber = 0 }: Exchange): number => completionNumber;

interface MatchWait extends RequestFilter {
  readonly atLeast: number;
  readonly milliseconds: number;
}

/** Resolves when enough requests match, when time is up, or when the client has gone. */
async function waitForMatches(
  { tenant, signal }: AdminContext,
  { isCandidate, search, select, atLeast, milliseconds }: MatchWait,
): Promise<void> {
  const met = new Set<Exchange>();
  const enough = new Signal();
  // Some may be completed while those that are there are searched.
  const unsubscribe = watchRequests(tenant, {
    isCandidate,
    search,
    onMeant: (exchange) => {
      met.add(exchange);
      if (met.size >= atLeast) enough.emit();
    },
  });
  try {
    for (const exchange of await finishInTurns(select(tenant.journal))) met.add(exchange);
    if (met.size >= atLeast || signal.aborted) return;
    await waitForSignal({ subscribe: (end) => enough.subscribe(end), milliseconds, signal });
  } finally {
    unsubscribe();
  }
}

const exportQuery = z.object({ ...tenantParameter, ...filterParameters, ...pageParameters });

function* exportRequests(
  context: AdminContext,
  { offset, limit, ...filter }: z.infer<typeof exportQuery>,
): Steps<z.infer<typeof harSchema>> {
  const { tenant, serverUrl } = context;
  const [first] = tenant.journal.exchanges();
  const found = yield* compileFilter(context, filter).select(tenant.journal);
  return yield* serializeHar(found.slice(offset, offset + limit), `${serverUrl}${tenantPrefix(tenant.name)}`, first);
}

/** True when no endpoint has the path and method of the request. */
const isUnmatched = ({ endpoint, status }: Exchange): boolean =>
  endpoint === undefined && (status === 404 || status === 405);

const serializeUnmatched = (exchange: Exchange) =>
  Object.assign(serializeExchangeSummary(exchange), { nearest: exchange.nearest ?? null });

export const requestEndpoints = [
  adminEndpoint({
    id: 'listRequests',
    method: 'GET',
    path: '/__admin/requests',
    tag,
    summary: 'Lists completed requests, all or those that match a filter; `wait` waits for them',
    query: listQuery,
    responses: { 200: listSchema },
    retry: 'safe',
    examples: [{ query: { status: '4xx', limit: '20' }, status: 200 }],
    handle: async (context, { query }) => apiResponse(200, await followTenant(context, query, listRequests)),
  }),
  adminEndpoint({
    id: 'listUnmatchedRequests',
    method: 'GET',
    path: '/__admin/requests/unmatched',
    tag,
    summary: 'Lists requests that match no endpoint, with the nearest endpoint',
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
    id: 'exportRequests',
    method: 'GET',
    path: '/__admin/requests/har',
    tag,
    summary: 'Exports completed requests as HAR 1.2, for developer tools, proxies and load generators',
    query: exportQuery,
    responses: { 200: harSchema },
    retry: 'safe',
    examples: [{ query: { fault: 'any' }, status: 200 }],
    handle: async (context, { query }) => apiResponse(200, await finishInTurns(exportRequests(context, query))),
  }),
  adminEndpoint({
    id: 'getRequest',
    method: 'GET',
    path: '/__admin/requests/{id}',
    tag,
    summary: 'Shows a request in full: request, response, delivered response, effects and assumptions',
    query: tenantQuery,
    responses: { 200: exchangeSchema },
    errors: ['NotFound'],
    retry: 'safe',
    examples: [{ params: { id: 'default-0' }, status: 404 }],
    handle: async ({ tenant }, { params: { id = '' } }) =>
      apiResponse(200, await finishInTurns(serializeExchange(tenant, findExchange(tenant, id)))),
  }),
  adminEndpoint({
    id: 'clearRequests',
    method: 'DELETE',
    path: '/__admin/requests',
    tag,
    summary: 'Clears the journal',
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
