import type * as z from 'zod';
import type { ApiResponse, Endpoint, EndpointInput } from '../../core/exchange/endpoint.ts';
import type { FieldError } from '../../core/exchange/api-error.ts';
import { loneSurrogateErrors, fieldErrors, unknownFields } from '../../core/validation/unknown-fields.ts';
import type { UnknownField } from '../../core/validation/unknown-fields.ts';
import { missingFieldErrors } from '../../core/validation/required-fields.ts';
import { omitSecretParameters } from '../../core/exchange/redaction.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { validationError, apiError } from '../../service/errors/catalog.ts';
import { readBody } from './request-body.ts';
import { headerOf, pathOf, rawQueryOf, urlOf } from '../context.ts';
import type { AppContext } from '../context.ts';
import { readJsonBody } from './json-body.ts';
import { duplicateKeys } from './duplicate-keys.ts';
import { sendJson, sendEventStream } from './response.ts';
import { reportIgnoredInput } from './ignored-input.ts';
import type { RequestScope, TransactionScope } from './request-scope.ts';

/** Turns an endpoint into a route: parses path, query and body by its schemas, calls it, sends what it answers. */
export function createEndpointHandler<Context, Result extends ApiResponse | Promise<ApiResponse>>(
  endpoint: Endpoint<Context, Result>,
  callerOf: (c: AppContext) => TransactionScope<Context, Result>,
): (c: AppContext) => Promise<Response> {
  const sendAnswer = endpoint.mediaType === undefined ? sendJson : sendEventStream;
  return async function serve(c) {
    const caller = callerOf(c);
    const query = queryOf(c);
    const text = endpoint.body ? await readBody(c, endpoint.bodyRules?.unreadable ?? 'InvalidJson') : '';
    if (text !== '') caller.recordBody(text);
    reportIgnoredInput(c, endpoint, caller);
    const input: EndpointInput<unknown, unknown> = {
      params: paramsOf(c),
      query: parseQuery(endpoint, query, caller),
      body: parseBody(endpoint, { text, contentType: headerOf(c, 'content-type') }, caller),
      headers: endpoint.headers ? headersOf(c, endpoint.headers) : none,
      self: { path: pathOf(urlOf(c)), query: omitSecretParameters(query) },
    };
    // The schemas that parsed the input are the ones that the handler's types come from.
    return sendAnswer(
      c,
      await caller.transact(() => endpoint.handle(caller.context, input as EndpointInput<never, never>)),
    );
  };
}

function paramsOf(c: AppContext): Record<string, string> {
  // The routes' own parameter names, decoded by the router.
  return c.req.param() as Record<string, string>;
}

const none: Readonly<Record<string, string>> = {};

/** The headers that an endpoint reads; a blank one counts as absent. */
function headersOf(c: AppContext, read: Readonly<Record<string, string>>): Record<string, string> {
  const sent = Object.keys(read).map((name) => [name, headerOf(c, name)?.trim() ?? ''] as const);
  return Object.fromEntries(sent.filter(([, value]) => value !== ''));
}

