/** Which of our endpoints, fields and codes stands for which row of the specification. */
import * as z from '../../src/core/validation/deferred-zod.ts';
import type { Endpoint } from '../../src/core/exchange/endpoint.ts';
import { endpoints } from '../../src/service/endpoints.ts';
import { endpoints as specEndpoints } from './spec/endpoints.ts';
import type { EndpointRow } from './spec/endpoints.ts';
import type { FieldType } from './spec/fields.ts';

const withoutNames = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

/** The endpoint that serves a row: the same method and path, whatever its parameters are called. */
export const servedBy = ({ method, path }: Pick<EndpointRow, 'method' | 'path'>): Endpoint | undefined =>
  endpoints.find((endpoint) => endpoint.method === method && withoutNames(endpoint.path) === withoutNames(path));

/** The endpoint of a row by the row's id. */
function endpointOf(rowId: (typeof specEndpoints)[number]['id']): Endpoint {
  const row = specEndpoints.find(({ id }) => id === rowId);
  const endpoint = row && servedBy(row);
  if (!endpoint) throw new Error(`${rowId} is not served`);
  return endpoint;
}

export interface Json {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly items?: Json;
  readonly anyOf?: readonly Json[];
}

/** Of a choice, what is there when something is: the first that isn't null. */
const present = (schema: Json): Json => {
  const option = schema.anyOf?.find(({ type }) => type !== 'null');
  return option ? present(option) : schema;
};

/** Goes into a schema by field names; `[]` goes from a list to its items. */
function stepInto(schema: Json, step: string): Json {
  const inner = step === '[]' ? present(schema).items : present(schema).properties?.[step];
  if (!inner) throw new Error(`the schema has no ${step}`);
  return present(inner);
}

export interface Place {
  readonly endpoint: Parameters<typeof endpointOf>[0];
  /** The body that is sent, or the answer of a status. */
  readonly of: 'body' | number;
  /** As `items.[].discounts.[]`. */
  readonly at?: string;
}

/** The fields that a schema declares at a place. */
export function declaredFields({ endpoint, of, at = '' }: Place): Readonly<Record<string, Json>> {
  const found = endpointOf(endpoint);
  const schema = of === 'body' ? found.body : found.responses[of];
  if (!schema) throw new Error(`${endpoint} declares no ${of}`);
  const io = of === 'body' ? 'input' : 'output';
  const root = unfold(z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }));
  const steps = at === '' ? [] : at.split('.');
  return present(steps.reduce(stepInto, root)).properties ?? {};
}

/** The same schema with what it refers to in place. */
function unfold(schema: object): Json {
  const { $defs = {}, ...root } = schema as { readonly $defs?: Readonly<Record<string, object>> };
  const inPlace = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(inPlace);
    if ('$ref' in value) return inPlace($defs[String(value.$ref).slice('#/$defs/'.length)]);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inPlace(inner)]));
  };
  // A JSON schema without references, of which only the parts above are read.
  return inPlace(root) as Json;
}

const jsonTypes: Readonly<Record<FieldType, readonly string[]>> = {
  array: ['array'],
  boolean: ['boolean'],
  enum: ['string'],
  identifier: ['string', 'integer'],
  integer: ['integer'],
  'not shown': ['array', 'boolean', 'integer', 'number', 'object', 'string'],
  number: ['integer', 'number'],
  object: ['object'],
  string: ['string'],
  'string (GUID)': ['string'],
  'string (decimal number)': ['string'],
  timestamp: ['string'],
};

/** Whether a declared field has the type that the specification gives it. */
export function hasType(schema: Json, type: FieldType): boolean {
  const shown = present(schema);
  const types = [shown.type ?? []].flat().filter((name) => name !== 'null');
  if (type === 'string (GUID)' && shown.format !== 'uuid') return false;
  if (type === 'enum' && !shown.enum) return false;
  return types.length > 0 && types.every((name) => jsonTypes[type].includes(name));
}

/** A name of the error table as a code of ours: `contact not found` → `ContactNotFound`. */
export const codeOf = (name: string): string =>
  name
    .split(' ')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
