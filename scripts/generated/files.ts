/** The files that are made from the code, and what stands in them. */
import { controlEndpoints } from '../../src/http/control/endpoints.ts';
import { buildOpenApi } from '../../src/http/openapi.ts';
import { configJsonSchema } from '../../src/options.ts';
import { version } from '../../src/package.ts';
import { endpoints } from '../../src/resources/endpoints.ts';
import { scenarioJsonSchema } from '../../src/scenario/json-schema.ts';
import { fixtureJsonSchema } from '../../src/storage/fixture-schema.ts';
import { assumptionsPage } from './assumptions.ts';
import { commandsPage } from './commands.ts';
import { controlApiPage } from './control-api.ts';
import { optionsPage } from './options.ts';
import { scenariosPage } from './scenarios.ts';
import { supportedPage } from './supported.ts';
import { verdictPage } from './verdict.ts';

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

const openApi = (): object =>
  buildOpenApi({ endpoints, controlEndpoints, serverUrl: 'http://127.0.0.1:4010', version: version() });

export const files: Readonly<Record<string, () => string>> = {
  'docs/supported.md': supportedPage,
  'docs/assumptions.md': assumptionsPage,
  'docs/scenarios.md': scenariosPage,
  'docs/verdict.md': verdictPage,
  'docs/options.md': optionsPage,
  'docs/commands.md': commandsPage,
  'docs/control-api.md': controlApiPage,
  'docs/openapi.json': () => json(openApi()),
  'docs/schema/fixture.schema.json': () => json(fixtureJsonSchema()),
  'docs/schema/scenario.schema.json': () => json(scenarioJsonSchema()),
  'docs/schema/config.schema.json': () => json(configJsonSchema()),
};
