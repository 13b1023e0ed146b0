/** How the control API shows exchanges: one line of a list, or all there is to know of one. */
import * as z from 'zod';
import { toTimestamp } from '../../core/time/clock.ts';
import { countEffects } from '../../core/state/effects.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { RowChange } from '../../core/state/state.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { assumptions } from '../../service/assumptions/catalog.ts';
import {
  responseSchema,
  connectionSchema,
  deliveredSchema,
  endSchema,
  faultSummarySchema,
  injectedFaultSchema,
  messageSchema,
  nearMissSchema,
  serializeResponse,
  serializeConnection,
  serializeDelivered,
  serializeEnd,
  serializeFault,
  serializeFaultSummary,
  serializeMessage,
} from './exchange-schemas.ts';
import { effectSchema, serializeEffects, warningSchema } from './effects.ts';

const lineFields = {
  id: z.string(),
  number: z.int().describe("Counts a tenant's requests from 1"),
  at: z.string().describe("On the tenant's clock"),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  endpoint: z.string().nullable().describe('null when none answered'),
  status: z.int().nullable().describe('What the caller was told; null when it was told nothing'),
  responseStatus: z.int().nullable().describe('Status of the service’s response; null when a fault came before it'),
  end: endSchema.nullable(),
  ms: z.number().nullable().describe('Real time until the answer'),
  warnings: z.array(warningSchema),
};

export const exchangeSummarySchema = z
  .strictObject({
    ...lineFields,
    fault: faultSummarySchema.nullable().describe('What befell it'),
    assumptions: z.array(z.string()),
    effects: z.int().describe('How many'),
  })
  .meta({ id: 'ExchangeLine', description: 'A request and its answer in short' });

export const exchangeSchema = z
  .strictObject({
    ...lineFields,
    request: messageSchema,
    response: responseSchema.nullable().describe('Of the service; null when a fault came before it'),
    delivered: deliveredSchema.nullable().describe('What the caller really got; null as long as it is under way'),
    fault: injectedFaultSchema.nullable().describe('What befell it'),
    nearMisses: z
      .array(nearMissSchema)
      .describe('Rules for this endpoint or path that did not fire, at most five, and why'),
    connection: connectionSchema.nullable().describe('null for a call in process'),
    effects: z.array(effectSchema).describe('Of the call and of the jobs that it asked for'),
    jobs: z.array(z.strictObject({ job: z.string(), at: z.string() })).describe('Done later for this request'),
    assumptions: z.array(z.strictObject({ id: z.string(), topic: z.string(), inForce: z.string() })),
  })
  .meta({ id: 'Exchange', description: 'All there is to know of a request and its answer' });

const outcomesOf = ({ sideEffects: outcome, deferredEffects: later }: Exchange) => [
  outcome,
  ...later.map((job) => job.sideEffects),
];

const changesOfExchange = (exchange: Exchange): RowChange[] => outcomesOf(exchange).flatMap(({ changes }) => changes);

/** The assumptions that the answer, or a job done for it, rested on. */
export const assumptionsOf = (exchange: Exchange): string[] =>
  [...new Set(outcomesOf(exchange).flatMap(({ assumptions: met }) => met))].toSorted();

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
  effects: countEffects(changesOfExchange(exchange)),
});

export function serializeExchange(tenant: Tenant, exchange: Exchange): z.infer<typeof exchangeSchema> {
  const { request, deferredEffects: later, fault, nearMisses, connection } = exchange;
  return {
    ...serializeSharedFields(exchange),
    request: serializeMessage(request),
    response: serializeResponse(exchange),
    delivered: serializeDelivered(exchange),
    fault: fault ? serializeFault(fault) : null,
    nearMisses: nearMisses.list(exchange, tenant).map(({ rule, reason }) => ({ rule, reason })),
    connection: connection ? serializeConnection(connection) : null,
    effects: serializeEffects(changesOfExchange(exchange)),
    jobs: later.map(({ job, at }) => ({ job, at: toTimestamp(at) })),
    assumptions: assumptionsOf(exchange).map((id) => ({
      id,
      topic: assumptions.find((assumption) => assumption.id === id)?.topic ?? '',
      inForce: tenant.settings.assumptions[id] ?? 'default',
    })),
  };
}
