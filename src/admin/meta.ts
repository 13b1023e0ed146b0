import * as z from '../core/validation/deferred-zod.ts';
import { finishInTurns } from '../core/time/steps.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import { assumptions } from '../service/assumptions/catalog.ts';
import type { Assumption } from '../service/assumptions/catalog.ts';
import { listOutbox } from '../service/orders/operations.ts';
import { communicationSchema } from '../service/orders/schema.ts';
import { requiredText } from '../core/validation/field-types.ts';
import { packageVersion } from '../package/package-info.ts';
import { adminEndpoint, pageParameters, tenantQuery } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';
import { assumptionsOf } from '../core/exchange/exchange.ts';

const tag = 'Control: about';
const registry: readonly Assumption[] = assumptions;

const assumptionSchema = z.strictObject({
  id: z.string(),
  topic: z.string(),
  default: z.string(),
  variants: z.record(z.string(), z.string()),
  evidence: z.array(z.string()),
  note: z.string().nullable(),
  inForce: z.string().describe('"default" or the name of a variant'),
  exchanges: z.int().describe('Counts the requests in the journal that rested on it'),
  lastExchange: z.string().nullable(),
});

function listAssumptions({ tenant: { journal, settings } }: AdminContext): z.infer<typeof assumptionSchema>[] {
  const met = new Map<string, { count: number; last: string }>();
  for (const exchange of journal.exchanges()) {
    for (const id of assumptionsOf(exchange)) met.set(id, { count: (met.get(id)?.count ?? 0) + 1, last: exchange.id });
  }
  return registry.map(({ id, topic, default: reading, variants, evidence, note }) => ({
    id,
    topic,
    default: reading,
    variants: { ...variants },
    evidence: [...evidence],
    note: note ?? null,
    inForce: settings.assumptions[id] ?? 'default',
    exchanges: met.get(id)?.count ?? 0,
    lastExchange: met.get(id)?.last ?? null,
  }));
}

const healthSchema = z.strictObject({
  status: z.literal('ok'),
  journals: z
    .strictObject({
      bytes: z.int().describe('Present size'),
      historyBytes: z.int().describe('Part of it that the states before and after requests take'),
      maxBytes: z.int().describe('Largest size, which totalJournalBytes sets'),
      evicted: z.int().describe('Counts the requests that were dropped to make room'),
    })
    .describe('The journals of all tenants together, with the earlier states that are kept for their requests'),
});

export const metaEndpoints = [
  adminEndpoint({
    id: 'getHealth',
    method: 'GET',
    path: '/__admin/health',
    tag,
    summary: 'Responds as soon as the simulator can be called',
    responses: { 200: healthSchema },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: ({ tenants }) => {
      const { bytes, historyBytes, limit, evicted } = tenants.default.journal.budget;
      return apiResponse(200, { status: 'ok', journals: { bytes, historyBytes, maxBytes: limit, evicted } });
    },
  }),
  adminEndpoint({
    id: 'getVersion',
    method: 'GET',
    path: '/__admin/version',
    tag,
    summary: 'Shows the name and version of the program, and of Node',
    responses: { 200: z.strictObject({ name: z.string(), version: z.string(), node: z.string() }) },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: () => apiResponse(200, { name: 'loyalty-sim', version: packageVersion(), node: process.version }),
  }),
  adminEndpoint({
    id: 'listAssumptions',
    method: 'GET',
    path: '/__admin/assumptions',
    tag,
    summary: 'Lists what the specification leaves open, how the simulator reads it, and which requests rested on it',
    query: tenantQuery,
    responses: { 200: z.strictObject({ assumptions: z.array(assumptionSchema) }) },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: (context) => apiResponse(200, { assumptions: listAssumptions(context) }),
  }),
  adminEndpoint({
    id: 'listOutbox',
    method: 'GET',
    path: '/__admin/outbox',
    tag: 'Control: outbox',
    summary: 'Lists the e-mails and text messages that orders caused, the earliest first',
    query: tenantQuery.extend({
      contactId: requiredText.optional().describe('Only those to this contact'),
      orderNumber: requiredText.optional().describe('Only those of this order'),
      ...pageParameters,
    }),
    responses: {
      200: z.strictObject({
        count: z.int().describe('Counts the matches on all pages'),
        items: z.array(communicationSchema).describe('The newest last'),
      }),
    },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: ({ tenant }, { query: { contactId, orderNumber, offset, limit } }) => {
      const found = listOutbox(tenant, { contactId, orderNumber });
      return apiResponse(200, { count: found.length, items: found.slice(offset, offset + limit) });
    },
  }),
  adminEndpoint({
    id: 'getOpenApi',
    method: 'GET',
    path: '/__admin/openapi.json',
    tag,
    summary: 'Describes this service and its control API as an OpenAPI 3.1 document',
    query: tenantQuery,
    responses: { 200: z.looseObject({ openapi: z.string() }) },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: async ({ endpoints, adminEndpoints, serverUrl, tenant }) => {
      const { openApiInSteps } = await import('../http/openapi/openapi-document.ts');
      const document = { endpoints, adminEndpoints, serverUrl, tenant: tenant.name };
      return apiResponse(200, await finishInTurns(openApiInSteps({ ...document, version: packageVersion() })));
    },
  }),
  adminEndpoint({
    id: 'getScenarioSchema',
    method: 'GET',
    path: '/__admin/schema/scenario.json',
    tag,
    summary: 'Returns the JSON schema of scenario files, for editors',
    responses: { 200: z.looseObject({ title: z.string() }) },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: async () => {
      const { scenarioJsonSchema } = await import('../scenario/scenario-json-schema.ts');
      return apiResponse(200, scenarioJsonSchema());
    },
  }),
];
