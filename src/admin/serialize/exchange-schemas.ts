/** Serializes parts of a request: fault, near misses, messages and the delivered response. */
import * as z from '../../core/validation/deferred-zod.ts';
import { isLongText, parseWithinBounds } from '../../core/validation/extent.ts';
import { parseInTurns } from '../../core/validation/parse-in-turns.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { InjectedFault } from '../../core/exchange/fault.ts';
import type { ClientConnection, Exchange, HttpMessage } from '../../core/exchange/exchange.ts';
import { redactSecrets } from '../../core/exchange/redaction.ts';
import { responseHeaders } from '../../http/pipeline/response.ts';

export const faultSummarySchema = z.strictObject({
  rule: z.string(),
  hit: z.int().describe('Counts the times that the rule had fired, this one included'),
  phase: z.enum(['before', 'after']).describe('before: the service had done nothing; after: it had done its work'),
});

export const injectedFaultSchema = faultSummarySchema.extend({
  respond: z.string(),
  status: z.int().nullable(),
  end: z.string(),
  delay: z.number().describe('The delay that was drawn, in ms'),
  time: z.enum(['real', 'virtual']).nullable().describe('The clock on which the delay passed'),
  chunks: z.int().describe('Counts the chunks in which the body went out'),
  job: z.unknown().describe('The fault of the job that the request queued: "fail", or its delay in ms'),
});

export const nearMissSchema = z.strictObject({ rule: z.string(), reason: z.string() });

const messageSchema = z.strictObject({
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable().describe('The body as sent'),
  json: z.unknown().describe('The body parsed; null if it is not JSON, or nested too deep'),
});

export const requestMessageSchema = messageSchema.extend({
  contentEncoding: z
    .string()
    .nullable()
    .describe('Names the compression of the body when it came (it is shown decompressed); null if there was none'),
});

export const responseSchema = messageSchema.extend({ status: z.int() });

const ends = ['normal', 'close', 'reset', 'hang', 'client-aborted'] as const;

export const endSchema = z
  .enum(ends)
  .describe(
    'The end of the delivery: normal, close (closed cleanly), reset (a TCP reset), hang (left open and silent), client-aborted (the client hung up)',
  );

export const deliveredSchema = messageSchema.extend({
  status: z.int().nullable().describe('null if not even the status line was sent'),
  bytes: z.int().describe('Counts the bytes of the body, or of garbage'),
  end: endSchema,
});

export const connectionSchema = z.strictObject({
  id: z.int().describe('Counts the connections of a server'),
  port: z.int().describe('Port of the client'),
  request: z.int().describe('Counts the requests of the connection'),
});

export const serializeConnection = ({ id, port, request }: ClientConnection): z.infer<typeof connectionSchema> => ({
  id,
  port,
  request,
});

export const serializeFaultSummary = ({ rule, hit, fault }: InjectedFault): z.infer<typeof faultSummarySchema> => ({
  rule,
  hit,
  phase: fault.phase,
});

export function serializeFault(fired: InjectedFault): z.infer<typeof injectedFaultSchema> {
  const { respond, status = null, end, delay, dribble, job = null } = fired.fault;
  const chunks = dribble?.chunks ?? 1;
  return {
    ...serializeFaultSummary(fired),
    respond,
    status,
    end,
    delay: fired.delay,
    time: delay?.time ?? null,
    chunks,
    job,
  };
}

interface Message {
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/** Returns a message without its secrets. */
export const serializeMessage = ({ headers, body }: HttpMessage): Message => ({
  headers: { ...redactSecrets(headers) },
  body: body ?? null,
});

interface ResponseMessage extends Message {
  readonly status: number;
}

/** Returns the response of the service; null when a fault came before it. */
export function serializeResponse(exchange: Exchange): ResponseMessage | null {
  const { response } = exchange;
  return response
    ? { status: response.status, ...serializeMessage({ headers: responseHeaders(exchange), body: response.body }) }
    : null;
}

type Delivered = Omit<z.infer<typeof deliveredSchema>, 'json'>;

/** Returns what the client received; null while the request is in flight. */
export function serializeDelivered(exchange: Exchange): Delivered | null {
  const { delivered, finishedAt } = exchange;
  if (delivered) {
    const { status = null, headers, body, bytes, end } = delivered;
    return { status, ...serializeMessage({ headers, body }), bytes, end };
  }
  const response = finishedAt === undefined ? null : serializeResponse(exchange);
  return response && { ...response, bytes: Buffer.byteLength(response.body ?? ''), end: 'normal' };
}

export function* serializeRequest({ headers, body }: HttpMessage): Steps<z.infer<typeof requestMessageSchema>> {
  const encoding = headers['content-encoding'] ?? 'identity';
  const isCompressed = (body ?? '') !== '' && encoding !== '' && encoding !== 'identity';
  const shown = yield* withParsedBody(serializeMessage({ headers, body }));
  return { ...shown, contentEncoding: isCompressed ? encoding : null };
}

/** Adds what a body is when it is parsed. */
export function* withParsedBody<T extends Message>(message: T): Steps<T & { readonly json: unknown }> {
  const json = isLongText(message.body ?? '')
    ? (yield* parseInTurns(message.body ?? '')).json
    : parseWithinBounds(message.body ?? '');
  return { ...message, json: json ?? null };
}

export const serializeEnd = ({ delivered, finishedAt }: Exchange): z.infer<typeof endSchema> | null =>
  finishedAt === undefined ? null : (delivered?.end ?? 'normal');
