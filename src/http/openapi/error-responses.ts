/** Documents the errors of an endpoint by status; a status with a single code is written once, under components. */
import * as z from '../../core/validation/deferred-zod.ts';
import type { AnyEndpoint } from '../../core/exchange/endpoint.ts';
import { errorCatalog } from '../../service/errors/catalog.ts';
import type { SchemaCollector } from './json-schemas.ts';

type JsonObject = Record<string, unknown>;

export interface ErrorResponseCollector {
  readonly responsesFor: (endpoint: AnyEndpoint, isAdmin: boolean) => JsonObject;
  readonly components: Readonly<JsonObject>;
}

const errorSchema = z
  .object({
    errorCode: z.string(),
    message: z.string(),
    requestId: z.string(),
    messageDetails: z.record(z.string(), z.unknown()).optional(),
    validationErrors: z.array(z.object({ field: z.string(), errorDescription: z.string() })).optional(),
  })
  .meta({ id: 'Error', description: 'The body of every error (A-02).' });

const catalogue: Readonly<Record<string, { readonly status: number; readonly message: string }>> = errorCatalog;

/** True for requests of the control API that only read or delete: these do not create the tenant they name. */
const findsTenant = ({ method, query }: AnyEndpoint): boolean =>
  (method === 'GET' || method === 'DELETE') && query instanceof z.ZodObject && 'tenant' in query.shape;

/** Returns the error codes that any endpoint may respond with before its own rules are reached. */
function commonErrorCodes(endpoint: AnyEndpoint, isAdmin: boolean): readonly string[] {
  const { query, body } = endpoint;
  return [
    ...(isAdmin && findsTenant(endpoint) ? ['NotFound'] : []),
    ...(query || body ? ['ValidationError'] : []),
    ...(body ? ['InvalidJson', 'InvalidContentType', 'PayloadTooLarge', 'UnsupportedContentEncoding'] : []),
    ...(isAdmin ? [] : ['UserAgentRequired', 'TooManyRequests']),
    'Unauthorized',
    'Forbidden',
    'InternalError',
  ];
}

/** Groups the error codes of an endpoint by status. */
function codesOf(endpoint: AnyEndpoint, isAdmin: boolean): [status: string, codes: string[]][] {
  const byStatus: Record<number, string[]> = {};
  for (const code of new Set([...(endpoint.errors ?? []), ...commonErrorCodes(endpoint, isAdmin)])) {
    const row = catalogue[code];
    if (!row) throw new Error(`${endpoint.id} responds with "${code}", which is not in the catalogue of errors`);
    (byStatus[row.status] ??= []).push(code);
  }
  return Object.entries(byStatus);
}

const withCode = (codes: readonly string[]): JsonObject => ({
  type: 'object',
  properties: { errorCode: { type: 'string', enum: codes } },
});

function responseOf(codes: readonly string[], error: object): JsonObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${catalogue[code]?.message}`).join('\n\n'),
    content: { 'application/json': { schema: { allOf: [error, withCode(codes)] } } },
    'x-errors': codes,
  };
}

export function createErrorResponseCollector(schemas: SchemaCollector): ErrorResponseCollector {
  const components: JsonObject = {};
  const error = schemas.toJsonSchema(errorSchema, 'output');

  function sharedResponse(code: string): JsonObject {
    components[code] ??= responseOf([code], error);
    return { $ref: `#/components/responses/${code}` };
  }

  function responsesFor(endpoint: AnyEndpoint, isAdmin: boolean): JsonObject {
    const responses: JsonObject = {};
    for (const [status, codes] of codesOf(endpoint, isAdmin)) {
      const [first = '', ...others] = codes;
      responses[status] = others.length === 0 ? sharedResponse(first) : responseOf(codes, error);
      //
      if (!isAdmin && codes.includes('ValidationError')) responses['422'] = sharedResponse('ValidationError');
    }
    return responses;
  }

  return { responsesFor, components };
}
