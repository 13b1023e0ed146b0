/** What must be sent beside what a schema asks for, where that rests on an assumption: shown as it is by default. */
import type { RequiredFields } from '../../core/validation/required-fields.ts';
import type { JsonSchema } from './json-schemas.ts';

/** The same schema, which must have no name of its own, in which the named fields must be there and hold something. */
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

/** A list of items of which the same is asked. */
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
