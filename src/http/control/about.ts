import * as z from 'zod';
import { answer } from '../../core/endpoint.ts';
import { assumptions } from '../../resources/assumptions.ts';
import type { Assumption } from '../../resources/assumptions.ts';
import { listOutbox } from '../../resources/orders/operations.ts';
import { communicationSchema } from '../../resources/orders/schema.ts';
import { requiredText } from '../../resources/formats.ts';
import { version } from '../../package.ts';
import { controlEndpoint, pageParameters, tenantQuery } from './control.ts';
import type { Control } from './control.ts';
import { assumptionsOf } from './exchanges.ts';

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
  exchanges: z.int().describe('How many requests in the journal rested on it'),
  lastExchange: z.string().nullable(),
});

function listAssumptions({ tenant: { journal, settings } }: Control): z.infer<typeof assumptionSchema>[] {
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
    inForce: settings.assume[id] ?? 'default',
    exchanges: met.get(id)?.count ?? 0,
    lastExchange: met.get(id)?.last ?? null,
  }));
}

export const aboutEndpoints = [
  controlEndpoint({
    id: 'getHealth',
    method: 'GET',
    path: '/__admin/health',
    tag,
    summary: 'Answers as soon as the sim can be called',
    answers: { 200: z.strictObject({ status: z.literal('ok') }) },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: () => answer(200, { status: 'ok' }),
  }),
  controlEndpoint({
    id: 'getVersion',
    method: 'GET',
    path: '/__admin/version',
    tag,
    summary: 'Which program this is, and what it runs on',
    answers: { 200: z.strictObject({ name: z.string(), version: z.string(), node: z.string() }) },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: () => answer(200, { name: 'loyalty-sim', version: version(), node: process.version }),
  }),
  controlEndpoint({
    id: 'listAssumptions',
    method: 'GET',
    path: '/__admin/assumptions',
    tag,
    summary: 'What the specification leaves open, how it is read here, and which requests that mattered to',
    query: tenantQuery,
    answers: { 200: z.strictObject({ assumptions: z.array(assumptionSchema) }) },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: (control) => answer(200, { assumptions: listAssumptions(control) }),
  }),
  controlEndpoint({
    id: 'listOutbox',
    method: 'GET',
    path: '/__admin/outbox',
    tag: 'Control: outbox',
    summary: 'The e-mails and text messages that orders set off, the earliest first',
    query: tenantQuery.extend({
      contactId: requiredText.optional(),
      orderNumber: requiredText.optional(),
      ...pageParameters,
    }),
    answers: {
      200: z.strictObject({
        count: z.int().describe('How many match, on all pages'),
        items: z.array(communicationSchema).describe('The newest last'),
      }),
    },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: ({ tenant }, { query: { contactId, orderNumber, offset, limit } }) => {
      const found = listOutbox(tenant, { contactId, orderNumber });
      return answer(200, { count: found.length, items: found.slice(offset, offset + limit) });
    },
  }),
  controlEndpoint({
    id: 'getOpenApi',
    method: 'GET',
    path: '/__admin/openapi.json',
    tag,
    summary: 'This service and its control API as an OpenAPI 3.1 document',
    query: tenantQuery,
    answers: { 200: z.looseObject({ openapi: z.string() }) },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: async ({ endpoints, serverUrl, tenant }) => {
      const [{ buildOpenApi }, { controlEndpoints }] = await Promise.all([
        import('../openapi.ts'),
        import('./endpoints.ts'),
      ]);
      return answer(
        200,
        buildOpenApi({ endpoints, controlEndpoints, serverUrl, tenant: tenant.name, version: version() }),
      );
    },
  }),
  controlEndpoint({
    id: 'getScenarioSchema',
    method: 'GET',
    path: '/__admin/schema/scenario.json',
    tag,
    summary: 'The JSON schema of scenario files, for editors',
    answers: { 200: z.looseObject({ title: z.string() }) },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: async () => {
      const { scenarioJsonSchema } = await import('../../scenario/json-schema.ts');
      return answer(200, scenarioJsonSchema());
    },
  }),
];
