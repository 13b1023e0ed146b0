/** Adds fields to a JSON schema that are required only under an assumption's default. */
import type { RequiredFields } from '../../core/validation/required-fields.ts';
import type { JsonSchema } from './json-schemas.ts';

/** Returns the schema with the named fields required and not null; it must have no id of its own. */
export function withRequiredProperties(schema: JsonSchema, { fields, lists = {} }: RequiredFields): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    // A schema made from an object's fields, not the shorthand `true`.
    const field = fields.includes(name) ? withoutNull(property as JsonSchema) : (property as JsonSchema);
    const inside = lists[name];
    return [name, inside ? ofEach(field, inside) : field] as const;
  });
  const required = [...new Set([...(schema.required ?? []), ...fields])];
  return { ...schema, properties: Object.fromEntries(properties), required };
}

/** Applies the same to each item of a list. */
const ofEach = (list: JsonSchema, required: RequiredFields): JsonSchema => ({
  ...list,
  items: withRequiredProperties(list.items as JsonSchema, required),
});

function withoutNull({ anyOf, ...schema }: JsonSchema): JsonSchema {
  const [only, ...others] = (anyOf ?? []).filter((option) => option.type !== 'null');
  if (only) return others.length === 0 ? { ...schema, ...only } : { ...schema, anyOf: [only, ...others] };
  if (!Array.isArray(schema.type)) return schema;
  const types = schema.type.filter((type) => type !== 'null');
  const [type] = types;
  return { ...schema, type: type !== undefined && types.length === 1 ? type : types };
}
