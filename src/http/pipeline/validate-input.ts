import type * as z from 'zod';
import type { Endpoint, EndpointInput } from '../../core/exchange/endpoint.ts';
import type { FieldError } from '../../core/exchange/api-error.ts';
import {
  countKnownKeys,
  knownFields,
  loneSurrogateErrors,
  unknownFields,
} from '../../core/validation/unknown-fields.ts';
import { maxWarningsOfCode } from '../../core/exchange/exchange.ts';
import { compiledWhenUsed } from '../../core/validation/compiled-schema.ts';
import { parseWithin } from '../../core/validation/examined-items.ts';
import type { Wording } from '../../core/validation/schema-diagnostics.ts';
import type { UnknownField } from '../../core/validation/unknown-fields.ts';
import { missingFieldErrors } from '../../core/validation/required-fields.ts';
import { withoutTrailingSlash } from '../../core/exchange/path-template.ts';
import { omitSecretParameters } from '../../core/exchange/redaction.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { apiError, validationError } from '../../service/errors/catalog.ts';
import { headerOf, pathOf, rawQueryOf, urlOf } from '../context.ts';
import type { AppContext } from '../context.ts';
import { countKeys, duplicateKeys } from './duplicate-keys.ts';
import { hasTooManyItems } from './long-body.ts';
import type { SentBody } from './long-body.ts';
import { checkExtent, hasBody, mayHoldSurrogates, parseJson, throwExcess } from './request-body.ts';
import type { RequestScope } from './request-scope.ts';

/** Parses path, query and body by the endpoint's schemas; throws the error of the first that doesn't fit. */
export function validateInput<Context>(
  c: AppContext,
  endpoint: Endpoint<Context, unknown>,
  { scope, sent }: { readonly scope: RequestScope<Context>; readonly sent: SentBody },
): EndpointInput<unknown, unknown> {
  const query = queryOf(c);
  reportIgnoredInput(c, endpoint, scope);
  if (endpoint.query) reportParametersInHeaders(c, { endpoint, query, scope });
  return {
    params: paramsOf(c),
    query: parseQuery(endpoint, query, scope),
    body: parseBody(endpoint, { ...sent, contentType: headerOf(c, 'content-type') }, scope),
    headers: endpoint.headers ? headersOf(c, endpoint.headers) : none,
    self: { path: withoutTrailingSlash(pathOf(urlOf(c))), query: omitSecretParameters(query) },
  };
}

function paramsOf(c: AppContext): Record<string, string> {
  // The routes' own parameter names, decoded by the router.
  return c.req.param() as Record<string, string>;
}

const none: Readonly<Record<string, string>> = {};

/** Returns the headers that an endpoint reads; a blank one counts as absent. */
function headersOf(c: AppContext, read: Readonly<Record<string, string>>): Record<string, string> {
  const sent = Object.keys(read).map((name) => [name, headerOf(c, name)?.trim() ?? ''] as const);
  return Object.fromEntries(sent.filter(([, value]) => value !== ''));
}

/** Returns the query's parameters; a blank one counts as absent. */
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
  scope: RequestScope<Context>,
): unknown {
  const names = Object.keys(query);
  if (!endpoint.query) {
    reportUnknown(
      scope,
      'query parameter',
      names.map((name) => ({ name, path: name, known: [] })),
    );
    return undefined;
  }
  const parsed = endpoint.query.safeParse(query, scope.wording.messages);
  if (!parsed.success) {
    const { errors, omitted } = scope.wording.describe(parsed.error);
    throw validationError(errors, { omitted });
  }
  if (names.length > 0) reportUnknown(scope, 'query parameter', unknownFields(endpoint.query, query));
  return parsed.data;
}

interface RawBody extends SentBody {
  readonly contentType: string | undefined;
}

function parseBody<Context>(
  endpoint: Endpoint<Context, unknown>,
  sent: RawBody,
  scope: RequestScope<Context>,
): unknown {
  if (!endpoint.body) return undefined;
  const { unreadable, optional, extraFields, required, extraErrors, renamedFields } = endpoint.bodyRules ?? {};
  if (sent.text.trim() === '') {
    if (optional) return undefined;
    throw apiError(unreadable ?? 'ValidationError', {
      ...(!unreadable && { validationErrors: [{ field: '', errorDescription: 'the body is empty; send JSON' }] }),
    });
  }
  checkContentType(sent.contentType, scope);
  throwExcess(sent.excess, unreadable);
  const json = sent.json ?? parseJson(sent.text, unreadable);
  if (sent.lengthErrors) throw validationError(sent.lengthErrors);
  if (hasTooManyItems(endpoint, json)) {
    const message = `Too many items: ${json.length}, at most ${endpoint.bodyRules?.maxItems} fit in one call.`;
    throw apiError('TooManyItems', { message });
  }
  // A body of known fields alone needs none of the closer looks below: its keys were counted on the way.
  const knownKeys = sent.looks ? undefined : countKnownKeys(endpoint.body, json);
  if (knownKeys === undefined && !sent.looks) checkExtent(json, scope.extent, unreadable);
  if (unreadable && (typeof json !== 'object' || json === null || Array.isArray(json))) throw apiError(unreadable);
  const requiredFields = required?.((id) => scope.assumption(id));
  const parsed = parseBySchema(endpoint.body, json, scope.wording, [
    ...(sent.looks?.surrogateErrors ?? (mayHoldSurrogates(sent.text) ? loneSurrogateErrors(json) : [])),
    ...(requiredFields ? missingFieldErrors(json, requiredFields) : []),
    ...(extraErrors?.(scope.context, json) ?? []),
  ]);
  if (scope.fieldValidation === 'ignore') return parsed;
  reportRepeated(scope, sent.looks?.repeated ?? duplicateKeys(sent.text, knownKeys ?? countKeys(json)));
  if (knownKeys === undefined) {
    const unknown = sent.looks?.unknown ?? unknownFields(endpoint.body, json, extraFields?.(scope.context));
    reportUnknown(scope, 'field', unknown, renamedFields);
  }
  return parsed;
}

