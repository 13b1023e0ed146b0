import * as z from 'zod';
import { scenarioSchema } from './scenario-schema.ts';

/** The JSON schema of a scenario file, as a person writes it, for editors. */
export function scenarioJsonSchema(): z.core.JSONSchema.BaseSchema {
  const schema = z.toJSONSchema(scenarioSchema, { io: 'input', unrepresentable: 'any', override: closeObject });
  return { ...schema, title: 'A scenario of loyalty-sim' };
}

/** A field that isn't known is a mistake, which editors then mark. */
function closeObject({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.type === 'object' && jsonSchema.properties) jsonSchema.additionalProperties ??= false;
}
