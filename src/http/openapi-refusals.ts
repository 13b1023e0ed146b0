/** What an endpoint may refuse with, as responses by status; a status with a single code stands once, under components. */
import * as z from 'zod';
import type { Endpoint } from '../core/endpoint.ts';
import { refusals } from '../resources/refusals.ts';
import type { SchemaCollector } from './openapi-schemas.ts';

type Json = Record<string, unknown>;

export interface RefusalCollector {
  readonly show: (endpoint: Endpoint<never>, isControl: boolean) => Json;
  readonly components: Readonly<Json>;
}

const errorSchema = z
  .object({
    errorCode: z.string(),
    message: z.string(),
    requestId: z.string(),
    messageDetails: z.record(z.string(), z.unknown()).optional(),
    validationErrors: z.array(z.object({ field: z.string(), errorDescription: z.string() })).optional(),
  })
  .meta({ id: 'Error', description: 'The body of every refusal (A-02).' });

const catalogue: Readonly<Record<string, { readonly status: number; readonly message: string }>> = refusals;

/** Calls of the control API that read or take away look for their tenant; those that do something make it. */
const findsTenant = ({ method, query }: Endpoint<never>): boolean =>
  (method === 'GET' || method === 'DELETE') && query instanceof z.ZodObject && 'tenant' in query.shape;

/** What any endpoint may refuse with before its own rules are reached. */
function commonRefusals(endpoint: Endpoint<never>, isControl: boolean): readonly string[] {
  const { query, body } = endpoint;
  return [
    ...(isControl && findsTenant(endpoint) ? ['NotFound'] : []),
    ...(query || body ? ['ValidationError'] : []),
    ...(body ? ['InvalidJson', 'InvalidContentType', 'PayloadTooLarge'] : []),
    ...(isControl ? [] : ['UserAgentRequired', 'TooManyRequests']),
    'Unauthorized',
    'Forbidden',
    'InternalError',
  ];
}

/** The codes of an endpoint by status. */
function codesOf(endpoint: Endpoint<never>, isControl: boolean): [status: string, codes: string[]][] {
  const byStatus: Record<number, string[]> = {};
  for (const code of new Set([...(endpoint.refusals ?? []), ...commonRefusals(endpoint, isControl)])) {
    const row = catalogue[code];
    if (!row) throw new Error(`${endpoint.id} refuses with "${code}", which is not in the catalogue of refusals`);
    (byStatus[row.status] ??= []).push(code);
  }
  return Object.entries(byStatus);
}

function responseOf(codes: readonly string[], error: object): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${catalogue[code]?.message}`).join('\n\n'),
    content: { 'application/json': { schema: { allOf: [error, { properties: { errorCode: { enum: codes } } }] } } },
    'x-refusals': codes,
  };
}

export function collectRefusals(schemas: SchemaCollector): RefusalCollector {
  const components: Json = {};
  const error = schemas.show(errorSchema, 'output');

  function shared(code: string): Json {
    components[code] ??= responseOf([code], error);
    return { $ref: `#/components/responses/${code}` };
  }

  function show(endpoint: Endpoint<never>, isControl: boolean): Json {
    const responses: Json = {};
    for (const [status, codes] of codesOf(endpoint, isControl)) {
      const [first = '', ...others] = codes;
      responses[status] = others.length === 0 ? shared(first) : responseOf(codes, error);
      //
      if (!isControl && codes.includes('ValidationError')) responses['422'] = shared('ValidationError');
    }
    return responses;
  }

  return { show, components };
}
