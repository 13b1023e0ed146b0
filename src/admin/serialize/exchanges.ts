/** Serializes requests of the journal: as items of a list, or in full. */
import * as z from '../../core/validation/deferred-zod.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import { countEffects } from '../../core/state/effects.ts';
import { assumptionsOf, changesOf, outcomesOf } from '../../core/exchange/exchange.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { assumptions } from '../../service/assumptions/catalog.ts';
import {
  responseSchema,
  connectionSchema,
  deliveredSchema,
  endSchema,
  faultSummarySchema,
  injectedFaultSchema,
  requestMessageSchema,
  nearMissSchema,
  serializeResponse,
  serializeConnection,
  serializeDelivered,
  serializeEnd,
  serializeFault,
  serializeFaultSummary,
  serializeRequest,
  withParsedBody,
} from './exchange-schemas.ts';
import { effectSchema, serializeEffects, warningSchema } from './effects.ts';

const lineFields = {
  id: z.string(),
  number: z.int().describe("Counts a tenant's requests from 1"),
  at: z.string().describe("On the tenant's clock"),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  endpoint: z.string().nullable().describe('null if no endpoint matched'),
  status: z.int().nullable().describe('The status that the client received; null if it received none'),
  responseStatus: z.int().nullable().describe('Status of the service’s response; null when a fault came before it'),
  end: endSchema.nullable(),
  ms: z.number().nullable().describe('Real time until the response'),
  warnings: z.array(warningSchema),
};

export const exchangeSummarySchema = z
  .strictObject({
    ...lineFields,
    fault: faultSummarySchema.nullable().describe('The fault that hit it'),
    assumptions: z.array(z.string()),
    effects: z.int().describe('Counts its effects'),
  })
  .meta({ id: 'ExchangeSummary', description: 'A request and its response in short' });

export const exchangeSchema = z
  .strictObject({
    ...lineFields,
    request: requestMessageSchema,
    response: responseSchema.nullable().describe('Of the service; null when a fault came before it'),
    delivered: deliveredSchema.nullable().describe('The delivered response; null while the request is in flight'),
    fault: injectedFaultSchema.nullable().describe('The fault that hit it'),
    nearMisses: z
      .array(nearMissSchema)
      .describe('Rules for this endpoint or path that did not fire, at most five, and why'),
    connection: connectionSchema.nullable().describe('null for a request in process'),
    effects: z.array(effectSchema).describe('Effects of the request and of the jobs that it queued'),
    jobs: z
      .array(z.strictObject({ job: z.string(), at: z.string() }))
      .describe('Jobs that were executed later for this request'),
    assumptions: z.array(z.strictObject({ id: z.string(), topic: z.string(), inForce: z.string() })),
  })
  .meta({ id: 'Exchange', description: 'A request and its response in full' });

const serializeSharedFields = (exchange: Exchange) => ({
  id: exchange.id,
  number: exchange.number,
  at: toTimestamp(exchange.at),
  method: exchange.method,
  path: exchange.path,
  query: exchange.query,
  endpoint: exchange.endpoint ?? null,
  status: exchange.status ?? null,
  responseStatus: exchange.response?.status ?? null,
  end: serializeEnd(exchange),
  ms: exchange.finishedAt === undefined ? null : Math.round((exchange.finishedAt - exchange.startedAt) * 100) / 100,
  warnings: outcomesOf(exchange).flatMap(({ warnings }) => warnings),
});

export const serializeExchangeSummary = (exchange: Exchange): z.infer<typeof exchangeSummarySchema> => ({
  ...serializeSharedFields(exchange),
  fault: exchange.fault ? serializeFaultSummary(exchange.fault) : null,
  assumptions: assumptionsOf(exchange),
  effects: countEffects(changesOf(exchange)),
});

export function* serializeExchange(tenant: Tenant, exchange: Exchange): Steps<z.infer<typeof exchangeSchema>> {
  const { request, deferredEffects: later, fault, nearMisses, connection } = exchange;
  const missed = yield* nearMisses.findInSteps(exchange, tenant);
  const response = serializeResponse(exchange);
  const delivered = serializeDelivered(exchange);
  return {
    ...serializeSharedFields(exchange),
    request: yield* serializeRequest(request),
    response: response && (yield* withParsedBody(response)),
    delivered: delivered && (yield* withParsedBody(delivered)),
    fault: fault ? serializeFault(fault) : null,
    nearMisses: missed.map(({ rule, reason }) => ({ rule, reason })),
    connection: connection ? serializeConnection(connection) : null,
    effects: serializeEffects(changesOf(exchange)),
    jobs: later.map(({ job, at }) => ({ job, at: toTimestamp(at) })),
    assumptions: assumptionsOf(exchange).map((id) => ({
      id,
      topic: assumptions.find((assumption) => assumption.id === id)?.topic ?? '',
      inForce: tenant.settings.assumptions[id] ?? 'default',
    })),
  };
}
