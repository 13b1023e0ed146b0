import * as z from '../core/validation/deferred-zod.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import { finishInTurns, nextTurn } from '../core/time/steps.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import type { ActivePointMasterRule } from '../faults/point-master-rules.ts';
import { findImporter } from '../imports/importers-of-tenants.ts';
import { compileRules, scenarioOf } from '../scenario/scenario.ts';
import type { ScenarioSpec } from '../scenario/scenario-schema.ts';
import { redactSpec } from '../scenario/redact-scenario.ts';
import { adminEndpoint, tenantQuery } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';
import { activeRuleSchema, serializeActiveRule } from './faults.ts';
import {
  resolveScenarioReference,
  scenarioReference,
  scenarioReferenceText,
  withSetupErrors,
} from './input/file-references.ts';
import { activeImportRuleSchema, serializeImportRule } from './import-faults.ts';
import { activeWebhookRuleSchema, serializeWebhookRule } from './webhook-faults.ts';

const tag = 'Control: faults';

const countedRuleFields = {
  id: z.string(),
  matched: z.int().describe('Counts the times that it matched'),
  fired: z.int().describe('Counts the times that it fired'),
  remaining: z.int().nullable().describe('Counts the times that it may still fire; null: unlimited'),
  rule: z.looseObject({}).describe('The rule as written'),
};

const activePointMasterRuleSchema = z.strictObject(countedRuleFields).meta({
  id: 'ActivePointMasterRule',
  description: 'A rule about the point master next to the sim, and how often it has fired',
});

type CountedRule = Pick<ActivePointMasterRule, 'matched' | 'fired'> & {
  readonly rule: { readonly id: string; readonly limit: number; readonly spec: object };
};

const serializeCountedRule = ({
  rule: { id, limit, spec },
  matched,
  fired,
}: CountedRule): z.input<typeof activePointMasterRuleSchema> => ({
  id,
  matched,
  fired,
  remaining: Number.isFinite(limit) ? limit - fired : null,
  rule: { ...spec },
});

export const activeScenarioSchema = z
  .strictObject({
    scenario: z.looseObject({}).describe('The scenario as written, with keys hidden'),
    rules: z
      .array(activeRuleSchema)
      .describe('In the order in which they are tried; rules added at run time come first'),
    webhooks: z.array(activeWebhookRuleSchema).describe('Rules about webhooks'),
    pointMaster: z
      .array(activePointMasterRuleSchema)
      .describe('Rules of the point master that runs with the simulator'),
    imports: z.array(activeImportRuleSchema).describe('Rules about the import of files'),
    notes: z.array(z.string()).describe('Parts of the scenario that have no effect here'),
  })
  .meta({ id: 'ActiveScenario' });

export function serializeScenario(tenant: Tenant): z.infer<typeof activeScenarioSchema> {
  const { spec, rules, webhooks, pointMaster, imports } = scenarioOf(tenant);
  return {
    scenario: redactSpec(spec),
    rules: rules.map(serializeActiveRule),
    webhooks: webhooks.rules.map(serializeWebhookRule),
    pointMaster: pointMaster.rules.map(serializeCountedRule),
    imports: imports.rules.map(serializeImportRule),
    notes: [...elsewhere(tenant, spec), ...unsent(tenant, spec), ...unwatched(tenant, spec)],
  };
}

const elsewhere = ({ name }: Tenant, { rules = [] }: ScenarioSpec): string[] =>
  rules.flatMap(({ id, match }, i) =>
    match?.tenant === undefined || match.tenant === name
      ? []
      : [`rules[${i}]${id === undefined ? '' : ` (${id})`} is for the tenant "${match.tenant}", and this is "${name}"`],
  );

const unsent = ({ settings }: Tenant, { webhooks = [] }: ScenarioSpec): string[] =>
  settings.webhook || webhooks.length === 0 ? [] : ['webhooks: there is no webhookUrl, so nothing is sent'];

const unwatched = (tenant: Tenant, { imports = [] }: ScenarioSpec): string[] =>
  findImporter(tenant) || imports.length === 0 ? [] : ['imports: there is no importFolder, so no file is imported'];

/** Sets a scenario, and shows it. */
async function setScenario(context: AdminContext, scenario: ScenarioSpec) {
  const set = () => context.applyScenario(context.tenant, scenario);
  return apiResponse(200, serializeScenario(await withSetupErrors(context, scenario.fixtures, set)));
}

async function listBuiltInScenarios() {
  const [{ builtInScenarios }, { loadScenariosInSteps }] = await Promise.all([
    import('../scenario/built-in.ts'),
    import('../scenario/load.ts'),
  ]);
  const found: { name: string; title: string; description: string | null }[] = [];
  for (const name of builtInScenarios()) {
    const { name: title = name, description = null } = (await finishInTurns(loadScenariosInSteps([name]))).spec;
    found.push({ name, title, description });
    await nextTurn();
  }
  return found;
}

export const scenarioEndpoints = [
  adminEndpoint({
    id: 'getScenario',
    method: 'GET',
    path: '/__admin/scenario',
    tag,
    summary: 'Shows the active scenario, and how often its rules have matched and fired',
    query: tenantQuery,
    responses: { 200: activeScenarioSchema },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: ({ tenant }) => apiResponse(200, serializeScenario(tenant)),
  }),
  adminEndpoint({
    id: 'replaceScenario',
    method: 'PUT',
    path: '/__admin/scenario',
    tag,
    summary:
      'Replaces the scenario; one that sets the tenant up (mode, now, fixtures, …) creates it again, with its fixtures',
    query: tenantQuery,
    body: scenarioReference.describe(`As JSON: ${scenarioReferenceText}`),
    responses: { 200: activeScenarioSchema },
    retry: 'idempotent',
    examples: [
      {
        body: { name: 'outage', rules: [{ match: { path: '/api/v3/receipts' }, fault: '504', times: 2 }] },
        status: 200,
      },
    ],
    isLong: (body) => typeof body === 'object',
    handle: async (context, { body }) => {
      const scenario = await resolveScenarioReference(context, body, '');
      await finishInTurns(compileRules(scenario));
      return setScenario(context, scenario);
    },
  }),
  adminEndpoint({
    id: 'listScenarios',
    method: 'GET',
    path: '/__admin/scenarios',
    tag,
    summary: 'Lists the built-in scenarios, which can be applied by name',
    responses: {
      200: z.strictObject({
        scenarios: z.array(z.strictObject({ name: z.string(), title: z.string(), description: z.string().nullable() })),
      }),
    },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: async () => apiResponse(200, { scenarios: await listBuiltInScenarios() }),
  }),
  adminEndpoint({
    id: 'clearScenario',
    method: 'DELETE',
    path: '/__admin/scenario',
    tag,
    summary: 'Clears the scenario; rules added at run time stay',
    query: tenantQuery,
    responses: { 200: activeScenarioSchema },
    retry: 'idempotent',
    examples: [{ status: 200 }],
    handle: (context) => setScenario(context, {}),
  }),
];
