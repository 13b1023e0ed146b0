import * as z from '../../src/core/validation/deferred-zod.ts';
import { defaultWords } from '../../src/config/options.ts';
import type { OptionDefinition } from '../../src/core/validation/option-definition.ts';
import { loadScenarios } from '../../src/scenario/load.ts';
import { scenarioFields, scenarioSchema } from '../../src/scenario/scenario-schema.ts';
import { builtInScenarios } from '../../src/scenario/built-in.ts';
import { tenantOptions } from '../../src/service/settings/tenant-options.ts';
import { list, page } from './page.ts';
import { code, fieldTable, marked, table } from './table.ts';
import { exampleOf, valuesOf } from './values.ts';
import type { Property } from './values.ts';

function shippedList(): string {
  const rows = builtInScenarios().map((id) => {
    const { description = '' } = loadScenarios([id]).spec;
    const [, what = '', till = ''] = /^(.*\.) (A (?:till|point master) .*)$/s.exec(description) ?? [];
    return `[${code(id)}](../scenarios/${id}.yaml): ${what} _${till}_`;
  });
  return list(rows);
}

/** Each field with an example, as YAML. */
const examples: Readonly<Record<string, string>> = {
  $schema: './scenario.schema.json',
  name: 'Lost receipts',
  description: 'The response is lost.',
  fixtures: 'shop.json',
  mode: 'point-follower',
  now: '2026-03-02T09:55:00Z',
  seed: '7',
  queueDelay: '15m',
  importEvery: '1h',
  fieldValidation: 'strict',
  assumptions: '{ A-24: twice }',
};

/** Each section with its page and an example. */
const sections: Readonly<Record<string, readonly [page: string, example: string]>> = {
  rules: ['faults.md#rules', '[{ fault: 503, times: 2 }]'],
  webhooks: ['webhooks.md#when-it-goes-wrong', '[{ fault: duplicate }]'],
  pointMaster: ['point-master.md#try-what-goes-wrong', '[{ fault: lost-response }]'],
  imports: ['receipt-files.md#faults', '[{ fault: refuse }]'],
  policy: ['verdict.md#what-the-client-is-held-to-policy', '{ maxAttempts: 4 }'],
  expectations: ['running-scenarios.md#expectations', '[{ state: { count: { receipts: 3 } } }]'],
  steps: ['running-scenarios.md#steps', '[{ clock: { advance: 30d } }]'],
};

const isOption = (name: string): name is keyof typeof tenantOptions => Object.hasOwn(tenantOptions, name);

function defaultOf(name: string): string {
  // Each is an option; their union hides what some of them lack.
  const option: OptionDefinition | undefined = isOption(name) ? tenantOptions[name] : undefined;
  const words = option && defaultWords(option);
  return words === undefined ? '' : code(words);
}

function fieldRow([name, schema]: readonly [string, z.ZodType]): string[] {
  // A JSON schema may be anything; of ours some keywords are read.
  const property = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Property;
  const example = exampleOf(scenarioSchema, [name], examples[name] ?? '');
  return [code(name), valuesOf(property), defaultOf(name), example, marked(schema.description ?? '')];
}

function sectionRow([name, schema]: readonly [string, z.ZodType]): string[] {
  const [where = '', example = ''] = sections[name] ?? [];
  const [holds = ''] = schema.description?.split(';') ?? [];
  return [`[${code(name)}](${where})`, holds, exampleOf(scenarioSchema, [name], example)];
}

const isSection = ([name]: readonly [string, unknown]): boolean => Object.hasOwn(sections, name);
const fields = Object.entries<z.ZodType>(scenarioFields);

/** docs/scenarios.md */
export const scenariosPage = (): string =>
  page('scenarios', 'scenarios/, and the schema', {
    shipped: shippedList(),
    fields: fieldTable(
      ['Field', 'Values', 'Default', 'Example', 'Sets'],
      fields.filter((field) => !isSection(field)).map(fieldRow),
    ),
    sections: table(['Section', 'Holds', 'Example'], fields.filter(isSection).map(sectionRow)),
  });
