/** Lists the files that are made from the code, and what stands in them. */
import * as z from '../../src/core/validation/deferred-zod.ts';
import { adminEndpoints } from '../../src/admin/endpoints.ts';
import { buildOpenApi } from '../../src/http/openapi/openapi-document.ts';
import { configJsonSchema } from '../../src/config/options.ts';
import { certificateSchema } from '../../src/explore/certificate/certificate.ts';
import { explorationJsonSchema } from '../../src/explore/report/exploration-json.ts';
import { packageVersion } from '../../src/package/package-info.ts';
import { endpoints } from '../../src/service/endpoints.ts';
import { scenarioJsonSchema } from '../../src/scenario/scenario-json-schema.ts';
import { fixtureJsonSchema } from '../../src/storage/fixtures/fixture-json-schema.ts';
import { assumptionsPage } from './assumptions.ts';
import { commandsPage } from './commands.ts';
import { controlApiPage } from './control-api.ts';
import { controlEndpoints } from './control-endpoints.ts';
import { effectTables } from './effect-tables.ts';
import { faultsPage } from './faults.ts';
import { fixturesPage } from './fixtures.ts';
import { optionsPage } from './options.ts';
import { scenariosPage } from './scenarios.ts';
import { supportedPage } from './supported.ts';
import { verdictPage } from './verdict.ts';

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

const openApi = (): object =>
  buildOpenApi({
    endpoints,
    adminEndpoints,
    serverUrl: 'http://127.0.0.1:4010',
    version: packageVersion(),
  });

const schemaStore = 'https://www.schemastore.org';

/** Adds the address under which SchemaStore serves a schema, once it has it: its identifier in any case. */
const published = (name: string, schema: object): object => ({
  $id: `${schemaStore}/loyalty-sim-${name}.json`,
  ...schema,
});

/** Returns the entries for SchemaStore's catalogue, by which editors find the schema of a file by its name. */
const catalogueEntries = (): object => ({
  $schema: `${schemaStore}/schema-catalog.json`,
  version: 1,
  schemas: [
    {
      name: 'loyalty-sim configuration',
      description: 'Configuration of loyalty-sim, a local simulator of a retail customer data and loyalty service',
      fileMatch: ['loyalty-sim.config.json'],
      url: `${schemaStore}/loyalty-sim-config.json`,
    },
    {
      name: 'loyalty-sim scenario',
      description: 'Scenario of loyalty-sim: faults, expectations and steps for a client of a loyalty service',
      fileMatch: ['*.loyalty-sim.yaml', '*.loyalty-sim.yml', '*.loyalty-sim.json', '**/loyalty-sim/scenarios/*.yaml'],
      url: `${schemaStore}/loyalty-sim-scenario.json`,
    },
  ],
});

export const files: Readonly<Record<string, () => string>> = {
  'docs/supported.md': supportedPage,
  'docs/faults.md': faultsPage,
  'docs/assumptions.md': assumptionsPage,
  'docs/scenarios.md': scenariosPage,
  'docs/verdict.md': verdictPage,
  'docs/options.md': optionsPage,
  'docs/fixtures.md': fixturesPage,
  'docs/commands.md': commandsPage,
  'docs/control-api.md': controlApiPage,
  'src/control/control-endpoints.ts': controlEndpoints,
  'src/dashboard/effects/effect-tables.ts': effectTables,
  'docs/openapi.json': () => json(openApi()),
  'docs/schema/fixture.schema.json': () => json(fixtureJsonSchema()),
  'docs/schema/scenario.schema.json': () => json(published('scenario', scenarioJsonSchema())),
  'docs/schema/explore.schema.json': () => json(z.toJSONSchema(explorationJsonSchema)),
  'docs/schema/certificate.schema.json': () => json(z.toJSONSchema(certificateSchema)),
  'docs/schema/schemastore.json': () => json(catalogueEntries()),
  'docs/schema/config.schema.json': () => json(published('config', configJsonSchema())),
};