/** The query's parameters; a blank one counts as absent. */
function queryOf(c: AppContext): Record<string, string> {
  const query: Record<string, string> = {};
  const raw = rawQueryOf(urlOf(c));
  if (raw === '') return query;
  for (const [name, value] of new URLSearchParams(raw)) {
    if (Object.hasOwn(query, name))
      throw validationError([{ field: name, errorDescription: 'is given more than once' }]);
    if (value !== '') Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
}

function parseQuery<Context>(
  endpoint: Endpoint<Context, unknown>,
  query: Readonly<Record<string, string>>,
  caller: RequestScope<Context>,
): unknown {
  const names = Object.keys(query);
  if (!endpoint.query) {
    reportUnknown(
      caller,
      'query parameter',
      names.map((name) => ({ name, path: name, known: [] })),
    );
    return undefined;
  }
  const parsed = endpoint.query.safeParse(query);
  if (!parsed.success) throw validationError(fieldErrors(parsed.error));
  if (names.length > 0) reportUnknown(caller, 'query parameter', unknownFields(endpoint.query, query));
  return parsed.data;
}

interface SentBody {
  readonly text: string;
  readonly contentType: string | undefined;
}

function parseBody<Context>(
  endpoint: Endpoint<Context, unknown>,
  sent: SentBody,
  caller: RequestScope<Context>,
): unknown {
  if (!endpoint.body) return undefined;
  const {
    unreadable,
    optional,
    extraFields: otherFields,
    required,
    extraErrors: alsoWrong,
    renamedFields,
  } = endpoint.bodyRules ?? {};
  if (sent.text.trim() === '') {
    if (optional) return undefined;
    throw apiError(unreadable ?? 'ValidationError', {
      ...(!unreadable && { validationErrors: [{ field: '', errorDescription: 'the body is empty; send JSON' }] }),
    });
  }
  checkContentType(sent.contentType, caller);
  const json = readJsonBody(sent.text, unreadable);
  if (unreadable && (typeof json !== 'object' || json === null || Array.isArray(json))) throw apiError(unreadable);
  // Valid UTF-8 can only hold half a pair as an escape.
  const broken = /\\u[dD][89a-fA-F]/.test(sent.text) ? loneSurrogateErrors(json) : [];
  const must = required?.(caller.assumption);
  const parsed = parseJson(endpoint.body, json, [
    ...broken,
    ...(must ? missingFieldErrors(json, must) : []),
    ...(alsoWrong?.(caller.context, json) ?? []),
  ]);
  reportDuplicateKeys(caller, sent.text, json);
  reportUnknown(caller, 'field', unknownFields(endpoint.body, json, otherFields?.(caller.context)), renamedFields);
  return parsed;
}

function checkContentType<Context>(contentType: string | undefined, caller: RequestScope<Context>): void {
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isJson = type === 'application/json' || type.endsWith('+json');
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (isJson && (charset === undefined || charset === 'utf-8' || charset === 'utf8')) return;
  const variant = caller.assumption('A-03');
  const got = type === '' ? 'There is no Content-Type header' : `The Content-Type is ${contentType}`;
  const message = `${got}; send the header Content-Type: application/json.`;
  if (variant === 'live') throw apiError('InternalError');
  if (variant !== 'lenient') throw apiError('InvalidContentType', { message });
  caller.warn('content-type', message);
}

function parseJson(schema: z.ZodType, sent: unknown, alsoWrong: readonly FieldError[]): unknown {
  const parsed = schema.safeParse(sent);
  const errors = [...(parsed.success ? [] : fieldErrors(parsed.error, sent)), ...alsoWrong];
  if (!parsed.success || errors.length > 0) throw validationError(errors);
  return parsed.data;
}

/** Of a field that is given twice the last one counts, as with every reader of JSON. */
function reportDuplicateKeys<Context>(caller: RequestScope<Context>, text: string, json: unknown): void {
  const repeated = caller.fieldValidation === 'ignore' ? [] : duplicateKeys(text, json);
  if (repeated.length > 0 && caller.fieldValidation === 'strict') {
    throw validationError(repeated.map((field) => ({ field, errorDescription: 'is given more than once' })));
  }
  for (const path of repeated) caller.warn('repeated-field', `"${path}" is given more than once; the last one counts`);
}

/** The service passes over what it doesn't know; so do we, but say so (or refuse it, when asked to be strict). */
function reportUnknown<Context>(
  caller: RequestScope<Context>,
  kind: string,
  unknown: readonly UnknownField[],
  renamed: Readonly<Record<string, string>> = {},
): void {
  if (unknown.length === 0 || caller.fieldValidation === 'ignore') return;
  const described = unknown.map(({ path, name, known }) => {
    const now = Object.hasOwn(renamed, name) ? renamed[name] : undefined;
    const hint = now === undefined ? didYouMean(name, known) : `; in API v3 it is called "${now}"`;
    return { path, message: `is not a ${kind} that the service reads${hint}` };
  });
  if (caller.fieldValidation === 'strict') {
    throw validationError(described.map(({ path, message }) => ({ field: path, errorDescription: message })));
  }
  for (const { path, message } of described)
    caller.warn(`unknown-${kind.replace('query ', '')}`, `"${path}" ${message}`);
}
