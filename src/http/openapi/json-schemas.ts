/** Turns Zod schemas into JSON schemas; those with an id (`.meta({ id })`) are written once, under components. */
import * as z from '../../core/validation/deferred-zod.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Selects the side of a schema: of requests, or of responses. */
type SchemaDirection = 'input' | 'output';

/** Turns schemas into JSON schemas and collects those that they share. */
export interface SchemaCollector {
  readonly toJsonSchema: (schema: z.ZodType, side: SchemaDirection) => JsonSchema;
  readonly components: Readonly<Record<string, JsonSchema>>;
}

interface GeneratedSchema {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: JsonSchema;
}

/** Removes limits that only say what JavaScript can count, patterns that `format` says better, and the like. */
function removeRedundant({ zodSchema, jsonSchema }: GeneratedSchema): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === 'uuid') delete jsonSchema.pattern;
  if (JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}') delete jsonSchema.propertyNames;
  // Neither side of a plain object forbids further fields: requests may send some, responses may grow.
  if (zodSchema instanceof z.ZodObject && !(zodSchema.def.catchall instanceof z.ZodNever)) {
    delete jsonSchema.additionalProperties;
  }
}

/** True for a schema that says nothing: anything fits. */
const isEmpty = (schema: JsonSchema): boolean => Object.keys(schema).length === 0;

/**
 * Says less, or the same in other words, for tools that stumble over it: an option that takes anything is not an option
 * that a client needs to know, and a list of so many places that are alike has one kind of item.
 */
function simplified(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // Objects of a document: most are schemas, the others have no such keywords.
  const { anyOf, prefixItems, ...schema } = value as JsonSchema;
  if (Array.isArray(anyOf) && anyOf.some(isEmpty)) {
    const [only = {}, ...others] = anyOf.filter((option) => !isEmpty(option));
    return others.length === 0 ? { ...schema, ...only } : { ...schema, anyOf: [only, ...others] };
  }
  if (!Array.isArray(prefixItems)) return value;
  const [items = {}, ...others] = prefixItems;
  const isAlike = others.every((other) => JSON.stringify(other) === JSON.stringify(items));
  if (!isAlike) return { ...value, minItems: prefixItems.length };
  return { ...schema, items, minItems: prefixItems.length, maxItems: prefixItems.length };
}

const relinked = (text: string): JsonSchema =>
  JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'), simplified);

export function createSchemaCollector(): SchemaCollector {
  const components: Record<string, JsonSchema> = {};

  function addComponent(id: string, definition: JsonSchema): void {
    const known = components[id];
    if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(`two schemas, or the two sides of one, are called "${id}": give one another id in its .meta()`);
    }
    components[id] = definition;
  }

  function toJsonSchema(schema: z.ZodType, side: SchemaDirection): JsonSchema {
    const generated = z.toJSONSchema(schema, {
      io: side,
      target: 'draft-2020-12',
      unrepresentable: 'any',
      override: removeRedundant,
    });
    const { $schema: _, $defs = {}, ...schemaBody } = relinked(JSON.stringify(generated));
    for (const [id, definition] of Object.entries($defs)) addComponent(id, definition);
    return schemaBody;
  }

  return { toJsonSchema, components };
}
