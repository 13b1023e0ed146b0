/** Shows a JSON schema as the name of its type and a list of its fields. */
import { h } from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';
import type { SchemaJson, NamedSchemas } from './openapi-types.ts';

/** Says who writes the value: fields of input may be required, and those of output may be missing. */
type Side = 'input' | 'output';

type ResolvedSchema = SchemaJson & { readonly called?: string };

const limits = [
  ['minimum', '≥'],
  ['exclusiveMinimum', '>'],
  ['maximum', '≤'],
  ['minLength', 'length ≥'],
  ['maxLength', 'length ≤'],
] as const;

/** Returns text with the parts between backticks as code. */
export const prose = (text: string): Child =>
  text.split('`').map((part, i) => (i % 2 === 0 ? part : h('code', {}, part)));

export const typeLabel = (schema: SchemaJson, named: NamedSchemas): HTMLElement =>
  h('span', { class: 'type' }, typeName(schema, named));

export const lastSegment = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

function resolveSchema(schema: SchemaJson, named: NamedSchemas): ResolvedSchema {
  if (schema.$ref === undefined) return schema;
  const called = lastSegment(schema.$ref);
  return { called, ...named[called] };
}

const optionsOf = ({ anyOf, oneOf }: SchemaJson): readonly SchemaJson[] | undefined => anyOf ?? oneOf;

function typeName(given: SchemaJson, named: NamedSchemas): string {
  const schema = resolveSchema(given, named);
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  const options = optionsOf(schema);
  if (options) return [...new Set(options.map((option) => typeName(option, named)))].join(' or ');
  if (schema.type === 'array') return `list of ${typeName(schema.items ?? {}, named)}`;
  const types = [schema.type ?? 'any'].flat().join(' or ');
  const bounds = limits.flatMap(([key, sign]) => (schema[key] === undefined ? [] : [`${sign} ${schema[key]}`]));
  const details = [...(schema.format === undefined ? [] : [schema.format]), ...bounds];
  return `${schema.called ?? types}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
}

const nestedList = (items: readonly HTMLElement[]): Child => items.length > 0 && h('ul', { class: 'schema' }, items);

/** Lists the fields of a schema, with those of its objects and lists beneath; `above` ends recursive types. */
function fieldItems(given: SchemaJson, named: NamedSchemas, side: Side, above: readonly string[] = []): HTMLElement[] {
  const schema = resolveSchema(given, named);
  if (schema.called !== undefined && above.includes(schema.called)) return [];
  const inside = schema.called === undefined ? above : [...above, schema.called];
  if (schema.type === 'array') return fieldItems(schema.items ?? {}, named, side, inside);
  const options = (optionsOf(schema) ?? []).filter(({ type }) => type !== 'null');
  const [only] = options;
  if (only && options.length === 1) return fieldItems(only, named, side, inside);
  if (options.length > 1) {
    const fields = options.map((option) => fieldItems(option, named, side, inside));
    if (fields.every(({ length }) => length === 0)) return [];
    return options.map((option, i) =>
      h(
        'li',
        {},
        h('span', { class: 'type' }, `${i === 0 ? 'either' : 'or'} ${typeName(option, named)}`),
        nestedList(fields[i] ?? []),
      ),
    );
  }
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const isRequired = schema.required?.includes(name) ?? false;
    const { description } = resolveSchema(field, named);
    return h(
      'li',
      {},
      h('code', {}, name),
      ' ',
      typeLabel(field, named),
      side === 'input' && isRequired && h('span', { class: 'required' }, ' required'),
      side === 'output' && !isRequired && h('span', { class: 'type' }, ', may be missing'),
      description !== undefined && [' ', prose(description)],
      nestedList(fieldItems(field, named, side, inside)),
    );
  });
}

export const schemaView = (schema: SchemaJson, named: NamedSchemas, side: Side): Child => [
  h('p', {}, typeLabel(schema, named)),
  nestedList(fieldItems(schema, named, side)),
];
