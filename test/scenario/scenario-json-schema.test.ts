import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defineScenario } from '../../src/index.ts';

type Json = Readonly<Record<string, unknown>>;

const published: Json = JSON.parse(readFileSync('docs/schema/scenario.schema.json', 'utf8'));

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Every schema of a field, by where it stands. */
function fieldsIn(schema: unknown, path = ''): (readonly [string, Json])[] {
  if (!isObject(schema)) return [];
  const { properties, ...others } = schema;
  const own = Object.entries(isObject(properties) ? properties : {}).filter(([, field]) => isObject(field));
  return [
    ...own.map(([name, field]) => [`${path}.${name}`, field as Json] as const),
    ...own.flatMap(([name, field]) => fieldsIn(field, `${path}.${name}`)),
    ...Object.entries(others).flatMap(([name, inner]) => fieldsIn(inner, `${path}/${name}`)),
  ];
}

describe('the schema for editors', () => {
  it('describes every field', () => {
    const silent = fieldsIn(published).filter(([, field]) => field['description'] === undefined);
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  it('knows no fields but its own', () => {
    const { Scenario, Rule } = published['$defs'] as Readonly<Record<string, Json>>;
    expect([Scenario?.['additionalProperties'], Rule?.['additionalProperties']]).toEqual([false, false]);
  });
});

describe('defineScenario', () => {
  it('gives back what was written', () => {
    const scenario = defineScenario({ queueDelay: '15m', rules: [{ fault: ['504', 'ok'] }] });
    expect(scenario).toEqual({ queueDelay: '15m', rules: [{ fault: ['504', 'ok'] }] });
  });

  it('refuses what is wrong where it is written', () => {
    const scenario = { rules: [{ match: { endpoint: 'creatReceipt' }, fault: 504 }] };
    expect(() => defineScenario(scenario)).toThrow(
      'scenario: rules[0].match.endpoint: is "creatReceipt", and there is no endpoint of this id',
    );
  });
});
