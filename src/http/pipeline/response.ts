import type { ApiResponse } from '../../core/exchange/endpoint.ts';
import type { ApiError } from '../../core/exchange/api-error.ts';
import type { Exchange, ResponseMessage } from '../../core/exchange/exchange.ts';
import type { Warning } from '../../core/lib/suggest.ts';
import { isLarge, jsonInSteps, jsonPieces, takePieces } from '../../core/exchange/json-pieces.ts';
import { hasText, jsonText } from '../../core/exchange/reusable-body.ts';
import type { BodyText } from '../../core/exchange/reusable-body.ts';
import { finishInTurns, nextTurn } from '../../core/time/steps.ts';
import type { AppContext } from '../context.ts';

const maxWarningHeader = 4000;
const maxWarning = 1000;
/** Limits the body that is written as JSON at once, in characters. */
const lengthAtOnce = 1024 * 1024;

/** Formats warnings as one readable ASCII header of bounded length; the journal has them in full. */
function warningHeader(warnings: readonly Warning[]): string {
  let text = '';
  for (const [i, { code, message }] of warnings.entries()) {
    const part = `${i > 0 ? ' | ' : ''}${truncate(toAscii(truncate(`${code}: ${message}`)))}`;
    if (text.length + part.length > maxWarningHeader) return `${text} | and ${warnings.length - i} more`;
    text += part;
  }
  return text;
}

// Goes by whole characters: half a surrogate pair can't be encoded.
const toAscii = (text: string): string =>
  text.replaceAll(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character.isWellFormed() ? character : '?'));

const truncate = (text: string): string => (text.length > maxWarning ? `${text.slice(0, maxWarning)}...` : text);

export const textHeaders = { 'content-type': 'text/plain; charset=utf-8' };

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };

/** Returns the headers that go out with a response (default: the service's own response). */
export function responseHeaders(exchange: Exchange, own = exchange.response?.headers): Record<string, string> {
  const sent: Record<string, string> = { 'x-request-id': exchange.id, ...own };
  const { warnings } = exchange.sideEffects;
  if (warnings.length > 0) sent['x-sim-warnings'] = warningHeader(warnings);
  return sent;
}

interface TextResponse {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Sends a response as JSON, unless it is plain text, and records it in the exchange. */
function sendJson(c: AppContext, { status, body, headers, isText }: ApiResponse): Response {
  if (isText) return createResponse(c, { status, text: String(body), headers: { ...textHeaders, ...headers } });
  const isRecorded = c.get('exchange') !== undefined;
  return isRecorded || !isLarge(body)
    ? sendAndRecord(c, { status, headers }, jsonText(body))
    : new Response(jsonStream(body), { status, headers: { ...jsonHeaders, ...headers } });
}

/** Does the same; others have their turn while a large response of the service is written. */
export function sendJsonInTurns(c: AppContext, response: ApiResponse): Response | Promise<Response> {
  const { status, headers, body, isText } = response;
  const isAtOnce = isText || c.get('exchange') === undefined || hasText(body) || !isLarge(body, lengthAtOnce);
  if (isAtOnce) return sendJson(c, response);
  return finishInTurns(jsonInSteps(body)).then((text) => sendAndRecord(c, { status, headers }, { text }));
}

/** Returns a body as a stream of JSON: others have their turn after each piece of it. */
function jsonStream(body: unknown): ReadableStream<Uint8Array> {
  const pieces = jsonPieces(body);
  return new ReadableStream({
    async pull(controller) {
      await nextTurn();
      const text = takePieces(pieces);
      if (text === undefined) controller.close();
      else controller.enqueue(Buffer.from(text));
    },
  });
}

const eventHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' };

/** Sends a response whose body is a stream of events; HEAD gets its headers alone. */
export function sendEventStream(c: AppContext, response: ApiResponse): Response {
  const { status, body } = response;
  if (!(body instanceof ReadableStream)) return sendJson(c, response);
  if (c.req.method !== 'HEAD') return new Response(body, { status, headers: eventHeaders });
  void body.cancel();
  return new Response(null, { status, headers: eventHeaders });
}

/** Sends a text as the response and records it in the exchange. */
function sendAndRecord(c: AppContext, { status, headers }: Omit<TextResponse, 'text'>, body: BodyText): Response {
  const exchange = c.get('exchange') as Exchange | undefined;
  const { text, bytes } = body;
  const own = headers ? { ...jsonHeaders, ...headers } : jsonHeaders;
  if (exchange) {
    exchange.status = status;
    exchange.response = responseWith(body, status, own);
  }
  return createResponse(c, { status, text, headers: own }, bytes);
}

/** Returns the response that is recorded: the one before, where the same text is sent in the same way. */
function responseWith(body: BodyText, status: number, headers: ResponseMessage['headers']): ResponseMessage {
  const { response: known } = body;
  if (known?.status === status && known.headers === headers) return known;
  return (body.response = { status, headers, body: body.text });
}

/** Creates a response without recording it in the exchange; `bytes` are those of its text, where they are kept. */
export function createResponse(c: AppContext, { status, text, headers = {} }: TextResponse, bytes?: string): Response {
  const exchange = c.get('exchange') as Exchange | undefined;
  // Hono's own c.body would copy the headers twice over.
  const init = { status, headers: exchange ? responseHeaders(exchange, headers) : headers };
  // The web's Response takes no empty text where a status has no body.
  return c.env?.createResponse?.(text, init, bytes) ?? new Response(text === '' ? null : text, init);
}

/** Returns the service's error body (A-02). */
export function errorBody({ code, message, details, validationErrors }: ApiError, requestId: string): object {
  return {
    errorCode: code,
    message,
    requestId,
    ...(details && { messageDetails: details }),
    ...(validationErrors && { validationErrors }),
  };
}

/** Returns the status of an error; validation errors may have their own (A-15). */
function statusOf(c: AppContext, { code, status }: ApiError): number {
  const exchange = c.get('exchange') as Exchange | undefined;
  if (code !== 'ValidationError' || !exchange) return status;
  exchange.sideEffects.recordAssumption('A-15');
  return c.get('tenant').settings.assumptions['A-15'] === '422' ? 422 : status;
}

export function sendApiError(c: AppContext, error: ApiError): Response {
  const exchange = c.get('exchange') as Exchange | undefined;
  const body = errorBody(error, exchange?.id ?? '');
  return sendJson(c, { status: statusOf(c, error), body, headers: error.headers });
}
