import { loadScenarios } from '../../src/scenario/load.ts';
import { scenarioFields } from '../../src/scenario/scenario-schema.ts';
import { builtInScenarios } from '../../src/scenario/built-in.ts';
import { list, page } from './page.ts';
import { code } from './table.ts';

function shippedTable(): string {
  const rows = builtInScenarios().map((id) => {
    const { description = '' } = loadScenarios([id]).spec;
    const [, what = '', till = ''] = /^(.*\.) (A (?:till|point master) .*)$/s.exec(description) ?? [];
    return `[${code(id)}](../scenarios/${id}.yaml): ${what} _${till}_`;
  });
  return list(rows);
}

function fieldTable(): string {
  const rows = Object.entries(scenarioFields).map(([name, schema]) => `${code(name)}: ${schema.description ?? ''}`);
  return list(rows);
}

/** Returns docs/scenarios.md. */
export const scenariosPage = (): string =>
  page('scenarios', 'scenarios/, and the schema', { shipped: shippedTable(), fields: fieldTable() });
