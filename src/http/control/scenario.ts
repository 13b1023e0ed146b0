import * as z from 'zod';
import { answer } from '../../core/endpoint.ts';
import type { Tenant } from '../../core/tenant.ts';
import { takeUpScenario } from '../../scenario/following.ts';
import { scenarioOf } from '../../scenario/scenario.ts';
import type { WrittenScenario } from '../../scenario/scenario-schema.ts';
import { shownWritten } from '../../scenario/shown.ts';
import { controlEndpoint, tenantQuery } from './control.ts';
import type { Control } from './control.ts';
import { activeMasterRuleSchema, showMasterRule } from './master-rules.ts';
import { activeRuleSchema, showRule } from './faults.ts';
import { settingUp } from './named-files.ts';
import { namedScenario, namedScenarioMeaning, readScenario } from './named-scenario.ts';
import { activeWebhookRuleSchema, showWebhookRule } from './webhook-faults.ts';

const tag = 'Control: faults';

export const activeScenarioSchema = z
  .strictObject({
    scenario: z.looseObject({}).describe('As it was written; keys are hidden'),
    rules: z.array(activeRuleSchema).describe('In the order in which they are asked, those added while running first'),
    webhooks: z.array(activeWebhookRuleSchema).describe('Rules about webhooks'),
    master: z.array(activeMasterRuleSchema).describe('Rules about the point master beside it'),
    notes: z.array(z.string()).describe('What of the scenario has no effect here'),
  })
  .meta({ id: 'ActiveScenario' });

export function showScenario(tenant: Tenant): z.infer<typeof activeScenarioSchema> {
  const { written, rules, webhooks, master } = scenarioOf(tenant);
  return {
    scenario: shownWritten(written),
    rules: rules.map(showRule),
    webhooks: webhooks.rules.map(showWebhookRule),
    master: master.rules.map(showMasterRule),
    notes: [...elsewhere(tenant, written), ...unsent(tenant, written)],
  };
}

const elsewhere = ({ name }: Tenant, { rules = [] }: WrittenScenario): string[] =>
  rules.flatMap(({ id, match }, i) =>
    match?.tenant === undefined || match.tenant === name
      ? []
      : [`rules[${i}]${id === undefined ? '' : ` (${id})`} is for the tenant "${match.tenant}", and this is "${name}"`],
  );

const unsent = ({ settings }: Tenant, { webhooks = [] }: WrittenScenario): string[] =>
  settings.webhook || webhooks.length === 0 ? [] : ['webhooks: there is no webhookUrl, so nothing is sent'];

function takeUp(control: Control, scenario: WrittenScenario): Tenant {
  const { tenant, tenants, makeTenantAnew: makeAnew } = control;
  return settingUp(control, scenario.fixtures, () => takeUpScenario(tenant, scenario, { tenants, makeAnew }));
}

async function shippedOnes() {
  const [{ shippedScenarios }, { loadScenarios }] = await Promise.all([
    import('../../scenario/shipped.ts'),
    import('../../scenario/load.ts'),
  ]);
  return shippedScenarios().map((name) => {
    const { name: title = name, description = null } = loadScenarios([name]).written;
    return { name, title, description };
  });
}

export const scenarioEndpoints = [
  controlEndpoint({
    id: 'getScenario',
    method: 'GET',
    path: '/__admin/scenario',
    tag,
    summary: 'The active scenario, and how often its rules have matched and fired',
    query: tenantQuery,
    answers: { 200: activeScenarioSchema },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: ({ tenant }) => answer(200, showScenario(tenant)),
  }),
  controlEndpoint({
    id: 'replaceScenario',
    method: 'PUT',
    path: '/__admin/scenario',
    tag,
    summary:
      'Takes up another scenario, with its counters at zero; one that says how the tenant is set up (mode, now, fixtures, …) makes the tenant anew from its fixtures, else rules that were added stay',
    query: tenantQuery,
    body: namedScenario.describe(`As JSON: ${namedScenarioMeaning}`),
    answers: { 200: activeScenarioSchema },
    retry: 'idempotent',
    examples: [
      {
        body: { name: 'outage', rules: [{ match: { path: '/api/v3/receipts' }, fault: '504', times: 2 }] },
        status: 200,
      },
    ],
    handle: async (control, { body }) =>
      answer(200, showScenario(takeUp(control, await readScenario(control, body, '')))),
  }),
  controlEndpoint({
    id: 'listScenarios',
    method: 'GET',
    path: '/__admin/scenarios',
    tag,
    summary: 'The scenarios that come along, to be taken up by name',
    answers: {
      200: z.strictObject({
        scenarios: z.array(z.strictObject({ name: z.string(), title: z.string(), description: z.string().nullable() })),
      }),
    },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: async () => answer(200, { scenarios: await shippedOnes() }),
  }),
  controlEndpoint({
    id: 'clearScenario',
    method: 'DELETE',
    path: '/__admin/scenario',
    tag,
    summary: 'Clears the scenario; rules that were added stay',
    query: tenantQuery,
    answers: { 200: activeScenarioSchema },
    retry: 'idempotent',
    examples: [{ status: 200 }],
    handle: (control) => answer(200, showScenario(takeUp(control, {}))),
  }),
];
