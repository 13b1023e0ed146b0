/** Makes other documents of our OpenAPI document: of the service alone, of OpenAPI 3.0, and a Postman collection. */

type JsonObject = Record<string, unknown>;

/** Holds what these functions read of an OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly info: JsonObject;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, JsonObject>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly 'x-examples': readonly Example[];
}

interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const controlPrefix = '/__admin';

/** Returns the document without the control API, and without what only that refers to. */
export function serviceDocument<Document extends OpenApiDocument>(document: Document): Document {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !path.startsWith(controlPrefix)));
  const used = new Set(
    Object.values(paths).flatMap((operations) => Object.values(operations).flatMap(({ tags }) => tags)),
  );
  const { adminKey: _, ...securitySchemes } = document.components['securitySchemes'] ?? {};
  const isReferred = referredFrom(paths, document.components);
  const components = Object.entries(document.components).map(([kind, all]) => [
    kind,
    kind === 'securitySchemes'
      ? securitySchemes
      : Object.fromEntries(Object.entries(all).filter(([name]) => isReferred.has(`#/components/${kind}/${name}`))),
  ]);
  return {
    ...document,
    tags: document.tags.filter(({ name }) => used.has(name)),
    paths,
    components: Object.fromEntries(components),
  };
}

/** Returns all references that can be reached. */
function referredFrom(start: unknown, components: OpenApiDocument['components']): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name !== '$ref' || typeof inner !== 'string') visit(inner);
      else if (!found.has(inner)) {
        found.add(inner);
        const [kind = '', component = ''] = inner.split('/').slice(-2);
        visit(components[kind]?.[component]);
      }
    }
  };
  visit(start);
  return found;
}

/** Returns the document as OpenAPI 3.0.3, for generators that do not read 3.1. It says less: what may be one of several types is any value. */
export function toOpenApi30(document: OpenApiDocument): object {
  const { license, ...info } = document.info;
  const name = isObject(license) ? license['identifier'] : undefined;
  const components = {
    ...document.components,
    schemas: mapValues(document.components['schemas'] ?? {}, toSchema30),
    responses: withSchemas30(document.components['responses'] ?? {}),
  };
  return {
    ...document,
    openapi: '3.0.3',
    // 3.0 has no identifiers of licences, but addresses.
    info: { ...info, ...(name !== undefined && { license: { name, url: `https://spdx.org/licenses/${name}.html` } }) },
    paths: withSchemas30(document.paths),
    components,
  };
}

const mapValues = (values: Readonly<JsonObject>, change: (value: unknown) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

/** Converts the schemas inside paths and responses; examples stay as they are. */
function withSchemas30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSchemas30);
  if (!isObject(value)) return value;
  const isError = 'x-errors' in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (isError && name === 'content') return [name, errorContent30];
      if (name === 'schema') return [name, toSchema30(inner)];
      return [name, name === 'example' || name === 'examples' || name === 'x-examples' ? inner : withSchemas30(inner)];
    }),
  );
}

/** Older generators know no schema that narrows another one: the codes of an error are in its description. */
const errorContent30 = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

const isNull = (schema: unknown): boolean => isObject(schema) && schema['type'] === 'null';

/** Converts a schema of JSON Schema 2020-12 to one of OpenAPI 3.0. */
function toSchema30(schema: unknown): unknown {
  if (schema === true) return {};
  if (schema === false) return { not: {} };
  if (!isObject(schema)) return schema;
  const {
    $ref,
    type,
    anyOf,
    oneOf,
    const: constant,
    exclusiveMinimum,
    prefixItems,
    propertyNames: _,
    ...rest
  } = schema;
  const converted: JsonObject = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, convertKeyword(name, value)]),
  );
  // Generators of that time take no null as a default, and write one of a number as another type than the field's.
  if (converted['default'] === null || type === 'number') delete converted['default'];
  if (constant !== undefined) converted['enum'] = [constant];
  if (exclusiveMinimum !== undefined) Object.assign(converted, { minimum: exclusiveMinimum, exclusiveMinimum: true });
  if (Array.isArray(prefixItems)) converted['items'] = union30(prefixItems);
  if ($ref !== undefined) return Object.keys(converted).length === 0 ? { $ref } : { ...converted, allOf: [{ $ref }] };
  const options = anyOf ?? oneOf;
  return { ...converted, ...typesOf30(type), ...(Array.isArray(options) && union30(options)) };
}

function convertKeyword(name: string, value: unknown): unknown {
  if (name === 'properties' && isObject(value)) return mapValues(value, toSchema30);
  if (name === 'items' || name === 'not') return toSchema30(value);
  if (name === 'additionalProperties') return typeof value === 'boolean' ? value : toSchema30(value);
  return name === 'allOf' && Array.isArray(value) ? value.map(toSchema30) : value;
}

function typesOf30(type: unknown): JsonObject {
  if (type === undefined) return {};
  const types = [type].flat();
  const others = types.filter((one) => one !== 'null');
  const nullable = others.length < types.length && { nullable: true };
  if (others.length === 0) return { enum: [null], ...nullable };
  return others.length === 1 ? { type: others[0], ...nullable } : {};
}

/**
 * Returns one of several schemas. Older generators name a class after such a union and write none, unless its parts have
 * names: others become their common type, or any value.
 */
function union30(all: readonly unknown[]): JsonObject {
  const others = all.filter((one) => !isNull(one)).map(toSchema30);
  const nullable = others.length < all.length && { nullable: true };
  const [only] = others;
  if (others.length === 1 && isObject(only)) {
    return '$ref' in only ? { allOf: [only], ...nullable } : { ...only, ...nullable };
  }
  if (others.every((one) => isObject(one) && '$ref' in one)) return { anyOf: others };
  const types = new Set(others.map((one) => (isObject(one) ? one['type'] : undefined)));
  const [type] = types;
  return types.size === 1 && type !== undefined && type !== 'object' && type !== 'array' ? { type, ...nullable } : {};
}

/** Returns a Postman collection of form 2.1, which Bruno and Insomnia import too: a request for each operation, with its first example. */
export function toPostman(document: OpenApiDocument): object {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return {
    info: {
      name: document.info['title'],
      version: document.info['version'],
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'baseUrl', value: document.servers[0]?.url },
      { key: 'apikey', value: 'any' },
    ],
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'apikey', type: 'string' },
        { key: 'value', value: '{{apikey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    item: document.tags.map(({ name }) => ({
      name,
      item: operations.filter(({ operation }) => operation.tags[0] === name).map(postmanItem),
    })),
  };
}

interface PostmanOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function postmanItem({ path, method, operation }: PostmanOperation): object {
  const { params = {}, query = {}, body }: Example = operation['x-examples'][0] ?? {};
  const parts = path.slice(1).split('/');
  const search = Object.entries(query).map(([key, value]) => ({ key, value }));
  const shown = search.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join('&');
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: `${operation.operationId}. ${operation.description}`,
      header: body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      ...(body !== undefined && {
        body: { mode: 'raw', raw: JSON.stringify(body, undefined, 2), options: { raw: { language: 'json' } } },
      }),
      url: {
        raw: `{{baseUrl}}/${parts.map(postmanPart).join('/')}${shown === '' ? '' : `?${shown}`}`,
        host: ['{{baseUrl}}'],
        path: parts.map(postmanPart),
        query: search,
        variable: parts
          .filter((part) => part.startsWith('{'))
          .map((part) => ({ key: part.slice(1, -1), value: params[part.slice(1, -1)] ?? '' })),
      },
    },
  };
}

const postmanPart = (part: string): string => (part.startsWith('{') ? `:${part.slice(1, -1)}` : part);
