/** Makes src/control/control-endpoints.ts: the control API as TypeScript types, by method and path. */
import { adminEndpoints } from '../../src/admin/endpoints.ts';
import { buildOpenApi } from '../../src/http/openapi/openapi-document.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

interface Operation {
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Content; readonly 'x-errors'?: readonly string[] }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ') || 'never';

const asList = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value : []);

function listOf(item: string): string {
  return /[|&\s]/.test(item) && !/^\{[^{}]*\}$/.test(item) ? `readonly (${item})[]` : `readonly ${item}[]`;
}

const comment = (description: unknown): string =>
  typeof description === 'string' ? `/** ${description.replaceAll('*/', '* /')} */\n` : '';

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
  readonly description: unknown;
}

function objectOf(fields: readonly Field[]): string {
  const lines = fields.map(
    ({ name, isRequired, schema, description }) =>
      `${comment(description)}${/^\w+$/.test(name) ? name : `'${name}'`}${isRequired ? '' : '?'}: ${typeOf(schema)};`,
  );
  return `{\n${lines.join('\n')}\n}`;
}

function objectType({ properties, required, additionalProperties }: JsonSchema): string {
  const fields = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>).map(([name, schema]) => ({
    name,
    isRequired: asList(required).some((one: unknown) => one === name),
    schema,
    description: schema['description'],
  }));
  if (fields.length > 0) return objectOf(fields);
  const others = typeof additionalProperties === 'object' ? typeOf(additionalProperties as JsonSchema) : 'unknown';
  return `Readonly<Record<string, ${additionalProperties === false ? 'never' : others}>>`;
}

/** Returns the type of a schema, of which ours use these keywords. */
function typeOf(schema: JsonSchema): string {
  const { $ref, enum: values, type, anyOf, oneOf, allOf, items } = schema;
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? '';
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(values)) return unionOf(values.map((value) => JSON.stringify(value)));
  if (anyOf ?? oneOf) return unionOf(asList(anyOf ?? oneOf).map(typeOf));
  if (allOf) return asList(allOf).map(typeOf).join(' & ');
  if (Array.isArray(type)) return unionOf(type.map((one: unknown) => typeOf({ ...schema, type: one })));
  if (type === 'array') return listOf(typeOf((items ?? {}) as JsonSchema));
  if (type === 'object') return objectType(schema);
  if (type === 'integer') return 'number';
  return typeof type === 'string' ? type : 'unknown';
}

/** Returns the type of the first response that is no error; of a stream, the response itself. */
function responseType({ responses }: Operation): string {
  const [content = {}] = Object.entries(responses).flatMap(([status, one]) =>
    status.startsWith('2') && one.content ? [one.content] : [],
  );
  const { 'application/json': json, 'text/plain': text } = content;
  return json ? unionOf([typeOf(json.schema), ...(text ? ['string'] : [])]) : 'Response';
}

const errorCodes = ({ responses }: Operation): readonly string[] =>
  Object.values(responses).flatMap(
    ({ $ref, 'x-errors': codes }) => codes ?? ($ref ? [$ref.split('/').at(-1) ?? ''] : []),
  );

const prefix = '/__admin';

function endpointType(method: string, path: string, operation: Operation): string {
  const { summary, parameters, requestBody } = operation;
  const fieldsIn = (place: string): Field[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, schema, description }) => ({ name, isRequired: required, schema, description }));
  const [params, query] = [fieldsIn('path'), fieldsIn('query')];
  const body = requestBody?.content['application/json']?.schema;
  return `${comment(summary)}'${method.toUpperCase()} ${path.slice(prefix.length)}': {
${params.length > 0 ? `params: ${objectOf(params)};` : ''}
${query.length > 0 ? `query${query.some(({ isRequired }) => isRequired) ? '' : '?'}: ${objectOf(query)};` : ''}
${body && requestBody ? `body${requestBody.required ? '' : '?'}: ${typeOf(body)};` : ''}
response: ${responseType(operation)};
errorCode: ${unionOf(errorCodes(operation).map((code) => `'${code}'`))};
};`;
}

/** Returns the text of src/control/control-endpoints.ts. */
export function controlEndpoints(): string {
  // The document is JSON of ours, in the form that is declared here as far as it is read.
  const document = buildOpenApi({ endpoints: [], adminEndpoints, serverUrl: 'http://x', version: '' }) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const withoutTenant = operations
    .filter(({ operation }) => !operation.parameters.some(({ name }) => name === 'tenant'))
    .map(({ path }) => `'${path.slice(prefix.length)}'`);
  const schemas = Object.entries(document.components.schemas)
    .filter(([name]) => name !== 'Error')
    .map(([name, schema]) => `${comment(schema['description'])}export type ${name} = ${typeOf(schema)};`);
  const text = [
    '/** Made by `npm run generate` from the endpoints of src/admin. Change those, not this. */',
    ...schemas,
    `/** Holds the parameters, body, response and error codes of each request to the control API. */
export interface ControlEndpoints {
${operations.map(({ method, path, operation }) => endpointType(method, path, operation)).join('\n')}
}`,
    `/** Lists the paths that are about the whole simulator, and take no tenant. */
export const pathsWithoutTenant: readonly string[] = [${unionOf(withoutTenant).replaceAll(' |', ',')}];`,
  ];
  return `${text.join('\n\n').replaceAll(/\n\n+(?=query|body|response)/g, '\n')}\n`;
}
