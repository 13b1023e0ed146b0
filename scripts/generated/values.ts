/** Says which values a field of ours takes, in a cell of a table. */
import { parse } from 'yaml';
import type * as z from 'zod';
import { code } from './table.ts';

/** A JSON schema may be anything; of ours these keywords are read. */
export interface Property extends Shape {
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Property;
  readonly anyOf?: readonly Property[];
}

export interface Shape {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Shape[];
}

const asCode = (value: unknown): string => code(typeof value === 'string' ? value : JSON.stringify(value));

const namedTypes: Readonly<Record<string, string>> = {
  boolean: '`true`, `false`',
  number: 'a number',
  null: '`null`',
  string: 'a text',
};

function range({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Property): string {
  if (maximum < Number.MAX_SAFE_INTEGER) return `${minimum} to ${maximum.toLocaleString('en')}`;
  return minimum > Number.MIN_SAFE_INTEGER ? `${minimum} or more` : 'a whole number';
}

/** A duration is the one field that takes a number of ms or a text. */
const isDuration = (choices: readonly Property[]): boolean =>
  choices.length === 2 && choices[0]?.type === 'number' && choices[1]?.type === 'string';

export function valuesOf(property: Property): string {
  const { const: only, enum: values, anyOf, items, type = '', format } = property;
  if (only !== undefined) return asCode(only);
  if (values) return values.map(asCode).join(', ');
  if (anyOf) return isDuration(anyOf) ? 'a duration' : [...new Set(anyOf.map(valuesOf))].join(', or ');
  if (items) return items.enum ? `a list of ${valuesOf(items)}` : 'a list';
  if (format === 'date-time') return 'a timestamp';
  return type === 'integer' ? range(property) : (namedTypes[type] ?? 'an object');
}

/** An example of a field, written as YAML, in a cell of a table. Throws where the schema refuses it. */
export function exampleOf(schema: z.ZodType, path: readonly string[], example: string): string {
  schema.parse(path.reduceRight<unknown>((value, name) => ({ [name]: value }), parse(example)));
  return code(example);
}
