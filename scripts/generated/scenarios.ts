import { readFileSync } from 'node:fs';
import { loadScenarios } from '../../src/scenario/load.ts';
import { scenarioFields } from '../../src/scenario/scenario-schema.ts';
import { shippedScenarios } from '../../src/scenario/shipped.ts';
import { code, table } from './table.ts';

const note =
  '<!-- Made by `npm run generate` from scripts/generated/scenarios.md, scenarios/ and the schema. Change those, not this. -->';

function shippedTable(): string {
  const rows = shippedScenarios().map((id) => {
    const { description = '' } = loadScenarios([id]).written;
    const [, what = '', till = ''] = /^(.*\.) (A (?:till|point master) .*)$/s.exec(description) ?? [];
    return [`[${code(id)}](../scenarios/${id}.yaml)`, what, till];
  });
  return table(['Name', 'What goes wrong', 'What a till should do'], rows);
}

function fieldTable(): string {
  const rows = Object.entries(scenarioFields).map(([name, schema]) => [code(name), schema.description ?? '']);
  return table(['Field', ''], rows);
}

/** docs/scenarios.md */
export function scenariosPage(): string {
  const parts: Readonly<Record<string, string>> = { shipped: shippedTable(), fields: fieldTable() };
  const page = readFileSync('scripts/generated/scenarios.md', 'utf8');
  return `${note}\n\n${page.replaceAll(/\{\{(\w+)\}\}/g, (marker, name: string) => parts[name] ?? marker)}`;
}
