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

const relinked = (text: string): JsonSchema => JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'));

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
