import * as z from 'zod';
import { answer } from '../../core/endpoint.ts';
import type { Exchange } from '../../core/journal.ts';
import { wholeFrom } from '../../core/page.ts';
import { refusal } from '../../resources/refusals.ts';
import { controlEndpoint, pageParameters, tenantParameter, tenantQuery } from './control.ts';
import type { Control } from './control.ts';
import { exchangeLineSchema, exchangeSchema, showExchange, showExchangeLine } from './exchanges.ts';
import { filterOf, filterParameters } from './filter.ts';
import { wait } from './formats.ts';
import { waitingFor } from './waiting.ts';

const tag = 'Control: requests';

const listQuery = z.object({
  ...tenantParameter,
  ...filterParameters,
  ...pageParameters,
  last: wholeFrom(1)
    .max(1000, { error: 'must be at most 1000' })
    .optional()
    .describe('The last so many, instead of offset and limit'),
  wait: wait.optional().describe('Answers when so many requests match, or after this much real time: 5s, at most 60s'),
  atLeast: wholeFrom(0).optional().describe('How many to wait for; 1 unless given'),
});

const listSchema = z.strictObject({
  count: z.int().describe('How many match, on all pages'),
  complete: z.boolean().describe('Whether at least as many match as were asked for'),
  evicted: z.int().describe('How many the journal dropped to make room'),
  cursor: z.int().describe('Sent as after, it asks for those that are over later'),
  items: z.array(exchangeLineSchema).describe('The newest last'),
});

async function listRequests(control: Control, query: z.infer<typeof listQuery>): Promise<z.infer<typeof listSchema>> {
  const { offset, limit, last, wait: milliseconds, atLeast = milliseconds === undefined ? 0 : 1, ...filter } = query;
  const { journal } = control.tenant;
  const isMeant = filterOf(control, filter);
  if (milliseconds !== undefined) {
    await waitingFor(control.tenant, () => waitFor(control, { isMeant, atLeast, milliseconds }));
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
    cursor: isCut ? orderOf(shown) : journal.settled,
    items: items.map(showExchangeLine),
  };
}

const orderOf = ({ settledAs = 0 }: Exchange): number => settledAs;

interface Wait {
  readonly isMeant: (exchange: Exchange) => boolean;
  readonly atLeast: number;
  readonly milliseconds: number;
}

/** Resolves when so many are there, when time is up, or when the caller has gone. */
function waitFor({ tenant: { journal }, signal }: Control, { isMeant, atLeast, milliseconds }: Wait): Promise<void> {
  const met = new Set([...journal.exchanges()].filter(isMeant));
  if (met.size >= atLeast || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      stopListening();
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const stopListening = journal.listen((exchange) => {
      if (isMeant(exchange)) met.add(exchange);
      if (met.size >= atLeast) end();
    });
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}

/** Turned away before any endpoint was reached because there is none: another path, or another method. */
const isUnmatched = ({ endpoint, status }: Exchange): boolean =>
  endpoint === undefined && (status === 404 || status === 405);

const showUnmatched = (exchange: Exchange) =>
  Object.assign(showExchangeLine(exchange), { nearest: exchange.nearest ?? null });

function findExchange({ tenant: { journal } }: Control, id: string): Exchange {
  const exchange = journal.get(id);
  if (exchange) return exchange;
  const dropped = journal.evicted > 0 ? `, and ${journal.evicted} older ones were dropped to make room` : '';
  throw refusal('NotFound', {
    message: `The journal holds ${journal.size} requests, none with the id "${id}"${dropped}.`,
  });
}

export const requestEndpoints = [
  controlEndpoint({
    id: 'listRequests',
    method: 'GET',
    path: '/__admin/requests',
    tag,
    summary: 'Requests that were answered, all or those that a filter meets; waits for them when asked to',
    query: listQuery,
    answers: { 200: listSchema },
    retry: 'read',
    examples: [{ query: { status: '4xx', limit: '20' }, status: 200 }],
    handle: async (control, { query }) => answer(200, await listRequests(control, query)),
  }),
  controlEndpoint({
    id: 'listUnmatchedRequests',
    method: 'GET',
    path: '/__admin/requests/unmatched',
    tag,
    summary: 'Requests that no endpoint answers, with the nearest that would',
    query: tenantQuery.extend(pageParameters),
    answers: {
      200: z.strictObject({
        count: z.int(),
        items: z.array(exchangeLineSchema.extend({ nearest: z.string().nullable() })),
      }),
    },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: ({ tenant }, { query: { offset, limit } }) => {
      const found = [...tenant.journal.exchanges()].filter(isUnmatched);
      return answer(200, { count: found.length, items: found.slice(offset, offset + limit).map(showUnmatched) });
    },
  }),
  controlEndpoint({
    id: 'getRequest',
    method: 'GET',
    path: '/__admin/requests/{id}',
    tag,
    summary:
      'All there is to know of one request: what was sent, answered and delivered, what it did, what it rests on',
    query: tenantQuery,
    answers: { 200: exchangeSchema },
    refusals: ['NotFound'],
    retry: 'read',
    examples: [{ params: { id: 'default-0' }, status: 404 }],
    handle: (control, { params: { id = '' } }) => answer(200, showExchange(control.tenant, findExchange(control, id))),
  }),
  controlEndpoint({
    id: 'clearRequests',
    method: 'DELETE',
    path: '/__admin/requests',
    tag,
    summary: 'Empties the journal',
    query: tenantQuery,
    answers: { 200: z.strictObject({ cleared: z.int() }) },
    retry: 'idempotent',
    examples: [{ status: 200 }],
    handle: ({ tenant: { journal } }) => {
      const cleared = journal.size;
      journal.clear();
      return answer(200, { cleared });
    },
  }),
];
