import * as z from 'zod';
import { fixtureSections } from '../resources/fixture-sections.ts';
import { relativeDatePattern } from './relative-dates.ts';

/** The JSON schema of a fixture file, as a person writes it: relative dates may stand for timestamps. */
export function fixtureJsonSchema(): z.core.JSONSchema.BaseSchema {
  const sections = fixtureSections.map(({ name, schema }) => [name, schema.optional()] as const);
  const file = z.strictObject({ $schema: z.string().optional(), ...Object.fromEntries(sections) });
  const schema = z.toJSONSchema(file, { io: 'input', unrepresentable: 'any', override: allowRelativeDate });
  return { ...schema, title: 'A fixture of loyalty-sim' };
}

const timestamp = { type: 'string', format: 'date-time' } as const;
const relativeDate = {
  type: 'string',
  pattern: relativeDatePattern.source,
  description: 'Counted from the moment that the fixture is loaded: -P30D is 30 days ago, +P1M a month from now',
} as const;

function allowRelativeDate({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format !== 'date-time') return;
  delete jsonSchema.type;
  delete jsonSchema.format;
  jsonSchema.anyOf = [timestamp, relativeDate];
}
