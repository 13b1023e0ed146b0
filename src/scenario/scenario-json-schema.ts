import * as z from '../core/validation/deferred-zod.ts';
import { scenarioSchema } from './scenario-schema.ts';

/** Returns the JSON schema of a scenario file, as a person writes it, for editors. */
export function scenarioJsonSchema(): z.core.JSONSchema.BaseSchema {
  const schema = z.toJSONSchema(scenarioSchema, { io: 'input', unrepresentable: 'any', override: closeObject });
  return { ...schema, title: 'A scenario of loyalty-sim' };
}

/** Refuses unknown fields, so that editors mark them. */
function closeObject({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.type === 'object' && jsonSchema.properties) jsonSchema.additionalProperties ??= false;
}
