/** Serializes requests as HAR 1.2, which browsers' developer tools, proxies and load generators read. */
import * as z from '../../core/validation/deferred-zod.ts';
import { STATUS_CODES } from 'node:http';
import { toTimestamp } from '../../core/time/clock.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Steps } from '../../core/time/steps.ts';
import { redactQuery } from '../../core/exchange/redaction.ts';
import { packageVersion } from '../../package/package-info.ts';
import { serializeDelivered, serializeFaultSummary, serializeMessage } from './exchange-schemas.ts';

const pairSchema = z.strictObject({ name: z.string(), value: z.string() });
const none = z.array(z.never()).describe('Always empty: cookies are among the headers');

const entrySchema = z.strictObject({
  startedDateTime: z
    .string()
    .describe(
      "On the tenant's clock at the first request, and in real time from there: a frozen clock keeps its pauses",
    ),
  time: z.number().describe('Real time until the response, in ms'),
  request: z.strictObject({
    method: z.string(),
    url: z.string(),
    httpVersion: z.string(),
    cookies: none,
    headers: z.array(pairSchema),
    queryString: z.array(pairSchema),
    postData: z.strictObject({ mimeType: z.string(), text: z.string() }).optional(),
    headersSize: z.literal(-1),
    bodySize: z.int(),
  }),
  response: z.strictObject({
    status: z.int().describe('0 if not even the status line was sent'),
    statusText: z.string(),
    httpVersion: z.string(),
    cookies: none,
    headers: z.array(pairSchema),
    content: z.strictObject({ size: z.int(), mimeType: z.string(), text: z.string().optional() }),
    redirectURL: z.literal(''),
    headersSize: z.literal(-1),
    bodySize: z.int(),
    _error: z
      .string()
      .optional()
      .describe('Says how the connection ended, if not normally: close, reset, hang or client-aborted'),
  }),
  cache: z.strictObject({}),
  timings: z.strictObject({ send: z.literal(0), wait: z.number(), receive: z.literal(0) }),
  connection: z.string().optional().describe('Counts the connections of the server; missing for a request in process'),
  comment: z.string().optional().describe('The rule whose fault hit it, and whether the service did its work'),
  _id: z.string().describe('The id of the request in the journal'),
  _endpoint: z.string().nullable(),
});

export const harSchema = z
  .strictObject({
    log: z.strictObject({
      version: z.literal('1.2'),
      creator: z.strictObject({ name: z.string(), version: z.string() }),
      entries: z.array(entrySchema),
    }),
  })
  .meta({ id: 'Har', description: 'Requests as an HTTP archive' });

type Entry = z.infer<typeof entrySchema>;

interface HarOptions {
  /** Sets the address that paths are appended to: the simulator's, with the prefix of the tenant. */
  readonly baseUrl: string;
  /** Holds the first request of the journal, from which time is counted. */
  readonly first: Exchange;
}

/** Returns an archive of completed requests. */
export function* serializeHar(
  exchanges: readonly Exchange[],
  baseUrl: string,
  first?: Exchange,
): Steps<z.infer<typeof harSchema>> {
  const entries: Entry[] = [];
  for (const exchange of exchanges) {
    entries.push(entryOf(exchange, { baseUrl, first: first ?? exchange }));
    yield;
  }
  return { log: { version: '1.2', creator: { name: 'loyalty-sim', version: packageVersion() }, entries } };
}

function entryOf(exchange: Exchange, { baseUrl, first }: HarOptions): Entry {
  const { id, endpoint, method, path, query, startedAt, finishedAt = startedAt, connection, fault } = exchange;
  const time = Math.round((finishedAt - startedAt) * 100) / 100;
  const httpVersion = `HTTP/${connection?.httpVersion ?? '1.1'}`;
  const shownQuery = redactQuery(query);
  const { headers, body } = serializeMessage(exchange.request);
  const { rule, phase } = fault ? serializeFaultSummary(fault) : {};
  return {
    startedDateTime: toTimestamp(first.at + Math.round(startedAt - first.startedAt)),
    time,
    request: {
      method,
      url: `${baseUrl}${path}${shownQuery === '' ? '' : `?${shownQuery}`}`,
      httpVersion,
      cookies: [],
      headers: pairs(headers),
      queryString: [...new URLSearchParams(shownQuery)].map(([name, value]) => ({ name, value })),
      ...(body !== null && body !== '' && { postData: { mimeType: headers['content-type'] ?? '', text: body } }),
      headersSize: -1,
      bodySize: Buffer.byteLength(body ?? ''),
    },
    response: responseOf(exchange, httpVersion),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    ...(connection && { connection: String(connection.id) }),
    ...(rule !== undefined && { comment: `fault ${rule} ${phase} the work` }),
    _id: id,
    _endpoint: endpoint ?? null,
  };
}

function responseOf(exchange: Exchange, httpVersion: string): Entry['response'] {
  const { status = null, headers = {}, body = null, bytes = 0, end = 'normal' } = serializeDelivered(exchange) ?? {};
  return {
    status: status ?? 0,
    statusText: STATUS_CODES[status ?? 0] ?? '',
    httpVersion,
    cookies: [],
    headers: pairs(headers),
    content: { size: bytes, mimeType: headers['content-type'] ?? '', ...(body !== null && { text: body }) },
    redirectURL: '',
    headersSize: -1,
    bodySize: bytes,
    ...(end !== 'normal' && { _error: end }),
  };
}

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));
