/** Builds an OpenAPI 3.1 document from the endpoints. This module is loaded only when the document is requested. */
import type * as z from 'zod';
import { capitalized } from '../../core/lib/capitalized.ts';
import type { AnyEndpoint, EndpointExample, RetryClass } from '../../core/exchange/endpoint.ts';
import { finish } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { pathParameterNames } from '../../core/exchange/path-template.ts';
import { assumptions } from '../../service/assumptions/catalog.ts';
import { createErrorResponseCollector } from './error-responses.ts';
import type { ErrorResponseCollector } from './error-responses.ts';
import { withRequiredProperties } from './required-properties.ts';
import { describeTag } from './tag-descriptions.ts';
import { createSchemaCollector } from './json-schemas.ts';
import type { JsonSchema, SchemaCollector } from './json-schemas.ts';

interface OpenApiOptions {
  readonly endpoints: readonly AnyEndpoint[];
  readonly adminEndpoints?: readonly AnyEndpoint[];
  /** Sets the address of the service, without a tenant's prefix. */
  readonly serverUrl: string;
  /** Sets the tenant that is filled in by default where a path names one. */
  readonly tenant?: string;
  readonly version: string;
}

/** Pairs an endpoint with one of its paths. */
interface OperationRoute {
  readonly endpoint: AnyEndpoint;
  readonly path: string;
  readonly operationId: string;
  readonly isAdmin: boolean;
}

type JsonObject = Record<string, unknown>;

/** Collects the components that paths refer to. */
interface Collectors {
  readonly schemas: SchemaCollector;
  readonly errorResponses: ErrorResponseCollector;
}

/** Advises a client that lost the response, by the endpoint's retry class. */
const retryAdvice: Readonly<Record<RetryClass, string>> = {
  safe: 'Safe: it only reads, so repeat it freely after a lost response.',
  idempotent: 'Idempotent: after a lost response, repeat it with the same body.',
  keyed: 'Keyed: after a lost response, repeat it with the same key.',
  unkeyed:
    'Not idempotent, and without a key: after a lost response, read back whether it took effect before you repeat it.',
  once: 'Takes effect once: if a repeat is rejected because it is already done, the first request succeeded.',
};

const apiSecurity = [{}, { apikey: [] }, { xApiKey: [] }];
const adminSecurity = [{}, { adminKey: [] }];

const securitySchemes = {
  apikey: { type: 'apiKey', in: 'header', name: 'apikey', description: 'A-01: any key or none is let in by default.' },
  xApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A-01: another name for apikey.' },
  adminKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-sim-admin-key',
    description: 'Required where the simulator was started with --admin-key, but for /__admin/health.',
  },
};

/**
 * Describes endpoints as an OpenAPI 3.1 document.
 *
 * @example buildOpenApi({ endpoints, serverUrl: 'http://127.0.0.1:4010', version: '0.1.0' })
 */
export const buildOpenApi = (options: OpenApiOptions): object => finish(openApiInSteps(options));

/** Does the same in steps: a first document takes a while. */
export function* openApiInSteps({
  endpoints,
  adminEndpoints = [],
  serverUrl,
  tenant,
  version,
}: OpenApiOptions): Steps<object> {
  const schemas = createSchemaCollector();
  const errorResponses = createErrorResponseCollector(schemas);
  const routes = [
    ...endpoints.flatMap((endpoint) => routesOf(endpoint, false)),
    ...adminEndpoints.flatMap((endpoint) => routesOf(endpoint, true)),
  ];
  const paths = yield* pathsOf(routes, { schemas, errorResponses });
  return {
    openapi: '3.1.0',
    info: {
      title: 'loyalty-sim',
      version,
      description: 'A local simulator of a retail customer data and loyalty service, API v3.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: serversAt(serverUrl, tenant),
    tags: [...new Set(routes.map(({ endpoint }) => endpoint.tag))].map(describeTag),
    security: apiSecurity,
    paths,
    components: {
      securitySchemes,
      schemas: sorted(schemas.components),
      responses: sorted(errorResponses.components),
    },
    'x-assumptions': assumptions,
  };
}

const serversAt = (url: string, tenant = 'default'): JsonObject[] => [
  { url, description: 'The tenant "default"' },
  {
    url: `${url}/t/{tenant}`,
    description: 'Any other tenant; made on first use',
    variables: { tenant: { default: tenant, description: 'Letters, digits, ".", "_" and "-"' } },
  },
];

function routesOf(endpoint: AnyEndpoint, isAdmin: boolean): OperationRoute[] {
  const { id, path, aliases = [] } = endpoint;
  return [
    { endpoint, path, operationId: id, isAdmin },
    ...aliases.map((alias, i) => ({
      endpoint,
      path: alias,
      operationId: `${id}Alias${i === 0 ? '' : i + 1}`,
      isAdmin,
    })),
  ];
}

function* pathsOf(routes: readonly OperationRoute[], collectors: Collectors): Steps<JsonObject> {
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const operations = (paths[route.path] ??= {});
    operations[route.endpoint.method.toLowerCase()] = operationOf(route, collectors);
    yield;
  }
  return paths;
}