function checkContentType<Context>(contentType: string | undefined, scope: RequestScope<Context>): void {
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
  const variant = scope.assumption('A-03');
  const got = type === '' ? 'There is no Content-Type header' : `The Content-Type is ${contentType}`;
  const message = `${got}; send the header Content-Type: application/json.`;
  if (variant === 'live') throw apiError('InternalError');
  if (variant !== 'lenient') throw apiError('InvalidContentType', { message });
  scope.warn('content-type', message);
}

function parseBySchema(
  schema: z.ZodType,
  sent: unknown,
  { messages, describe }: Wording,
  extraErrors: readonly FieldError[],
): unknown {
  const { parsed, isCut } = parseWithin(compiledWhenUsed(schema), sent, messages);
  const { errors, omitted } = parsed.success ? { errors: [], omitted: 0 } : describe(parsed.error, sent);
  if (!parsed.success || extraErrors.length > 0) throw validationError([...errors, ...extraErrors], { omitted, isCut });
  return parsed.data;
}

/** Reports fields that are given twice; the last one counts, as with every reader of JSON. */
function reportRepeated<Context>(scope: RequestScope<Context>, repeated: readonly string[]): void {
  if (repeated.length > 0 && scope.fieldValidation === 'strict') {
    throw validationError(repeated.map((field) => ({ field, errorDescription: 'is given more than once' })));
  }
  for (const path of repeated) scope.warn('repeated-field', `"${path}" is given more than once; the last one counts`);
}

/** Warns of fields that the service ignores, or rejects them when validation is strict. */
function reportUnknown<Context>(
  scope: RequestScope<Context>,
  kind: string,
  unknown: readonly UnknownField[],
  renamed: Readonly<Record<string, string>> = {},
): void {
  if (unknown.length === 0 || scope.fieldValidation === 'ignore') return;
  const described = unknown.slice(0, maxWarningsOfCode).map(({ path, name, known }) => {
    const now = Object.hasOwn(renamed, name) ? renamed[name] : undefined;
    const hint = now === undefined ? didYouMean(name, known) : `; in API v3 it is called "${now}"`;
    return { path, message: `is not a ${kind} that the service reads${hint}` };
  });
  if (scope.fieldValidation === 'strict') {
    throw validationError(described.map(({ path, message }) => ({ field: path, errorDescription: message })));
  }
  const code = `unknown-${kind.replace('query ', '')}`;
  for (const { path, message } of described) scope.warn(code, `"${path}" ${message}`);
  // Those are counted alone: looking for what each was meant to be takes its time.
  if (unknown.length > described.length) scope.warnOfMore(code, unknown.length - described.length);
}

const idempotencyHeader = 'idempotency-key';

/** Warns of a body or an idempotency key that the endpoint does not read, though its sender may count on it. */
function reportIgnoredInput<Context>(
  c: AppContext,
  endpoint: Endpoint<Context, unknown>,
  scope: RequestScope<Context>,
): void {
  if (scope.fieldValidation === 'ignore') return;
  const { method, path, body, headers = {}, retry } = endpoint;
  const label = `${method} ${path}`;
  if (!body && hasBody(c)) scope.warn('unread-body', `${label} takes no body; what was sent as one is not read`);
  // A read needs no key.
  if (retry === 'safe' || idempotencyHeader in headers || headerOf(c, idempotencyHeader) === undefined) return;
  scope.warn(
    'unread-header',
    `${label} does not read the header ${idempotencyHeader}; a repetition counts as a call of its own`,
  );
}

const parameterNames = new WeakMap<z.ZodType, readonly (readonly [parameter: string, header: string])[]>();

/** Returns the names of the parameters that a query has, each with the header that they would come in. */
function namesOfParameters(query: z.ZodType): readonly (readonly [parameter: string, header: string])[] {
  const known = parameterNames.get(query);
  if (known) return known;
  const names = knownFields(query).map((name) => [name, name.toLowerCase()] as const);
  parameterNames.set(query, names);
  return names;
}

/** Warns of parameters that were sent as headers: the service looks for them in the query alone. */
function reportParametersInHeaders<Context>(c: AppContext, { endpoint, query, scope }: HeaderCheck<Context>): void {
  if (scope.fieldValidation === 'ignore' || !endpoint.query) return;
  for (const [parameter, header] of namesOfParameters(endpoint.query)) {
    if (query[parameter] !== undefined || headerOf(c, header) === undefined) continue;
    scope.warn('parameter-in-header', `"${parameter}" was sent as a header, which is not read; send it in the query`);
  }
}

interface HeaderCheck<Context> {
  readonly endpoint: Endpoint<Context, unknown>;
  readonly query: Readonly<Record<string, string>>;
  readonly scope: RequestScope<Context>;
}
