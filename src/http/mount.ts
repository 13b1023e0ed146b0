import type * as z from 'zod';
import type { Endpoint, Input } from '../core/endpoint.ts';
import type { FieldError } from '../core/errors.ts';
import { brokenTexts, fieldErrors, unknownFields } from '../core/fields.ts';
import type { UnknownField } from '../core/fields.ts';
import { missingFields } from '../core/required.ts';
import { withoutKeyParameters } from '../core/secrets.ts';
import type { Tenant } from '../core/tenant.ts';
import { didYouMean } from '../core/warning.ts';
import { invalid, refusal } from '../resources/refusals.ts';
import { readBody } from './body.ts';
import { headerOf, pathOf, rawQueryOf, urlOf } from './context.ts';
import type { AppContext } from './context.ts';
import { readJson } from './json.ts';
import { repeatedNames } from './repeated-names.ts';
import { send, sendStream } from './send.ts';
import { reportUnread } from './unread.ts';

/** Who is called, and how strictly: what mounting needs besides the endpoint. */
export interface Caller<Context> {
  readonly context: Context;
  readonly fieldValidation: Tenant['settings']['fieldValidation'];
  readonly warn: (code: string, message: string) => void;
  readonly assumption: (id: string) => string;
  readonly noteBody: (text: string) => void;
  /** Carries out the handler as one piece of work. */
  readonly carryOut: <T>(work: () => T) => T;
}

/** Turns an endpoint into a route: parses path, query and body by its schemas, calls it, sends what it answers. */
export function mount<Context>(
  endpoint: Endpoint<Context>,
  callerOf: (c: AppContext) => Caller<Context>,
): (c: AppContext) => Promise<Response> {
  const sendAnswer = endpoint.mediaType === undefined ? send : sendStream;
  return async function serve(c) {
    const caller = callerOf(c);
    const query = queryOf(c);
    const text = endpoint.body ? await readBody(c, endpoint.bodyRules?.unreadable ?? 'InvalidJson') : '';
    if (text !== '') caller.noteBody(text);
    reportUnread(c, endpoint, caller);
    const input: Input<unknown, unknown> = {
      params: paramsOf(c),
      query: parseQuery(endpoint, query, caller),
      body: parseBody(endpoint, { text, contentType: headerOf(c, 'content-type') }, caller),
      headers: endpoint.headers ? headersOf(c, endpoint.headers) : none,
      self: { path: pathOf(urlOf(c)), query: withoutKeyParameters(query) },
    };
    // The schemas that parsed the input are the ones that the handler's types come from.
    return sendAnswer(c, await caller.carryOut(() => endpoint.handle(caller.context, input as Input<never, never>)));
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
    if (Object.hasOwn(query, name)) throw invalid([{ field: name, errorDescription: 'is given more than once' }]);
    if (value !== '') Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
}

function parseQuery<Context>(
  endpoint: Endpoint<Context>,
  query: Readonly<Record<string, string>>,
  caller: Caller<Context>,
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
  if (!parsed.success) throw invalid(fieldErrors(parsed.error));
  if (names.length > 0) reportUnknown(caller, 'query parameter', unknownFields(endpoint.query, query));
  return parsed.data;
}

interface SentBody {
  readonly text: string;
  readonly contentType: string | undefined;
}

function parseBody<Context>(endpoint: Endpoint<Context>, sent: SentBody, caller: Caller<Context>): unknown {
  if (!endpoint.body) return undefined;
  const { unreadable, optional, otherFields, required, alsoWrong, renamedFields } = endpoint.bodyRules ?? {};
  if (sent.text.trim() === '') {
    if (optional) return undefined;
    throw refusal(unreadable ?? 'ValidationError', {
      ...(!unreadable && { validationErrors: [{ field: '', errorDescription: 'the body is empty; send JSON' }] }),
    });
  }
  checkContentType(sent.contentType, caller);
  const json = readJson(sent.text, unreadable);
  if (unreadable && (typeof json !== 'object' || json === null || Array.isArray(json))) throw refusal(unreadable);
  // Valid UTF-8 can only hold half a pair as an escape.
  const broken = /\\u[dD][89a-fA-F]/.test(sent.text) ? brokenTexts(json) : [];
  const must = required?.(caller.assumption);
  const parsed = parseJson(endpoint.body, json, [
    ...broken,
    ...(must ? missingFields(json, must) : []),
    ...(alsoWrong?.(caller.context, json) ?? []),
  ]);
  reportRepeated(caller, sent.text, json);
  reportUnknown(caller, 'field', unknownFields(endpoint.body, json, otherFields?.(caller.context)), renamedFields);
  return parsed;
}

function checkContentType<Context>(contentType: string | undefined, caller: Caller<Context>): void {
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
  if (variant === 'live') throw refusal('InternalError');
  if (variant !== 'lenient') throw refusal('InvalidContentType', { message });
  caller.warn('content-type', message);
}

function parseJson(schema: z.ZodType, sent: unknown, alsoWrong: readonly FieldError[]): unknown {
  const parsed = schema.safeParse(sent);
  const errors = [...(parsed.success ? [] : fieldErrors(parsed.error, sent)), ...alsoWrong];
  if (!parsed.success || errors.length > 0) throw invalid(errors);
  return parsed.data;
}

/** Of a field that is given twice the last one counts, as with every reader of JSON. */
function reportRepeated<Context>(caller: Caller<Context>, text: string, json: unknown): void {
  const repeated = caller.fieldValidation === 'ignore' ? [] : repeatedNames(text, json);
  if (repeated.length > 0 && caller.fieldValidation === 'strict') {
    throw invalid(repeated.map((field) => ({ field, errorDescription: 'is given more than once' })));
  }
  for (const path of repeated) caller.warn('repeated-field', `"${path}" is given more than once; the last one counts`);
}

/** The service passes over what it doesn't know; so do we, but say so (or refuse it, when asked to be strict). */
function reportUnknown<Context>(
  caller: Caller<Context>,
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
    throw invalid(described.map(({ path, message }) => ({ field: path, errorDescription: message })));
  }
  for (const { path, message } of described)
    caller.warn(`unknown-${kind.replace('query ', '')}`, `"${path}" ${message}`);
}