function operationOf(
  { endpoint, path, operationId, isAdmin }: OperationRoute,
  { schemas, errorResponses }: Collectors,
): JsonObject {
  const { tag, summary, deprecated, retry, examples, body } = endpoint;
  return {
    operationId,
    tags: [tag],
    summary,
    description: [...(path === endpoint.path ? [] : [`The same as ${endpoint.path}.`]), retryAdvice[retry]].join(
      '\n\n',
    ),
    ...(deprecated && { deprecated }),
    ...(isAdmin && { security: adminSecurity }),
    parameters: [
      ...pathParameters(path, examples),
      ...queryParameters(endpoint, schemas),
      ...headerParameters(endpoint),
    ],
    ...(body && { requestBody: requestBodyOf(endpoint.documentedBody ?? body, endpoint, schemas) }),
    responses: { ...responsesOf(endpoint, schemas), ...errorResponses.responsesFor(endpoint, isAdmin) },
    'x-retry-class': retry,
    'x-assumptions': endpoint.assumptions ?? [],
    'x-examples': examples,
  };
}

const pathParameters = (path: string, examples: readonly EndpointExample[]): JsonObject[] =>
  pathParameterNames(path).map((name) => {
    const example = examples.map(({ params }) => params?.[name]).find((value) => value !== undefined);
    return defined({ name, in: 'path', required: true, schema: { type: 'string' }, example });
  });

function queryParameters({ query, examples }: AnyEndpoint, schemas: SchemaCollector): JsonObject[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemas.toJsonSchema(query, 'input');
  return Object.entries(properties).map(([name, property]) => {
    // A schema made from an object's fields, not the shorthand `true`.
    const { description, ...schema } = property as JsonSchema;
    const sent = examples.map(({ query: values }) => values?.[name]).find((value) => value !== undefined);
    const example = sent === undefined ? undefined : exampleOf(schema, sent);
    return defined({ name, in: 'query', required: required.includes(name), description, schema, example });
  });
}

/** Returns what a text in a URL stands for. */
const exampleOf = ({ type }: JsonSchema, sent: string): unknown =>
  type === 'integer' || type === 'number' ? Number(sent) : type === 'boolean' ? sent === 'true' : sent;

const headerParameters = ({ headers = {} }: AnyEndpoint): JsonObject[] =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));

const defined = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Reads every assumption as its default. */
const defaultVariant = (): string => 'default';

/** Names an object that stands where it is used, for generators that make a class of each: by the operation. */
function titled(schema: JsonSchema, title: string): JsonSchema {
  const { type, items } = schema;
  if (type === 'object') return { title, ...schema };
  const isListOfObjects = typeof items === 'object' && 'type' in items && items.type === 'object';
  return isListOfObjects ? { ...schema, items: { title: `${title}Item`, ...items } } : schema;
}

const titleOf = ({ id }: AnyEndpoint): string => capitalized(id);

function requestBodyOf(body: z.ZodType, endpoint: AnyEndpoint, schemas: SchemaCollector): JsonObject {
  const { bodyRules, examples } = endpoint;
  const title = titleOf(endpoint);
  const sent = examples.filter((example) => example.body !== undefined);
  const shown = schemas.toJsonSchema(body, 'input');
  const required = bodyRules?.required?.(defaultVariant);
  const named = sent.map((example, i) => [`example${i + 1}`, { value: example.body }] as const);
  return {
    required: !bodyRules?.optional,
    content: {
      'application/json': {
        schema: titled(required ? withRequiredProperties(shown, required) : shown, `${title}Request`),
        ...(named.length > 0 && { examples: Object.fromEntries(named) }),
      },
    },
  };
}

function responsesOf(endpoint: AnyEndpoint, schemas: SchemaCollector): JsonObject {
  const { responses: schemasByStatus, retry, mediaType, hasText } = endpoint;
  const described = Object.entries(schemasByStatus).map(([status, schema]) => {
    const description = status === '202' ? 'Accepted' : status === '201' || retry !== 'safe' ? 'Done' : 'Found';
    return [
      status,
      {
        description,
        content: {
          [mediaType ?? 'application/json']: {
            schema: titled(schemas.toJsonSchema(schema, 'output'), `${titleOf(endpoint)}Response`),
          },
          ...(hasText && { 'text/plain': { schema: { type: 'string' } } }),
        },
      },
    ];
  });
  return Object.fromEntries(described) as JsonObject;
}

const sorted = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
