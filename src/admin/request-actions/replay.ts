/** Sends a request of the journal again. */
import * as z from '../../core/validation/deferred-zod.ts';
import { apiResponse } from '../../core/exchange/endpoint.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { idempotencyKeyOf, parseJsonBody } from '../../core/exchange/operation-key.ts';
import { redactedText } from '../../core/exchange/redaction.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { expectedType, objectOf, requiredText } from '../../core/validation/field-types.ts';
import { realDurationSchema } from '../../core/validation/duration-schema.ts';
import { apiError, invalidFieldError } from '../../service/errors/catalog.ts';
import { stepHeader } from '../../verdict/history/attempt.ts';
import { adminEndpoint, tenantQuery } from '../input/admin-context.ts';
import type { AdminContext } from '../input/admin-context.ts';
import { findExchange } from '../input/past-request.ts';
import { exchangeSummarySchema, serializeExchangeSummary } from '../serialize/exchanges.ts';
import { findTenantByName } from '../tenants.ts';

const patience = 5000;

const replayBody = objectOf({
  tenant: requiredText.optional().describe('The tenant that it is sent to (default: the one that it is of)'),
  key: z
    .enum(['same', 'new'], expectedType('same or new'))
    .default('same')
    .describe('same: another attempt of the same operation; new: another operation, with a key of its own'),
  within: realDurationSchema
    .default(patience)
    .describe('The connection is given up after this much real time (default: 5s)'),
});

type ReplayBody = z.output<typeof replayBody>;

/** Names the headers that belong to a connection, a body's form or a tenant; they are made for each request. */
export const ownOfEach: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-sim-tenant',
]);

interface Sent {
  readonly headers: Headers;
  readonly path: string;
  readonly body: string | undefined;
}

function sentBy({ path, query, request }: Exchange): Sent {
  const kept = Object.entries(request.headers).filter(
    ([name, value]) => !ownOfEach.has(name) && value !== redactedText,
  );
  return {
    headers: new Headers(kept),
    path: query === '' ? path : `${path}?${query}`,
    body: request.body || undefined,
  };
}

/** Gives a request a key that no other has. Throws if it carries none that could be replaced. */
function withNewKey(sent: Sent, exchange: Exchange, { endpoint, suffix }: NewKey): Sent {
  const place = endpoint?.idempotencyKey;
  const key = place === undefined ? undefined : idempotencyKeyOf(exchange, place);
  if (place === undefined || place === 'path' || key === undefined) {
    throw invalidFieldError('key', "can't be new: the request carries no key of its own; leave it out");
  }
  const name = place.slice(place.indexOf('.') + 1);
  if (place.startsWith('header.')) {
    const headers = new Headers(sent.headers);
    headers.set(name, `${key}${suffix}`);
    return { ...sent, headers };
  }
  return { ...sent, body: JSON.stringify({ ...(parseJsonBody(sent.body) as object), [name]: `${key}${suffix}` }) };
}

interface NewKey {
  readonly endpoint: Endpoint | undefined;
  readonly suffix: string;
}

/** Sends the request in process, through the whole service, and returns the exchange that it became. */
async function replay(context: AdminContext, source: Exchange, { tenant: named, key, within }: ReplayBody) {
  const { endpoints, sendRequest, apiKey } = context;
  const target = named === undefined ? context.tenant : findTenantByName(context, named);
  const endpoint = endpoints.find(({ id }) => id === source.endpoint);
  const suffix = `-again-${target.journal.nextNumber()}`;
  const sent = key === 'new' ? withNewKey(sentBy(source), source, { endpoint, suffix }) : sentBy(source);
  sent.headers.set('x-sim-tenant', target.name);
  // A request by hand is none of the client that is judged.
  sent.headers.set(stepHeader, 'replay');
  if (apiKey !== undefined) sent.headers.set('apikey', apiKey);
  const request = new Request(`http://127.0.0.1${sent.path}`, {
    method: source.method,
    headers: sent.headers,
    ...(sent.body !== undefined && { body: sent.body }),
    signal: AbortSignal.timeout(within),
  });
  return exchangeOf(target, () => sendRequest(request));
}

/** Returns the exchange that some work opens, once its response is read or has failed. */
async function exchangeOf({ journal }: Tenant, send: () => Promise<Response>): Promise<Exchange> {
  const opened: Exchange[] = [];
  const stop = journal.opened.subscribe((exchange) => {
    if (exchange.request.headers[stepHeader] === 'replay') opened.push(exchange);
  });
  try {
    await (await send()).text();
  } catch {
    // The fault that hit it stands in the exchange.
  } finally {
    stop();
  }
  const [exchange] = opened;
  if (!exchange) throw apiError('Conflict', { message: 'The request was not accepted: it is in no journal.' });
  return exchange;
}

export const replayEndpoints = [
  adminEndpoint({
    id: 'replayRequest',
    method: 'POST',
    path: '/__admin/requests/{id}/replay',
    tag: 'Control: requests',
    summary: 'Sends a request of the journal again, to its tenant or to another; the verdict leaves it out',
    query: tenantQuery,
    body: replayBody,
    bodyRules: { optional: true },
    responses: { 200: exchangeSummarySchema },
    errors: ['NotFound', 'Conflict'],
    retry: 'unkeyed',
    examples: [{ params: { id: 'default-0' }, body: { key: 'new' }, status: 404 }],
    handle: async (context, { params: { id = '' }, body }) => {
      const exchange = findExchange(context.tenant, id);
      return apiResponse(200, serializeExchangeSummary(await replay(context, exchange, body ?? replayBody.parse({}))));
    },
  }),
];
